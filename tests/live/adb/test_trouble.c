/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What breaks between phone and host, in the middle of a log that tells of a launch every two
 * milliseconds: each launch is told of once, or it is said that some may be missing. */
#include "lab.h"

#include <string.h>

#define OFFLINE_MS 2500 /* longer than clocks wait; 15 s are in test_away.c */

/* Writes launches from `from` to `to`, at some 500 a second. */
static void write_launches(struct lab *lab, int from, int to)
{
    for (int i = from; i < to; i++) {
        lab_log_launch(lab, i);
        if (i % 10 == 9)
            lab_take_for(lab, 20);
    }
}

static void begin(struct lab *lab, uint64_t seed, const struct sim_adb_config *config)
{
    lab_phone_open(lab, seed, config);
    lab_stream(lab, TS_STREAM_LOG, true);
    write_launches(lab, 0, 200);
}

/* The rest of the launches up to 600, all of which then have been told of. */
static void end(struct lab *lab, int from)
{
    write_launches(lab, from, 600);
    lab_take_lines(lab, "com.app/.Main599 ", 1);
    lab_assert_launches(lab, 600);
    assert_int_equal(lab->stream_ends, 0);
    assert_int_equal(lab->lost, 1);
    assert_int_equal(lab->reboots, 0);
    lab_phone_close(lab);
}

static void connection_drops(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 61, NULL);
    sim_adb_peer_drop(lab.peer);
    end(&lab, 200);
}

static void connection_drops_again_and_again(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 62, NULL);
    for (int i = 0; i < 8; i++) {
        sim_adb_peer_drop(lab.peer);
        write_launches(&lab, 200 + 50 * i, 250 + 50 * i);
    }
    lab_take_lines(&lab, "com.app/.Main599 ", 1);
    lab_assert_launches(&lab, 600);
    assert_int_equal(lab.stream_ends, 0);
    assert_true(lab.lost >= 1);
    lab_phone_close(&lab);
}

static void server_is_killed(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 63, NULL);
    lab_kill_server();
    end(&lab, 200);
}

static void phone_is_offline(void **state)
{
    (void)state;
    struct lab lab;
    int status, code;
    begin(&lab, 64, NULL);
    sim_adb_peer_away(lab.peer, true);
    write_launches(&lab, 200, 250);
    lab_take_for(&lab, OFFLINE_MS);
    /* Somebody asks for a clock while it is away, and soon knows that there is none. */
    const uint32_t clock = lab_submit(&lab, TS_COMMAND_CLOCK_READ, TS_CLOCK_PHONE_REAL);
    assert_int_equal(lab_wait(&lab, clock)->status, TS_EIO);
    /* A command waits. */
    const uint32_t id = lab_submit_shell(&lab, "echo back");
    lab_take_for(&lab, 300);
    assert_int_not_equal(lab.done.command, id);
    sim_adb_peer_away(lab.peer, false);
    assert_int_equal(lab_wait(&lab, id)->status, TS_OK);
    assert_string_equal(lab.done.text, "back\n");
    lab_shell(&lab, "echo there", &status, &code);
    assert_int_equal(status, TS_OK);
    end(&lab, 250);
}

/* Nobody knows how far it got: it is not run again. */
static void phone_goes_while_a_command_runs(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 65, NULL);
    lab_take_for(&lab, 300);
    for (int i = 0; i < 5; i++) {
        const uint32_t id = lab_submit_shell(&lab, "dumpsys battery"); /* 40 to 150 ms */
        const uint32_t next = lab_submit_shell(&lab, "echo next");
        lab_take_for(&lab, 20);
        sim_adb_peer_drop(lab.peer);
        assert_int_equal(lab_wait(&lab, id)->status, TS_EIO);
        assert_int_equal(lab_wait(&lab, next)->status, TS_OK);
        assert_string_equal(lab.done.text, "next\n");
    }
    lab_phone_close(&lab);
}

static void phone_reboots(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 66, NULL);
    const int64_t up_ns = sim_real_phone_clock(lab.real, sim_real_phone_now(), true);
    sim_adb_peer_reboot(lab.peer, 500 * MS);
    write_launches(&lab, 200, 220); /* nobody will ever read these */
    lab_take_for(&lab, 800);
    const uint32_t clock = lab_submit(&lab, TS_COMMAND_CLOCK_READ, TS_CLOCK_PHONE_UP);
    assert_int_equal(lab_wait(&lab, clock)->status, TS_OK);
    assert_true(lab.clock.t2 < up_ns);
    assert_true(lab.clock.t2 < 60 * TS_NS_PER_S);
    lab_log_launch(&lab, 1000);
    lab_take_lines(&lab, "com.app/.Main1000 ", 1);
    assert_int_equal(lab.lost, 1);
    assert_int_equal(lab.reboots, 1);
    assert_int_equal(lab.stream_ends, 1);
    lab_phone_close(&lab);
}

