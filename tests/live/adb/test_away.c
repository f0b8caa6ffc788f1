/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A phone that is away for long: 15 s are made good, more than 20 s are not waited for. */
#include "lab.h"

static void fifteen_seconds(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 91, NULL);
    lab_stream(&lab, TS_STREAM_LOG, true);
    for (int i = 0; i < 100; i++)
        lab_log_launch(&lab, i);
    lab_take_lines(&lab, "com.app/.Main99 ", 1);
    sim_adb_peer_away(lab.peer, true);
    lab_take_for(&lab, 200);
    const uint32_t id = lab_submit_shell(&lab, "echo back");
    for (int i = 100; i < 200; i++) {
        lab_log_launch(&lab, i);
        lab_take_for(&lab, 150);
    }
    assert_int_not_equal(lab.done.command, id);
    sim_adb_peer_away(lab.peer, false);
    lab_wait(&lab, id);
    assert_int_equal(lab.done.status, TS_OK);
    lab_log_launch(&lab, 200);
    lab_take_lines(&lab, "com.app/.Main200 ", 1);
    lab_assert_launches(&lab, 201);
    assert_int_equal(lab.lost, 1);
    assert_int_equal(lab.stream_ends, 0);
    lab_phone_close(&lab);
}

static void given_up(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 92, NULL);
    lab_stream(&lab, TS_STREAM_LOG, true);
    sim_adb_peer_away(lab.peer, true);
    lab_take_for(&lab, 500);
    const uint32_t command = lab_submit_shell(&lab, "echo back");
    const uint32_t stream = lab_submit(&lab, TS_COMMAND_PHONE_STREAM, TS_STREAM_ACCESSIBILITY);
    lab_take_for(&lab, 19000);
    assert_int_not_equal(lab.done.command, command);
    assert_int_not_equal(lab.done.command, stream);
    lab_take_for(&lab, 3000);
    assert_int_equal(lab.done.status, TS_EIO);
    assert_true(lab.done.command == command || lab.done.command == stream);
    sim_adb_peer_away(lab.peer, false);
    const uint32_t later = lab_submit_shell(&lab, "echo back");
    assert_int_equal(lab_wait(&lab, later)->status, TS_OK);
    assert_int_equal(lab.lost, 1);
    lab_phone_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fifteen_seconds),
        cmocka_unit_test(given_up),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
