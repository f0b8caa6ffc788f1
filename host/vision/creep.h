/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: blocks that change so slowly that the track's rests go with them, so that no
 * frame ever shows a move: an icon that eases in for seconds. */
#ifndef TS_VISION_CREEP_H
#define TS_VISION_CREEP_H

#include "vision/track.h"

#define TS_CREEP_REST_MS 1000.0 /* it has come to rest when it crept no further for so long */

struct ts_creep {
    float *seen;      /* [blocks] code at which it rested, or was last seen to have crept to, ... */
    float *ms;        /* [blocks] ... which was then; INFINITY: it has not crept */
    double looked_ms; /* they were looked at */
};

int ts_creep_open(struct ts_creep *creep, size_t blocks) TS_MUST_CHECK;
void ts_creep_close(struct ts_creep *creep);
/* Now and then. True when something has crept, and come to rest: see ts_creep_rested. */
bool ts_creep_look(struct ts_creep *creep, const struct ts_track *track, double now_ms);
/* It crept, and has come to rest. */
static inline bool ts_creep_rested(const struct ts_creep *creep, size_t block, double now_ms)
{
    return now_ms - (double)creep->ms[block] >= TS_CREEP_REST_MS;
}
/* Its change has been told. */
static inline void ts_creep_told(struct ts_creep *creep, size_t block)
{
    creep->ms[block] = INFINITY;
}

#endif
