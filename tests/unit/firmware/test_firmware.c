/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware's core on a scripted board. Time goes in steps of a sample; the "stylus" is a list
 * of accelerometer levels. */
#include "board/host/script.h"
#include "core/app.h"
#include "core/tap.h"
#include "wire/wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define REST  405
#define FALL  342
#define SHOCK 520

static struct wire_decoder decoder;
static size_t read_at;
static bool pinging;

static int setup(void **state)
{
    (void)state;
    script_reset();
    memset(&decoder, 0, sizeof decoder);
    read_at = 0;
    pinging = true;
    fw_init();
    return 0;
}

static void send(uint8_t type, uint8_t seq, const char *body, size_t size)
{
    struct wire_packet packet = {.type = type, .seq = seq, .size = (uint8_t)size};
    memcpy(packet.body, body, size);
    script.rx_in += wire_encode(&packet, script.rx + script.rx_in);
    if (script.rx_in > SCRIPT_QUEUE / 2) {
        memmove(script.rx, script.rx + script.rx_out, script.rx_in - script.rx_out);
        script.rx_in -= script.rx_out;
        script.rx_out = 0;
    }
}

/* The next packet of a type; false when none has been sent. */
static bool receive(uint8_t type, struct wire_packet *packet)
{
    while (read_at < script.tx_size)
        if (wire_decode(&decoder, script.tx[read_at++], packet) && packet->type == type)
            return true;
    return false;
}

/* Runs with the accelerometer at one level. */
static void run(unsigned ms, uint16_t level)
{
    for (unsigned i = 0; i < ms * 4; i++) {
        script.now += WIRE_SAMPLE_TICKS;
        if (script.sampling) {
            script.sample_in = script.sample_out = 0;
            script.sample_ticks[0] = script.now;
            script.sample[0] = level;
            script.sample_in = 1;
        }
        if (pinging && i % 100 == 0)
            send(WIRE_PING, 0, "\x01\x02", 2);
        if (script.tx_size > sizeof script.tx - 8192)
            script.tx_size = read_at = 0;
        fw_poll();
    }
}

static int command(uint8_t type, uint8_t seq, const char *body, size_t size)
{
    send(type, seq, body, size);
    fw_poll();
    struct wire_packet packet;
    struct wire_ack ack;
    if (!receive(WIRE_ACK, &packet) || !wire_get_ack(&packet, &ack))
        return -1;
    assert_int_equal(ack.seq, seq);
    return ack.code;
}

