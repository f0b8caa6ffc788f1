/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A clock that may be set: one fit for each stretch in which it ran on by itself. A jump that no
 * straight line explains (the phone's clock is set by its network, a counter loses an overflow)
 * ends a stretch and begins another; readings that agree with either side of a jump are given to
 * neither, so that no fit and no bound is touched by it. */
#ifndef TS_CLOCK_TRACK_H
#define TS_CLOCK_TRACK_H

#include "clock/fit.h"

struct ts_clock_segment {
    struct ts_clock_fit fit;
    int64_t host_from_ns, host_to_ns; /* the clock ran on by itself between these, for certain */
};

struct ts_clock_track {
    struct ts_clock_segment *segments; /* owned; in order of time */
    size_t count, capacity;
    size_t lost;  /* readings that contradict, or lie too near a jump, or were too few to fit */
    bool stepped; /* there was a jump */
};

/* Readings of one counter (one boot of a board) in order of time. TS_EPROTO: no stretch could be
 * fitted, or the clock is not one (it jumps without end); TS_ENOMEM. *out is to be freed on TS_OK
 * only. */
int ts_clock_track_fit(const struct ts_reading *readings, size_t count, struct ts_clock_track *out,
                       struct ts_why *why) TS_MUST_CHECK;
void ts_clock_track_free(struct ts_clock_track *track); /* zeroed is fine */

/* Which stretch does this instant belong to? NULL: it lies between two, where the jump was. Before
 * the first and after the last reading the clock is taken to run on. */
const struct ts_clock_fit *ts_clock_track_at_host(const struct ts_clock_track *track,
                                                  int64_t host_ns);
/* The same for a stamp of the clock itself, that was seen on the host at seen_ns or before
 * (INT64_MAX: nobody knows). After a jump back one stamp can mean two instants: NULL when the
 * readings do not say which. */
const struct ts_clock_fit *ts_clock_track_at_other(const struct ts_clock_track *track,
                                                   int64_t other_ns, int64_t seen_ns);

#endif
