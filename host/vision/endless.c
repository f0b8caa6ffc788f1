/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First what shows by itself that it goes on, in four ways: a block that changes again and again
 * (spinner, video, caret); the screen changing at equal distances in one place, though each time
 * other blocks do (the hands of a clock, the pages of a carousel); a place where something moves
 * all the time, though each block rests in between (a progress bar that runs to and fro, a film
 * with still parts); and a small place that shows the seconds (ticks.h). Then what belongs to it
 * (belong.h). */
#include "vision/endless.h"

#include "vision/belong.h"
#include "vision/bursts.h"
#include "vision/region.h"
#include "vision/ticks.h"

#include <math.h>
#include <string.h>

#define AGAIN_LEAST      3      /* moves near the end that make a block endless */
#define AGAIN_MS         1500.0 /* near the end: this, or 1.5 times the quiet time */
#define EPISODE_GAP_MS   200.0
#define LONG_GAP_MS      2500.0
#define OVERDUE          1.15
#define REGULAR_EPISODES 4
#define EPISODES_MOST    (2 * REGULAR_EPISODES - 1)
#define REGULAR_SHARE    0.12 /* two intervals of one period differ by less */
#define REGULAR_MS       40.0
#define ENDLESS_MOST     0.6 /* share of the screen; above it, the screen is simply not at rest */
#define PLACE_MOST       0.5 /* share of the screen that makes one place */
#define PLACE_NEAR       4   /* blocks: parts of one place */
#define JOIN_NEAR        2   /* parts of one restless region */
#define BURST_LEAST      2   /* blocks */
#define MANY_MOVES       4
#define PART_LEAST       2 /* coarse blocks of it that go on */
#define BINS             20
#define BIN_MS           100.0
#define EMPTY_BINS       5   /* in a row: it rested */
#define AGAIN_SHARE      0.3 /* of the place's blocks that moved more than once */

struct finder {
    const struct ts_track *track;
    struct ts_region_grid grid;
    double quiet_ms, end_ms;
    size_t screen; /* blocks that count */
    uint8_t *endless, *scratch;
};

/* `count` starts of episodes, latest first, at equal distances, and the next one is not overdue.
 * Three will do when the quiet tail is longer than their distance, since it would show that they
 * have ended, or when launches are over in less than two of them; else it takes four: a splash, the
 * content and a late picture can stand as far apart by chance. Returns how many are regular. */
static size_t regular(const struct finder *finder, const double *start, size_t count)
{
    if (count < 3)
        return 0;
    const double gap = start[0] - start[1];
    const size_t needed =
        OVERDUE * gap < finder->quiet_ms || gap > LONG_GAP_MS ? 3 : REGULAR_EPISODES;
    size_t n = 1;
    while (n + 1 < count &&
           fabs(gap - (start[n] - start[n + 1])) < fmax(REGULAR_MS, REGULAR_SHARE * gap))
        n++;
    return n + 1 >= needed && finder->end_ms - start[0] < OVERDUE * gap ? n + 1 : 0;
}

/* Or every other one: a caret that is shown for longer than it is hidden. */
static bool is_regular(const struct finder *finder, const struct ts_moves *moves)
{
    double start[EPISODES_MOST] = {0}, other[REGULAR_EPISODES];
    size_t episodes = 0;
    const size_t known = ts_moves_known(moves);
    for (size_t i = 0; i < known && episodes < EPISODES_MOST; i++) {
        const bool starts =
            i + 1 == moves->count ||
            (i + 1 < known &&
             ts_moves_back(moves, i) - ts_moves_back(moves, i + 1) > EPISODE_GAP_MS);
        if (starts)
            start[episodes++] = ts_moves_back(moves, i);
    }
    for (size_t i = 0; i < episodes; i += 2)
        other[i / 2] = start[i];
    return regular(finder, start, episodes) > 0 ||
           (episodes == EPISODES_MOST && regular(finder, other, REGULAR_EPISODES) > 0);
}

