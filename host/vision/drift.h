/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a camera's exposure that moves by itself, slowly and for a second or more
 * after the picture has changed. */
#ifndef TS_VISION_DRIFT_H
#define TS_VISION_DRIFT_H

#include "vision/surroundings.h"
#include "vision/window.h"

#define TS_DRIFT_SAMPLES 320

struct ts_drift {
    struct ts_samples around, screen;
    float *level;   /* [blocks] the final picture, sums */
    float *before;  /* [blocks] another one */
    uint16_t *calm; /* [blocks] sums of a frame without flicker */
    size_t count, block[TS_DRIFT_SAMPLES];
    float final[TS_DRIFT_SAMPLES];
    float *gain;       /* [capacity] of each frame against the final picture */
    float *contrast;   /* [capacity] the same of the differences between its blocks */
    float *off, *left; /* [capacity] mean squared difference from it without and with that gain */
};

int ts_drift_open(struct ts_drift *drift, const struct ts_window *window) TS_MUST_CHECK;
void ts_drift_close(struct ts_drift *drift);
/* Compares the frames with the final picture (the mean of the latest few), by what is around the
 * phone or, where that does not tell, from the latest back as long as all (but where skip[block] is
 * not 0) is the same but for a gain. Divides that gain out of the window (window->gain).
 * Returns whether there was any. */
bool ts_drift_remove(struct ts_drift *drift, struct ts_window *window, const uint8_t *skip);

#endif
