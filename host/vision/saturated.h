/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a block that was partly cut off at full scale, when a gain is divided out. */
#ifndef TS_VISION_SATURATED_H
#define TS_VISION_SATURATED_H

#include "vision/window.h"

/* Codes of one block: values[n] is frame n of the window, low .. high - 1; at rest from rest on. */
struct ts_saturated {
    const struct ts_window *window;
    float *values;
    size_t low, rest, high;
    double noise, final;
};

/* The values as they would be without. */
void ts_saturated_mend(const struct ts_saturated *s);

#endif
