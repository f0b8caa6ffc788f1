/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: how many blocks of a region that goes on move at once, and when, over the
 * time that they remember. */
#ifndef TS_VISION_RHYTHM_H
#define TS_VISION_RHYTHM_H

#include "vision/region.h"
#include "vision/track.h"

#define TS_RHYTHM_HALVES 256

struct ts_rhythm_place {
    const struct ts_track *track;
    const uint8_t *region;    /* [blocks] the number of each block's region */
    uint8_t number;           /* of which this place is the part ... */
    struct ts_region_box box; /* ... within it */
    double end_ms;
};

struct ts_rhythm {
    double since_ms, half_ms;
    size_t halves;
    uint16_t moves[TS_RHYTHM_HALVES]; /* in each half of a window, from since_ms on */
    size_t agree;                     /* moved at the time in question */
};

/* So near to each other all of a change happens at once: in one or two frames. */
double ts_rhythm_at_once_ms(const struct ts_track *track);
/* Takes what the place does, and how much of it moved at at_ms; whether any did. Who moves too
 * often keeps no time and does not count. */
bool ts_rhythm_listen(const struct ts_rhythm_place *place, double at_ms, struct ts_rhythm *rhythm);
/* The share of other times than at_ms at which at least as many blocks moved at once. */
double ts_rhythm_common(const struct ts_rhythm *rhythm, double at_ms);
/* How many of its blocks move when any does, as a block sees it; 0: since it first moved it has not
 * rested in between. */
double ts_rhythm_usual(const struct ts_rhythm *rhythm);

#endif
