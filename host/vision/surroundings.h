/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what lies around the phone says how the camera's exposure moves, whatever the
 * screen does meanwhile. */
#ifndef TS_VISION_SURROUNDINGS_H
#define TS_VISION_SURROUNDINGS_H

#include "vision/detector.h"

#define TS_SAMPLES_MOST  320
#define TS_SAMPLES_LEAST 30

struct ts_samples {
    size_t count;
    uint32_t block[TS_SAMPLES_MOST];
};

/* Blocks around the phone or the others, as far as skip[block] is 0 (NULL: all), spread over those
 * that are neither too dark nor too bright. level: [blocks] sums. */
void ts_samples_choose(const struct ts_vision_view *view, const float *level, bool around,
                       const uint8_t *skip, struct ts_samples *samples);
/* They are neither few nor of one colour, which has no proportions to keep. */
bool ts_samples_tell(const struct ts_samples *samples, const float *level);
/* How much brighter than level nearly all of them are in the same proportion; 0: they are not. */
float ts_samples_gain(const struct ts_samples *samples, const float *level, const uint16_t *sums);

#endif
