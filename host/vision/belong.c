/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A region is as large as what is seen to go on in it: the gaps in it are closed, and what moves
 * beside it is judged by groups of blocks that came to rest together. Such a group is part of it
 *  - when, each time it moved, the blocks next to it did, which do so only now and then: where a
 *    progress bar turns round it has been but once;
 *  - when its blocks move nearly as often as the blocks next to them, and still do;
 *  - when it is a few blocks at the very rim that had rested for long: the lens, a hand that seldom
 *    comes there, a loop's one frame;
 *  - when more of the region than of the group moved at that time, and nothing farther away: the
 *    next page of a carousel has its words elsewhere;
 *  - when, small and after a long rest, it moved in the slow beat of some blocks right beside it:
 *    the tens of a clock's seconds, where a film hides most of the ones.
 * The last three are so of a region that rests in between only while it moves (rhythm.h).
 * What changed but once and stayed so, while beside it all went on and on, is the app's own,
 * however small, but for such a digit: a picture that a film hides but for a sliver. So is what
 * changed by much more than anything beside it ever does: a picture under a faint spinner. All else
 * beside a region has its own evidence. Boxes around regions were tried, and rims of what changed
 * last: both swallowed words of the app between two regions or close by one. */
#include "vision/belong.h"

#include "vision/edge.h"
#include "vision/region.h"
#include "vision/rhythm.h"
#include "vision/witness.h"

#include <math.h>
#include <string.h>

#define JOIN_NEAR     2   /* blocks: parts of one region */
#define FULL_SHARE    0.7 /* of a box that is seen to go on: all of it does */
#define FAR           8   /* a page's words are so much elsewhere */
#define LUCK_RECENT   0.004
#define LUCK_RESTED   0.2
#define LUCK_BEAT     0.12 /* twice 40 ms of every second are less, of every half second more */
#define DIGIT_SHARE   0.01 /* of all blocks: a clock's digits and hands are smaller */
#define EXPLAINED     0.8  /* of the group's blocks */
#define GROUP_LEAST   3    /* fewer may be the rim of a region, of which the lens shows some */
#define RIM_MOST      4    /* coarse blocks of a group at the very rim */
#define RIM_REST_MS   1300.0
#define RIM_MOVES_MS  300.0
#define USUAL_PART    0.25   /* of what moves of a region when it does: less, and it rests */
#define STAYS_MOVES   2      /* with the app's first picture */
#define STAYS_MS      1000.0 /* so long, while beside it something moves every ... */
#define BUSY_MS       500.0  /* ... so often, and did so BUSY_LEAST times */
#define BUSY_LEAST    8
#define OUTDOES_TIMES 4.0  /* further than all that goes on near it */
#define OUTDOES_CODES 15.0 /* the lens shows no more of a region */
#define OVERDUE_TIMES 3.0

struct belonging {
    const struct ts_track *track;
    struct ts_region_grid grid;
    double end_ms;
    uint8_t *endless; /* [blocks] */
    uint8_t *near;    /* [blocks] 1: may belong, 2: has been judged */
    uint8_t *group, *mask;
    uint8_t *region; /* [blocks] its number, of those that go on */
    uint8_t regions; /* so many, at most 255 */
};

bool ts_belong_goes_on(const struct ts_moves *moves, double end_ms)
{
    const size_t known = ts_moves_known(moves);
    if (known < TS_MOVES_RATE)
        return false;
    const double latest = ts_moves_back(moves, 0);
    const double gap = (latest - ts_moves_back(moves, known - 1)) / (double)(known - 1);
    return end_ms - latest < OVERDUE_TIMES * gap;
}

/* How far a block has come with its latest moves, codes. */
static double step_of(const struct ts_track *track, size_t block)
{
    return fabs((double)(track->rest[block] - track->was[block])) / (TS_BLOCK_PX * TS_BLOCK_PX);
}

bool ts_belong_changed(const struct ts_track *track, size_t block)
{
    return step_of(track, block) > TS_VISIBLE_CODES;
}

/* When its latest moves began, one of which may be noise on its new level. */
static double began_ms(const struct ts_moves *moves)
{
    size_t back = 0;
    while (back + 1 < ts_moves_known(moves) &&
           ts_moves_back(moves, 0) - ts_moves_back(moves, back + 1) < RIM_MOVES_MS)
        back++;
    return ts_moves_back(moves, back);
}

/* How often it changed: what follows so soon is part of one change. */
static size_t changes_of(const struct ts_moves *moves)
{
    const size_t known = ts_moves_known(moves);
    double began = -INFINITY;
    size_t changes = 0;
    for (size_t i = 0; i < known; i++) {
        const double ms = ts_moves_back(moves, known - 1 - i);
        if (ms - began < RIM_MOVES_MS)
            continue;
        began = ms;
        changes++;
    }
    return changes;
}

