/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The supply's energy, cut at lift, first change and settled, from pairs made by hand. */
#include "made.h"

#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define PERIOD_MS 1.3 /* a part whose oscillator is 5 % slow */
#define SHUNT_MS  (PERIOD_MS * 1100 / 1240)
#define OHM       0.010
#define VOLT      4.0

/* What flows at a time from MADE_ZERO_NS, and its integral: a step from one ampere to three. */
struct supply {
    double step_ms, before, after;
};

static double charge(const struct supply *supply, double from_ms, double to_ms)
{
    const double middle = fmin(fmax(supply->step_ms, from_ms), to_ms);
    return supply->before * (middle - from_ms) + supply->after * (to_ms - middle);
}

static uint32_t ticks_at(double ms)
{
    return (uint32_t)llround(ms * 2000 * (1 + MADE_PPM * 1e-6));
}

/* Pairs from the first millisecond to the last, of which some blocks may be missing. */
struct pairs {
    struct supply supply;
    int skip_from, skip_blocks;
    double ends_ms;
};

static void put_pairs(struct made *made, const struct pairs *pairs)
{
    struct wire_power block = {0};
    struct wire_packet packet;
    uint32_t last = 0;
    int number = 0;
    for (double ready_ms = 10; ready_ms < pairs->ends_ms; ready_ms += PERIOD_MS) {
        const double begins_ms = ready_ms - PERIOD_MS;
        const double ampere = charge(&pairs->supply, begins_ms, begins_ms + SHUNT_MS) / SHUNT_MS;
        const uint32_t ticks = ticks_at(ready_ms);
        if (block.count == 0)
            block.ticks = ticks;
        block.after[block.count] = block.count ? (uint16_t)(ticks - last) : 0;
        block.shunt[block.count] = (int16_t)fmin(32767, round(ampere * OHM / 2.5e-6));
        block.bus[block.count++] = (uint16_t)round(VOLT / 1.25e-3);
        last = ticks;
        if (block.count < WIRE_POWERS_PER_BLOCK)
            continue;
        wire_put_power(&packet, &block);
        if (number < pairs->skip_from || number >= pairs->skip_from + pairs->skip_blocks)
            made_mcu(made, packet.type, packet.body, packet.size);
        block.count = 0;
        number++;
    }
}

static struct ts_result measure(const struct pairs *pairs)
{
    struct made made;
    made_launch(&made);
    made.plan.meters = TS_METER_ENERGY;
    if (pairs)
        put_pairs(&made, pairs);
    const struct ts_result result = made_measure(&made);
    made_free(&made);
    return result;
}

static double lift_ms(const struct ts_result *result)
{
    return (double)(result->lift.host_ns - MADE_ZERO_NS) / (double)TS_NS_PER_MS;
}

static void assert_near(double value, double expected, double most)
{
    if (!(fabs(value - expected) <= most))
        fail_msg("%g, and not %g within %g", value, expected, most);
}

static const struct pairs steady = {{1e9, 0.5, 0.5}, 0, 0, 3000};

static void test_steady(void **state)
{
    (void)state;
    const struct ts_result result = measure(&steady);
    const struct ts_costs *costs = &result.costs;
    const double ms = result.settled.value;
    assert_true(isfinite(ms) && ms > 100);
    assert_int_equal(costs->supply, TS_SUPPLY_MEASURED);
    assert_near(costs->energy_mj.value, 0.5 * VOLT * ms, 1e-3 * ms);
    assert_near(costs->charge_mc.value, 0.5 * ms, 1e-3 * ms);
    assert_near(costs->mean_current_ma.value, 500, 0.5);
    assert_near(costs->energy_first_change_mj.value, 0.5 * VOLT * result.first_visual_change.value,
                1);
    assert_false(ts_result_has(&result, TS_FLAG_POWER_UNKNOWN));
    /* The shunt's one per cent alone gives 0.58 % of it; the lift's 3 ms give 6 mJ. */
    assert_true(costs->energy_mj.u_common > 0.0057 * costs->energy_mj.value);
    assert_true(costs->energy_mj.u >= hypot(0.0057 * costs->energy_mj.value, 5));
    assert_true(costs->energy_mj.u < hypot(0.0065 * costs->energy_mj.value, 20));
    /* A longer launch at the same current is no larger current. */
    assert_true(costs->mean_current_ma.u < 0.007 * 500);
}

