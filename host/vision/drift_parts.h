/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the parts of drift: what is around the phone, and the picture itself. */
#ifndef TS_VISION_DRIFT_PARTS_H
#define TS_VISION_DRIFT_PARTS_H

#include "vision/drift.h"

#define TS_DRIFT_FINAL_FRAMES  8 /* whose mean is the final picture */
#define TS_DRIFT_BRIGHT_CODES  215.0f
#define TS_DRIFT_SAMPLES_LEAST 30
#define TS_DRIFT_SLOW_MS       250.0

static inline double ts_drift_mean(const float *of_frames, size_t from, size_t count)
{
    double sum = 0;
    for (size_t n = from; n < from + count; n++)
        sum += (double)of_frames[n];
    return sum / (double)count;
}

/* By the blocks of the screen that are not to be skipped: gain[] of the frames from `first` on,
 * which show the final picture. False where they show no exposure that moves, as far as they tell
 * that. */
bool ts_drift_by_picture(struct ts_drift *drift, const struct ts_window *window,
                         const uint8_t *skip, size_t *first);

#endif
