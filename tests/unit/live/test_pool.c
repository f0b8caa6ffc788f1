/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/live/pool.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#define WIDTH  20
#define HEIGHT 10
#define FRAMES 4

static const struct ts_camera_geometry geometry = {.width_px = WIDTH,
                                                   .height_px = HEIGHT,
                                                   .blocks_x = WIDTH / TS_BLOCK_PX,
                                                   .blocks_y = HEIGHT / TS_BLOCK_PX};

static struct ts_frame_pool *open_pool(void)
{
    struct ts_frame_pool *pool;
    assert_int_equal(ts_frame_pool_create(&geometry, FRAMES, &pool), TS_OK);
    return pool;
}

/* Every byte of a frame is its own. */
static void fill(struct ts_frame *frame, uint8_t *pixels, uint8_t with)
{
    assert_ptr_equal(frame->pixels, pixels);
    memset(pixels, with, WIDTH * HEIGHT);
    for (int i = 0; i < geometry.blocks_x * geometry.blocks_y; i++)
        frame->blocks[i] = with;
}

static void gives_as_many_as_there_are(void **state)
{
    (void)state;
    struct ts_frame_pool *pool = open_pool();
    struct ts_frame *frames[FRAMES];
    uint8_t *pixels;
    for (uint8_t i = 0; i < FRAMES; i++) {
        frames[i] = ts_frame_pool_take(pool, &pixels);
        assert_non_null(frames[i]);
        fill(frames[i], pixels, i);
    }
    assert_null(ts_frame_pool_take(pool, &pixels));
    for (uint8_t i = 0; i < FRAMES; i++) {
        assert_int_equal(frames[i]->pixels[0], i);
        assert_int_equal(frames[i]->pixels[WIDTH * HEIGHT - 1], i);
        assert_int_equal(frames[i]->blocks[0], i);
    }
    frames[2]->ops->retain(frames[2]);
    frames[2]->ops->release(frames[2]);
    assert_null(ts_frame_pool_take(pool, &pixels));
    frames[2]->ops->release(frames[2]);
    assert_ptr_equal(ts_frame_pool_take(pool, &pixels), frames[2]);
    ts_frame_pool_close(pool);
    for (int i = 0; i < FRAMES; i++)
        frames[i]->ops->release(frames[i]);
}

static void lives_as_long_as_a_frame(void **state)
{
    (void)state;
    struct ts_frame_pool *pool = open_pool();
    uint8_t *pixels;
    struct ts_frame *frame = ts_frame_pool_take(pool, &pixels);
    assert_non_null(frame);
    ts_frame_pool_close(pool);
    fill(frame, pixels, 7);
    assert_int_equal(frame->pixels[5], 7);
    frame->ops->release(frame);
    ts_frame_pool_close(NULL);
}

/* Two consumers let go on threads of their own of what a third fills. */
#define ROUNDS 20000

struct mailbox {
    _Atomic(struct ts_frame *) frame;
    atomic_bool over;
    int wrong;
};

static void *consume(void *context)
{
    struct mailbox *mailbox = context;
    for (;;) {
        const bool over = atomic_load(&mailbox->over);
        struct ts_frame *frame = atomic_exchange(&mailbox->frame, NULL);
        if (frame) {
            mailbox->wrong += frame->pixels[0] != (uint8_t)frame->sequence ||
                              frame->blocks[3] != (uint8_t)frame->sequence;
            frame->ops->release(frame);
        } else if (over) {
            return NULL;
        }
    }
}

static void is_let_go_by_others(void **state)
{
    (void)state;
    struct ts_frame_pool *pool = open_pool();
    struct mailbox mailboxes[2] = {{.wrong = 0}, {.wrong = 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, consume, &mailboxes[i]), 0);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint8_t *pixels;
        struct ts_frame *frame = ts_frame_pool_take(pool, &pixels);
        if (!frame)
            continue; /* dropped */
        frame->sequence = round;
        fill(frame, pixels, (uint8_t)round);
        frame->ops->retain(frame);
        for (int i = 0; i < 2; i++) {
            struct ts_frame *missed = atomic_exchange(&mailboxes[i].frame, frame);
            if (missed)
                missed->ops->release(missed);
        }
    }
    ts_frame_pool_close(pool);
    for (int i = 0; i < 2; i++) {
        atomic_store(&mailboxes[i].over, true);
        pthread_join(threads[i], NULL);
        assert_int_equal(mailboxes[i].wrong, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gives_as_many_as_there_are),
        cmocka_unit_test(lives_as_long_as_a_frame),
        cmocka_unit_test(is_let_go_by_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
