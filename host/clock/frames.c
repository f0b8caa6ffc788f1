/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/frames.h"

#include "base/time.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define FIRST_WINDOW 16
#define QUEUE_MOST   16   /* frames that a stall may hold back together */
#define FIRST_MOST   4    /* ... when they are the first of all */
#define NUMBER_MOST  1e8  /* a leap of this is no loss but nonsense */
#define PERIOD_U     4.0  /* makes period_u_ns cover, see tests */
#define SHARPEST_NS  1000 /* lateness is not known better */

struct work {
    size_t count;
    const struct ts_frame_arrivals *arrivals;
    double *memory;  /* owns the arrays below, [count] each */
    double *at;      /* arrival, from the first */
    double *number;  /* place on the line, not yet from 0 */
    double *late;    /* scratch; also the corners of the hull */
    bool *duplicate; /* owned */
};

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static int load(struct work *work, const struct ts_frame_arrivals *arrivals, struct ts_why *why)
{
    const size_t count = arrivals->count;
    if (count < TS_FRAMES_LEAST)
        return ts_fail(why, TS_EPROTO, "only %zu camera frames", count);
    work->count = count;
    work->arrivals = arrivals;
    work->memory = malloc(3 * count * sizeof *work->memory);
    work->duplicate = calloc(count, sizeof *work->duplicate);
    if (!work->memory || !work->duplicate)
        return TS_ENOMEM;
    work->at = work->memory;
    work->number = work->at + count;
    work->late = work->number + count;
    for (size_t i = 0; i < count; i++) {
        work->at[i] = (double)ts_ns_between(arrivals->arrival_ns[i], arrivals->arrival_ns[0]);
        if (work->at[i] < (i ? work->at[i - 1] : 0))
            return ts_fail(why, TS_EPROTO, "camera frame %zu arrived before the one before it", i);
    }
    return TS_OK;
}

static double slope(const struct work *work, size_t a, size_t b)
{
    return (work->at[b] - work->at[a]) / (work->number[b] - work->number[a]);
}

/* The edge of the lower hull that has the middle of the frames above it. */
static void fit_line(const struct work *work, size_t count, struct ts_frame_line *line)
{
    size_t corners = 0, frames = 0;
    double middle = 0;
    for (size_t i = 0; i < count; i++) {
        if (work->duplicate[i])
            continue;
        while (corners >= 2 &&
               slope(work, (size_t)work->late[corners - 2], (size_t)work->late[corners - 1]) >=
                   slope(work, (size_t)work->late[corners - 1], i))
            corners--;
        work->late[corners++] = (double)i;
        middle += work->number[i];
        frames++;
    }
    middle /= (double)frames;
    if (corners < 2)
        return;
    size_t edge = 0;
    while (edge + 2 < corners && work->number[(size_t)work->late[edge + 1]] < middle)
        edge++;
    const size_t a = (size_t)work->late[edge], b = (size_t)work->late[edge + 1];
    line->period_ns = slope(work, a, b);
    line->start_ns = work->at[a] - line->period_ns * work->number[a];
}

/* Frame i claims the place of the one before it, which may have come so late that it seemed to be
 * on the next place, and the one before that ...: they move down if there is an empty place. */
static bool make_room(struct work *work, size_t i)
{
    size_t run = i, length = 0;
    while (run > 0 && length <= QUEUE_MOST) {
        const size_t before = run - 1;
        if (!work->duplicate[before]) {
            if (work->number[before] < work->number[i] - (double)length)
                break;
            length++;
        }
        run = before;
    }
    if (length > (run ? QUEUE_MOST : FIRST_MOST))
        return false;
    for (size_t k = run; k < i; k++)
        work->number[k] -= 1;
    return true;
}

/* early: periods that a frame may come before the line is at its place. */
static void count_by_line(struct work *work, size_t count, double early,
                          const struct ts_frame_line *line)
{
    for (size_t i = 0; i < count; i++) {
        const double place = floor((work->at[i] - line->start_ns) / line->period_ns + early);
        const double last = i ? work->number[i - 1] : -INFINITY;
        work->duplicate[i] = false;
        work->number[i] = fmax(place, last);
        if (work->number[i] > last)
            continue;
        work->duplicate[i] = !make_room(work, i);
    }
}

