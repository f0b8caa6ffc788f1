/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: when a block is out of bounds, further than TS_VISIBLE_CODES from its final
 * value. */
#ifndef TS_VISION_BOUNDS_H
#define TS_VISION_BOUNDS_H

#include "vision/slow.h"

/* The last frame that is out of bounds for good; `low` when none is (that frame has nothing before
 * it from which it could have changed). */
size_t ts_bounds_last_outside(const struct ts_slow *slow);
/* How far out the frames before the last one outside, `out`, are together, in TS_VISIBLE_CODES, but
 * for those of a quick change before them: noise brings some of what had arrived out of bounds, a
 * slow change is out all the time. 0: they are too few. */
double ts_bounds_out_before(const struct ts_slow *slow, size_t out);

#endif
