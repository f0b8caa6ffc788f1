/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tap sequencer: what moves, what does not, and every limit. */
#include "bed.h"

#include "core/app.h"
#include "core/tap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void home(void)
{
    assert_int_equal(bed_command(WIRE_HOME, 200, "", 0), WIRE_DONE);
    bed_run(160, REST);
    assert_int_equal(fw_tap_state(), WIRE_HOMING);
    bed_run(100, REST);
    bed_run(1, SHOCK);
    bed_run(26, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    assert_int_equal(script.motor, 0);
}

static void test_homing_through_a_drop(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_HOME, 1, "", 0), WIRE_DONE);
    bed_run(200, REST);
    assert_int_equal(script.motor, 255);
    bed_run(20, FALL);
    bed_run(2, SHOCK);
    bed_run(10, REST);
    /* The impact and a bounce are no pick-up. */
    bed_run(15, FALL);
    bed_run(2, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_HOMING);
    bed_run(60, REST);
    bed_run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    bed_run(26, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
}

static void test_tap(void **state)
{
    (void)state;
    home();
    assert_int_equal(bed_command(WIRE_TAP, 1, "\x80\x1e", 2), WIRE_DONE);
    assert_true(script.sampling);
    bed_run(148, REST);
    assert_int_equal(script.motor, 0);
    bed_run(4, REST);
    assert_int_equal(script.motor, 0x80);
    assert_int_equal(fw_tap_state(), WIRE_DROPPING);
    bed_run(80, REST);
    bed_run(18, FALL);
    bed_run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_CONTACT);
    bed_run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_RESTING);
    bed_run(100, REST);
    bed_run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    bed_run(28, REST);
    assert_int_equal(script.motor, 0x80);
    bed_run(3, REST);
    assert_int_equal(script.motor, 0);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    assert_false(script.sampling);
    assert_int_equal(script.motor_starts, 2);
}