/* What is learnt of n frames is good enough to count 2 n by. The better the line is known, the less
 * a late frame may pass for an early one of the next place, which would bend it. */
static int count_by_period(struct work *work, struct ts_frame_line *line, struct ts_why *why)
{
    static const double early[] = {0.3, 0.1, 0.03};
    const size_t first = work->count - 1 < 4 * FIRST_WINDOW ? work->count - 1 : 4 * FIRST_WINDOW;
    for (size_t i = 0; i < first; i++)
        work->late[i] = work->at[i + 1] - work->at[i];
    qsort(work->late, first, sizeof *work->late, by_value);
    line->period_ns = work->late[first / 2];
    for (size_t size = FIRST_WINDOW;; size *= 2) {
        const size_t window = size < work->count ? size : work->count;
        for (size_t again = 0; again < sizeof early / sizeof *early; again++) {
            if (!(line->period_ns > 0) || work->at[work->count - 1] / line->period_ns > NUMBER_MOST)
                return ts_fail(why, TS_EPROTO, "camera frames arrive every %g ms",
                               line->period_ns / 1e6);
            count_by_line(work, window, early[again], line);
            fit_line(work, window, line);
        }
        if (window == work->count)
            return TS_OK;
    }
}

static int count_by_sequence(struct work *work, struct ts_frame_line *line, struct ts_why *why)
{
    const uint32_t *sequence = work->arrivals->sequence;
    work->number[0] = 0;
    for (size_t i = 1; i < work->count; i++) {
        const int32_t step = (int32_t)(sequence[i] - sequence[i - 1]);
        work->duplicate[i] = step == 0;
        work->number[i] = work->number[i - 1] + step;
        if (step < 0 || work->number[i] > NUMBER_MOST)
            return ts_fail(why, TS_EPROTO, "camera frame %u follows number %u", sequence[i],
                           sequence[i - 1]);
    }
    fit_line(work, work->count, line);
    return TS_OK;
}

static void describe(struct work *work, uint32_t *number, struct ts_frame_line *line)
{
    const double first = work->number[0];
    const double last = work->number[work->count - 1] - first;
    size_t frames = 0;
    line->start_ns += line->period_ns * first;
    for (size_t i = 0; i < work->count; i++) {
        number[i] = (uint32_t)(work->number[i] - first);
        if (work->duplicate[i])
            line->duplicates++;
        else
            work->late[frames++] = work->at[i] - ts_frames_due_ns(line, number[i]);
    }
    line->lost = (size_t)last + 1 - frames;
    qsort(work->late, frames, sizeof *work->late, by_value);
    line->late_p50_ns = work->late[frames / 2];
    line->late_p99_ns = work->late[frames * 99 / 100];
    line->late_most_ns = work->late[frames - 1];
    /* How far apart delays come near the edge (envelope.c), over half the line. */
    const double scale = fmax(4 * work->late[frames / 4], SHARPEST_NS);
    line->period_u_ns = PERIOD_U * scale / ((double)frames * last / 2);
}

int ts_frames_fit(const struct ts_frame_arrivals *arrivals, uint32_t *number,
                  struct ts_frame_line *line, struct ts_why *why)
{
    struct work work = {0};
    *line = (struct ts_frame_line){0};
    int err = load(&work, arrivals, why);
    if (err)
        goto end;
    line->origin_ns = arrivals->arrival_ns[0];
    err = arrivals->sequence ? count_by_sequence(&work, line, why)
                             : count_by_period(&work, line, why);
    if (!err && !(line->period_ns > 0))
        err = ts_fail(why, TS_EPROTO, "the camera frames' arrivals give no period");
    if (!err)
        describe(&work, number, line);
end:
    free(work.memory);
    free(work.duplicate);
    return err;
}
