/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/ticks.h"

#include "vision/region.h"

#define RECENT_MS   3500.0 /* it has ticked since */
#define JOIN_NEAR   2      /* coarse blocks: parts of one place, ... */
#define ACROSS_MOST 6      /* ... which is no larger than so many of them */
#define DOWN_MOST   3
#define AT_ONCE_MS  200.0
#define SECOND_MS   1000.0
#define RANGE_MS    200.0 /* so far they are off, together; half of that of as few as may be: */
#define TICKS_LEAST 4
#define TICKS_MOST  16
#define GAP_MOST    4200.0 /* of a digit that changes hardly visibly one misses some */
#define OVERDUE_MS  150.0

struct ticks {
    const struct ts_track *track;
    struct ts_region_box box;
    size_t count;
    double ms[TICKS_MOST]; /* latest first */
    double most_ms;        /* from one to the next */
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

/* How many moves from the latest on are whole seconds apart, or nearly: an app draws its digits
 * when it comes to it, and what draws them is seen when it is done. */
static size_t keep_time(struct ticks *ticks)
{
    double early_ms = 0, late_ms = 0; /* of what the latest has for whole seconds */
    size_t n = 1;
    for (; n < ticks->count; n++) {
        const double ago_ms = ticks->ms[0] - ticks->ms[n];
        const double off_ms = SECOND_MS * round(ago_ms / SECOND_MS) - ago_ms;
        const double early = fmin(early_ms, off_ms), late = fmax(late_ms, off_ms);
        const double gap_ms = ticks->ms[n - 1] - ticks->ms[n];
        if (late - early > RANGE_MS || gap_ms > GAP_MOST)
            break;
        early_ms = early;
        late_ms = late;
        ticks->most_ms = fmax(ticks->most_ms, gap_ms);
    }
    return n < TICKS_LEAST || (n == TICKS_LEAST && late_ms - early_ms > RANGE_MS / 2) ? 0 : n;
}

/* Leaves in `ticks` those in a row. */
static bool find_ticks(struct ticks *ticks, double end_ms)
{
    ticks->count = keep_time(ticks);
    return ticks->count > 0 && end_ms - ticks->ms[0] < ticks->most_ms + OVERDUE_MS;
}

/* The earliest may be the launch, which draws the place as it draws all else. */
static void mark(const struct ticks *ticks, uint8_t *endless)
{
    const double since_ms = ticks->ms[ticks->count - 2] - AT_ONCE_MS;
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
