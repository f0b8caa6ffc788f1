/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The power meter through the real firmware: when pairs are stamped, what they say, that the
 * accelerometer keeps its rate beside it, and a part that is away. */
#include "rig.h"

#include "sim_mcu/ina226.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define AMPERE 0.5
#define VOLT   3.9

static struct rig rig;

/* A square wave of 40 ms, so that a wrong place in time shows. */
static void supply(void *context, int64_t at_ns, double *ampere, double *volt)
{
    (void)context;
    *ampere = at_ns / (20 * MS) % 2 ? AMPERE : 3 * AMPERE;
    *volt = VOLT;
}

static void open_rig(enum sim_board board, uint64_t seed, bool with_part)
{
    struct sim_mcu_config config = rig_config(board, seed);
    struct wire_hello hello;
    rig_open_supply(&rig, &config, with_part ? supply : NULL);
    rig_hello(&rig, &hello);
}

struct found {
    unsigned pairs, empty, wrong, left_out;
    double period_ms, longest_ms;
};

/* A pair's shunt voltage is the mean current of the time that its stamps claim. */
static struct found look(void)
{
    struct found found = {0};
    uint32_t last = 0;
    for (size_t i = 0; i < rig.count; i++) {
        struct wire_power power;
        if (!wire_get_power(&rig.packets[i].packet, &power))
            continue;
        found.empty += power.count == 0;
        uint32_t ticks = power.ticks;
        for (uint8_t k = 0; k < power.count; k++) {
            ticks += power.after[k];
            const double period_ms = found.pairs ? (double)(ticks - last) / 2000 : 0;
            found.period_ms += period_ms;
            found.longest_ms = fmax(found.longest_ms, period_ms);
            found.left_out += period_ms > 1.6;
            last = ticks;
            found.pairs++;
            /* World time of the stamp, by the packet's arrival, some ms later. */
            const double at_ns = (double)rig.packets[i].at_ns -
                                 (rig_error(&rig, ticks, rig.packets[i].at_ns) * -500);
            const double end_ns = at_ns - 150e3, begin_ns = end_ns - 1200e3;
            const double ampere = power.shunt[k] * 2.5e-6 / SIM_SHUNT_OHM;
            const bool low = (int64_t)begin_ns / (20 * MS) % 2;
            if ((int64_t)begin_ns / (20 * MS) != (int64_t)end_ns / (20 * MS))
                continue;
            found.wrong += fabs(ampere - (low ? AMPERE : 3 * AMPERE)) > 0.03;
            found.wrong += fabs(power.bus[k] * 1.25e-3 - VOLT) > 0.02;
        }
    }
    found.period_ms /= found.pairs > 1 ? found.pairs - 1 : 1;
    return found;
}

static void streams(enum sim_board board, uint64_t seed)
{
    struct wire_status before, after;
    open_rig(board, seed, true);
    assert_true(rig_home(&rig));
    assert_true(rig_status(&rig, &before));
    assert_int_equal(rig_command(&rig, WIRE_POWER, "\x01", 1), WIRE_DONE);
    assert_int_equal(rig_command(&rig, WIRE_STREAM, "\x01", 1), WIRE_DONE);
    rig_run(&rig, 20 * MS);
    rig_forget(&rig);
    double shortest, longest;
    sim_mcu_sample_gaps(rig.mcu, &shortest, &longest);
    assert_true(rig_tap(&rig));
    const struct found found = look();
    sim_mcu_sample_gaps(rig.mcu, &shortest, &longest);
    print_message("%u pairs and %u left out, %.3f ms apart, longest %.3f ms; samples %.1f to "
                  "%.1f ticks apart\n",
                  found.pairs, found.left_out, found.period_ms, found.longest_ms, shortest,
                  longest);
    assert_true(found.pairs > 300);
    assert_int_equal(found.wrong, 0);
    assert_int_equal(found.empty, 0);
    assert_true(found.period_ms > 1.1 && found.period_ms < 1.4);
    assert_int_equal(found.left_out, 0);
    /* The accelerometer has lost nothing and is hardly less even. */
    assert_true(shortest > 500 - 40 && longest < 500 + 40);
    assert_true(rig_status(&rig, &after));
    assert_int_equal(after.samples_missed, before.samples_missed);
    assert_int_equal(after.tx_dropped, before.tx_dropped);
    assert_int_equal(after.rx_errors, before.rx_errors);
    assert_int_equal(rig_command(&rig, WIRE_POWER, "\x00", 1), WIRE_DONE);
    rig_run(&rig, 20 * MS);
    rig_forget(&rig);
    rig_run(&rig, 100 * MS);
    assert_int_equal(look().pairs, 0);
    rig_close(&rig);
}

static void test_uno(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        streams(SIM_BOARD_UNO, seed);
}

static void test_mega(void **state)
{
    (void)state;
    streams(SIM_BOARD_MEGA, 4);
}

static void test_absent(void **state)
{
    (void)state;
    open_rig(SIM_BOARD_UNO, 5, false);
    assert_int_equal(rig_command(&rig, WIRE_POWER, "\x01", 1), WIRE_DONE);
    rig_forget(&rig);
    rig_run(&rig, 1500 * MS);
    const struct found found = look();
    assert_int_equal(found.pairs, 0);
    assert_int_equal(found.empty, 1);
    assert_true(rig_home(&rig));
    assert_true(rig_tap(&rig));
    rig_close(&rig);
}

static void test_goes_and_comes(void **state)
{
    (void)state;
    open_rig(SIM_BOARD_UNO, 6, true);
    assert_int_equal(rig_command(&rig, WIRE_POWER, "\x01", 1), WIRE_DONE);
    rig_forget(&rig);
    const int64_t now_ns = sim_mcu_now(rig.mcu);
    sim_mcu_power_gone(rig.mcu, now_ns + 200 * MS, now_ns + 900 * MS);
    rig_run(&rig, 2000 * MS);
    const struct found found = look();
    assert_int_equal(found.empty, 1);
    assert_int_equal(found.wrong, 0);
    assert_true(found.longest_ms > 700 && found.longest_ms < 1300);
    assert_true(found.pairs > 800);
    rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uno),
        cmocka_unit_test(test_mega),
        cmocka_unit_test(test_absent),
        cmocka_unit_test(test_goes_and_comes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
