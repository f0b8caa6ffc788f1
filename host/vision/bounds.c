/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/bounds.h"

#include "vision/edge.h"

#include <math.h>

#define OUT_MS       100.0 /* before it arrives a change may be slow to do so */
#define OUT_LEAST    4     /* frames */
#define FAR_OUT      2.0   /* times what is visible, ... */
#define FAR_NOISE    3.0   /* ... and so many standard deviations */
#define SURELY_NOISE 4.0   /* standard deviations further: one frame by itself is enough */

size_t ts_bounds_last_outside(const struct ts_slow *slow)
{
    for (size_t n = slow->high - 1; n > slow->low; n--) {
        const double out = ts_slow_away(slow, n);
        if (out > TS_VISIBLE_CODES + SURELY_NOISE * slow->noise ||
            (out > TS_VISIBLE_CODES && ts_slow_away(slow, n - 1) > TS_VISIBLE_CODES))
            return n;
    }
    return slow->low;
}

double ts_bounds_out_before(const struct ts_slow *slow, size_t out)
{
    const size_t reach = (size_t)(OUT_MS / slow->period_ms);
    const size_t first = slow->low + reach > out ? slow->low : out - reach;
    const double far = FAR_OUT * TS_VISIBLE_CODES + FAR_NOISE * slow->noise;
    double sum = 0;
    size_t near = 0;
    for (size_t n = first; n <= out; n++) {
        const double here = ts_slow_away(slow, n);
        near += here < far;
        sum += here < far ? here : 0;
    }
    return near < OUT_LEAST ? 0 : sum / (double)near / TS_VISIBLE_CODES;
}