static bool goes_on(const struct finder *finder, const struct ts_moves *moves)
{
    if (ts_moves_known(moves) < AGAIN_LEAST)
        return false;
    if (is_regular(finder, moves))
        return true;
    const double end_ms = finder->end_ms, near = fmax(AGAIN_MS, 1.5 * finder->quiet_ms);
    const double latest = ts_moves_back(moves, 0), again = ts_moves_back(moves, AGAIN_LEAST - 1);
    return end_ms - latest < finder->quiet_ms && end_ms - again < near &&
           end_ms - latest < fmax(latest - again, EPISODE_GAP_MS);
}

static void find_restless_blocks(struct finder *finder)
{
    const struct ts_track *track = finder->track;
    for (size_t block = 0; block < track->blocks; block++) {
        finder->screen += !track->ignore[block];
        finder->endless[block] = !track->ignore[block] && goes_on(finder, &track->moves[block]);
    }
}

/* What moved last is more than one place. */
static bool most_moved_last(const struct finder *finder)
{
    const struct ts_track *track = finder->track;
    double last_ms = -INFINITY;
    size_t count = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t block = 0; block < track->blocks; block++) {
            const double ms = (double)track->last_ms[block];
            if (track->ignore[block] || finder->endless[block])
                continue;
            last_ms = ms > last_ms ? ms : last_ms;
            count += pass == 1 && ms > last_ms - TS_BURSTS_REST_MS / 2;
        }
    }
    return (double)count > PLACE_MOST * (double)finder->screen;
}

/* Bursts in one place at equal distances: all that moved in them goes on. */
static bool find_regular_bursts(struct finder *finder)
{
    const size_t blocks = finder->track->blocks;
    const uint8_t *const skip[TS_BURSTS_SKIPS] = {finder->endless, finder->track->ignore};
    uint8_t *place = finder->scratch;
    double start[TS_BURSTS_MOST];
    size_t which[TS_BURSTS_MOST] = {0}, count = 0;
    struct ts_bursts bursts;
    if (most_moved_last(finder))
        return false; /* there is no place then: the bursts need not be told apart */
    ts_bursts_find(finder->track, skip, finder->end_ms, &bursts);
    for (size_t i = 0; i < bursts.count; i++) {
        const struct ts_burst *burst = &bursts.burst[i];
        if ((double)burst->blocks > PLACE_MOST * (double)finder->screen)
            break;
        if (burst->blocks < BURST_LEAST)
            continue;
        if (count > 0 &&
            !ts_bursts_in_one_place(finder->track, burst, &bursts.burst[which[count - 1]]))
            break;
        start[count] = burst->begin_ms;
        which[count++] = i;
    }
    const size_t found = regular(finder, start, count);
    memset(place, 0, blocks);
    size_t area = 0;
    for (size_t i = 0; i < found; i++) {
        for (size_t block = 0; block < blocks; block++)
            place[block] |= !finder->track->ignore[block] &&
                            ts_burst_has(&bursts.burst[which[i]], finder->track, block);
    }
    for (size_t block = 0; block < blocks; block++)
        area += place[block];
    const bool fits = area > 0 && (double)area < PLACE_MOST * (double)finder->screen;
    for (size_t block = 0; fits && block < blocks; block++)
        finder->endless[block] |= place[block];
    return fits;
}

/* Does something move in the box all the time, and in the same blocks again? */
static bool is_restless(const struct finder *finder, struct ts_region_box box)
{
    bool bins[BINS] = {false};
    size_t moved = 0, again = 0;
    for (size_t y = box.y0; y <= box.y1; y++) {
        for (size_t x = box.x0; x <= box.x1; x++) {
            const size_t block = y * finder->grid.across + x;
            const struct ts_moves *moves = &finder->track->moves[block];
            size_t here = 0;
            for (size_t i = 0; i < ts_moves_known(moves); i++) {
                const double bin = floor((finder->end_ms - ts_moves_back(moves, i)) / BIN_MS);
                if (bin < 0 || bin >= BINS)
                    continue;
                bins[(size_t)bin] = true;
                here++;
            }
            moved += here > 0;
            again += here > 1;
        }
    }
    size_t empty = 0;
    for (size_t i = 0; i < BINS; i++) {
        empty = bins[i] ? 0 : empty + 1;
        if (empty > EMPTY_BINS)
            return false;
    }
    return moved > 0 && (double)again > AGAIN_SHARE * (double)moved;
}