/* They came to rest at one time; or began to move at one, where one was seen to move for longer. */
static bool went_together(const struct ts_track *track, size_t one, size_t other)
{
    const double within_ms = ts_rhythm_at_once_ms(track);
    const struct ts_moves *a = &track->moves[one], *b = &track->moves[other];
    return fabs((double)(track->last_ms[one] - track->last_ms[other])) < within_ms ||
           (a->count > 0 && b->count > 0 && fabs(began_ms(a) - began_ms(b)) < within_ms);
}

/* Blocks that hang together with `seed`, went when it did, and are not known to go on. */
static struct ts_region_box find_group(const struct belonging *b, size_t seed)
{
    for (size_t block = 0; block < b->track->blocks; block++)
        b->mask[block] =
            !b->endless[block] && !b->track->ignore[block] && went_together(b->track, seed, block);
    return ts_region_connected(b->grid, b->mask, seed, ts_track_scaled(b->track, TS_WITNESS_NEAR),
                               b->group);
}

/* Its size, and when it moved last, on average: some of it may be seen to move later. False when it
 * reaches farther away than what belongs to a region can. */
static bool measure_group(const struct belonging *b, size_t *size, double *last_ms)
{
    bool near = true;
    double sum_ms = 0;
    *size = 0;
    for (size_t block = 0; block < b->track->blocks; block++) {
        *size += b->group[block];
        sum_ms += b->group[block] ? (double)b->track->last_ms[block] : 0;
        near = near && (b->near[block] || !b->group[block]);
    }
    *last_ms = sum_ms / (double)*size;
    return near;
}

/* Before the moves that ended at last_ms. */
static bool had_rested(const struct ts_moves *moves, double last_ms)
{
    for (size_t i = 0; i < ts_moves_known(moves); i++) {
        const double ms = ts_moves_back(moves, i);
        if (ms < last_ms - RIM_MOVES_MS)
            return ms < last_ms - RIM_REST_MS;
    }
    return true;
}

/* So often, and so many times, that its rim would not move but once. */
static bool is_busy(const struct belonging *b, size_t block)
{
    const struct ts_moves *moves = &b->track->moves[block];
    const size_t known = ts_moves_known(moves);
    return known >= BUSY_LEAST &&
           b->end_ms - ts_moves_back(moves, known - 1) < BUSY_MS * (double)known;
}

/* Some block next to it goes on; busily, if that is asked. */
static bool is_at_rim(const struct belonging *b, size_t block, bool of_busy)
{
    const struct ts_track *track = b->track;
    const size_t by = ts_track_scaled(track, TS_WITNESS_NEAR), x = block % track->across,
                 y = block / track->across;
    for (size_t j = y > by ? y - by : 0; j <= y + by && j < track->down; j++) {
        for (size_t i = x > by ? x - by : 0; i <= x + by && i < track->across; i++) {
            const size_t other = j * track->across + i;
            if (b->endless[other] && (!of_busy || is_busy(b, other)))
                return true;
        }
    }
    return false;
}

/* It changed once and has rested for long. */
static bool has_stayed(const struct belonging *b, size_t block)
{
    return b->end_ms - (double)b->track->last_ms[block] >= STAYS_MS &&
           changes_of(&b->track->moves[block]) <= STAYS_MOVES;
}

/* ... while beside it something goes on and on. */
static bool block_stays(const struct belonging *b, size_t block)
{
    return has_stayed(b, block) && is_at_rim(b, block, true);
}

/* Some of it is at another level than before: noise, and what the lens shows of a region, come and
 * go. */
static bool group_changed(const struct belonging *b)
{
    bool changed = false;
    for (size_t block = 0; block < b->track->blocks && !changed; block++)
        changed = b->group[block] && ts_belong_changed(b->track, block);
    return changed;
}

/* All of it. */
static bool group_has_stayed(const struct belonging *b)
{
    bool stayed = true;
    for (size_t block = 0; block < b->track->blocks && stayed; block++)
        stayed = !b->group[block] || has_stayed(b, block);
    return stayed;
}

/* Whatever goes on beside some of it. */
static bool group_stays(const struct belonging *b)
{
    bool at_rim = false;
    for (size_t block = 0; block < b->track->blocks && !at_rim; block++)
        at_rim = b->group[block] && is_at_rim(b, block, true);
    return at_rim && group_has_stayed(b) && group_changed(b);
}

