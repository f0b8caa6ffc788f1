/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what lies around the phone says how the camera's exposure moves, whatever the
 * screen does meanwhile. */
#ifndef TS_VISION_SURROUNDINGS_H
#define TS_VISION_SURROUNDINGS_H

#include "vision/window.h"

#define TS_SURROUNDINGS_SAMPLES 320

struct ts_surroundings {
    struct ts_samples {
        size_t count, block[TS_SURROUNDINGS_SAMPLES];
        float final[TS_SURROUNDINGS_SAMPLES]; /* mean code of the latest frames */
    } around, screen;
};

/* Fills gain[frame] for the whole window: each frame against the latest few. False: what is around
 * does not say, does not move, or moves without the screen (skip[block]: no part of it). */
bool ts_surroundings_gain(struct ts_surroundings *surroundings, const struct ts_window *window,
                          const uint8_t *skip, float *gain);

#endif
