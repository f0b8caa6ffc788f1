/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/track.h"

#include "base/buf.h"
#include "base/time.h"
#include "clock/points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS_MOST 16
#define FOLLOWERS     8  /* must agree with those before a reading that is left out alone */
#define LONE_APART    16 /* contradictions closer than this are no accidents: the clock jumped */
#define LONE_MOST     64
#define STEP_MARGIN   6 /* readings on each side of a small jump: its place is found by medians */

struct search {
    struct ts_reading *readings; /* those of `points`, one by one */
    struct ts_clock_points points;
    struct ts_clock_track *track;
    size_t lone;
    bool boundless; /* gave up */
};

/* The first reading that no line through all from `from` on agrees with; since more readings leave
 * less room, doubling and halving finds it. */
static size_t first_contradiction(const struct search *search, size_t from)
{
    const size_t count = search->points.count;
    size_t agree = from + 1, step = 4;
    while (agree < count) {
        const size_t to = count - agree < step ? count : agree + step;
        if (ts_clock_points_agree(&search->points, from, to)) {
            agree = to;
            step *= 2;
        } else if (to == agree + 1) {
            return agree;
        } else {
            step = (to - agree) / 2;
        }
    }
    return count;
}

/* The first of the readings up to `to` from which all agree. */
static size_t last_contradiction(const struct search *search, size_t from, size_t at, size_t to)
{
    while (from < at) {
        const size_t middle = from + (at - from) / 2;
        if (ts_clock_points_agree(&search->points, middle, to))
            at = middle;
        else
            from = middle + 1;
    }
    return at;
}

static void copy_point(struct ts_clock_points *points, size_t to, size_t from)
{
    points->out_x[to] = points->out_x[from];
    points->out_y[to] = points->out_y[from];
    points->back_x[to] = points->back_x[from];
    points->back_y[to] = points->back_y[from];
}

/* A reading says the same twice when its neighbour is copied over it: as if that were not there. */
static bool agree_without(struct search *search, size_t from, size_t to, size_t without)
{
    struct ts_clock_points *points = &search->points;
    const double kept[] = {points->out_x[without], points->out_y[without], points->back_x[without],
                           points->back_y[without]};
    copy_point(points, without, without > from ? without - 1 : without + 1);
    const bool agree = ts_clock_points_agree(points, from, to);
    points->out_x[without] = kept[0];
    points->out_y[without] = kept[1];
    points->back_x[without] = kept[2];
    points->back_y[without] = kept[3];
    return agree;
}

static void leave_out(struct search *search, size_t at)
{
    ts_clock_points_drop(&search->points, at);
    memmove(search->readings + at, search->readings + at + 1,
            (search->points.count - at) * sizeof *search->readings);
    search->track->lost++;
    search->lone++;
}

/* One wrong reading among right ones: which? Any of the two that close the channel, or the one at
 * which it closed. */
static bool leave_out_lone(struct search *search, size_t from, size_t at)
{
    const size_t count = search->points.count;
    const size_t to = count - at - 1 < FOLLOWERS ? count : at + 1 + FOLLOWERS;
    const struct ts_points view = ts_clock_points_view(&search->points, from, at + 1);
    const struct ts_edges edges =
        ts_edges_at(&view, ts_envelope_widest(&view, TS_CLOCK_SLOPE_MOST));
    const size_t blamed[] = {at, from + edges.low_by, from + edges.high_by};
    for (size_t i = 0; i < 3; i++) {
        if (!agree_without(search, from, to, blamed[i]))
            continue;
        leave_out(search, blamed[i]);
        return true;
    }
    return false;
}

/* Where the stretch from `from` ends: at the end, or at the first reading after a jump. */
static size_t stretch_end(struct search *search, size_t from)
{
    size_t last_lone = SIZE_MAX;
    for (;;) {
        const size_t at = first_contradiction(search, from);
        if (at == search->points.count)
            return at;
        if (last_lone != SIZE_MAX && at - last_lone < LONE_APART)
            return last_lone > from ? last_lone : at;
        if (search->lone == LONE_MOST || !leave_out_lone(search, from, at))
            return at;
        last_lone = at;
    }
}

/* What is between `from` and `to` agrees with one line. */
static int add_segment(struct search *search, size_t from, size_t to)
{
    struct ts_clock_track *track = search->track;
    if (to < from + TS_CLOCK_READINGS_MIN) {
        track->lost += to - from;
        return TS_OK;
    }
    struct ts_clock_segment *segment =
        ts_grow((void **)&track->segments, &track->count, &track->capacity, sizeof *segment);
    if (!segment)
        return TS_ENOMEM;
    const int err = ts_clock_fit(search->readings + from, to - from, &segment->fit, NULL);
    segment->host_from_ns = search->readings[from].t4_ns;
    segment->host_to_ns = search->readings[to - 1].t1_ns;
    if (err) {
        track->count--;
        track->lost += to - from;
    }
    return err == TS_ENOMEM ? err : TS_OK;
}