/* The phone keeps fewer lines than it writes while it is away. */
static void log_has_run_over(void **state)
{
    (void)state;
    const struct sim_adb_config config = {.log_lines = 60};
    struct lab lab;
    begin(&lab, 67, &config);
    lab_take_lines(&lab, "com.app/.Main199 ", 1); /* else it may be among what runs over */
    sim_adb_peer_away(lab.peer, true);
    write_launches(&lab, 200, 400);
    sim_adb_peer_away(lab.peer, false);
    lab_take_lines(&lab, "com.app/.Main399 ", 1);
    assert_int_equal(lab.stream_ends, 1);
    assert_int_equal(lab_count(&lab, "com.app/.Main199 "), 1);
    assert_int_equal(lab_count(&lab, "com.app/.Main300 "), 0);
    assert_int_equal(lab_count(&lab, "com.app/.Main399 "), 1);
    lab_phone_close(&lab);
}

/* Nobody knows then what the log had to tell in between. */
static void connection_drops_before_the_first_line(void **state)
{
    (void)state;
    struct lab lab;
    lab_phone_open(&lab, 72, NULL);
    lab_stream(&lab, TS_STREAM_LOG, true);
    sim_adb_peer_away(lab.peer, true);
    write_launches(&lab, 0, 50);
    sim_adb_peer_away(lab.peer, false);
    const uint32_t id = lab_submit_shell(&lab, "echo back");
    assert_int_equal(lab_wait(&lab, id)->status, TS_OK);
    for (int i = 50; lab_count(&lab, "com.app/.Main") == 0 && i < 5000; i += 10)
        write_launches(&lab, i, i + 10);
    assert_int_equal(lab_count(&lab, "com.app/.Main0 "), 0);
    assert_int_equal(lab.stream_ends, 1);
    lab_phone_close(&lab);
}

static void line_in_two_halves(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 68, NULL);
    sim_adb_peer_cut(lab.peer, false);
    write_launches(&lab, 200, 600);
    lab_take_lines(&lab, "com.app/.Main599 ", 1);
    lab_assert_launches(&lab, 600);
    assert_int_equal(lab.lost + lab.stream_ends, 0);
    lab_phone_close(&lab);
}

static void connection_drops_within_a_line(void **state)
{
    (void)state;
    struct lab lab;
    begin(&lab, 69, NULL);
    sim_adb_peer_cut(lab.peer, true);
    end(&lab, 200);
}

/* Without exit codes and with raw bytes only; the log is taken up all the same. */
static void old_phone_drops(void **state)
{
    (void)state;
    const struct sim_adb_config config = {.no_shell_v2 = true};
    struct lab lab;
    begin(&lab, 70, &config);
    sim_adb_peer_drop(lab.peer);
    end(&lab, 200);
}

static void accessibility_breaks_off(void **state)
{
    (void)state;
    struct lab lab;
    bool log, accessibility;
    lab_phone_open(&lab, 71, NULL);
    lab_stream(&lab, TS_STREAM_ACCESSIBILITY, true);
    sim_adb_peer_drop(lab.peer);
    const uint32_t id = lab_submit_shell(&lab, "echo back");
    lab_take_for(&lab, 300);
    assert_int_equal(lab_wait(&lab, id)->command, id);
    lab_take_for(&lab, 700);
    assert_int_equal(lab.stream_ends, 1);
    sim_real_phone_observers(lab.real, &log, &accessibility);
    assert_true(accessibility);
    lab_phone_close(&lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connection_drops),
        cmocka_unit_test(connection_drops_again_and_again),
        cmocka_unit_test(server_is_killed),
        cmocka_unit_test(phone_is_offline),
        cmocka_unit_test(phone_goes_while_a_command_runs),
        cmocka_unit_test(phone_reboots),
        cmocka_unit_test(log_has_run_over),
        cmocka_unit_test(connection_drops_before_the_first_line),
        cmocka_unit_test(line_in_two_halves),
        cmocka_unit_test(connection_drops_within_a_line),
        cmocka_unit_test(old_phone_drops),
        cmocka_unit_test(accessibility_breaks_off),
    };
    return cmocka_run_group_tests(tests, lab_open, lab_close);
}
