/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every block is compared with the level at which it last rested, not with the frame before, so
 * that a slow fade adds up until it shows. Whole rows brighten and darken together with the mains;
 * that is taken out, but only as far as it was seen to go while nothing happened: a fade over the
 * whole screen must not pass for it. */
#include "vision/watch.h"

#include "vision/blocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PIXELS       25.0f
#define MOVE_SUM     (4.0f * PIXELS) /* away from rest: a move; 4 codes */
#define NOISE_TIMES  6.0f
#define LEARN_FRAMES 25
#define GAIN_DEFAULT 0.02f /* until it has been learnt */
#define GAIN_MOST    0.03f
#define GAIN_SLACK   0.003f
#define GAIN_LEAST   (20.0f * PIXELS) /* darker blocks say nothing */
#define REST_FRAMES  64.0f            /* the rest follows slow drift */
#define MOVES        5                /* so many moves: a launch seldom has more in one place */
#define AGAIN_MS     3000.0           /* ... within this long, ... */
#define AGAIN_SPAN   500.0            /* ... spread over at least this, make a block endless */
#define SAME_MOVE_MS 350.0            /* in the same direction: a slow fade that goes on */
#define APART_MS     140.0            /* a video's moves are counted no faster */

struct block {
    float rest;   /* level at which it rests, sum of 25 pixels */
    float noise;  /* mean |difference| of consecutive frames */
    float before; /* last frame, gain divided out */
    int direction;
    double moved_ms[MOVES]; /* separate moves, latest first; -INFINITY: none */
    double last_ms;         /* the latest sign of movement */
};

struct ts_watch {
    struct ts_camera_geometry camera;
    size_t count;
    double quiet_ms;
    struct block *blocks;
    uint8_t *ignore; /* or NULL */
    uint16_t *sums;  /* of frames that come without */
    float gain_seen; /* largest |gain - 1| of a row while learning */
    size_t frames;
    bool armed;
    double start_ms, now_ms, armed_ms;
    int64_t zero_ns;
};

int ts_watch_create(const struct ts_camera_geometry *camera, double quiet_ms, struct ts_watch **out)
{
    if (camera->blocks_x < 1 || camera->blocks_y < 1 || !(quiet_ms > 0))
        return TS_EINVAL;
    struct ts_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return TS_ENOMEM;
    watch->camera = *camera;
    watch->count = (size_t)camera->blocks_x * (size_t)camera->blocks_y;
    watch->quiet_ms = quiet_ms;
    watch->blocks = calloc(watch->count, sizeof *watch->blocks);
    watch->sums = calloc(watch->count, sizeof *watch->sums);
    if (!watch->blocks || !watch->sums) {
        ts_watch_destroy(watch);
        return TS_ENOMEM;
    }
    ts_watch_reset(watch);
    *out = watch;
    return TS_OK;
}

void ts_watch_destroy(struct ts_watch *watch)
{
    if (!watch)
        return;
    free(watch->blocks);
    free(watch->ignore);
    free(watch->sums);
    free(watch);
}

void ts_watch_ignore(struct ts_watch *watch, const uint8_t *ignore)
{
    free(watch->ignore);
    watch->ignore = ignore ? malloc(watch->count) : NULL;
    if (watch->ignore)
        memcpy(watch->ignore, ignore, watch->count);
}

void ts_watch_reset(struct ts_watch *watch)
{
    watch->frames = 0;
    watch->gain_seen = 0;
    watch->armed = false;
}

void ts_watch_arm(struct ts_watch *watch, struct ts_host_time at)
{
    watch->armed = true;
    watch->armed_ms = (double)(at.ns - watch->zero_ns) / TS_NS_PER_MS;
}

static bool ignored(const struct ts_watch *watch, size_t block)
{
    return watch->ignore && watch->ignore[block];
}

static void begin(struct ts_watch *watch, const uint16_t *sums)
{
    for (size_t i = 0; i < watch->count; i++) {
        struct block *block = &watch->blocks[i];
        *block = (struct block){.rest = sums[i], .before = sums[i], .noise = 0.4f * PIXELS};
        for (int move = 0; move < MOVES; move++)
            block->moved_ms[move] = -INFINITY;
        block->last_ms = -INFINITY;
    }
    watch->start_ms = watch->now_ms;
}

static float threshold(const struct block *block)
{
    return fmaxf(MOVE_SUM, NOISE_TIMES * block->noise);
}

