/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what happened to one block. Its brightness is cut into rests and changes, a
 * change into monotone steps, and each step is given the instant at which it passed half way. */
#ifndef TS_VISION_CHANGES_STEPS_H
#define TS_VISION_CHANGES_STEPS_H

#include "vision/changes_series.h"

#define TS_VISIBLE_CODES (0.02 * 255) /* 2 % of full scale */
#define TS_STEPS_KEPT    32

enum ts_edge_kind {
    TS_EDGE_NONE,
    TS_EDGE_CUT,     /* at once, inside an exposure: the partial value tells when */
    TS_EDGE_BETWEEN, /* at once, between two exposures: ms is the middle of lo_ms .. hi_ms */
    TS_EDGE_FADE,    /* over several frames: interpolated */
};

struct ts_edge {
    enum ts_edge_kind kind;
    double ms, lo_ms, hi_ms; /* the bounds that the frames themselves give */
    double u_ms;
    double codes; /* size of the step */
    size_t block;
};

struct ts_story {
    double final;                  /* codes in the tail */
    double noise;                  /* standard deviation of one frame's value, codes */
    struct ts_edge before;         /* last step before t0 */
    struct ts_edge first, last;    /* steps after t0 */
    struct ts_edge settled;        /* comes within TS_VISIBLE_CODES of its final value for good */
    size_t steps;                  /* of all */
    double step_ms[TS_STEPS_KEPT]; /* the latest ones: step i is at i % TS_STEPS_KEPT */
};

struct ts_steps { /* working memory for one block after the other */
    const struct ts_series *series;
    double *values, *scratch, *sum, *moment; /* [frames], sums [frames + 1] */
};

int ts_steps_open(struct ts_steps *steps, const struct ts_series *series) TS_MUST_CHECK;
void ts_steps_close(struct ts_steps *steps);
void ts_steps_block(struct ts_steps *steps, size_t block, struct ts_story *story);

#endif
