/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the instant at which one block passes a level, between frames. */
#ifndef TS_VISION_CHANGES_EDGE_H
#define TS_VISION_CHANGES_EDGE_H

#include "vision/changes_steps.h"

struct ts_passage {
    const struct ts_series *series;
    const double *values; /* of the block, all frames */
    size_t block;
    size_t from, to;           /* frames: the last at rest before, the first at rest after */
    double old_code, new_code; /* the rests */
    double noise;              /* codes */
};

/* When the passage crosses old + share * (new - old), 0 < share < 1; the last time it does. */
struct ts_edge ts_passage_edge(const struct ts_passage *passage, double share);

#endif