/* As much of the region moved as does when it moves, or a good part of it. */
static bool is_usual(const struct ts_rhythm *rhythm)
{
    return (double)rhythm->agree >= USUAL_PART * ts_rhythm_usual(rhythm);
}

/* Regions near by that rest in between did far less then than they do when they move: a carousel
 * that turned no page has no rim that moved. */
static bool regions_rested_at(const struct belonging *b, struct ts_region_box box, double ms)
{
    const struct ts_region_box near =
        ts_region_around(b->grid, box, ts_track_scaled(b->track, FAR));
    bool any = false;
    for (uint8_t region = 1; region <= b->regions; region++) {
        const struct ts_rhythm_place place = {b->track, b->region, region, near, b->end_ms};
        struct ts_rhythm rhythm;
        if (ts_rhythm_listen(&place, ms, &rhythm) && is_usual(&rhythm))
            return false;
        any |= ts_rhythm_usual(&rhythm) > 0;
    }
    return any;
}

/* When the group began to move, and when it came to rest; and shortly before: what hardly shows is
 * seen to move late. */
static bool regions_rested(const struct belonging *b, struct ts_region_box box, double last_ms)
{
    const double late_ms = ts_rhythm_at_once_ms(b->track);
    double began_ms = last_ms;
    for (size_t block = 0; block < b->track->blocks; block++) {
        const struct ts_moves *moves = &b->track->moves[block];
        if (b->group[block] && moves->count > 0)
            began_ms = fmin(began_ms, ts_moves_back(moves, 0));
    }
    return regions_rested_at(b, box, last_ms) && regions_rested_at(b, box, last_ms - late_ms) &&
           regions_rested_at(b, box, began_ms);
}

static bool group_is_rim(const struct belonging *b, double last_ms, size_t size)
{
    const size_t scale = ts_track_scale(b->track);
    if (size > RIM_MOST * scale * scale)
        return false;
    for (size_t block = 0; block < b->track->blocks; block++) {
        if (b->group[block] &&
            (!is_at_rim(b, block, false) || !had_rested(&b->track->moves[block], last_ms)))
            return false;
    }
    return true;
}

/* Nearly all of it: the rest may be noise. */
static bool group_had_rested(const struct belonging *b, double last_ms, size_t size)
{
    size_t rested = 0;
    for (size_t block = 0; block < b->track->blocks; block++)
        rested += b->group[block] && had_rested(&b->track->moves[block], last_ms);
    return (double)rested >= EXPLAINED * (double)size;
}

/* What is asked of a region near a group that moved, for the group to be part of it. */
struct company {
    size_t near, least;   /* of its blocks so near, at least so many moved at that time, ... */
    double luck;          /* ... which they do at less than this share of all times, ... */
    double luck_restless; /* ... or this, where some of them move nearly always */
};

static bool has_company(const struct belonging *b, struct ts_region_box box, double last_ms,
                        const struct company *asked)
{
    const struct ts_region_box near =
        ts_region_around(b->grid, box, ts_track_scaled(b->track, asked->near));
    for (uint8_t region = 1; region <= b->regions; region++) {
        const struct ts_rhythm_place place = {b->track, b->region, region, near, b->end_ms};
        struct ts_rhythm rhythm;
        if (!ts_rhythm_listen(&place, last_ms, &rhythm) || rhythm.agree < asked->least ||
            !is_usual(&rhythm))
            continue;
        const bool rests = ts_rhythm_usual(&rhythm) > 0;
        if (ts_rhythm_common(&rhythm, last_ms) < (rests ? asked->luck : asked->luck_restless))
            return true;
    }
    return false;
}

/* After a long rest, no larger than a digit, and the few that are seen to keep a slow beat right
 * beside it moved too. */
static bool keeps_beat(const struct belonging *b, struct ts_region_box box, size_t size,
                       double last_ms)
{
    const struct company beat = {TS_WITNESS_NEAR, ts_track_scaled(b->track, GROUP_LEAST), LUCK_BEAT,
                                 0};
    return (double)size <= DIGIT_SHARE * (double)b->track->blocks &&
           group_had_rested(b, last_ms, size) && has_company(b, box, last_ms, &beat);
}

/* More of one region moved at that time than of the group, which it seldom does. After a long rest
 * a change that is no part of any region is seldom, too; but one that has stayed since beside a
 * region that moves nearly always is none. */
static bool joins_region(const struct belonging *b, struct ts_region_box box, size_t size,
                         double last_ms)
{
    const double luck = group_had_rested(b, last_ms, size) ? LUCK_RESTED : LUCK_RECENT;
    const bool stayed = group_changed(b) && group_has_stayed(b);
    const struct company more = {FAR, (size + 1) / 2, luck, stayed ? LUCK_RECENT : luck};
    return has_company(b, box, last_ms, &more) || keeps_beat(b, box, size, last_ms);
}

