/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/mask.h"

#include <math.h>
#include <string.h>

#define AGAIN_LEAST       3      /* steps near the end that make a block endless */
#define AGAIN_MS          1500.0 /* near the end: this, or 1.5 times the quiet time */
#define EPISODE_GAP_MS    200.0
#define LONG_GAP_MS       2500.0
#define OVERDUE           1.15
#define REGULAR_EPISODES  4
#define REGULAR_SHARE     0.12 /* two intervals of one period differ by less */
#define REGULAR_MS        40.0
#define ENDLESS_MOST      0.6 /* share of the screen; above it, the screen is simply not at rest */
#define JOIN_BLOCKS       1   /* parts of one endless region are so near to each other */
#define STYLUS_SHARE      0.4 /* of the screen; more is the screen itself */
#define SINGLE            3
#define UNKNOWN_STYLUS_MS 600.0 /* whatever moved so shortly before the tap, may be one */
#define STYLUS_LEAD_MS    30.0  /* the motor's start is known this well */
#define STYLUS_NEAR       4     /* blocks between the arm and its shadow */
#define STYLUS_GROW       2
#define RING_MS           30.0 /* bounces after the contact are over */
#define QUIET_BEFORE_MS   300.0
#define OTHER_LEAST       2 /* blocks that make a change of the screen */

static void grow(const struct ts_track *track, const uint8_t *from, size_t by, uint8_t *to)
{
    memset(to, 0, track->blocks);
    for (size_t block = 0; block < track->blocks; block++) {
        if (!from[block])
            continue;
        const size_t x = block % track->across, y = block / track->across;
        const size_t x0 = x > by ? x - by : 0, y0 = y > by ? y - by : 0;
        for (size_t j = y0; j <= y + by && j < track->down; j++) {
            for (size_t i = x0; i <= x + by && i < track->across; i++)
                to[j * track->across + i] = 1;
        }
    }
}

struct box {
    size_t x0, y0, x1, y1;
};

/* Marks, in `part`, the blocks of `mask` that hang together with `seed` when gaps of up to `near`
 * blocks are bridged. Sweeps until nothing is added: regions are few and small. */
static struct box connected(const struct ts_track *track, const uint8_t *mask, size_t seed,
                            size_t near, uint8_t *part)
{
    memset(part, 0, track->blocks);
    part[seed] = 1;
    struct box box = {seed % track->across, seed / track->across, seed % track->across,
                      seed / track->across};
    for (bool added = true; added;) {
        added = false;
        for (size_t y = box.y0 > near ? box.y0 - near : 0; y <= box.y1 + near && y < track->down;
             y++) {
            for (size_t x = box.x0 > near ? box.x0 - near : 0;
                 x <= box.x1 + near && x < track->across; x++) {
                const size_t block = y * track->across + x;
                if (!mask[block] || part[block])
                    continue;
                part[block] = added = true;
                box.x0 = x < box.x0 ? x : box.x0;
                box.x1 = x > box.x1 ? x : box.x1;
                box.y0 = y < box.y0 ? y : box.y0;
                box.y1 = y > box.y1 ? y : box.y1;
            }
        }
    }
    return box;
}

/* Episodes at equal distances, and the next one is not overdue: a spinner's gap that comes round, a
 * carousel. Three will do when the quiet tail is longer than their distance, since it would show
 * that they have ended, or when launches are over in less than two of them; else it takes four: a
 * splash, the content and a late picture can stand as far apart by chance. */
static bool is_regular(const struct ts_moves *moves, double quiet_ms, double end_ms)
{
    double start[REGULAR_EPISODES];
    size_t episodes = 0;
    const size_t known = ts_moves_known(moves);
    for (size_t i = 0; i < known && episodes < REGULAR_EPISODES; i++) {
        const bool starts =
            i + 1 == moves->count ||
            (i + 1 < known &&
             ts_moves_back(moves, i) - ts_moves_back(moves, i + 1) > EPISODE_GAP_MS);
        if (starts)
            start[episodes++] = ts_moves_back(moves, i);
    }
    if (episodes < 3)
        return false;
    const double gap = start[0] - start[1];
    const size_t needed = OVERDUE * gap < quiet_ms || gap > LONG_GAP_MS ? 3 : REGULAR_EPISODES;
    if (episodes < needed)
        return false;
    for (size_t i = 1; i + 1 < needed; i++) {
        if (fabs(gap - (start[i] - start[i + 1])) >= fmax(REGULAR_MS, REGULAR_SHARE * gap))
            return false;
    }
    return end_ms - start[0] < OVERDUE * gap;
}

static bool goes_on(const struct ts_moves *moves, double quiet_ms, double end_ms)
{
    if (ts_moves_known(moves) < AGAIN_LEAST)
        return false;
    if (is_regular(moves, quiet_ms, end_ms))
        return true;
    const double near = fmax(AGAIN_MS, 1.5 * quiet_ms);
    const double latest = ts_moves_back(moves, 0), again = ts_moves_back(moves, AGAIN_LEAST - 1);
    return end_ms - latest < quiet_ms && end_ms - again < near &&
           end_ms - latest < fmax(latest - again, EPISODE_GAP_MS);
}

