/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a block that was partly cut off at full scale, when a gain is divided out. */
#ifndef TS_VISION_SATURATED_H
#define TS_VISION_SATURATED_H

#include "vision/window.h"

/* A brighter block may have pixels that are cut off, though none of the picture is all white. */
#define TS_BRIGHT_CODES 160

/* Codes of one block: values[n] is frame n of the window, low .. high - 1; at rest from rest on. */
struct ts_saturated {
    const struct ts_window *window;
    float *values;
    size_t low, rest, high;
    double noise, final;
};

/* The values as they would be without. white_ms: the block was all cut off until then, on the
 * stream's axis, and may have been out of bounds (vision/bounds.h); 0: it never was in frames that
 * are known, and what is known of frames before them stays known. */
void ts_saturated_mend(const struct ts_saturated *s, float *white_ms);

#endif
