/* SPDX-License-Identifier: GPL-3.0-or-later */
/* End rules of others, frame by frame. Both know when a frame was taken, and nothing else. */
#ifndef TESTS_PERF_VISION_ACCURACY_RIVALS_H
#define TESTS_PERF_VISION_ACCURACY_RIVALS_H

#include "base/err.h"
#include "model/frame.h"

#include <stddef.h>

/* ffmpeg's filter freezedetect: a freeze begins with the first frame from which, for a second, the
 * mean absolute difference of the pixels stays at or below the noise. */
struct accuracy_freeze;

int accuracy_freeze_open(const struct ts_camera_geometry *camera, double noise_db,
                         struct accuracy_freeze **out) TS_MUST_CHECK;
void accuracy_freeze_close(struct accuracy_freeze *freeze); /* NULL is fine */
int accuracy_freeze_frame(struct accuracy_freeze *freeze, const uint8_t *pixels,
                          double at_ms) TS_MUST_CHECK;
/* When the last freeze began; NAN: there was none. */
double accuracy_freeze_began(const struct accuracy_freeze *freeze);

/* Last visual change as WebPageTest and its kin find it: going back from the last frame, the
 * earliest one of which no pixel differs from it by more than a tenth of full scale. Of large
 * pictures every second, third ... pixel each way is looked at, so that a film fits in memory. */
struct accuracy_last;

int accuracy_last_open(const struct ts_camera_geometry *camera,
                       struct accuracy_last **out) TS_MUST_CHECK;
void accuracy_last_close(struct accuracy_last *last); /* NULL is fine */
int accuracy_last_frame(struct accuracy_last *last, const uint8_t *pixels) TS_MUST_CHECK;
/* The number of that frame, from 0. */
size_t accuracy_last_change(const struct accuracy_last *last);

#endif
