/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bench/live/inbox.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MAX 512 /* that an inbox holds */

struct counted_frame {
    struct ts_frame frame;
    atomic_int references;
};

static void retain(struct ts_frame *frame)
{
    atomic_fetch_add(&((struct counted_frame *)frame)->references, 1);
}

static void release(struct ts_frame *frame)
{
    atomic_fetch_sub(&((struct counted_frame *)frame)->references, 1);
}

static const struct ts_frame_ops frame_ops = {retain, release};

static struct ts_host_time after_ms(int64_t ms)
{
    return (struct ts_host_time){ts_live_now().ns + ms * TS_NS_PER_MS};
}

static int open_inbox(void **state)
{
    return ts_inbox_create((struct ts_inbox **)state);
}

static int close_inbox(void **state)
{
    ts_inbox_destroy(*state);
    return 0;
}

static int post_done(struct ts_inbox *inbox, struct ts_host_time at, uint32_t id)
{
    return ts_inbox_post(inbox, &(struct ts_item){.arrival = at,
                                                  .kind = TS_ITEM_DONE,
                                                  .u.done = {.command = id, .text = ""}});
}

static void take(struct ts_inbox *inbox, struct ts_item *item)
{
    assert_int_equal(ts_inbox_take(inbox, after_ms(60000), item), TS_OK);
}

static void copies_texts(void **state)
{
    char text[] = "first";
    struct ts_item item = {
        .arrival = ts_live_now(), .kind = TS_ITEM_LINE, .u.line = {TS_STREAM_LOG, text}};
    assert_int_equal(ts_inbox_post(*state, &item), TS_OK);
    strcpy(text, "other");
    item.kind = TS_ITEM_DONE;
    item.u.done = (struct ts_item_done){.command = 3, .text = NULL};
    item.arrival = ts_live_now();
    assert_int_equal(ts_inbox_post(*state, &item), TS_OK);
    take(*state, &item);
    assert_string_equal(item.u.line.text, "first");
    take(*state, &item);
    assert_string_equal(item.u.done.text, "");
}

static void waits_until_told(void **state)
{
    struct ts_item item;
    const struct ts_host_time until = after_ms(5);
    assert_int_equal(ts_inbox_take(*state, until, &item), TS_ETIMEOUT);
    assert_true(ts_live_now().ns >= until.ns);
    assert_int_equal(ts_inbox_take(*state, (struct ts_host_time){0}, &item), TS_ETIMEOUT);
}

/* What arrives later is handed out then, and lets pass what comes before it. */
static void hands_out_in_order_of_arrival(void **state)
{
    struct ts_item item;
    const struct ts_host_time last = after_ms(40), middle = after_ms(20), first = after_ms(10);
    assert_int_equal(post_done(*state, last, 3), TS_OK);
    assert_int_equal(post_done(*state, first, 1), TS_OK);
    assert_int_equal(post_done(*state, middle, 2), TS_OK);
    for (uint32_t i = 1; i <= 3; i++) {
        take(*state, &item);
        assert_int_equal(item.u.done.command, i);
        assert_int_equal(item.sequence, i);
        assert_true(ts_live_now().ns >= item.arrival.ns + TS_INBOX_SETTLE_NS);
    }
    assert_true(item.arrival.ns == last.ns);
    /* Too late to be put in its place. */
    assert_int_equal(post_done(*state, first, 4), TS_OK);
    take(*state, &item);
    assert_int_equal(item.u.done.command, 4);
    assert_true(item.arrival.ns == last.ns);
}

