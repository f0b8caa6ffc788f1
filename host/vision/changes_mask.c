/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/changes_mask.h"

#include <math.h>
#include <string.h>

#define AGAIN_LEAST      3      /* steps near the end that make a block endless */
#define AGAIN_MS         1500.0 /* near the end: this, or 1.5 times the quiet time */
#define EPISODE_GAP_MS   200.0
#define LONG_GAP_MS      2500.0
#define OVERDUE          1.15
#define REGULAR_EPISODES 4
#define REGULAR_SHARE    0.12 /* two intervals of one period differ by less */
#define REGULAR_MS       40.0
#define ENDLESS_MOST     0.6  /* share of the screen; above it, the screen is simply not at rest */
#define JOIN_BLOCKS      1    /* parts of one endless region are so near to each other */
#define STYLUS_SHARE     0.4  /* of the screen; more is the screen itself */
#define STYLUS_LEAD_MS   30.0 /* the motor's start is known this well */
#define STYLUS_NEAR      4    /* blocks between the arm and its shadow */
#define STYLUS_GROW      2
#define RING_MS          30.0 /* bounces after the contact are over */
#define QUIET_BEFORE_MS  300.0
#define OTHER_LEAST      2 /* blocks that make a change of the screen */

void ts_mask_grow(const struct ts_series *series, const uint8_t *from, size_t by, uint8_t *to)
{
    memset(to, 0, series->blocks);
    for (size_t block = 0; block < series->blocks; block++) {
        if (!from[block])
            continue;
        const size_t x = block % series->across, y = block / series->across;
        const size_t x0 = x > by ? x - by : 0, y0 = y > by ? y - by : 0;
        for (size_t j = y0; j <= y + by && j < series->down; j++) {
            for (size_t i = x0; i <= x + by && i < series->across; i++)
                to[j * series->across + i] = 1;
        }
    }
}

struct box {
    size_t x0, y0, x1, y1;
};

/* Marks, in `part`, the blocks of `mask` that hang together with `seed` when gaps of up to `near`
 * blocks are bridged. Sweeps until nothing is added: regions are few and small. */
