/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/frames_line.h"

#include "base/buf.h"

#include <stdlib.h>

struct corner {
    double sequence, arrival_ns; /* from the first frame */
};

struct gap {
    size_t frame;     /* this and the next ones ... */
    uint32_t missing; /* ... have so many lost ones before them */
};

struct ts_frames_schedule {
    size_t count;
    struct ts_frames_csv_row first, last;
    double middle; /* sum of the sequences, from the first */
    struct corner *hull;
    size_t corners, hull_capacity;
    struct gap *gaps;
    size_t gap_count, gap_capacity;
    size_t at; /* the gap before the frame that was asked for last */
};

int ts_frames_schedule_open(struct ts_frames_schedule **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? TS_OK : TS_ENOMEM;
}

void ts_frames_schedule_close(struct ts_frames_schedule *schedule)
{
    if (!schedule)
        return;
    free(schedule->hull);
    free(schedule->gaps);
    free(schedule);
}

static double slope(const struct corner *a, const struct corner *b)
{
    return (b->arrival_ns - a->arrival_ns) / (b->sequence - a->sequence);
}

static int add_corner(struct ts_frames_schedule *schedule, struct corner corner)
{
    while (schedule->corners >= 2) {
        const struct corner *last = &schedule->hull[schedule->corners - 1];
        if (slope(last, &corner) > slope(last - 1, last))
            break;
        schedule->corners--;
    }
    void *hull = schedule->hull;
    struct corner *added =
        ts_grow(&hull, &schedule->corners, &schedule->hull_capacity, sizeof *added);
    schedule->hull = hull;
    if (!added)
        return TS_ENOMEM;
    *added = corner;
    return TS_OK;
}

static int add_gap(struct ts_frames_schedule *schedule, uint32_t missing)
{
    void *gaps = schedule->gaps;
    struct gap *added =
        ts_grow(&gaps, &schedule->gap_count, &schedule->gap_capacity, sizeof *added);
    schedule->gaps = gaps;
    if (!added)
        return TS_ENOMEM;
    *added = (struct gap){schedule->count, missing};
    return TS_OK;
}

int ts_frames_schedule_add(struct ts_frames_schedule *schedule, const struct ts_frames_csv_row *row)
{
    if (schedule->count == 0)
        schedule->first = *row;
    else if (row->sequence - schedule->last.sequence != 1 &&
             add_gap(schedule,
                     row->sequence - schedule->first.sequence - (uint32_t)schedule->count))
        return TS_ENOMEM;
    const struct corner corner = {row->sequence - schedule->first.sequence,
                                  (double)(row->arrival_ns - schedule->first.arrival_ns)};
    schedule->last = *row;
    schedule->middle += corner.sequence;
    schedule->count++;
    return add_corner(schedule, corner);
}

size_t ts_frames_schedule_count(const struct ts_frames_schedule *schedule)
{
    return schedule->count;
}

struct ts_frames_csv_row ts_frames_schedule_first(const struct ts_frames_schedule *schedule)
{
    return schedule->first;
}

/* The edge of the lower hull above which the middle of the frames lies is the line sought. */
int ts_frames_schedule_line(const struct ts_frames_schedule *schedule, struct ts_frames_line *line)
{
    if (schedule->count < 2)
        return TS_EPROTO;
    const struct corner *hull = schedule->hull;
    const double middle = schedule->middle / (double)schedule->count;
    size_t edge = 0;
    while (edge + 2 < schedule->corners && hull[edge + 1].sequence < middle)
        edge++;
    line->period_ns = slope(&hull[edge], &hull[edge + 1]);
    line->start_ns = hull[edge].arrival_ns - line->period_ns * hull[edge].sequence;
    return TS_OK;
}

uint32_t ts_frames_schedule_sequence(struct ts_frames_schedule *schedule, size_t n)
{
    const struct gap *gaps = schedule->gaps;
    if (schedule->at > 0 && gaps[schedule->at - 1].frame > n)
        schedule->at = 0;
    while (schedule->at < schedule->gap_count && gaps[schedule->at].frame <= n)
        schedule->at++;
    const uint32_t missing = schedule->at ? gaps[schedule->at - 1].missing : 0;
    return schedule->first.sequence + (uint32_t)n + missing;
}
