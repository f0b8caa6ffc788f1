/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: when a part of the screen moved, seen back from the end. Unlike scenes.h,
 * which keeps account of all that moves, it can leave out what is known to move all the time. */
#ifndef TS_VISION_BURSTS_H
#define TS_VISION_BURSTS_H

#include "vision/region.h"
#include "vision/track.h"

#define TS_BURSTS_MOST    12
#define TS_BURSTS_SKIPS   3
#define TS_BURSTS_REST_MS 100.0 /* without moves between two of them */

struct ts_bursts {
    size_t count;
    struct ts_burst {
        double begin_ms, end_ms;
        size_t blocks;            /* that moved in it ... */
        struct ts_region_box box; /* ... and where */
    } burst[TS_BURSTS_MOST];      /* latest first, with rest in between */
};

/* Of the blocks that are 0 in all of skip that are not NULL. */
void ts_bursts_find(const struct ts_track *track, const uint8_t *const skip[TS_BURSTS_SKIPS],
                    double end_ms, struct ts_bursts *bursts);
/* The same blocks have rested for longer than it was from since_ms to their latest move: no burst
 * since then came after as long a rest. Asks for less than ts_bursts_find() does. */
bool ts_bursts_are_over(const struct ts_track *track, const uint8_t *const skip[TS_BURSTS_SKIPS],
                        double since_ms, double end_ms);
/* One beside the other, and not of quite another size. */
bool ts_bursts_in_one_place(const struct ts_track *track, const struct ts_burst *a,
                            const struct ts_burst *b);
/* The block moved in it. */
bool ts_burst_has(const struct ts_burst *burst, const struct ts_track *track, size_t block);

#endif