/* Jumps that leave room for a line are cut out too: the clearest first, then those beside it. */
static int add_stretch(struct search *search, size_t from, size_t to)
{
    struct ts_clock_track *track = search->track;
    const size_t before = track->count;
    int err = add_segment(search, from, to);
    if (err || track->count == before)
        return err;
    struct ts_clock_points part = search->points;
    size_t at;
    part.count = to - from;
    part.out_x += from;
    part.out_y += from;
    part.back_x += from;
    part.back_y += from;
    if (!ts_clock_find_step(&part, track->segments[before].fit.rate - 1, &at))
        return TS_OK;
    track->count = before;
    track->stepped = true;
    if (before == SEGMENTS_MOST) {
        search->boundless = true;
        return TS_OK;
    }
    at += from;
    const size_t left = at - from > STEP_MARGIN ? at - STEP_MARGIN : from;
    const size_t right = to - at > STEP_MARGIN ? at + STEP_MARGIN : to;
    track->lost += right - left;
    err = add_stretch(search, from, left);
    return err ? err : add_stretch(search, right, to);
}

/* Readings that all could be of one clock but for its jumps. */
static int search_chunk(struct search *search)
{
    size_t from = 0, sure = 0;
    while (from < search->points.count && !search->boundless) {
        const size_t end = stretch_end(search, from);
        size_t left = end;
        if (end < search->points.count) {
            const size_t right_end = first_contradiction(search, end);
            left = last_contradiction(search, from + 1, end, right_end);
            search->track->stepped = true;
        }
        /* What agrees with both sides of the jump before this stretch was its end's. */
        search->track->lost += end - (left > sure ? left : sure);
        const int err = left > sure ? add_stretch(search, sure, left) : TS_OK;
        if (err)
            return err;
        from = sure = end;
        if (search->track->count > SEGMENTS_MOST)
            search->boundless = true;
    }
    return TS_OK;
}

static int add_chunk(struct search *search, const struct ts_reading *readings, size_t count)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        if (ts_clock_plausible(&readings[i], &readings[count / 2]))
            search->readings[n++] = readings[i];
    search->track->lost += count - n;
    int err = ts_clock_points_load(&search->points, search->readings, n);
    if (err)
        return err;
    search->track->lost += n - search->points.count;
    if (search->points.count == n)
        err = search_chunk(search);
    ts_clock_points_free(&search->points);
    return err;
}

int ts_clock_track_fit(const struct ts_reading *readings, size_t count, struct ts_clock_track *out,
                       struct ts_why *why)
{
    struct ts_reading *plausible = malloc((count + 1) * sizeof *plausible);
    struct search search = {.track = out, .readings = plausible};
    int err = TS_OK;
    *out = (struct ts_clock_track){0};
    if (!plausible)
        return TS_ENOMEM;
    for (size_t from = 0, to; from < count && !err && !search.boundless; from = to) {
        /* A clock that is set from 1970 to today leaves no readings to compare. */
        for (to = from + 1; to < count; to++)
            if (!ts_clock_plausible(&readings[to], &readings[from]) &&
                ts_clock_plausible(&readings[to], &readings[to]))
                break;
        out->stepped |= to < count;
        err = add_chunk(&search, readings + from, to - from);
    }
    free(plausible);
    if (!err && (search.boundless || !out->count))
        err = ts_fail(why, TS_EPROTO, "%zu clock readings, and no clock runs as they say", count);
    if (err)
        ts_clock_track_free(out);
    return err;
}

void ts_clock_track_free(struct ts_clock_track *track)
{
    free(track->segments);
    *track = (struct ts_clock_track){0};
}

const struct ts_clock_fit *ts_clock_track_at_host(const struct ts_clock_track *track,
                                                  int64_t host_ns)
{
    for (size_t i = 0; i < track->count; i++) {
        const struct ts_clock_segment *segment = &track->segments[i];
        const bool begun = i == 0 || host_ns >= segment->host_from_ns;
        const bool lasts = i + 1 == track->count || host_ns <= segment->host_to_ns;
        if (begun && lasts)
            return &segment->fit;
    }
    return NULL;
}

const struct ts_clock_fit *ts_clock_track_at_other(const struct ts_clock_track *track,
                                                   int64_t other_ns, int64_t seen_ns)
{
    const struct ts_clock_fit *found = NULL;
    for (size_t i = 0; i < track->count; i++) {
        const struct ts_clock_segment *segment = &track->segments[i];
        const int64_t host_ns = ts_clock_to_host(&segment->fit, other_ns);
        double low, high;
        ts_clock_bounds_at(&segment->fit, other_ns, &low, &high);
        const int64_t earliest_ns = ts_ns_after(host_ns, (int64_t)fmax(low, -1e15));
        const int64_t latest_ns = ts_ns_after(host_ns, (int64_t)fmin(high, 1e15));
        if ((i > 0 && latest_ns < segment[-1].host_to_ns) ||
            (i + 1 < track->count && earliest_ns > segment[1].host_from_ns) ||
            earliest_ns > seen_ns)
            continue;
        if (found)
            return NULL;
        found = &segment->fit;
    }
    return found;
}
