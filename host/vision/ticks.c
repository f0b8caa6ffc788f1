/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/ticks.h"

#include "vision/faint.h"

#define RECENT_MS    3500.0 /* it has ticked since */
#define JOIN_NEAR    2      /* coarse blocks: parts of one place, ... */
#define ACROSS_MOST  6      /* ... which is no larger than so many of them */
#define DOWN_MOST    3
#define AT_ONCE_MS   200.0
#define TOGETHER_MS  50.0
#define LAUNCH_LEAST 2 /* coarse blocks elsewhere */
#define SECOND_MS    1000.0
#define INEXACT      0.06
#define RANGE_MS     130.0 /* so far they are off, together; half of that of as few as may be: */
#define TICKS_LEAST  4
#define TICKS_MOST   16
#define GAP_MOST     4200.0 /* of a digit that changes hardly visibly one misses some */
#define OVERDUE_MS   150.0
#define FAINT_LEAST  3     /* of steps that only many frames show */
#define ALONE_MS     400.0 /* a first one comes so much later than all else */
#define REST_SHARE   0.02  /* of the screen: so little has moved since most of it came to rest */
#define REST_BIN_MS  100.0
#define REST_BINS    600

struct search {
    const struct ts_track *track;
    const struct ts_window *window; /* NULL: faint steps are not looked for */
    double end_ms;
    uint8_t *endless, *scratch;
};

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

static bool moved_at(const struct ts_moves *moves, double ms)
{
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        if (fabs(ts_moves_back(moves, i) - ms) < TOGETHER_MS)
            return true;
    }
    return false;
}

/* In a fine picture one block by itself. */
static bool is_noise(const struct ticks *ticks, double ms)
{
    const struct ts_track *track = ticks->track;
    size_t moved = 0;
    for (size_t y = ticks->box.y0; y <= ticks->box.y1; y++) {
        for (size_t x = ticks->box.x0; x <= ticks->box.x1; x++) {
            const size_t block = y * track->across + x;
            moved += !track->ignore[block] && moved_at(&track->moves[block], ms);
        }
    }
    return moved < (ts_track_scale(track) + 1) / 2;
}

/* Adds those before before_ms. */
static void add_moves(struct ticks *ticks, double before_ms)
{
    while (ticks->count < TICKS_MOST) {
        const double ms = move_before(ticks, before_ms);
        if (isinf(ms))
            return;
        before_ms = ms;
        if (is_noise(ticks, ms))
            continue;
        ticks->ms[ticks->count++] = ms;
        before_ms = ms - AT_ONCE_MS;
    }
}