/* More than once lately. */
static bool moves_again(const struct finder *finder, size_t block)
{
    const struct ts_moves *moves = &finder->track->moves[block];
    return ts_moves_known(moves) > 1 && finder->end_ms - ts_moves_back(moves, 1) < BINS * BIN_MS;
}

/* Places in which something has moved since since_ms and still does. */
static void find_restless_places(struct finder *finder, double since_ms)
{
    const struct ts_track *track = finder->track;
    uint8_t *late = finder->scratch + track->blocks;
    for (size_t block = 0; block < track->blocks; block++)
        late[block] = !track->ignore[block] && !finder->endless[block] &&
                      (double)track->last_ms[block] > since_ms;
    for (size_t seed = 0; seed < track->blocks; seed++) {
        if (late[seed] != 1)
            continue;
        const struct ts_region_box box = ts_region_connected(
            finder->grid, late, seed, ts_track_scaled(finder->track, PLACE_NEAR), finder->scratch);
        for (size_t block = 0; block < track->blocks; block++)
            late[block] = finder->scratch[block] ? 2 : late[block];
        if ((double)ts_region_area(box) > PLACE_MOST * (double)finder->screen ||
            !is_restless(finder, box))
            continue;
        for (size_t block = 0; block < track->blocks; block++)
            finder->endless[block] |= finder->scratch[block] && moves_again(finder, block);
    }
}

/* A bar that runs to and fro has been everywhere in its place, though lately only in a part: not in
 * a single block, which noise moves where a scroll bar has come and gone. */
static void add_neighbours(struct finder *finder)
{
    const size_t blocks = finder->track->blocks;
    uint8_t *again = finder->scratch + blocks;
    bool any = false;
    for (size_t block = 0; block < blocks; block++) {
        any = any || finder->endless[block];
        again[block] =
            finder->endless[block] ||
            (!finder->track->ignore[block] && finder->track->moves[block].count >= MANY_MOVES &&
             ts_belong_goes_on(&finder->track->moves[block], finder->end_ms));
    }
    for (size_t seed = 0; any && seed < blocks; seed++) {
        if (again[seed] != 1 || !finder->endless[seed])
            continue;
        const struct ts_region_box box = ts_region_connected(
            finder->grid, again, seed, ts_track_scaled(finder->track, JOIN_NEAR), finder->scratch);
        size_t going = 0;
        for (size_t block = 0; block < blocks; block++)
            going += finder->scratch[block] && finder->endless[block];
        const bool place = (double)ts_region_area(box) < PLACE_MOST * (double)finder->screen &&
                           going >= ts_track_scaled(finder->track, PART_LEAST);
        for (size_t block = 0; block < blocks; block++) {
            if (!finder->scratch[block])
                continue;
            again[block] = 2;
            finder->endless[block] |= place;
        }
    }
}

size_t ts_endless_find(const struct ts_track *track, const struct ts_window *window,
                       double quiet_ms, double end_ms, uint8_t *endless, uint8_t *scratch)
{
    struct finder finder = {.track = track,
                            .grid = {track->across, track->down},
                            .quiet_ms = quiet_ms,
                            .end_ms = end_ms,
                            .endless = endless,
                            .scratch = scratch};
    size_t count = 0;
    find_restless_blocks(&finder);
    find_restless_places(&finder, end_ms - BINS * BIN_MS);
    find_restless_places(&finder, end_ms - quiet_ms);
    add_neighbours(&finder);
    ts_ticks_add(track, window, end_ms, endless, scratch);
    ts_belong_add(track, end_ms, endless, scratch);
    if (find_regular_bursts(&finder))
        ts_belong_add(track, end_ms, endless, scratch);
    for (size_t block = 0; block < track->blocks; block++)
        count += endless[block];
    if ((double)count <= ENDLESS_MOST * (double)finder.screen)
        return count;
    memset(endless, 0, track->blocks);
    return 0;
}
