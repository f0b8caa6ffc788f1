/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every instant that the firmware stamps, against the simulated board's true tick count. */
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* In ticks of 0.5 us. A stamp taken beside the act is a few instructions off; one taken in an
 * interrupt waits for the interrupt that may be running. */
#define BESIDE    2.5
#define INTERRUPT 20.0
/* Between two samples, 10 us: the difference of two latencies. */
#define JITTER 20.0

static struct rig rig;

static void in_range(const char *what, double value, double low, double high)
{
    if (!(value >= low && value <= high))
        fail_msg("%s: %.2f is not within %.2f .. %.2f ticks", what, value, low, high);
}

static void leds(enum sim_board board, double ppm)
{
    struct sim_mcu_config config = rig_config(board, 11);
    config.ppm = ppm;
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    assert_int_equal(hello.board, board == SIM_BOARD_UNO ? WIRE_BOARD_UNO : WIRE_BOARD_MEGA);
    assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
    rig_forget(&rig);
    const uint8_t sync[] = {100, 0, 5, 20, 0x39, 0x30};
    assert_int_equal(rig_command(&rig, WIRE_SYNC, sync, sizeof sync), WIRE_DONE);
    rig_run(&rig, 3000 * MS);
    size_t edge = 0;
    unsigned before = 0;
    for (size_t i = 0; i < rig.count; i++) {
        struct wire_edge told;
        if (!wire_get_edge(&rig.packets[i].packet, &told) || told.kind != WIRE_EDGE_LED)
            continue;
        assert_true(edge < rig.led_count);
        assert_int_equal(told.state, rig.led_mask[edge]);
        const unsigned changed = told.state ^ before;
        assert_true(changed == 1 || changed == 2);
        before = told.state;
        in_range("LED", rig_error(&rig, told.ticks, rig.led_ns[edge]), -0.5, BESIDE);
        unsigned mask = 0;
        const int64_t just_before = rig.led_ns[edge] - 1;
        if (rig.led_ns[edge] > sim_mcu_now(rig.mcu) - 2000 * MS) {
            assert_true(sim_mcu_led_edge(rig.mcu, just_before, &mask) == rig.led_ns[edge]);
            assert_int_equal(mask, told.state);
            assert_int_equal(sim_mcu_led(rig.mcu, rig.led_ns[edge]), told.state);
        }
        edge++;
    }
    assert_int_equal(edge, 100);
    assert_int_equal(rig.led_count, 100);
    rig_close(&rig);
}

static void test_leds(void **state)
{
    (void)state;
    leds(SIM_BOARD_UNO, NAN);
    leds(SIM_BOARD_MEGA, 5000);
    leds(SIM_BOARD_UNO, -5000);
}

/* tx_ticks is the start bit of the opening zero, whose stop bit ends ten bits later; rx_ticks is
 * when the PING's opening zero had come in. */
static void test_pong(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct sim_mcu_config config = rig_config(seed % 2 ? SIM_BOARD_UNO : SIM_BOARD_MEGA, seed);
        rig_open(&rig, &config, false);
        struct wire_hello hello;
        rig_hello(&rig, &hello);
        if (seed > 2)
            assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
        rig.ping_every_ns = 0;
        rig_run(&rig, 20 * MS);
        double rx_low = INFINITY, rx_high = -INFINITY;
        for (int i = 0; i < 200; i++) {
            rig_run(&rig, 7 * MS + i * 13577);
            const int64_t sent_ns = sim_mcu_now(rig.mcu);
            const uint8_t nonce[] = {(uint8_t)i, 0x55};
            rig_send_as(&rig, 0, WIRE_PING, nonce, 2);
            const struct rig_packet *packet = rig_await(&rig, WIRE_PONG, 30 * MS);
            struct wire_pong pong;
            assert_non_null(packet);
            assert_true(wire_get_pong(&packet->packet, &pong));
            assert_int_equal(pong.nonce, 0x5500 | i);
            const double tx = rig_error(&rig, pong.tx_ticks, packet->first_ns) + 40;
            const double rx = rig_error(&rig, pong.rx_ticks, sent_ns + 20000);
            in_range("PONG sent", tx, -BESIDE, BESIDE);
            in_range("PING received", rx, 0, INTERRUPT);
            rx_low = fmin(rx_low, rx);
            rx_high = fmax(rx_high, rx);
        }
        print_message("seed %u: PING stamped %.1f .. %.1f ticks late\n", (unsigned)seed, rx_low,
                      rx_high);
        rig_close(&rig);
    }
}

