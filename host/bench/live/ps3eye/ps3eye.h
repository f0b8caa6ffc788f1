/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PS3 Eye (USB 1415:2000) beside its driver ts_camera_ps3eye. */
#ifndef TS_LIVE_PS3EYE_PS3EYE_H
#define TS_LIVE_PS3EYE_PS3EYE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* Lets the sensor send its colour bars and looks whether every picture is just those: cable, bridge
 * and driver lose and change nothing. `what` as the driver's. TS_EPROTO: the pictures are other. */
int ts_ps3eye_self_test(const char *what, struct ts_why *why) TS_MUST_CHECK;

/* Upright bars: every column of one grey, and at least five different edges between them. */
bool ts_ps3eye_is_pattern(const uint8_t *grey, int width_px, int height_px);

#endif
