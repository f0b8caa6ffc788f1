/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/pool.h"

#include <stdatomic.h>
#include <stdlib.h>

struct slot {
    struct ts_frame frame; /* first: a frame is its slot */
    struct ts_frame_pool *pool;
    atomic_int references; /* 0: free */
};

struct ts_frame_pool {
    size_t count;
    size_t next; /* where the taker looks first; one thread takes */
    /* The slots that are out, and one for the owner: the last to go frees. */
    atomic_size_t holders;
    struct slot *slots;
    uint8_t *pixels;
    uint16_t *blocks;
};

static void let_go(struct ts_frame_pool *pool)
{
    if (atomic_fetch_sub_explicit(&pool->holders, 1, memory_order_acq_rel) != 1)
        return;
    free(pool->slots);
    free(pool->pixels);
    free(pool->blocks);
    free(pool);
}

static void retain(struct ts_frame *frame)
{
    atomic_fetch_add_explicit(&((struct slot *)frame)->references, 1, memory_order_relaxed);
}

static void release(struct ts_frame *frame)
{
    struct slot *slot = (struct slot *)frame;
    struct ts_frame_pool *pool = slot->pool;
    if (atomic_fetch_sub_explicit(&slot->references, 1, memory_order_acq_rel) == 1)
        let_go(pool);
}

static const struct ts_frame_ops ops = {retain, release};

int ts_frame_pool_create(const struct ts_camera_geometry *geometry, size_t count,
                         struct ts_frame_pool **out)
{
    const size_t pixels = (size_t)geometry->width_px * (size_t)geometry->height_px;
    const size_t blocks = (size_t)geometry->blocks_x * (size_t)geometry->blocks_y;
    struct ts_frame_pool *pool = calloc(1, sizeof *pool);
    if (!pool)
        return TS_ENOMEM;
    atomic_init(&pool->holders, 1);
    pool->count = count;
    pool->slots = calloc(count, sizeof *pool->slots);
    pool->pixels = malloc(count * pixels);
    pool->blocks = malloc(count * blocks * sizeof *pool->blocks);
    if (!pool->slots || !pool->pixels || !pool->blocks) {
        let_go(pool);
        return TS_ENOMEM;
    }
    for (size_t i = 0; i < count; i++) {
        struct slot *slot = &pool->slots[i];
        slot->pool = pool;
        atomic_init(&slot->references, 0);
        slot->frame.ops = &ops;
        slot->frame.pixels = pool->pixels + i * pixels;
        slot->frame.blocks = pool->blocks + i * blocks;
    }
    *out = pool;
    return TS_OK;
}

void ts_frame_pool_close(struct ts_frame_pool *pool)
{
    if (pool)
        let_go(pool);
}

struct ts_frame *ts_frame_pool_take(struct ts_frame_pool *pool, uint8_t **pixels)
{
    for (size_t i = 0; i < pool->count; i++) {
        const size_t at = (pool->next + i) % pool->count;
        struct slot *slot = &pool->slots[at];
        if (atomic_load_explicit(&slot->references, memory_order_acquire) != 0)
            continue;
        pool->next = (at + 1) % pool->count;
        atomic_fetch_add_explicit(&pool->holders, 1, memory_order_relaxed);
        atomic_store_explicit(&slot->references, 1, memory_order_relaxed);
        *pixels = (uint8_t *)(uintptr_t)slot->frame.pixels;
        return &slot->frame;
    }
    return NULL;
}
