/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The even clock of a camera behind the arrivals of its frames. A crystal starts the exposures, and
 * the way to the host only makes frames late: the line below all arrivals is the camera's, and what
 * lies above it is the host's (the lower envelope; of all lines that no frame beats, the one with
 * the least total lateness). A camera that is asked for 120 frames a second may send 100: the
 * period is measured, never believed. */
#ifndef TS_CLOCK_FRAMES_H
#define TS_CLOCK_FRAMES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define TS_FRAMES_LEAST 8

struct ts_frame_arrivals {
    size_t count;
    const int64_t *arrival_ns; /* must not fall */
    const uint32_t *sequence;  /* the driver's numbers, lost frames counted; NULL: it has none */
};

struct ts_frame_line {
    int64_t origin_ns; /* of the first arrival */
    double start_ns;   /* from origin_ns: when the frame of number 0 would have come in time */
    double period_ns, period_u_ns;
    double late_p50_ns, late_p99_ns, late_most_ns; /* arrivals behind the line */
    size_t lost, duplicates;
};

/* number: [count], from 0; each frame's place on the line, lost ones left out. A duplicate has the
 * number of the frame before it. Without sequence numbers frames are counted by the period: one
 * that comes late, alone or in a bunch after a stall, keeps its own number as long as there is an
 * empty place for it among the last 16; else it is a duplicate; those that
 * come late at the very end have lost ones before them. TS_EPROTO: too few frames, arrivals
 * that fall, numbers that leap, no period. */
int ts_frames_fit(const struct ts_frame_arrivals *arrivals, uint32_t *number,
                  struct ts_frame_line *line, struct ts_why *why) TS_MUST_CHECK;

/* When a frame came, or would have come, in time; from origin_ns. */
static inline double ts_frames_due_ns(const struct ts_frame_line *line, uint32_t number)
{
    return line->start_ns + line->period_ns * (double)number;
}

#endif