static void puts_frames_where_they_belong(void **state)
{
    struct counted_frame frames[2] = {{{.ops = &frame_ops}, 1}, {{.ops = &frame_ops}, 1}};
    struct ts_item item;
    const struct ts_host_time now = after_ms(-10);
    for (int i = 0; i < 2; i++) {
        item = (struct ts_item){
            .arrival = {now.ns + 2 * i}, .kind = TS_ITEM_FRAME, .u.frame = &frames[i].frame};
        assert_int_equal(ts_inbox_post(*state, &item), TS_OK);
    }
    assert_int_equal(post_done(*state, (struct ts_host_time){now.ns + 1}, 1), TS_OK);
    take(*state, &item);
    assert_ptr_equal(item.u.frame, &frames[0].frame);
    assert_int_equal(frames[0].references, 1); /* until the next is taken */
    take(*state, &item);
    assert_int_equal(item.kind, TS_ITEM_DONE);
    assert_int_equal(frames[0].references, 0);
    take(*state, &item);
    item.u.frame->ops->retain(item.u.frame); /* somebody keeps it */
    assert_int_equal(ts_inbox_take(*state, ts_live_now(), &item), TS_ETIMEOUT);
    assert_int_equal(frames[1].references, 1);
}

/* Nobody takes frames any more: the newest go, everything else comes through. */
static void loses_frames_and_nothing_else(void **state)
{
    enum { FRAMES = FRAMES_MAX + 100, OTHERS = 3000 };
    struct counted_frame *frames = calloc(FRAMES, sizeof *frames);
    assert_non_null(frames);
    const int64_t began_ns = after_ms(-1000).ns;
    for (int i = 0; i < FRAMES; i++) {
        frames[i].frame.ops = &frame_ops;
        atomic_init(&frames[i].references, 1);
        const struct ts_item item = {
            .arrival = {began_ns + i}, .kind = TS_ITEM_FRAME, .u.frame = &frames[i].frame};
        assert_int_equal(ts_inbox_post(*state, &item), i < FRAMES_MAX ? TS_OK : TS_EOVERRUN);
        assert_int_equal(frames[i].references, i < FRAMES_MAX);
    }
    for (uint32_t i = 0; i < OTHERS; i++)
        assert_int_equal(post_done(*state, (struct ts_host_time){began_ns + i}, i), TS_OK);
    assert_int_equal(ts_inbox_frames_dropped(*state), 100);
    uint32_t others = 0, taken = 0;
    struct ts_item item;
    while (others + taken < OTHERS + FRAMES_MAX - 5) {
        take(*state, &item);
        if (item.kind == TS_ITEM_FRAME)
            taken++;
        else
            assert_int_equal(item.u.done.command, others++);
    }
    close_inbox(state); /* five still wait */
    *state = NULL;
    for (int i = 0; i < FRAMES; i++)
        assert_int_equal(frames[i].references, 0);
    free(frames);
}

#define EACH 2000

struct poster {
    struct ts_inbox *inbox;
    uint32_t first;
};

static void *post_many(void *context)
{
    const struct poster *poster = context;
    for (uint32_t i = 0; i < EACH; i++)
        if (post_done(poster->inbox, ts_live_now(), poster->first + i))
            return context;
    return NULL;
}

static void two_threads_are_one_order(void **state)
{
    struct poster posters[2] = {{*state, 0}, {*state, EACH}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, post_many, &posters[i]), 0);
    uint32_t next[2] = {0, EACH};
    int64_t last_ns = 0;
    for (uint64_t i = 1; i <= 2 * EACH; i++) {
        struct ts_item item;
        take(*state, &item);
        assert_int_equal(item.sequence, i);
        assert_true(item.arrival.ns >= last_ns);
        last_ns = item.arrival.ns;
        /* Of one thread nothing overtakes, whatever the other does. */
        assert_int_equal(item.u.done.command, next[item.u.done.command >= EACH]++);
    }
    for (int i = 0; i < 2; i++) {
        void *failed;
        pthread_join(threads[i], &failed);
        assert_null(failed);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_inbox, close_inbox)
    const struct CMUnitTest tests[] = {
        TEST(copies_texts),
        TEST(waits_until_told),
        TEST(hands_out_in_order_of_arrival),
        TEST(puts_frames_where_they_belong),
        TEST(loses_frames_and_nothing_else),
        TEST(two_threads_are_one_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