/* The shunt as it was measured, and its zero, in place of what the plan states. */
static void test_calibrated(void **state)
{
    (void)state;
    struct made made;
    const struct ts_result nominal = measure(&steady);
    const double ms = nominal.settled.value;
    made_launch(&made);
    made.plan.meters = TS_METER_ENERGY;
    made.calibration.shunt_mohm = 8;
    made.calibration.shunt_u_mohm = 0.008;
    made.calibration.shunt_zero_uv = 500;
    made.calibration.shunt_zero_u_uv = 0.5;
    put_pairs(&made, &steady);
    const struct ts_result result = made_measure(&made);
    const struct ts_costs *costs = &result.costs;
    assert_near(costs->charge_mc.value, (0.5 * 10 - 0.5) / 8 * ms, 1e-3 * ms);
    assert_near(costs->energy_mj.value, (0.5 * 10 - 0.5) / 8 * VOLT * ms, 1e-3 * ms);
    /* The mean of a steady current knows nothing of when it began: 0.1 % and half a microvolt. */
    assert_near(costs->mean_current_ma.value, 562.5, 0.5);
    assert_near(costs->mean_current_ma.u_common, hypot(0.5625, 0.0625), 0.01);
    assert_true(costs->energy_mj.u_common < nominal.costs.energy_mj.u_common);
    made_free(&made);
}

/* Where in time a pair stands shows at a step: half a pair's place in error would be 1.3 mJ off for
 * each watt of it. */
static void test_step(void **state)
{
    (void)state;
    const struct ts_result first = measure(&steady);
    const double t0 = lift_ms(&first), ms = first.settled.value;
    for (int i = 0; i < 8; i++) {
        struct pairs pairs = steady;
        pairs.supply = (struct supply){t0 + ms / 2 + i * PERIOD_MS / 8, 0.25, 1.5};
        const struct ts_result result = measure(&pairs);
        const double expected = charge(&pairs.supply, t0, t0 + ms);
        assert_near(result.costs.charge_mc.value, expected, 0.2);
        assert_near(result.costs.energy_mj.value, expected * VOLT, 0.8);
    }
}

/* A step at the end itself: within what is said of the sampling there. */
static void test_step_at_the_end(void **state)
{
    (void)state;
    const struct ts_result first = measure(&steady);
    const double t0 = lift_ms(&first), ms = first.settled.value;
    for (int i = -6; i <= 6; i++) {
        struct pairs pairs = steady;
        pairs.supply = (struct supply){t0 + ms + i * PERIOD_MS / 4, 0.25, 1.5};
        const struct ts_result result = measure(&pairs);
        const double expected = charge(&pairs.supply, t0, t0 + ms) * VOLT;
        assert_near(result.costs.energy_mj.value, expected, 2 * result.costs.energy_mj.u);
        assert_near(result.costs.energy_mj.value, expected, 1.25 * VOLT * PERIOD_MS);
    }
}

static void expect_unknown(const struct ts_result *result, enum ts_supply supply)
{
    assert_int_equal(result->costs.supply, supply);
    assert_true(isnan(result->costs.energy_mj.value) && isnan(result->costs.charge_mc.value));
    assert_true(ts_result_has(result, TS_FLAG_POWER_UNKNOWN));
    assert_true(ts_result_usable(result) ||
                ts_result_verdict_flag(result) != TS_FLAG_POWER_UNKNOWN);
    assert_true(isfinite(result->settled.value)); /* the launch's time stands */
}

static void test_silences(void **state)
{
    (void)state;
    const struct ts_result good = measure(&steady);
    const int inside = (int)((lift_ms(&good) + good.settled.value / 2) / PERIOD_MS / 7);
    struct pairs pairs = steady;
    pairs.skip_from = inside;
    pairs.skip_blocks = 1; /* a lost packet is bridged */
    struct ts_result result = measure(&pairs);
    assert_int_equal(result.costs.supply, TS_SUPPLY_MEASURED);
    assert_near(result.costs.energy_mj.value, good.costs.energy_mj.value, 0.5);
    pairs.skip_blocks = 2;
    result = measure(&pairs);
    expect_unknown(&result, TS_SUPPLY_LOST);
    pairs = steady; /* it ends before settled, and begins after the lift */
    pairs.ends_ms = lift_ms(&good) + good.settled.value - 5;
    result = measure(&pairs);
    expect_unknown(&result, TS_SUPPLY_LOST);
    pairs = steady;
    pairs.skip_blocks = (int)((lift_ms(&good) + 30) / PERIOD_MS / 7);
    result = measure(&pairs);
    expect_unknown(&result, TS_SUPPLY_LOST);
}

/* A bridge over a step is worth less, and says so. */
static void test_bridged_step(void **state)
{
    (void)state;
    const struct ts_result first = measure(&steady);
    const double step_ms = lift_ms(&first) + first.settled.value / 2;
    struct pairs pairs = steady;
    pairs.supply = (struct supply){step_ms, 0.25, 1.5};
    const struct ts_result whole = measure(&pairs);
    pairs.skip_from = (int)((step_ms - 10) / PERIOD_MS / 7);
    pairs.skip_blocks = 1;
    const struct ts_result bridged = measure(&pairs);
    assert_int_equal(bridged.costs.supply, TS_SUPPLY_MEASURED);
    assert_true(bridged.costs.energy_mj.u > whole.costs.energy_mj.u + 1);
    assert_near(bridged.costs.energy_mj.value, whole.costs.energy_mj.value,
                3 * bridged.costs.energy_mj.u);
}

