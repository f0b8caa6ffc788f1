/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The serial port of a rig: the real firmware in real time, on a USB port that umockdev shows to
 * an unmodified libserialport. */
#include "proxy.h"
#include "session.h"

static void taps(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    session_home(&session);
    assert_int_equal(session_do(&session, WIRE_TAP, "\xa0\x3c", 2), TS_OK);
    SESSION_UNTIL(&session, session.states & 1u << WIRE_HELD);
    const unsigned whole = 1u << WIRE_DROPPING | 1u << WIRE_CONTACT | 1u << WIRE_RESTING |
                           1u << WIRE_LIFTING | 1u << WIRE_HELD;
    assert_int_equal(session.states & whole, whole);
    assert_true(session.samples > 10);
    const struct sim_tap tap = board_last_tap(BOARD_UNO);
    assert_true(tap.contact_ns > 0 && tap.lift_ns > tap.contact_ns);
    /* The firmware saw the contact after it was, and within the 10 ms that its trigger takes. */
    const double seen = session.state_ticks[WIRE_CONTACT] -
                        board_true_ticks(BOARD_UNO, (struct ts_host_time){tap.contact_ns});
    assert_true(seen > 0 && seen < 20000);
    assert_int_equal(session.faults[TS_FAULT_MCU_GAP], 0);
    session_close(&session);
}

/* Whatever the scheduler does: the MCU cannot have received before the host sent, nor the host
 * before the MCU sent. */
static void reads_the_clock(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    while (session.clock_count < 100) {
        const uint32_t id = session_read_clock(&session);
        SESSION_UNTIL(&session, session.status[id] != PENDING);
    }
    for (size_t i = 0; i < session.clock_count; i++) {
        const struct ts_item_clock *clock = &session.clocks[i];
        assert_int_equal(clock->domain, TS_CLOCK_MCU);
        assert_int_equal(clock->boot_id, session.boot_id);
        /* Half a tick of rounding; a byte's length by the board's crystal, not by ours. */
        const double slack = 2;
        assert_true(board_true_ticks(BOARD_UNO, clock->t1) <= (double)clock->t2 + slack);
        assert_true(clock->t2 < clock->t3);
        assert_true((double)clock->t3 <= board_true_ticks(BOARD_UNO, clock->t4) + slack);
    }
    session_close(&session);
}

static void comes_back(enum board board)
{
    struct session session;
    board_plug(board);
    session_open(&session, "auto");
    session_home(&session);
    const uint32_t boot_id = session.boot_id;
    session_send(&session, WIRE_TAP, "\xa0\x3c", 2);
    SESSION_UNTIL(&session, session.states & 1u << WIRE_DROPPING);
    session.pings = false;
    board_unplug(board);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_LOST]);
    const uint32_t led = session_send(&session, WIRE_LED, "\3", 1);
    const uint32_t clock = session_read_clock(&session);
    SESSION_UNTIL(&session, session.status[clock] != PENDING);
    assert_int_equal(session.status[clock], TS_EIO);
    assert_int_equal(session.status[led], PENDING);
    board_plug(BOARD_MEGA); /* another board is not it */
    session.pings = true;   /* all of them fail */
    const size_t clocks = session.clock_count;
    SESSION_UNTIL(&session, session.next_id > clock + 5);
    assert_int_equal(session.clock_count, clocks);
    assert_int_equal(session.status[led], PENDING);
    board_plug(board);
    SESSION_UNTIL(&session, session.status[led] != PENDING);
    assert_int_equal(session.status[led], TS_OK);
    assert_int_equal(session.faults[TS_FAULT_MCU_LOST], 1);
    assert_true(session.greetings >= 2);
    assert_true(session.boot_id != boot_id);
    session_home(&session);
    session_close(&session);
}

static void comes_back_by_serial_number(void **state)
{
    (void)state;
    comes_back(BOARD_UNO);
}

static void comes_back_by_path(void **state)
{
    (void)state;
    comes_back(BOARD_BRIDGED);
}

/* The tap was given to the link, which nobody answers; the board is away before it is repeated for
 * the last time. False where this computer was too slow for that. */
static bool loses_the_board_after_a_tap(struct session *session, uint32_t *led)
{
    board_plug(BOARD_UNO);
    session_open(session, "auto");
    session_home(session);
    board_mute(BOARD_UNO, true);
    const uint32_t tap = session_send(session, WIRE_TAP, "\xa0\x3c", 2);
    *led = session_send(session, WIRE_LED, "\1", 1);
    SESSION_UNTIL(session, session->next_id > *led + 1); /* it has reached the thread */
    board_unplug(BOARD_UNO);
    SESSION_UNTIL(session, session->status[tap] != PENDING);
    board_mute(BOARD_UNO, false);
    if (session->status[tap] == TS_EIO)
        return true;
    assert_int_equal(session->status[tap], TS_ETIMEOUT);
    session_close(session);
    return false;
}

