/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "examples.h"

#include "bench/replay/replay.h"
#include "store/part.h"

#include <stdio.h>
#include <string.h>

#define LAUNCHES 3

static char folder[64], dir[80];

static int set_up(void **state)
{
    (void)state;
    example_folder(folder);
    snprintf(dir, sizeof dir, "%s/session", folder);
    example_session(dir, 5, LAUNCHES);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    example_remove(folder);
    return 0;
}

static struct ts_bench *open_bench(void)
{
    const struct ts_bench_config config = {.session_path = dir};
    struct ts_bench *bench;
    struct ts_why why = {""};
    if (ts_bench_replay.open(&config, &bench, &why))
        fail_msg("%s", why.text);
    return bench;
}

/* A control that does what the journal says, but for command number `wrong` (from 1), which it
 * gives with another id, and command number `left_out`, which it does not give. Returns what
 * next() said last, and how many commands were given in all. */
static int follow(struct ts_bench *bench, int wrong, int left_out, int *items, int *commands)
{
    struct ts_session *session;
    struct ts_journal_entry entry;
    int seen = 0, err = TS_OK;
    *items = *commands = 0;
    assert_int_equal(ts_session_open(dir, &session, NULL), 0);
    for (int number = 0; number <= LAUNCHES && !err; number++) {
        struct ts_part *part;
        assert_int_equal(ts_part_open(session, number, &part, NULL), 0);
        while (!err && !ts_part_next(part, &entry, NULL)) {
            struct ts_item item;
            if (entry.kind == TS_JOURNAL_COMMAND && ++seen != left_out) {
                entry.command.id += seen == wrong ? 100000u : 0;
                assert_int_equal(ts_bench_submit(bench, &entry.command), 0);
                ++*commands;
            } else if (entry.kind == TS_JOURNAL_ITEM) {
                err = ts_bench_next(bench, &item);
                *items += !err;
            }
            if (entry.kind == TS_JOURNAL_ITEM && !err) {
                assert_true(item.sequence == entry.item.sequence);
                assert_true(item.arrival.ns == entry.item.arrival.ns);
                assert_int_equal(item.kind, entry.item.kind);
                if (item.kind == TS_ITEM_LINE)
                    assert_string_equal(item.u.line.text, entry.item.u.line.text);
                if (item.kind == TS_ITEM_FRAME)
                    assert_memory_equal(item.u.frame->blocks, entry.item.u.frame->blocks,
                                        64 * 48 * 2);
            }
            ts_part_release(&entry);
        }
        ts_part_close(part);
    }
    ts_session_free(session);
    if (!err) {
        struct ts_item item;
        err = ts_bench_next(bench, &item);
    }
    return err;
}

static void test_items_and_commands_in_order(void **state)
{
    int items, commands;
    (void)state;
    struct ts_bench *bench = open_bench();
    assert_memory_equal(ts_bench_camera(bench), &example_camera, sizeof example_camera);
    assert_int_equal(follow(bench, 0, 0, &items, &commands), TS_EOF);
    assert_int_equal(items, (LAUNCHES + 1) * EXAMPLE_ITEMS);
    assert_true(commands > 50);
    assert_null(ts_bench_replay_difference(bench));
    /* What an unfinished campaign would go on with is not held against it. */
    const struct ts_command more = {77777, TS_COMMAND_CAMERA_SET, {.camera_on = true}};
    struct ts_item item;
    assert_int_equal(ts_bench_submit(bench, &more), 0);
    assert_int_equal(ts_bench_next(bench, &item), TS_EOF);
    ts_bench_close(bench);
}

static void test_every_different_command_is_found(void **state)
{
    int items, commands, total;
    (void)state;
    struct ts_bench *bench = open_bench();
    assert_int_equal(follow(bench, 0, 0, &items, &total), TS_EOF);
    ts_bench_close(bench);
    for (int wrong = 1; wrong <= total; wrong++) {
        bench = open_bench();
        assert_int_equal(follow(bench, wrong, 0, &items, &commands), TS_EPROTO);
        assert_non_null(strstr(ts_bench_replay_difference(bench), "another command"));
        assert_non_null(strstr(ts_bench_replay_difference(bench), "\"c\":10"));
        ts_bench_close(bench);
        bench = open_bench();
        assert_int_equal(follow(bench, 0, wrong, &items, &commands), TS_EPROTO);
        assert_non_null(ts_bench_replay_difference(bench));
        ts_bench_close(bench);
    }
}

static void test_a_command_too_many(void **state)
{
    const struct ts_command command = {1, TS_COMMAND_CAMERA_SET, {.camera_on = true}};
    struct ts_item item;
    (void)state;
    struct ts_bench *bench = open_bench();
    assert_int_equal(ts_bench_submit(bench, &command), 0); /* the journal begins with an item */
    assert_int_equal(ts_bench_next(bench, &item), TS_EPROTO);
    assert_int_equal(ts_bench_next(bench, &item), TS_EPROTO);
    const char *difference = ts_bench_replay_difference(bench);
    assert_non_null(strstr(difference, "\"k\":\"camera\",\"on\":true"));
    ts_bench_close(bench);
}

/* Whoever retains a frame, or holds an item until the next one, keeps it. */
static void test_frames_can_be_kept(void **state)
{
    struct ts_session *session;
    struct ts_evidence evidence;
    struct ts_journal_entry entry;
    struct ts_frame *kept[64];
    struct ts_part *part;
    size_t count = 0;
    (void)state;
    assert_int_equal(ts_session_open(dir, &session, NULL), 0);
    assert_int_equal(ts_session_load_evidence(session, 0, &evidence, NULL), 0);
    assert_int_equal(ts_part_open(session, 0, &part, NULL), 0);
    while (!ts_part_next(part, &entry, NULL)) {
        if (entry.kind == TS_JOURNAL_ITEM && entry.item.kind == TS_ITEM_FRAME) {
            kept[count] = entry.item.u.frame;
            kept[count]->ops->retain(kept[count]);
            count++;
        }
        ts_part_release(&entry);
    }
    ts_part_close(part);
    assert_int_equal(count, evidence.frame_count);
    for (size_t i = 0; i < count; i++) {
        assert_memory_equal(kept[i]->blocks, evidence.frames[i].blocks, 64 * 48 * 2);
        kept[i]->ops->release(kept[i]);
    }
    ts_evidence_free(&evidence);
    ts_session_free(session);
}

static void test_no_session(void **state)
{
    const struct ts_bench_config config = {.session_path = "/nonexistent"};
    struct ts_bench *bench;
    struct ts_why why = {""};
    (void)state;
    assert_int_equal(ts_bench_replay.open(&config, &bench, &why), TS_EIO);
    assert_non_null(strstr(why.text, "/nonexistent"));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_items_and_commands_in_order),
        TEST(test_every_different_command_is_found),
        TEST(test_a_command_too_many),
        TEST(test_frames_can_be_kept),
        TEST(test_no_session),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
