/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: whether anybody can tell that a block was out of bounds (vision/bounds.h). */
#ifndef TS_VISION_BARELY_H
#define TS_VISION_BARELY_H

#include "vision/slow.h"

/* Changes as large as what counts, as far as anybody can tell: whether they count is chance. When a
 * block was out of bounds for the last time, on the stream's axis; 0: it never was. What goes
 * slowly, and further than wide bounds, passes any, only some frames sooner or later: then most_ms
 * is not after least_ms. */
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