static struct box connected(const struct ts_series *series, const uint8_t *mask, size_t seed,
                            size_t near, uint8_t *part)
{
    memset(part, 0, series->blocks);
    part[seed] = 1;
    struct box box = {seed % series->across, seed / series->across, seed % series->across,
                      seed / series->across};
    for (bool added = true; added;) {
        added = false;
        for (size_t y = box.y0 > near ? box.y0 - near : 0; y <= box.y1 + near && y < series->down;
             y++) {
            for (size_t x = box.x0 > near ? box.x0 - near : 0;
                 x <= box.x1 + near && x < series->across; x++) {
                const size_t block = y * series->across + x;
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

static double step_back(const struct ts_story *story, size_t back)
{
    return story->step_ms[(story->steps - 1 - back) % TS_STEPS_KEPT];
}

static size_t steps_known(const struct ts_story *story)
{
    return story->steps < TS_STEPS_KEPT ? story->steps : TS_STEPS_KEPT;
}

/* Episodes at equal distances, and the next one is not overdue: a spinner's gap that comes round, a
 * carousel. Three will do when the quiet tail is longer than their distance, since it would show
 * that they have ended, or when launches are over in less than two of them; else it takes four: a
 * splash, the content and a late picture can stand as far apart by chance. */
static bool is_regular(const struct ts_story *story, double quiet_ms, double end_ms)
{
    double start[REGULAR_EPISODES];
    size_t episodes = 0;
    const size_t known = steps_known(story);
    for (size_t i = 0; i < known && episodes < REGULAR_EPISODES; i++) {
        const bool starts =
            i + 1 == story->steps ||
            (i + 1 < known && step_back(story, i) - step_back(story, i + 1) > EPISODE_GAP_MS);
        if (starts)
            start[episodes++] = step_back(story, i);
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

static bool goes_on(const struct ts_series *series, const struct ts_story *story, double end_ms)
{
    const size_t known = steps_known(story);
    if (known < AGAIN_LEAST || step_back(story, 0) < 0)
        return false;
    if (is_regular(story, series->frames->quiet_ms, end_ms))
        return true;
    const double near = fmax(AGAIN_MS, 1.5 * series->frames->quiet_ms);
    const double span = step_back(story, 0) - step_back(story, AGAIN_LEAST - 1);
    return end_ms - step_back(story, 0) < series->frames->quiet_ms &&
           end_ms - step_back(story, AGAIN_LEAST - 1) < near &&
           end_ms - step_back(story, 0) < fmax(span, EPISODE_GAP_MS);
}

size_t ts_mask_endless(const struct ts_series *series, const struct ts_story *stories,
                       uint8_t *endless, uint8_t *scratch)
{
    const uint8_t *ignore = series->frames->ignore;
    const double end_ms = ts_series_end_ms(series);
    size_t screen = 0, moving = 0;
    memset(endless, 0, series->blocks);
    for (size_t block = 0; block < series->blocks; block++) {
        if (ignore && ignore[block])
            continue;
        screen++;
        endless[block] = goes_on(series, &stories[block], end_ms);
        moving += endless[block];
    }
    if (moving == 0 || (double)moving > ENDLESS_MOST * (double)screen) {
        memset(endless, 0, series->blocks);
        return 0;
    }
    /* A spinner's hub and a video's still corner belong to it: the whole box, and one more. */
    for (size_t block = 0; block < series->blocks; block++) {
        if (endless[block] != 1)
            continue;
        const struct box box = connected(series, endless, block, 1 + JOIN_BLOCKS, scratch);
        for (size_t y = box.y0; y <= box.y1; y++)
            memset(endless + y * series->across + box.x0, 2, box.x1 - box.x0 + 1);
    }
    ts_mask_grow(series, endless, 1, scratch);
    memcpy(endless, scratch, series->blocks);
    size_t count = 0;
    for (size_t block = 0; block < series->blocks; block++)
        count += endless[block];
    return count;
}

static size_t count_marked(const uint8_t *mask, size_t blocks)
{
    size_t count = 0;
    for (size_t block = 0; block < blocks; block++)
        count += mask[block] == 1;
    return count;
}

static bool screen_changed(const struct ts_series *series, const struct ts_story *stories,
                           size_t block, double until_ms)
{
    const struct ts_old_frames *frames = series->frames;
    if ((frames->ignore && frames->ignore[block]) ||
        (frames->status_bar && frames->status_bar[block]))
        return false;
    const struct ts_edge *before = &stories[block].before;
    return before->kind != TS_EDGE_NONE && before->ms >= -QUIET_BEFORE_MS && before->ms < until_ms;
}

/* Between contact and pick-up the arm is still: it has rung out, and does not move again. */
static bool while_stylus_rests(const struct ts_series *series, const struct ts_story *stories,
                               size_t block)
{
    const struct ts_old_frames *frames = series->frames;
    const struct ts_edge *before = &stories[block].before;
    return before->kind != TS_EDGE_NONE && before->ms > frames->stylus_down_ms + RING_MS &&
           before->ms < frames->stylus_up_ms - frames->period_ms &&
           !(frames->status_bar && frames->status_bar[block]);
}

bool ts_mask_stylus(const struct ts_series *series, const struct ts_story *stories, uint8_t *stylus,
                    uint8_t *scratch)
{
    const double from_ms = series->frames->stylus_from_ms - STYLUS_LEAD_MS;
    size_t screen = 0, moved = 0, others = 0;
    memset(stylus, 0, series->blocks);
    for (size_t block = 0; block < series->blocks; block++) {
        if (series->frames->ignore && series->frames->ignore[block])
            continue; /* a sync LED, not the arm */
        screen++;
        others += screen_changed(series, stories, block, isnan(from_ms) ? 0 : from_ms) ||
                  while_stylus_rests(series, stories, block);
        const struct ts_edge *before = &stories[block].before;
        stylus[block] = before->kind != TS_EDGE_NONE && before->ms >= from_ms;
        moved += stylus[block] && screen_changed(series, stories, block, 0);
    }
    if (others >= OTHER_LEAST || (double)moved > STYLUS_SHARE * (double)screen) {
        memset(stylus, 0, series->blocks);
        return true;
    }
    /* The arm is what covers most; what moved far from it is the screen. */
    size_t largest = 0, seed = 0;
    for (size_t block = 0; block < series->blocks; block++) {
        if (stylus[block] != 1)
            continue;
        connected(series, stylus, block, 1 + STYLUS_NEAR, scratch);
        const size_t size = count_marked(scratch, series->blocks);
        for (size_t i = 0; i < series->blocks; i++)
            stylus[i] = scratch[i] ? 2 : stylus[i];
        if (size > largest) {
            largest = size;
            seed = block;
        }
    }
    if (largest == 0)
        return false;
    connected(series, stylus, seed, 1 + STYLUS_NEAR, scratch);
    for (size_t block = 0; block < series->blocks; block++)
        others += stylus[block] && !scratch[block] && screen_changed(series, stories, block, 0);
    ts_mask_grow(series, scratch, STYLUS_GROW, stylus);
    return others >= OTHER_LEAST;
}
