/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes between board and host: their spacing on the wire, and each USB bridge's delays. */
#include "rig.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static struct rig rig;

static void test_wire_speed(void **state)
{
    (void)state;
    struct sim_mcu_config config = rig_config(SIM_BOARD_UNO, 4);
    config.ppm = 2000;
    config.wander_ppm = 0;
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    rig.ping_every_ns = 0;
    rig_run(&rig, 20 * MS);
    rig_send_as(&rig, 0, WIRE_HELLO, NULL, 0);
    int64_t last_ns = 0;
    int bytes = 0, close = 0;
    uint8_t byte;
    int64_t at_ns;
    const int64_t until_ns = sim_mcu_now(rig.mcu) + 5 * MS;
    while (sim_mcu_run(rig.mcu, until_ns, &byte, 1, &at_ns) == 1) {
        const int64_t gap_ns = at_ns - last_ns;
        if (bytes++ > 0) {
            /* Ten bits of 2 us on a crystal that is 2000 ppm fast, and an interrupt's latency. */
            assert_true(gap_ns >= 19959 && gap_ns < 27000);
            close += gap_ns < 24000;
        }
        last_ns = at_ns;
    }
    assert_int_equal(bytes, 2 + 8 + 12 + 2 + 3);
    assert_true(close > bytes - 3);
    rig_close(&rig);
}

/* Round trips of a clock reading, in ms. */
static void round_trips(enum sim_bridge bridge, double *shortest, double *longest)
{
    struct sim_mcu_config config = rig_config(SIM_BOARD_UNO, 6);
    config.bridge = bridge;
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    rig.ping_every_ns = 0;
    rig_run(&rig, 50 * MS);
    *shortest = INFINITY;
    *longest = 0;
    for (int i = 0; i < 100; i++) {
        const int64_t sent_ns = sim_mcu_now(rig.mcu);
        rig_send_as(&rig, 0, WIRE_PING, "\x01\x02", 2);
        const struct rig_packet *pong = rig_await(&rig, WIRE_PONG, 60 * MS);
        assert_non_null(pong);
        const double ms = (double)(pong->at_ns - sent_ns) * 1e-6;
        *shortest = fmin(*shortest, ms);
        *longest = fmax(*longest, ms);
        rig_run(&rig, 9 * MS + i * 97001);
    }
    rig_close(&rig);
}

static void test_bridges(void **state)
{
    (void)state;
    static const struct {
        enum sim_bridge bridge;
        double low, high, spread;
    } expected[] = {
        {SIM_BRIDGE_NONE, 0.3, 0.9, 0},
        {SIM_BRIDGE_16U2, 0.4, 5.3, 3},
        {SIM_BRIDGE_FTDI_16, 16, 17.3, 0},
        {SIM_BRIDGE_FTDI_1, 1.3, 2.3, 0},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        double shortest, longest;
        round_trips(expected[i].bridge, &shortest, &longest);
        print_message("bridge %zu: round trips of %.2f .. %.2f ms\n", i, shortest, longest);
        assert_true(shortest >= expected[i].low && longest <= expected[i].high);
        assert_true(longest - shortest >= expected[i].spread);
    }
}

static void test_stall(void **state)
{
    (void)state;
    struct sim_mcu_config config = rig_config(SIM_BOARD_MEGA, 6);
    rig_open(&rig, &config, false);
    struct wire_hello hello;
    rig_hello(&rig, &hello);
    assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
    rig_run(&rig, 20 * MS);
    const int64_t from_ns = sim_mcu_now(rig.mcu) + 10 * MS;
    sim_mcu_stall(rig.mcu, from_ns, 200 * MS);
    rig_run(&rig, 11 * MS);
    rig_forget(&rig);
    rig_run(&rig, 185 * MS);
    assert_int_equal(rig.count, 0);
    rig_run(&rig, 20 * MS);
    assert_true(rig.count > 35);
    for (size_t i = 1; i < rig.count; i++)
        assert_int_equal(rig.packets[i].packet.seq, (uint8_t)(rig.packets[i - 1].packet.seq + 1));
    assert_true(rig.packets[30].at_ns == from_ns + 200 * MS);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wire_speed),
        cmocka_unit_test(test_bridges),
        cmocka_unit_test(test_stall),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
