/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a block that changes by less from frame to frame than the noise of one. Which
 * of its frames is the last out of bounds is then for noise to say; the mean of several is not. */
#ifndef TS_VISION_SLOW_H
#define TS_VISION_SLOW_H

#include "vision/window.h"

#include <math.h>
#include <stddef.h>

struct ts_slow {
    const float *values; /* of a block; values[n] is frame n */
    const double *sum;   /* sum[n] of the frames low .. n - 1 */
    size_t low, high;    /* frames low .. high - 1 are known */
    double noise, final; /* codes */
    double period_ms;
};

/* How far from what it comes to, codes. */
static inline double ts_slow_away(const struct ts_slow *slow, size_t frame)
{
    return fabs((double)slow->values[frame] - slow->final);
}

/* So many frames on each side of `frame` must be averaged to see the change there; 0: it is quick,
 * or no change that goes on. */
size_t ts_slow_reach(const struct ts_slow *slow, size_t frame);
/* calm[n] is the mean of the frames n - reach .. n + reach that are known. */
void ts_slow_calm(const struct ts_slow *slow, size_t reach, float *calm);
/* Frame `out` is the last out of bounds. How much earlier or later that would be if the final level
 * were another by as much as is not known of it, ms; 0 of what goes on to it quickly. */
double ts_slow_level_u_ms(const struct ts_slow *slow, size_t out);
/* A block does not move any more from frame `rest` on, as far as moves are seen; but the end of a
 * slow change may still go on. From which frame on it is level. */
size_t ts_slow_rest(const struct ts_window *window, size_t block, size_t rest, double noise);

#endif
