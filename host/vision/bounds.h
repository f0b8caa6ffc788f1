/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: when a block is out of bounds, further than TS_VISIBLE_CODES from its final
 * value; and whether anybody can tell that it is. */
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

/* Changes as large as what counts, as far as anybody can tell: whether they count is chance. When a
 * block was out of bounds for the last time, on the stream's axis; 0: it never was. What goes
 * slowly, and further than wide bounds, passes any, only some frames sooner or later: then most_ms
 * is not after least_ms.
 */
struct ts_barely {
    float most_ms;  /* of bounds as narrow as those that count may be, ... */
    float least_ms; /* ... and as wide */
};

/* Of the frames in `slow`; what is known of frames before them stays known. calm: [frames] working
 * memory. */
void ts_barely_tell(const struct ts_slow *slow, const struct ts_window *window, float *calm,
                    struct ts_barely *barely);
/* What was told of frames from there on is not known any more. */
void ts_barely_forget(struct ts_barely *barely, double from_ms);

#endif