static void test_photodiode(void **state)
{
    (void)state;
    struct sim_mcu_config config = rig_config(SIM_BOARD_UNO, 5);
    rig_open(&rig, &config, true);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
    for (int i = 0; i < 50; i++) {
        rig.light_from_ns = sim_mcu_now(rig.mcu) + 3 * MS + i * 17333;
        rig.light_to_ns = rig.light_from_ns + 9 * MS;
        for (unsigned lit = 1; lit <= 2; lit++) {
            const struct rig_packet *packet = rig_await(&rig, WIRE_EDGE, 40 * MS);
            struct wire_edge edge;
            assert_non_null(packet);
            assert_true(wire_get_edge(&packet->packet, &edge));
            assert_int_equal(edge.kind, WIRE_EDGE_PHOTO0);
            assert_int_equal(edge.state, lit & 1);
            const int64_t pin_ns = sim_mcu_input_ns(rig.mcu, 1);
            in_range("photodiode", rig_error(&rig, edge.ticks, pin_ns), 0, INTERRUPT);
            const int64_t light_ns = lit & 1 ? rig.light_from_ns : rig.light_to_ns;
            assert_true(pin_ns >= light_ns && pin_ns <= light_ns + MS / 5);
        }
    }
    rig_close(&rig);
}

/* Closing lags the contact, opening leads the lift, as a real foil does; the stamp of each is
 * right to an interrupt. */
static void test_plate(void **state)
{
    (void)state;
    for (uint64_t seed = 21; seed < 25; seed++) {
        struct sim_mcu_config config = rig_config(seed % 2 ? SIM_BOARD_UNO : SIM_BOARD_MEGA, seed);
        rig_open(&rig, &config, false);
        struct wire_hello hello;
        rig_hello(&rig, &hello);
        assert_true(rig_home(&rig));
        sim_mcu_plate(rig.mcu, true);
        rig_forget(&rig);
        assert_int_equal(rig_command(&rig, WIRE_TAP, "\xff\x19", 2), WIRE_DONE);
        for (unsigned closed = 1; closed <= 2; closed++) {
            const struct rig_packet *packet = rig_await(&rig, WIRE_EDGE, 1500 * MS);
            struct wire_edge edge;
            assert_non_null(packet);
            assert_true(wire_get_edge(&packet->packet, &edge));
            assert_int_equal(edge.kind, WIRE_EDGE_PLATE);
            assert_int_equal(edge.state, closed & 1);
            in_range("plate", rig_error(&rig, edge.ticks, sim_mcu_input_ns(rig.mcu, 0)), 0,
                     INTERRUPT);
            rig_run(&rig, MS);
            const struct sim_tap tap = sim_mcu_last_tap(rig.mcu);
            const double late =
                rig_error(&rig, edge.ticks, closed & 1 ? tap.contact_ns : tap.lift_ns);
            if (closed & 1)
                in_range("plate closes", late, 190, 560);
            else
                in_range("plate opens", late, -560, -150);
        }
        rig_close(&rig);
    }
}

static void test_sampling(void **state)
{
    (void)state;
    for (uint64_t seed = 31; seed < 35; seed++) {
        struct sim_mcu_config config = rig_config(seed % 2 ? SIM_BOARD_UNO : SIM_BOARD_MEGA, seed);
        rig_open(&rig, &config, false);
        rig.ping_every_ns = 20 * MS;
        struct wire_hello hello;
        rig_hello(&rig, &hello);
        assert_true(rig_home(&rig));
        const uint8_t sync[] = {200, 0, 3, 5, 1, 2};
        assert_int_equal(rig_command(&rig, WIRE_SYNC, sync, sizeof sync), WIRE_DONE);
        assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
        rig_run(&rig, 5 * MS);
        rig_forget(&rig);
        double shortest, longest;
        sim_mcu_sample_gaps(rig.mcu, &shortest, &longest);
        assert_true(rig_tap(&rig));
        sim_mcu_sample_gaps(rig.mcu, &shortest, &longest);
        print_message("seed %u: samples %.2f .. %.2f ticks apart\n", (unsigned)seed, shortest,
                      longest);
        in_range("sampling", shortest - WIRE_SAMPLE_TICKS, -JITTER, JITTER);
        in_range("sampling", longest - WIRE_SAMPLE_TICKS, -JITTER, JITTER);
        uint32_t due = 0;
        uint8_t seq = 0;
        size_t blocks = 0;
        for (size_t i = 0; i < rig.count; i++) {
            const struct wire_packet *packet = &rig.packets[i].packet;
            struct wire_samples samples;
            if (i > 0)
                assert_int_equal(packet->seq, (uint8_t)(seq + 1));
            seq = packet->seq;
            if (!wire_get_samples(packet, &samples))
                continue;
            if (blocks++ > 0)
                in_range("block", (double)(int32_t)(samples.ticks - due), -JITTER, JITTER);
            due = samples.ticks + samples.count * WIRE_SAMPLE_TICKS;
        }
        assert_true(blocks > 60);
        rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leds),       cmocka_unit_test(test_pong),
        cmocka_unit_test(test_photodiode), cmocka_unit_test(test_plate),
        cmocka_unit_test(test_sampling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