/* It changed by much more than anything that goes on near it ever does. */
static bool group_outdoes(const struct belonging *b, struct ts_region_box box)
{
    const struct ts_region_box near =
        ts_region_around(b->grid, box, ts_track_scaled(b->track, FAR));
    double own = 0, most = 0;
    for (size_t y = near.y0; y <= near.y1; y++) {
        for (size_t x = near.x0; x <= near.x1; x++) {
            const size_t block = y * b->track->across + x;
            if (b->group[block])
                own = fmax(own, step_of(b->track, block));
            else if (b->endless[block])
                most = fmax(most, step_of(b->track, block));
        }
    }
    return own > fmax(OUTDOES_TIMES * most, OUTDOES_CODES);
}

static bool group_belongs(const struct belonging *b, struct ts_region_box box, size_t size,
                          double last_ms)
{
    if (group_outdoes(b, box))
        return false;
    size_t explained = 0;
    for (size_t y = box.y0; y <= box.y1; y++) {
        for (size_t x = box.x0; x <= box.x1; x++) {
            const size_t block = y * b->track->across + x;
            explained +=
                b->group[block] && ts_witness_explains(b->track, b->endless, b->end_ms, block);
        }
    }
    return (double)explained >= EXPLAINED * (double)size ||
           (!regions_rested(b, box, last_ms) &&
            (group_is_rim(b, last_ms, size) || joins_region(b, box, size, last_ms)));
}

/* Each group that is part of a region may tell of another. True when there were any. */
static bool add_groups(struct belonging *b)
{
    bool any = false;
    const size_t blocks = b->track->blocks;
    for (size_t block = 0; block < blocks; block++)
        b->near[block] = b->near[block] != 0;
    b->regions = ts_region_number(b->grid, b->endless, ts_track_scaled(b->track, JOIN_NEAR),
                                  b->region, b->mask);
    for (size_t seed = 0; seed < blocks; seed++) {
        if (b->near[seed] != 1 || b->endless[seed] || isinf(b->track->first_ms[seed]))
            continue;
        size_t size;
        double last_ms;
        const struct ts_region_box box = find_group(b, seed);
        const bool near = measure_group(b, &size, &last_ms);
        const bool stays = near && group_stays(b) && !keeps_beat(b, box, size, last_ms);
        const bool belongs = near && !stays && group_belongs(b, box, size, last_ms);
        const bool apart = !belongs && (stays || size >= GROUP_LEAST ||
                                        (group_changed(b) && regions_rested(b, box, last_ms)));
        any |= belongs;
        for (size_t block = 0; block < blocks; block++) {
            if (!b->group[block])
                continue;
            b->endless[block] |= belongs;
            if (b->near[block] && apart)
                b->near[block] = 2;
        }
    }
    return any;
}

/* Where the lens shows some of a region beside it, closing gaps takes more than the region: what
 * changed to stay at the rim of that is judged like all else beside a region. */
static void fill_gaps(const struct belonging *b)
{
    const size_t blocks = b->track->blocks;
    uint8_t *own = b->near, *outside = b->group;
    memcpy(own, b->endless, blocks);
    ts_region_fill(b->grid, b->endless, ts_track_scaled(b->track, JOIN_NEAR), FULL_SHARE, b->mask);
    for (size_t block = 0; block < blocks; block++)
        b->mask[block] = !b->endless[block];
    ts_region_grow(b->grid, b->mask, 1, outside);
    for (size_t block = 0; block < blocks; block++)
        b->mask[block] = !own[block] && b->endless[block] && outside[block] &&
                         isfinite(b->track->first_ms[block]) && block_stays(b, block) &&
                         ts_belong_changed(b->track, block);
    for (size_t block = 0; block < blocks; block++)
        b->endless[block] &= !b->mask[block];
}

void ts_belong_add(const struct ts_track *track, double end_ms, uint8_t *endless, uint8_t *scratch)
{
    const size_t blocks = track->blocks;
    struct belonging b = {track,
                          {track->across, track->down},
                          end_ms,
                          endless,
                          scratch,
                          scratch + blocks,
                          scratch + 2 * blocks,
                          scratch + 3 * blocks,
                          0};
    if (!memchr(endless, 1, blocks))
        return;
    fill_gaps(&b);
    ts_region_grow(b.grid, endless, ts_track_scaled(track, FAR), b.near);
    while (add_groups(&b))
        ;
    ts_region_grow(b.grid, endless, 1, b.group);
    for (size_t block = 0; block < blocks; block++)
        endless[block] |= b.group[block] && b.near[block] != 2;
}
