/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text that says which camera, and in which mode: "WHAT?key=value&key=value". */
#ifndef TS_LIVE_CAMERA_SPEC_H
#define TS_LIVE_CAMERA_SPEC_H

#include "base/err.h"

#include <stdbool.h>

#define TS_CAMERA_WHAT_MAX 1024

struct ts_camera_spec {
    char what[TS_CAMERA_WHAT_MAX]; /* device, path, command; "" when none is named */
    int width_px, height_px;       /* size=WIDTHxHEIGHT; 0: the driver's choice */
    double rate_hz;                /* rate=; 0: the driver's choice */
    char format[16];               /* format=; "": the driver's choice */
    int exposure, gain, white;     /* in the driver's units; -1: not named */
    bool pattern;                  /* test=pattern: the sensor's own picture */
};

/* `keys` are those that the driver knows, separated by spaces. TS_EINVAL: another key, or a value
 * that is none; *why lists what there is. */
int ts_camera_spec_read(const char *text, const char *keys, struct ts_camera_spec *out,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