static void home(void)
{
    assert_int_equal(command(WIRE_HOME, 200, "", 0), WIRE_DONE);
    run(160, REST);
    assert_int_equal(fw_tap_state(), WIRE_HOMING);
    run(100, REST);
    run(1, SHOCK);
    run(26, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    assert_int_equal(script.motor, 0);
}

static void test_homing_through_a_drop(void **state)
{
    (void)state;
    assert_int_equal(command(WIRE_HOME, 1, "", 0), WIRE_DONE);
    run(200, REST);
    assert_int_equal(script.motor, 255);
    run(20, FALL);
    run(2, SHOCK);
    run(10, REST);
    /* The impact and a bounce are no pick-up. */
    run(15, FALL);
    run(2, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_HOMING);
    run(60, REST);
    run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    run(26, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
}

static void test_tap(void **state)
{
    (void)state;
    home();
    assert_int_equal(command(WIRE_TAP, 1, "\x80\x1e", 2), WIRE_DONE);
    assert_true(script.sampling);
    run(148, REST);
    assert_int_equal(script.motor, 0);
    run(4, REST);
    assert_int_equal(script.motor, 0x80);
    assert_int_equal(fw_tap_state(), WIRE_DROPPING);
    run(80, REST);
    run(18, FALL);
    run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_CONTACT);
    run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_RESTING);
    run(100, REST);
    run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    run(28, REST);
    assert_int_equal(script.motor, 0x80);
    run(3, REST);
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
    assert_int_equal(command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    for (int i = 0; i < 5; i++)
        assert_int_equal(command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    run(200, REST);
    run(20, FALL);
    run(1, SHOCK);
    run(50, REST);
    run(1, SHOCK);
    run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    /* A later command between does not make it new. */
    assert_int_equal(command(WIRE_LED, 6, "\x01", 1), WIRE_DONE);
    assert_int_equal(command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    run(400, REST);
    assert_int_equal(script.motor_starts, starts + 1);
    /* After HELLO numbers begin again, and the same one is a new command. */
    send(WIRE_HELLO, 0, "", 0);
    fw_poll();
    assert_int_equal(command(WIRE_TAP, 5, "\xff\x19", 2), WIRE_DONE);
    run(200, REST);
    assert_int_equal(script.motor_starts, starts + 2);
}

static void test_wrong_commands(void **state)
{
    (void)state;
    assert_int_equal(command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_BAD_STATE);
    assert_int_equal(command(WIRE_TAP, 2, "\xff", 1), WIRE_BAD_ARGUMENT);
    assert_int_equal(command(WIRE_LED, 3, "\x04", 1), WIRE_BAD_ARGUMENT);
    assert_int_equal(command(WIRE_SYNC, 4, "\x05\x00\x00\x05\x01\x00", 6), WIRE_BAD_ARGUMENT);
    assert_int_equal(command(0x40, 5, "", 0), WIRE_BAD_ARGUMENT);
    home();
    assert_int_equal(command(WIRE_TAP, 6, "\x00\x19", 2), WIRE_BAD_ARGUMENT);
    assert_int_equal(command(WIRE_TAP, 7, "\xff\x19", 2), WIRE_DONE);
    assert_int_equal(command(WIRE_TAP, 8, "\xff\x19", 2), WIRE_BAD_STATE);
    assert_int_equal(command(WIRE_HOME, 9, "", 0), WIRE_BAD_STATE);
    assert_int_equal(command(WIRE_STOP, 10, "", 0), WIRE_DONE);
    assert_int_equal(fw_tap_state(), WIRE_IDLE);
    run(400, REST);
    assert_int_equal(script.motor_starts, 1);
}

static void expect_latched(enum wire_fault_code code)
{
    assert_int_equal(fw_fault(), code);
    assert_int_equal(script.motor, 0);
    assert_int_equal(command(WIRE_HOME, 100, "", 0), WIRE_LATCHED);
    assert_int_equal(command(WIRE_SYNC, 101, "\x05\x00\x05\x05\x01\x00", 6), WIRE_LATCHED);
    send(WIRE_STATUS, 0, "", 0);
    fw_poll();
    struct wire_packet packet;
    struct wire_status status;
    assert_true(receive(WIRE_STATUS_IS, &packet) && wire_get_status(&packet, &status));
    assert_int_equal(status.fault, code);
    assert_int_equal(status.latched, 1);
    unsigned blinks = 0;
    for (unsigned i = 0; i < 16 * 132; i++) {
        const bool before = script.fault_led;
        run(1, REST);
        blinks += !before && script.fault_led;
    }
    assert_int_equal(blinks, code);
    assert_int_equal(command(WIRE_CLEAR, 102, "", 0), WIRE_DONE);
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
        setup(NULL);
        home();
        assert_int_equal(command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_DONE);
        run(151, REST);
        if (cases[i].fall_ms > 0) {
            run(20, REST);
            run(cases[i].fall_ms, FALL);
            run(1, SHOCK);
            run(cases[i].rest_ms, REST);
        }
        run(cases[i].limit_ms - 5, cases[i].stuck);
        assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
        assert_true(script.motor > 0);
        run(12, cases[i].stuck);
        assert_int_equal(fw_tap_state(), WIRE_IDLE);
        expect_latched(WIRE_FAULT_STALL);
    }
    setup(NULL);
    assert_int_equal(command(WIRE_HOME, 1, "", 0), WIRE_DONE);
    run(151 + FW_HOMING_LIMIT_MS - 5, REST);
    assert_true(script.motor > 0);
    run(10, REST);
    expect_latched(WIRE_FAULT_STALL);
}

/* Each state within its own limit, all of them together not within the motor's. */
static void test_motor_cap(void **state)
{
    (void)state;
    home();
    assert_int_equal(command(WIRE_TAP, 1, "\x30\xff", 2), WIRE_DONE);
    run(151, REST);
    run(760, REST);
    run(20, FALL);
    run(1, SHOCK);
    run(360, SHOCK);
    run(22, REST);
    assert_int_equal(fw_tap_state(), WIRE_RESTING);
    run(870, REST);
    run(1, SHOCK);
    assert_int_equal(fw_tap_state(), WIRE_LIFTING);
    run(200, REST);
    assert_int_equal(fw_tap_state(), WIRE_IDLE);
    expect_latched(WIRE_FAULT_MOTOR_CAP);
}

static void test_no_samples(void **state)
{
    (void)state;
    assert_int_equal(command(WIRE_HOME, 1, "", 0), WIRE_DONE);
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
    assert_int_equal(command(WIRE_TAP, 1, "\xff\x19", 2), WIRE_DONE);
    pinging = false;
    run(400, REST);
    run(20, FALL);
    run(1, SHOCK);
    run(200, REST);
    assert_int_equal(fw_fault(), WIRE_FAULT_NONE);
    assert_true(script.motor > 0);
    run(1, SHOCK);
    run(30, REST);
    assert_int_equal(fw_tap_state(), WIRE_HELD);
    expect_latched(WIRE_FAULT_HOST_LOST);
    /* At rest silence is no fault. */
    run(2000, REST);
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

static void test_gaps_are_counted(void **state)
{
    (void)state;
    assert_int_equal(command(WIRE_STREAM, 1, "\x01", 1), WIRE_DONE);
    run(20, REST);
    script.tx_room = 20; /* too little for a block, enough for an event */
    run(20, REST);
    script.tx_room = 255;
    run(20, REST);
    struct wire_packet packet;
    struct wire_samples samples;
    unsigned gap = 0, blocks = 0;
    int last = -1;
    uint32_t due = 0;
    while (read_at < script.tx_size) {
        if (!wire_decode(&decoder, script.tx[read_at++], &packet))
            continue;
        if (last >= 0)
            gap += (uint8_t)(packet.seq - last - 1);
        last = packet.seq;
        if (!wire_get_samples(&packet, &samples))
            continue;
        assert_int_equal(samples.count, WIRE_SAMPLES_PER_BLOCK);
        assert_true(blocks == 0 || (samples.ticks - due) % WIRE_SAMPLE_TICKS == 0);
        due = samples.ticks + samples.count * WIRE_SAMPLE_TICKS;
        blocks++;
    }
    assert_true(gap >= 3);
    send(WIRE_STATUS, 0, "", 0);
    fw_poll();
    struct wire_status status;
    assert_true(receive(WIRE_STATUS_IS, &packet) && wire_get_status(&packet, &status));
    assert_int_equal(status.tx_dropped, gap);
}

/* A sample that does not follow in time begins a new block. */
static void test_hole_in_samples(void **state)
{
    (void)state;
    assert_int_equal(command(WIRE_STREAM, 1, "\x01", 1), WIRE_DONE);
    run(2, REST);
    script.now += 3 * WIRE_SAMPLE_TICKS;
    const uint32_t after = script.now + WIRE_SAMPLE_TICKS;
    run(5, REST);
    struct wire_packet packet;
    struct wire_samples samples;
    assert_true(receive(WIRE_SAMPLES, &packet) && wire_get_samples(&packet, &samples));
    assert_int_equal(samples.count, 8);
    assert_true(receive(WIRE_SAMPLES, &packet) && wire_get_samples(&packet, &samples));
    assert_int_equal(samples.ticks, after);
}

static void test_pong_waits_for_idle(void **state)
{
    (void)state;
    pinging = false;
    script.tx_busy = true;
    script.rx_opened = 12345;
    send(WIRE_PING, 0, "\xcd\xab", 2);
    script.now = 20000;
    assert_true(fw_poll());
    struct wire_packet packet;
    assert_false(receive(WIRE_PONG, &packet));
    script.now = 20500;
    script.tx_busy = false;
    assert_false(fw_poll());
    struct wire_pong pong;
    assert_true(receive(WIRE_PONG, &packet) && wire_get_pong(&packet, &pong));
    assert_int_equal(pong.nonce, 0xabcd);
    assert_int_equal(pong.rx_ticks, 12345);
    assert_int_equal(pong.tx_ticks, 20500);
}

static void test_edges(void **state)
{
    (void)state;
    script.edges[0] = (struct board_edge){100, BOARD_PLATE};
    script.edges[1] = (struct board_edge){200, BOARD_PLATE | BOARD_PHOTO1};
    script.edges[2] = (struct board_edge){300, BOARD_PHOTO0};
    script.edge_in = 3;
    fw_poll();
    static const struct wire_edge expected[] = {
        {WIRE_EDGE_PLATE, 1, 100},  {WIRE_EDGE_PHOTO1, 1, 200}, {WIRE_EDGE_PLATE, 0, 300},
        {WIRE_EDGE_PHOTO0, 1, 300}, {WIRE_EDGE_PHOTO1, 0, 300},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        struct wire_packet packet;
        struct wire_edge edge;
        assert_true(receive(WIRE_EDGE, &packet) && wire_get_edge(&packet, &edge));
        assert_int_equal(edge.kind, expected[i].kind);
        assert_int_equal(edge.state, expected[i].state);
        assert_int_equal(edge.ticks, expected[i].ticks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_homing_through_a_drop, setup),
        cmocka_unit_test_setup(test_tap, setup),
        cmocka_unit_test_setup(test_repeats_move_nothing, setup),
        cmocka_unit_test_setup(test_wrong_commands, setup),
        cmocka_unit_test_setup(test_limits, setup),
        cmocka_unit_test_setup(test_motor_cap, setup),
        cmocka_unit_test_setup(test_no_samples, setup),
        cmocka_unit_test_setup(test_silent_host, setup),
        cmocka_unit_test_setup(test_watchdog_reset, setup),
        cmocka_unit_test_setup(test_gaps_are_counted, setup),
        cmocka_unit_test_setup(test_hole_in_samples, setup),
        cmocka_unit_test_setup(test_pong_waits_for_idle, setup),
        cmocka_unit_test_setup(test_edges, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
