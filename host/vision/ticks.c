/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/ticks.h"

#include "vision/region.h"

#define RECENT_MS   3500.0 /* it has ticked since */
#define JOIN_NEAR   2      /* coarse blocks: parts of one place, ... */
#define ACROSS_MOST 6      /* ... which is no larger than so many of them */
#define DOWN_MOST   3
#define AT_ONCE_MS  200.0
#define SECOND_MS   1000.0
#define INEXACT     0.06
#define RANGE_MS    130.0 /* so far they are off, together; half of that of as few as may be: */
#define TICKS_LEAST 4
#define TICKS_MOST  16
#define GAP_MOST    4200.0 /* of a digit that changes hardly visibly one misses some */
#define OVERDUE_MS  150.0

struct ticks {
    const struct ts_track *track;
    struct ts_region_box box;
    size_t count;
    double ms[TICKS_MOST]; /* latest first */
};

/* The latest move in the box before before_ms. */
static double move_before(const struct ticks *ticks, double before_ms)
{
    double latest = -INFINITY;
    for (size_t y = ticks->box.y0; y <= ticks->box.y1; y++) {
        for (size_t x = ticks->box.x0; x <= ticks->box.x1; x++) {
            const size_t block = y * ticks->track->across + x;
            const struct ts_moves *moves = &ticks->track->moves[block];
            if (ticks->track->ignore[block])
                continue;
            for (size_t i = 0; i < ts_moves_known(moves); i++) {
                const double ms = ts_moves_back(moves, i);
                latest = ms < before_ms ? fmax(latest, ms) : latest;
            }
        }
    }
    return latest;
}

static void find_moves(struct ticks *ticks)
{
    for (double ms = INFINITY; ticks->count < TICKS_MOST; ticks->count++) {
        ms = move_before(ticks, ms - AT_ONCE_MS);
        if (isinf(ms))
            return;
        ticks->ms[ticks->count] = ms;
    }
}

/* Whether the latest n moves are whole seconds apart, or nearly: an app draws its digits when it
 * comes to it, and what draws them is seen when it is done. Its seconds may be a little long or
 * short, as timers are that need not be exact. */
static bool keep_time(const struct ticks *ticks, size_t n)
{
    const double span_ms = ticks->ms[0] - ticks->ms[n - 1];
    const double seconds = round(span_ms / SECOND_MS), period_ms = span_ms / seconds;
    double early_ms = 0, late_ms = 0; /* of what the latest has for whole seconds */
    if (!(fabs(period_ms - SECOND_MS) < INEXACT * SECOND_MS))
        return false;
    for (size_t i = 1; i < n; i++) {
        const double ago_ms = ticks->ms[0] - ticks->ms[i];
        const double off_ms = period_ms * round(ago_ms / period_ms) - ago_ms;
        early_ms = fmin(early_ms, off_ms);
        late_ms = fmax(late_ms, off_ms);
        if (ticks->ms[i - 1] - ticks->ms[i] > GAP_MOST)
            return false;
    }
    return late_ms - early_ms <= (n > TICKS_LEAST ? RANGE_MS : RANGE_MS / 2);
}

/* Leaves in `ticks` those in a row: as many as keep time. */
static bool find_ticks(struct ticks *ticks, double end_ms)
{
    while (ticks->count >= TICKS_LEAST && !keep_time(ticks, ticks->count))
        ticks->count--;
    if (ticks->count < TICKS_LEAST)
        return false;
    double gap_ms = 0; /* the longest */
    for (size_t i = 1; i < ticks->count; i++)
        gap_ms = fmax(gap_ms, ticks->ms[i - 1] - ticks->ms[i]);
    return end_ms - ticks->ms[0] < gap_ms + OVERDUE_MS;
}

static bool is_in(const struct ts_region_box *box, size_t x, size_t y)
{
    return x >= box->x0 && x <= box->x1 && y >= box->y0 && y <= box->y1;
}

static bool moved_at(const struct ts_moves *moves, double ms)
{
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        if (fabs(ts_moves_back(moves, i) - ms) < AT_ONCE_MS)
            return true;
    }
    return false;
}

/* The launch draws the place as it draws all else, but for what goes on. */
static bool is_launch(const struct ticks *ticks, double ms, const uint8_t *endless)
{
    const struct ts_track *track = ticks->track;
    for (size_t block = 0; block < track->blocks; block++) {
        if (!track->ignore[block] && !endless[block] &&
            !is_in(&ticks->box, block % track->across, block / track->across) &&
            moved_at(&track->moves[block], ms))
            return true;
    }
    return false;
}

/* What the earliest draws goes on too, unless that is the launch. */
static void mark(const struct ticks *ticks, uint8_t *endless)
{
    const size_t last = ticks->count - 1;
    const bool launch = is_launch(ticks, ticks->ms[last], endless);
    const double since_ms = ticks->ms[launch ? last - 1 : last] - AT_ONCE_MS;
    for (size_t y = ticks->box.y0; y <= ticks->box.y1; y++) {
        for (size_t x = ticks->box.x0; x <= ticks->box.x1; x++) {
            const size_t block = y * ticks->track->across + x;
            endless[block] |=
                !ticks->track->ignore[block] && (double)ticks->track->last_ms[block] > since_ms;
        }
    }
}

void ts_ticks_add(const struct ts_track *track, double end_ms, uint8_t *endless, uint8_t *scratch)
{
    const struct ts_region_grid grid = {track->across, track->down};
    const size_t near = ts_track_scaled(track, JOIN_NEAR);
    uint8_t *late = scratch + track->blocks, *place = scratch;
    for (size_t block = 0; block < track->blocks; block++)
        late[block] = !track->ignore[block] && (double)track->last_ms[block] > end_ms - RECENT_MS;
    for (size_t seed = 0; seed < track->blocks; seed++) {
        if (late[seed] != 1)
            continue;
        const struct ts_region_box box = ts_region_connected(grid, late, seed, near, place);
        for (size_t block = 0; block < track->blocks; block++)
            late[block] = place[block] ? 2 : late[block];
        if (box.x1 - box.x0 >= ts_track_scaled(track, ACROSS_MOST) ||
            box.y1 - box.y0 >= ts_track_scaled(track, DOWN_MOST))
            continue;
        struct ticks ticks = {.track = track, .box = ts_region_around(grid, box, near)};
        find_moves(&ticks);
        if (find_ticks(&ticks, end_ms))
            mark(&ticks, endless);
    }
}