/* How much brighter the row is than its blocks at rest, from those that do not move. */
static float row_gain(struct ts_watch *watch, const uint16_t *sums, size_t row)
{
    const size_t across = (size_t)watch->camera.blocks_x;
    const bool learning = watch->frames < LEARN_FRAMES;
    const float most =
        learning ? GAIN_DEFAULT : fminf(GAIN_MOST, 1.2f * watch->gain_seen + GAIN_SLACK);
    float now = 0, rest = 0;
    for (size_t i = row * across; i < (row + 1) * across; i++) {
        const struct block *block = &watch->blocks[i];
        const float slack = threshold(block) + most * block->rest;
        if (block->rest < GAIN_LEAST || fabsf(sums[i] - block->rest) > slack || ignored(watch, i))
            continue;
        now += sums[i];
        rest += block->rest;
    }
    if (rest <= 0)
        return 1;
    const float gain = now / rest;
    if (!watch->armed && fabsf(gain - 1) < GAIN_MOST)
        watch->gain_seen = fmaxf(watch->gain_seen, fabsf(gain - 1));
    return fminf(1 + most, fmaxf(1 - most, gain));
}

static void note_move(struct block *block, double now_ms, int direction)
{
    const bool another = direction != block->direction || now_ms - block->last_ms > SAME_MOVE_MS;
    if (another && now_ms - block->moved_ms[0] > APART_MS) {
        memmove(block->moved_ms + 1, block->moved_ms, (MOVES - 1) * sizeof *block->moved_ms);
        block->moved_ms[0] = now_ms;
    }
    block->direction = direction;
    block->last_ms = now_ms;
}

static void see(struct ts_watch *watch, struct block *block, float value)
{
    const float away = value - block->rest;
    if (fabsf(away) > threshold(block)) {
        note_move(block, watch->now_ms, away > 0 ? 1 : -1);
        block->rest = value;
    } else {
        const bool fresh = watch->frames < LEARN_FRAMES;
        block->rest += away / (fresh ? (float)watch->frames + 1 : REST_FRAMES);
        block->noise += (fabsf(value - block->before) - block->noise) / REST_FRAMES;
    }
    block->before = value;
}

void ts_watch_frame(struct ts_watch *watch, const struct ts_frame *frame)
{
    const uint16_t *sums = frame->blocks;
    if (!sums) {
        ts_blocks_sum(frame->pixels, (size_t)watch->camera.width_px, &watch->camera, watch->sums);
        sums = watch->sums;
    }
    if (watch->frames == 0 && !watch->armed)
        watch->zero_ns = frame->arrival.ns;
    watch->now_ms = (double)(frame->arrival.ns - watch->zero_ns) / TS_NS_PER_MS;
    if (watch->frames == 0)
        begin(watch, sums);
    const size_t across = (size_t)watch->camera.blocks_x;
    for (size_t row = 0; row < (size_t)watch->camera.blocks_y; row++) {
        const float scale = 1 / row_gain(watch, sums, row);
        for (size_t i = row * across; i < (row + 1) * across; i++) {
            if (!ignored(watch, i))
                see(watch, &watch->blocks[i], (float)sums[i] * scale);
        }
    }
    watch->frames++;
}

static bool is_endless(const struct ts_watch *watch, size_t i)
{
    const struct block *block = &watch->blocks[i];
    return block->moved_ms[MOVES - 1] > watch->now_ms - AGAIN_MS &&
           block->moved_ms[0] - block->moved_ms[MOVES - 1] > AGAIN_SPAN;
}

static bool near_endless(const struct ts_watch *watch, size_t i)
{
    const long across = watch->camera.blocks_x, down = watch->camera.blocks_y;
    const long x = (long)i % across, y = (long)i / across;
    for (long j = y > 0 ? y - 1 : 0; j <= y + 1 && j < down; j++) {
        for (long k = x > 0 ? x - 1 : 0; k <= x + 1 && k < across; k++) {
            if (is_endless(watch, (size_t)(j * across + k)))
                return true;
        }
    }
    return false;
}

bool ts_watch_is_quiet(const struct ts_watch *watch)
{
    if (watch->frames == 0 || watch->now_ms - watch->start_ms < watch->quiet_ms)
        return false;
    for (size_t i = 0; i < watch->count; i++) {
        if (!ignored(watch, i) && watch->blocks[i].last_ms > watch->now_ms - watch->quiet_ms)
            return false;
    }
    return true;
}

bool ts_watch_has_changed(const struct ts_watch *watch)
{
    for (size_t i = 0; watch->armed && watch->frames && i < watch->count; i++) {
        if (!ignored(watch, i) && watch->blocks[i].last_ms >= watch->armed_ms)
            return true;
    }
    return false;
}

bool ts_watch_has_settled(const struct ts_watch *watch)
{
    if (!ts_watch_has_changed(watch))
        return false;
    for (size_t i = 0; i < watch->count; i++) {
        if (!ignored(watch, i) && watch->blocks[i].last_ms > watch->now_ms - watch->quiet_ms &&
            !near_endless(watch, i))
            return false;
    }
    return true;
}