static void find_moves(struct ticks *ticks)
{
    ticks->count = 0;
    add_moves(ticks, INFINITY);
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
static bool find_ticks(struct ticks *ticks, size_t least, double end_ms)
{
    while (ticks->count >= least && !keep_time(ticks, ticks->count))
        ticks->count--;
    if (ticks->count < least)
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

/* The launch draws the place as it draws all else, but for what goes on. */
static bool is_launch(const struct ticks *ticks, double ms, const uint8_t *endless)
{
    const struct ts_track *track = ticks->track;
    const size_t scale = ts_track_scale(track); /* single blocks of a fine picture move by noise */
    size_t elsewhere = 0;
    for (size_t block = 0; block < track->blocks; block++)
        elsewhere += !track->ignore[block] && !endless[block] &&
                     !is_in(&ticks->box, block % track->across, block / track->across) &&
                     moved_at(&track->moves[block], ms);
    return elsewhere >= LAUNCH_LEAST * scale * scale;
}

static void mark(const struct ticks *ticks, double since_ms, uint8_t *endless)
{
    for (size_t y = ticks->box.y0; y <= ticks->box.y1; y++) {
        for (size_t x = ticks->box.x0; x <= ticks->box.x1; x++) {
            const size_t block = y * ticks->track->across + x;
            endless[block] |=
                !ticks->track->ignore[block] && (double)ticks->track->last_ms[block] > since_ms;
        }
    }
}

/* What the earliest draws goes on too, unless that is the launch. */
static void mark_ticks(struct ticks *ticks, const struct search *search)
{
    find_moves(ticks);
    if (!find_ticks(ticks, TICKS_LEAST, search->end_ms))
        return;
    const size_t last = ticks->count - 1;
    const bool launch = is_launch(ticks, ticks->ms[last], search->endless);
    mark(ticks, launch ? ticks->ms[last - 1] - AT_ONCE_MS : ticks->ms[last] - 2 * TOGETHER_MS,
         search->endless);
}

/* By the steps in the frames that are known still; fewer of them will do with what moved before. */
static bool find_faint_ticks(struct ticks *ticks, const struct search *search)
{
    const size_t found =
        ts_faint_find(ticks->track, search->window, ticks->box, AT_ONCE_MS, ticks->ms, TICKS_MOST);
    if (found == 0)
        return false;
    ticks->count = found;
    if (find_ticks(ticks, FAINT_LEAST, search->end_ms))
        return true;
    ticks->count = found;
    add_moves(ticks, ticks->ms[found - 1] - AT_ONCE_MS);
    return find_ticks(ticks, TICKS_LEAST, search->end_ms);
}

/* Hardly any of its ticks shows, but lately all that the place does keeps time: so did what it has
 * shown since the launch. */
static void mark_faint_ticks(struct ticks *ticks, const struct search *search, double since_ms)
{
    if (!find_faint_ticks(ticks, search))
        return;
    find_moves(ticks);
    for (size_t i = 0; i < ticks->count && ticks->ms[i] > since_ms; i++) {
        if (is_launch(ticks, ticks->ms[i], search->endless))
            since_ms = ticks->ms[i] + TOGETHER_MS;
    }
    mark(ticks, since_ms, search->endless);
}

/* Since then no more than a few blocks have moved, but for what goes on. */
static double most_rested_since(const struct search *search)
{
    const struct ts_track *track = search->track;
    size_t moved[REST_BINS] = {0}, screen = 0, later = 0, bin = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        const double ago_ms = search->end_ms - (double)track->last_ms[block];
        screen += !track->ignore[block];
        if (!track->ignore[block] && !search->endless[block] && ago_ms >= 0 &&
            ago_ms < REST_BINS * REST_BIN_MS)
            moved[(size_t)(ago_ms / REST_BIN_MS)]++;
    }
    for (; bin < REST_BINS; bin++) {
        later += moved[bin];
        if ((double)later > REST_SHARE * (double)screen)
            break;
    }
    return search->end_ms - (double)bin * REST_BIN_MS;
}

/* Notes where something has moved since since_ms. */
static void find_late(const struct search *search, double since_ms, bool endless)
{
    const struct ts_track *track = search->track;
    uint8_t *late = search->scratch + track->blocks;
    for (size_t block = 0; block < track->blocks; block++)
        late[block] = !track->ignore[block] && (double)track->last_ms[block] > since_ms &&
                      (endless || !search->endless[block]);
}

/* The next small place there; false: no more. */
static bool next_place(const struct search *search, size_t *seed, struct ts_region_box *box)
{
    const struct ts_track *track = search->track;
    const struct ts_region_grid grid = {track->across, track->down};
    const size_t near = ts_track_scaled(track, JOIN_NEAR);
    uint8_t *late = search->scratch + track->blocks, *place = search->scratch;
    for (; *seed < track->blocks; ++*seed) {
        if (late[*seed] != 1)
            continue;
        *box = ts_region_connected(grid, late, *seed, near, place);
        for (size_t block = 0; block < track->blocks; block++)
            late[block] = place[block] ? 2 : late[block];
        if (box->x1 - box->x0 >= ts_track_scaled(track, ACROSS_MOST) ||
            box->y1 - box->y0 >= ts_track_scaled(track, DOWN_MOST))
            continue;
        *box = ts_region_around(grid, *box, near);
        return true;
    }
    return false;
}

void ts_ticks_add(const struct ts_track *track, const struct ts_window *window, double end_ms,
                  uint8_t *endless, uint8_t *scratch)
{
    const struct search search = {track, window, end_ms, endless, scratch};
    struct ticks ticks = {.track = track};
    find_late(&search, end_ms - RECENT_MS, true);
    for (size_t seed = 0; next_place(&search, &seed, &ticks.box);)
        mark_ticks(&ticks, &search);
    if (!window)
        return;
    const double since_ms = most_rested_since(&search);
    find_late(&search, since_ms, false);
    for (size_t seed = 0; next_place(&search, &seed, &ticks.box);)
        mark_faint_ticks(&ticks, &search, since_ms);
}

bool ts_ticks_may_follow(const struct ts_track *track, double now_ms, uint8_t *endless,
                         uint8_t *scratch)
{
    const struct search search = {track, NULL, now_ms, endless, scratch};
    struct ticks ticks = {.track = track};
    find_late(&search, most_rested_since(&search) + ALONE_MS, false);
    for (size_t seed = 0; next_place(&search, &seed, &ticks.box);) {
        const double ms = move_before(&ticks, INFINITY);
        if (ms > now_ms - TS_TICKS_FOLLOW_MS && !is_noise(&ticks, ms))
            return true;
    }
    return false;
}