static void does_not_tap_twice(void **state)
{
    (void)state;
    struct session session;
    uint32_t led;
    bool lost = false;
    for (int attempt = 0; attempt < 5 && !lost; attempt++)
        lost = loses_the_board_after_a_tap(&session, &led);
    assert_true(lost);
    assert_int_equal(session.status[led], PENDING);
    board_plug(BOARD_UNO);
    SESSION_UNTIL(&session, session.status[led] != PENDING);
    assert_int_equal(session.status[led], TS_OK);
    session_close(&session);
}

static void gives_up_waiting(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    board_unplug(BOARD_UNO);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_LOST]);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_EIO);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_EIO);
    const uint32_t boot_id = session.boot_id;
    board_plug(BOARD_UNO); /* and still takes it up again */
    SESSION_UNTIL(&session, session.boot_id != boot_id);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_OK);
    assert_int_equal(session.faults[TS_FAULT_MCU_LOST], 1);
    session_close(&session);
}

static void sees_a_reset(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    const uint32_t boot_id = session.boot_id;
    board_reset(BOARD_UNO);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_RESET]);
    SESSION_UNTIL(&session, session.boot_id != boot_id);
    assert_int_equal(session_do(&session, WIRE_LED, "\2", 1), TS_OK);
    assert_int_equal(session.faults[TS_FAULT_MCU_LOST], 0);
    session_close(&session);
}

/* The cable is there, the board says no more: it is reset by opening the port again. */
static void resets_a_board_that_hangs(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    board_mute(BOARD_UNO, true);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_ETIMEOUT);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_LOST]);
    board_mute(BOARD_UNO, false);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_OK);
    assert_int_equal(session.faults[TS_FAULT_MCU_LOST], 1);
    assert_true(session.greetings >= 2);
    session_close(&session);
}

static void bears_garbled_bytes(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    board_garble(BOARD_UNO, 100000, 37);
    for (int i = 0; i < 40; i++)
        assert_int_equal(session_do(&session, WIRE_LED, i & 1 ? "\1" : "\2", 1), TS_OK);
    assert_true(session.faults[TS_FAULT_MCU_GAP] > 0);
    assert_int_equal(session.faults[TS_FAULT_MCU_LOST], 0);
    session_close(&session);
}

/* The board runs on while the network is away: nothing resets it. */
static void comes_back_over_tcp(void **state)
{
    (void)state;
    struct session session;
    char spec[32];
    board_plug(BOARD_UNO);
    struct proxy *proxy = proxy_open("/dev/ttyACM0", spec);
    assert_non_null(proxy);
    session_open(&session, spec);
    assert_int_equal(session.board, WIRE_BOARD_UNO);
    const uint32_t boot_id = session.boot_id;
    session_home(&session);
    proxy_hang_up(proxy);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_LOST]);
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_OK);
    assert_true(session.greetings >= 2);
    assert_int_equal(session.boot_id, boot_id);
    proxy_swallow(proxy, 1); /* the line is up, and nothing comes through */
    session.pings = false;
    assert_int_equal(session_do(&session, WIRE_LED, "\1", 1), TS_ETIMEOUT);
    SESSION_UNTIL(&session, session.faults[TS_FAULT_MCU_LOST] == 2);
    proxy_swallow(proxy, 0);
    assert_int_equal(session_do(&session, WIRE_LED, "\2", 1), TS_OK);
    session_close(&session);
    proxy_close(proxy);
}

static void closing_waits_for_what_was_sent(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    const uint32_t first = session_send(&session, WIRE_LED, "\1", 1);
    const uint32_t last = session_send(&session, WIRE_STOP, NULL, 0);
    ts_mcu_close(session.mcu);
    session.mcu = NULL;
    SESSION_UNTIL(&session, session.status[last] != PENDING);
    assert_int_equal(session.status[first], TS_OK);
    assert_int_equal(session.status[last], TS_OK);
    session_close(&session);
}

static void refuses_what_is_not_for_it(void **state)
{
    (void)state;
    struct session session;
    board_plug(BOARD_UNO);
    session_open(&session, "auto");
    const struct ts_command phone = {1, TS_COMMAND_CLOCK_READ, {.clock = TS_CLOCK_PHONE_UP}};
    assert_int_equal(ts_mcu_submit(session.mcu, &phone), TS_EINVAL);
    assert_int_equal(session_do(&session, WIRE_LED, "\7", 1), TS_EINVAL);
    session_close(&session);
}

static int tests(void)
{
#define TEST(name) cmocka_unit_test_teardown(name, session_unplug_all)
    const struct CMUnitTest all[] = {
        TEST(taps),
        TEST(reads_the_clock),
        TEST(comes_back_by_serial_number),
        TEST(comes_back_by_path),
        TEST(does_not_tap_twice),
        TEST(gives_up_waiting),
        TEST(sees_a_reset),
        TEST(resets_a_board_that_hangs),
        TEST(bears_garbled_bytes),
        TEST(comes_back_over_tcp),
        TEST(closing_waits_for_what_was_sent),
        TEST(refuses_what_is_not_for_it),
    };
    return cmocka_run_group_tests(all, NULL, NULL);
}

int main(int argc, char **argv)
{
    (void)argc;
    return boards_main(argv, tests);
}