size_t ts_mask_endless(const struct ts_track *track, double quiet_ms, double end_ms,
                       uint8_t *endless, uint8_t *scratch)
{
    size_t screen = 0, moving = 0, count = 0;
    memset(endless, 0, track->blocks);
    for (size_t block = 0; block < track->blocks; block++) {
        if (track->ignore[block])
            continue;
        screen++;
        endless[block] = goes_on(&track->moves[block], quiet_ms, end_ms);
        moving += endless[block];
    }
    if (moving == 0 || (double)moving > ENDLESS_MOST * (double)screen) {
        memset(endless, 0, track->blocks);
        return 0;
    }
    /* A spinner's hub and a video's still corner belong to it: the whole box, and one more. */
    for (size_t block = 0; block < track->blocks; block++) {
        if (endless[block] != 1)
            continue;
        const struct box box = connected(track, endless, block, 1 + JOIN_BLOCKS, scratch);
        for (size_t y = box.y0; y <= box.y1; y++)
            memset(endless + y * track->across + box.x0, 2, box.x1 - box.x0 + 1);
    }
    grow(track, endless, 1, scratch);
    memcpy(endless, scratch, track->blocks);
    for (size_t block = 0; block < track->blocks; block++)
        count += endless[block];
    return count;
}

/* What is known of the screen before the tap. */
struct before {
    const struct ts_track *track;
    const struct ts_vision_view *view;
    double tap_ms;
};

/* The block's latest move before the tap, ms from the tap; -INFINITY: none. */
static double moved_ms(const struct before *before, size_t block)
{
    return (double)before->track->untap_ms[block] - before->tap_ms;
}

static bool in_status_bar(const struct before *before, size_t block)
{
    return before->view->status_bar && before->view->status_bar[block];
}

static bool screen_changed(const struct before *before, size_t block, double until_ms)
{
    const double ms = moved_ms(before, block);
    return ms >= -QUIET_BEFORE_MS && ms < until_ms && !in_status_bar(before, block);
}

/* Between contact and pick-up the arm is still: it has rung out, and does not move again. A move is
 * seen up to a frame late. */
static bool while_stylus_rests(const struct before *before, size_t block)
{
    const double ms = moved_ms(before, block), period = before->view->period_ms;
    return ms > before->view->stylus_down_ms + RING_MS + period &&
           ms < before->view->stylus_up_ms - period && !in_status_bar(before, block);
}

/* The stylus is what covers most of stylus[], which is narrowed to it and grown; returns how many
 * blocks elsewhere changed on the screen. */
static size_t keep_largest(const struct before *before, uint8_t *stylus, uint8_t *scratch)
{
    const struct ts_track *track = before->track;
    size_t largest = 0, seed = 0, others = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        if (stylus[block] != 1)
            continue;
        size_t size = 0;
        connected(track, stylus, block, 1 + STYLUS_NEAR, scratch);
        for (size_t i = 0; i < track->blocks; i++) {
            size += scratch[i] && stylus[i] == 1;
            stylus[i] = scratch[i] ? 2 : stylus[i];
        }
        if (size > largest) {
            largest = size;
            seed = block;
        }
    }
    if (largest == 0)
        return 0;
    connected(track, stylus, seed, 1 + STYLUS_NEAR, scratch);
    for (size_t block = 0; block < track->blocks; block++)
        others += stylus[block] && !scratch[block] && screen_changed(before, block, 0);
    grow(track, scratch, STYLUS_GROW, stylus);
    return others;
}

/* A block that moved all by itself was noise. */
static void drop_single(const struct ts_track *track, uint8_t *mask, uint8_t *scratch)
{
    for (size_t block = 0; block < track->blocks; block++) {
        if (mask[block] != 1)
            continue;
        size_t size = 0;
        connected(track, mask, block, 1, scratch);
        for (size_t i = 0; i < track->blocks; i++)
            size += scratch[i];
        for (size_t i = 0; i < track->blocks; i++)
            mask[i] = scratch[i] ? (size < SINGLE ? 0 : 2) : mask[i];
    }
}

bool ts_mask_stylus(const struct ts_track *track, const struct ts_vision_view *view, double tap_ms,
                    uint8_t *stylus, uint8_t *scratch)
{
    const struct before before = {track, view, tap_ms};
    const bool known = !isnan(view->stylus_from_ms);
    const double from_ms = known ? view->stylus_from_ms - STYLUS_LEAD_MS : -UNKNOWN_STYLUS_MS;
    size_t screen = 0, moved = 0, others = 0;
    for (size_t block = 0; block < track->blocks; block++) {
        stylus[block] = 0;
        if (track->ignore[block])
            continue; /* a sync LED, not the arm */
        screen++;
        others += (known && screen_changed(&before, block, from_ms)) ||
                  while_stylus_rests(&before, block);
        stylus[block] = moved_ms(&before, block) >= from_ms;
        moved += stylus[block] && screen_changed(&before, block, 0);
    }
    if (others >= OTHER_LEAST || (double)moved > STYLUS_SHARE * (double)screen) {
        memset(stylus, 0, track->blocks);
        return true;
    }
    if (known)
        return keep_largest(&before, stylus, scratch) >= OTHER_LEAST;
    drop_single(track, stylus, scratch);
    grow(track, stylus, STYLUS_GROW, scratch);
    memcpy(stylus, scratch, track->blocks);
    return false;
}