static void test_repeats_move_nothing(void **state)
{
    (void)state;
    home();
    const unsigned starts = script.motor_starts;
    assert_int_equal(bed_command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    for (int i = 0; i < 5; i++)
        assert_int_equal(bed_command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    bed_run(200, REST);
    bed_run(20, FALL);
    bed_run(1, SHOCK);
    bed_run(50, REST);
    bed_run(1, SHOCK);
    bed_run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    /* A later command between does not make it new. */
    assert_int_equal(bed_command(WIRE_LED, 6, "\x01", 1), WIRE_DONE);
    assert_int_equal(bed_command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    bed_run(400, REST);
    assert_int_equal(script.motor_starts, starts + 1);
    /* After HELLO numbers begin again, and the same one is a new command. */
    bed_send(WIRE_HELLO, 0, "", 0);
    fw_poll();
    assert_int_equal(bed_command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    bed_run(200, REST);
    assert_int_equal(script.motor_starts, starts + 2);
}

static void test_wrong_commands(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_BAD_STATE);
    assert_int_equal(bed_command(WIRE_TAP, 2, "\xff", 1), WIRE_BAD_ARGUMENT);
    assert_int_equal(bed_command(WIRE_LED, 3, "\x04", 1), WIRE_BAD_ARGUMENT);
    assert_int_equal(bed_command(WIRE_SYNC, 4, "\x05\x00\x00\x05\x01\x00", 6), WIRE_BAD_ARGUMENT);
    assert_int_equal(bed_command(0x40, 5, "", 0), WIRE_BAD_ARGUMENT);
    home();
    assert_int_equal(bed_command(WIRE_TAP, 6, "\x00\x19", 2), WIRE_BAD_ARGUMENT);
    assert_int_equal(bed_command(WIRE_TAP, 7, "\xff\x19", 2), WIRE_DONE);
    assert_int_equal(bed_command(WIRE_TAP, 8, "\xff\x19", 2), WIRE_BAD_STATE);
    assert_int_equal(bed_command(WIRE_HOME, 9, "", 0), WIRE_BAD_STATE);
    assert_int_equal(bed_command(WIRE_STOP, 10, "", 0), WIRE_DONE);
    assert_int_equal(fw_tap_state(), WIRE_IDLE);
    bed_run(400, REST);
    assert_int_equal(script.motor_starts, 1);
}

static void expect_latched(enum wire_fault_code code)
{
    assert_int_equal(fw_fault(), code);
    assert_int_equal(script.motor, 0);
    assert_int_equal(bed_command(WIRE_HOME, 100, "", 0), WIRE_LATCHED);
    assert_int_equal(bed_command(WIRE_SYNC, 101, "\x05\x00\x05\x05\x01\x00", 6), WIRE_LATCHED);
    bed_send(WIRE_STATUS, 0, "", 0);
    fw_poll();
    struct wire_packet packet;
    struct wire_status status;
    assert_true(bed_receive(WIRE_STATUS_IS, &packet) && wire_get_status(&packet, &status));
    assert_int_equal(status.fault, code);
    assert_int_equal(status.latched, 1);
    unsigned blinks = 0;
    for (unsigned i = 0; i < 16 * 132; i++) {
        const bool before = script.fault_led;
        bed_run(1, REST);
        blinks += !before && script.fault_led;
    }
    assert_int_equal(blinks, code);
    assert_int_equal(bed_command(WIRE_CLEAR, 102, "", 0), WIRE_DONE);
    assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        unsigned fall_ms, rest_ms; /* until the stylus does nothing more */
        unsigned limit_ms;
        uint16_t stuck;
    } cases[] = {
        {0, 0, FW_DROPPING_LIMIT_MS, REST},
        {20, 0, FW_CONTACT_LIMIT_MS, SHOCK},
        {20, 40, FW_RESTING_LIMIT_MS - 20, REST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bed_setup(NULL);
        home();
        assert_int_equal(bed_command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_DONE);
        bed_run(151, REST);
        if (cases[i].fall_ms > 0) {
            bed_run(20, REST);
            bed_run(cases[i].fall_ms, FALL);
            bed_run(1, SHOCK);
            bed_run(cases[i].rest_ms, REST);
        }
        bed_run(cases[i].limit_ms - 5, cases[i].stuck);
        assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
        assert_true(script.motor > 0);
        bed_run(12, cases[i].stuck);
        assert_int_equal(fw_tap_state(), WIRE_IDLE);
        expect_latched(WIRE_FAULT_STALL);
    }
    bed_setup(NULL);
    assert_int_equal(bed_command(WIRE_HOME, 1, "", 0), WIRE_DONE);
    bed_run(151 + FW_HOMING_LIMIT_MS - 5, REST);
    assert_true(script.motor > 0);
    bed_run(10, REST);
    expect_latched(WIRE_FAULT_STALL);
}

/* Each state within its own limit, all of them together not within the motor's. */
static void test_motor_cap(void **state)
{
    (void)state;
    home();
    assert_int_equal(bed_command(WIRE_TAP, 1, "\x30\xff", 2), WIRE_DONE);
    bed_run(151, REST);
    bed_run(760, REST);
    bed_run(20, FALL);
    bed_run(1, SHOCK);
    bed_run(360, SHOCK);
    bed_run(22, REST);
    assert_int_equal(fw_tap_state(), WIRE_RESTING);
    bed_run(870, REST);
    bed_run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    bed_run(200, REST);
    assert_int_equal(fw_tap_state(), WIRE_IDLE);
    expect_latched(WIRE_FAULT_MOTOR_CAP);
}

static void test_no_samples(void **state)
{
    (void)state;
    assert_int_equal(bed_command(WIRE_HOME, 1, "", 0), WIRE_DONE);
    for (int i = 0; i < 200; i++) {
        script.now += FW_MS;
        fw_poll();
    }
    assert_int_equal(script.motor_starts, 0);
    expect_latched(WIRE_FAULT_STALL);
}

static void test_silent_host(void **state)
{
    (void)state;
    home();
    assert_int_equal(bed_command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_DONE);
    bed.pinging = false;
    bed_run(400, REST);
    bed_run(20, FALL);
    bed_run(1, SHOCK);
    bed_run(200, REST);
    assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
    assert_true(script.motor > 0);
    bed_run(1, SHOCK);
    bed_run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    expect_latched(WIRE_FAULT_HOST_LOST);
    /* At rest silence is no fault. */
    bed_run(2000, REST);
    assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
}

static void test_watchdog_reset(void **state)
{
    (void)state;
    script.reset_cause = BOARD_RESET_WATCHDOG;
    fw_init();
    expect_latched(WIRE_FAULT_WATCHDOG);
    assert_true(script.watchdog > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_homing_through_a_drop, bed_setup),
        cmocka_unit_test_setup(test_tap, bed_setup),
        cmocka_unit_test_setup(test_repeats_move_nothing, bed_setup),
        cmocka_unit_test_setup(test_wrong_commands, bed_setup),
        cmocka_unit_test_setup(test_limits, bed_setup),
        cmocka_unit_test_setup(test_motor_cap, bed_setup),
        cmocka_unit_test_setup(test_no_samples, bed_setup),
        cmocka_unit_test_setup(test_silent_host, bed_setup),
        cmocka_unit_test_setup(test_watchdog_reset, bed_setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