static void test_over_range(void **state)
{
    (void)state;
    struct pairs pairs = steady;
    pairs.supply.before = 9; /* 8.19 A is the most at 10 milliohm */
    const struct ts_result result = measure(&pairs);
    expect_unknown(&result, TS_SUPPLY_OVER_RANGE);
}

/* Its VBUS hangs in the air: no energy is better than one of nought. */
static void test_no_voltage(void **state)
{
    (void)state;
    struct made made;
    struct wire_packet packet;
    made_launch(&made);
    made.plan.meters = TS_METER_ENERGY;
    for (uint32_t i = 0; i < 2400; i++) {
        wire_put_power(&packet,
                       &(struct wire_power){ticks_at(10 + i * PERIOD_MS), 1, {0}, {200}, {3}});
        made_mcu(&made, packet.type, packet.body, packet.size);
    }
    const struct ts_result result = made_measure(&made);
    expect_unknown(&result, TS_SUPPLY_OVER_RANGE);
    made_free(&made);
}

static void test_absent(void **state)
{
    (void)state;
    struct made made;
    struct wire_packet packet;
    struct ts_result result = measure(NULL); /* not even a word that it is not there */
    expect_unknown(&result, TS_SUPPLY_ABSENT);
    made_launch(&made);
    made.plan.meters = TS_METER_ENERGY;
    wire_put_power(&packet, &(struct wire_power){.ticks = 1000});
    made_mcu(&made, packet.type, packet.body, packet.size);
    result = made_measure(&made);
    expect_unknown(&result, TS_SUPPLY_ABSENT);
    made_free(&made);
}

/* Not asked: nothing of it, whatever the board sent. */
static void test_not_asked(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    put_pairs(&made, &steady);
    const struct ts_result result = made_measure(&made);
    assert_int_equal(result.costs.asked, 0);
    assert_true(isnan(result.costs.energy_mj.value));
    assert_false(ts_result_has(&result, TS_FLAG_POWER_UNKNOWN));
    made_free(&made);
}

/* Any bytes in the place of a block: a result, never a crash; and what is stated is finite. */
static void test_garbage(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 7, 7);
    for (int round = 0; round < 30; round++) {
        struct made made;
        made_launch(&made);
        made.plan.meters = TS_METER_ENERGY;
        for (int i = 0; i < 200; i++) {
            uint8_t body[WIRE_BODY_MAX];
            for (size_t k = 0; k < sizeof body; k++)
                body[k] = (uint8_t)ts_rng_next(&rng);
            body[4] = (uint8_t)ts_rng_below(&rng, WIRE_POWERS_PER_BLOCK + 1);
            made_mcu(&made, WIRE_POWER_IS, body, 5u + 6u * body[4]);
        }
        const struct ts_result result = made_measure(&made);
        assert_true(isnan(result.costs.energy_mj.value) || isfinite(result.costs.energy_mj.u));
        made_free(&made);
    }
}

static void test_readings(void **state)
{
    (void)state;
    struct ts_meter_readings readings;
    struct ts_costs costs;
    ts_readings_unknown(&readings);
    ts_costs_unknown(&costs);
    ts_costs_take(&readings, &costs);
    assert_true(isnan(costs.cpu_ms) && isnan(costs.network_bytes) && isnan(costs.memory_kb));
    readings.before = (struct ts_meter_reading){NAN, 0, 1000, NAN}; /* no process before */
    readings.after = (struct ts_meter_reading){320, 77, 5500, 81000};
    ts_costs_take(&readings, &costs);
    assert_true(costs.cpu_ms == 320 && costs.network_bytes == 4500 && costs.memory_kb == 81000);
    readings.before =
        (struct ts_meter_reading){300, 77, 6000, NAN}; /* the same one; counters anew */
    ts_costs_take(&readings, &costs);
    assert_true(costs.cpu_ms == 20 && isnan(costs.network_bytes));
    readings.before.pid = 76; /* another process died */
    ts_costs_take(&readings, &costs);
    assert_true(costs.cpu_ms == 320);
    readings.after.pid = 0; /* it has crashed */
    costs.cpu_ms = NAN;
    ts_costs_take(&readings, &costs);
    assert_true(isnan(costs.cpu_ms));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steady),     cmocka_unit_test(test_calibrated),
        cmocka_unit_test(test_step),       cmocka_unit_test(test_step_at_the_end),
        cmocka_unit_test(test_silences),   cmocka_unit_test(test_bridged_step),
        cmocka_unit_test(test_over_range), cmocka_unit_test(test_no_voltage),
        cmocka_unit_test(test_absent),     cmocka_unit_test(test_not_asked),
        cmocka_unit_test(test_garbage),    cmocka_unit_test(test_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
