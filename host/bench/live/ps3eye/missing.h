/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many pictures are missing between two that came. The frame id tells odd from even. PTS tells
 * exactly, if it is a clock; no document says so, therefore it is believed once it has gone on by
 * the same step for a while. Until then, a step like the last one stands for as many periods, and
 * the time between the arrivals decides on others, as near as the frame id allows; on the first,
 * the frame id alone. Pure. */
#ifndef TS_LIVE_PS3EYE_MISSING_H
#define TS_LIVE_PS3EYE_MISSING_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

/* So many equal steps in a row make a clock of PTS. */
#define TS_MISSING_STEPS 16

struct ts_missing {
    int64_t period_ns; /* as set */
    bool started;
    uint32_t pts;
    uint8_t fid;
    struct ts_host_time arrival;
    uint32_t step;    /* of PTS from picture to picture, */
    uint32_t periods; /* and how many of the camera's it was held for */
    unsigned learnt;  /* steps seen, up to TS_MISSING_STEPS */
    unsigned same;    /* steps like it in a row; TS_MISSING_STEPS: a clock */
};

/* Torn pictures count as come: call it for them too. Returns how many did not come since the one
 * before; 0 for the first. */
uint32_t ts_missing_count(struct ts_missing *missing, uint32_t pts, uint8_t fid,
                          struct ts_host_time arrival);

#endif
