/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of the clock fit over many synthetic links; every seed must hold. */
#include "world.h"

#include "base/time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEEDS 300

struct tally {
    double worst_ns, square, mean, u_square, covered, count, worst_edge_ns;
};

static void check_one(struct world *world, size_t count, double span_s, struct tally *tally)
{
    static struct ts_reading readings[READINGS_MOST];
    struct ts_clock_fit fit;
    struct ts_why why = {""};
    make_readings(world, count, span_s, readings);
    assert_int_equal(ts_clock_fit(readings, count, &fit, &why), TS_OK);
    assert_false(fit.suspicious);
    assert_int_equal(fit.used, count);
    assert_true(fit.bound_low_ns <= 0 && fit.bound_high_ns >= 0);
    for (int i = 0; i <= 20; i++) {
        const double error = error_at(world, &fit, i / 20.0);
        /* truth - estimate; a tick's length is the stamps' own resolution */
        assert_true(-error >= fit.bound_low_ns - 501);
        assert_true(-error <= fit.bound_high_ns + 501);
        tally->worst_edge_ns = fmax(tally->worst_edge_ns, fabs(error));
    }
    const int64_t other_ns =
        fit.from_ns + (int64_t)(ts_rng_uniform(&world->rng) * (double)(fit.to_ns - fit.from_ns));
    const double error = error_of(world, &fit, other_ns);
    tally->worst_ns = fmax(tally->worst_ns, fabs(error));
    tally->mean += error;
    tally->square += error * error;
    tally->u_square += pow(ts_clock_u_at(&fit, other_ns), 2);
    tally->covered += fabs(error) <= 2 * ts_clock_u_at(&fit, other_ns);
    tally->count++;
}

static struct tally check_link(enum link link, double wander_ppm)
{
    struct tally tally = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world world;
        open_world(&world, link, seed);
        world.wander_ppm = wander_ppm;
        const size_t count = 20 + ts_rng_below(&world.rng, 181);
        check_one(&world, count, ts_rng_range(&world.rng, 1, 10), &tally);
    }
    print_message("bias %+.2f rms %.2f (u %.2f) worst %.2f us (anywhere %.2f), within 2u %.1f %%\n",
                  tally.mean / tally.count / 1e3, sqrt(tally.square / tally.count) / 1e3,
                  sqrt(tally.u_square / tally.count) / 1e3, tally.worst_ns / 1e3,
                  tally.worst_edge_ns / 1e3, 100 * tally.covered / tally.count);
    assert_true(tally.covered >= 0.93 * tally.count);
    return tally;
}

static void equal_delays_leave_only_the_tick(void **state)
{
    (void)state;
    const struct tally tally = check_link(LINK_EQUAL, 0);
    assert_true(tally.worst_edge_ns < 1000);
}

static void slow_wander_costs_microseconds(void **state)
{
    (void)state;
    const struct tally tally = check_link(LINK_EQUAL, 3);
    assert_true(sqrt(tally.square / tally.count) < 5e3);
}

static void equal_jitter_does_not_bias(void **state)
{
    (void)state;
    const struct tally tally = check_link(LINK_JITTER, 0);
    assert_true(tally.worst_ns < 10e3);
    assert_true(sqrt(tally.square / tally.count) < 1.5e3);
    assert_true(fabs(tally.mean / tally.count) < 1e3);
}

static void flush_timers_are_bounded(void **state)
{
    (void)state;
    const struct tally uno = check_link(LINK_16U2, 2);
    assert_true(sqrt(uno.square / uno.count) < 60e3);
    const struct tally ftdi = check_link(LINK_FTDI, 2);
    assert_true(sqrt(ftdi.square / ftdi.count) < 250e3);
}

static void adb_is_good_to_tens_of_microseconds(void **state)
{
    (void)state;
    const struct tally tally = check_link(LINK_ADB, 0.5);
    assert_true(sqrt(tally.square / tally.count) < 30e3);
}

/* Nobody can know how unlike delays are: u covers the channel, and so the truth. */
static void unlike_delays_are_owned_up_to(void **state)
{
    (void)state;
    static const enum link links[] = {LINK_SOF, LINK_FTDI_1};
    for (int i = 0; i < 2; i++) {
        const struct tally tally = check_link(links[i], 2);
        assert_true(tally.covered >= 0.99 * tally.count);
    }
}

static int steps_seen(enum link link, double step_ns)
{
    static struct ts_reading readings[READINGS_MOST];
    int seen = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world world;
        struct ts_clock_fit fit;
        open_world(&world, link, 5000 + seed);
        world.step_from_s = ts_rng_range(&world.rng, 0.6, 3.4);
        world.step_ns = step_ns;
        make_readings(&world, 100, 4, readings);
        const int err = ts_clock_fit(readings, 100, &fit, NULL);
        assert_true(err == TS_OK || err == TS_EPROTO);
        seen += err != TS_OK || fit.suspicious;
    }
    return seen;
}

static void steps_and_resets_are_suspicious(void **state)
{
    (void)state;
    assert_int_equal(steps_seen(LINK_JITTER, 32.768e6), 100); /* a lost timer overflow */
    assert_int_equal(steps_seen(LINK_JITTER, -1e6), 100);
    assert_true(steps_seen(LINK_JITTER, 150e3) >= 98); /* less than the round trip */
    assert_int_equal(steps_seen(LINK_16U2, 32.768e6), 100);
    assert_int_equal(steps_seen(LINK_ADB, -3600e9), 100); /* the phone's clock was set */
}

static void one_wrong_reading_is_left_out(void **state)
{
    (void)state;
    static struct ts_reading readings[READINGS_MOST];
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world world;
        struct ts_clock_fit fit;
        open_world(&world, LINK_JITTER, 9000 + seed);
        make_readings(&world, 60, 3, readings);
        readings[ts_rng_below(&world.rng, 60)].t2_ns -= 50000000;
        assert_int_equal(ts_clock_fit(readings, 60, &fit, NULL), TS_OK);
        assert_int_equal(fit.used, 59);
        assert_true(fit.suspicious);
        assert_true(fabs(error_at(&world, &fit, 0.5)) < 15e3);
    }
}

/* A bridge that holds back every other reading keeps pace with any even choice among them. */
static void every_other_reading_is_slow(void **state)
{
    (void)state;
    static struct ts_reading readings[READINGS_MOST];
    for (size_t count = 20; count <= READINGS_MOST; count += 20) {
        struct world world;
        struct ts_clock_fit fit;
        open_world(&world, LINK_JITTER, 11000 + count);
        make_readings(&world, count, 20, readings);
        for (size_t i = 0; i < count; i += 2)
            readings[i].t4_ns += 4000000;
        assert_int_equal(ts_clock_fit(readings, count, &fit, NULL), TS_OK);
        assert_true(fabs(error_at(&world, &fit, 0.5)) < 15e3);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct ts_reading readings[12] = {{0}};
    struct ts_clock_fit fit;
    struct ts_why why = {""};
    assert_int_equal(ts_clock_fit(readings, 3, &fit, &why), TS_EPROTO);
    assert_int_equal(ts_clock_fit(readings, 12, &fit, &why), TS_EPROTO); /* no span */
    assert_true(why.text[0]);
    struct ts_rng rng;
    ts_rng_seed(&rng, 77, 1);
    for (int round = 0; round < 2000; round++) {
        const int shift = (int)ts_rng_below(&rng, 64);
        for (int i = 0; i < 12; i++) {
            int64_t *times[] = {&readings[i].t1_ns, &readings[i].t2_ns, &readings[i].t3_ns,
                                &readings[i].t4_ns};
            for (int k = 0; k < 4; k++)
                *times[k] = (int64_t)(ts_rng_next(&rng) >> shift);
        }
        const int err = ts_clock_fit(readings, 12, &fit, &why);
        assert_true(err == TS_OK || err == TS_EPROTO);
    }
}

static void uncertainty_grows_outside(void **state)
{
    (void)state;
    static struct ts_reading readings[READINGS_MOST];
    struct world world;
    struct ts_clock_fit fit;
    open_world(&world, LINK_JITTER, 4);
    make_readings(&world, 100, 5, readings);
    assert_int_equal(ts_clock_fit(readings, 100, &fit, NULL), TS_OK);
    const double end = ts_clock_u_at(&fit, fit.to_ns);
    assert_true(fabs(end - fit.u_ns) < 1e-6);
    assert_true(ts_clock_u_at(&fit, fit.from_ns / 2 + fit.to_ns / 2) < end);
    assert_true(ts_clock_u_at(&fit, fit.to_ns + TS_NS_PER_S) > end);
    assert_true(ts_clock_u_at(&fit, fit.from_ns - 100 * TS_NS_PER_S) >
                100e9 * TS_CLOCK_WANDER_U * 0.99);
}

static void conversion_is_exact_far_from_zero(void **state)
{
    (void)state;
    struct ts_clock_fit fit = {.origin_ns = INT64_C(4000000000000000001),
                               .host_at_origin_ns = INT64_C(1800000000000000003),
                               .rate = 1 + 4e-3};
    assert_int_equal(ts_clock_to_host(&fit, fit.origin_ns + 1000000000),
                     fit.host_at_origin_ns + 1004000000);
    struct ts_rng rng;
    ts_rng_seed(&rng, 31, 1);
    for (int i = 0; i < 10000; i++) {
        fit.rate = ts_rng_range(&rng, 0.995, 1.005);
        fit.host_fraction_ns = ts_rng_range(&rng, -0.5, 0.5);
        const int64_t other = fit.origin_ns + (int64_t)ts_rng_range(&rng, -1e13, 1e13);
        const int64_t back = ts_clock_from_host(&fit, ts_clock_to_host(&fit, other));
        assert_true(llabs(back - other) <= 1);
    }
}

/* What comes out means nothing; that it comes out is seen by the sanitizer. */
static void stamps_of_any_size_convert(void **state)
{
    (void)state;
    const int64_t stamps[] = {INT64_MIN, -1, 0, INT64_MAX};
    for (size_t i = 0; i < 16; i++) {
        const struct ts_clock_fit fit = {.from_ns = 5,
                                         .to_ns = 9,
                                         .origin_ns = stamps[i % 4],
                                         .host_at_origin_ns = stamps[i / 4],
                                         .rate = 1.005,
                                         .u_ns = 100,
                                         .rate_u = 1e-6};
        for (size_t k = 0; k < 4; k++) {
            (void)ts_clock_to_host(&fit, stamps[k]);
            (void)ts_clock_from_host(&fit, stamps[k]);
            assert_true(ts_clock_u_at(&fit, stamps[k]) > fit.u_ns);
        }
    }
}

static void ticks_unwrap_next_to_a_neighbour(void **state)
{
    (void)state;
    const int64_t wrap = INT64_C(1) << 32;
    assert_int_equal(ts_ticks_unwrap(5, 0), 5);
    assert_int_equal(ts_ticks_unwrap(0xfffffff0u, 5), -16);
    assert_int_equal(ts_ticks_unwrap(5, wrap - 10), wrap + 5);
    struct ts_rng rng;
    ts_rng_seed(&rng, 8, 1);
    for (int i = 0; i < 10000; i++) {
        const int64_t near = (int64_t)(ts_rng_next(&rng) >> 10);
        const int64_t truth =
            near + (int64_t)ts_rng_below(&rng, 0x7fffffff) * (ts_rng_below(&rng, 2) ? 1 : -1);
        assert_int_equal(ts_ticks_unwrap((uint32_t)truth, near), truth);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_delays_leave_only_the_tick),
        cmocka_unit_test(slow_wander_costs_microseconds),
        cmocka_unit_test(equal_jitter_does_not_bias),
        cmocka_unit_test(flush_timers_are_bounded),
        cmocka_unit_test(adb_is_good_to_tens_of_microseconds),
        cmocka_unit_test(unlike_delays_are_owned_up_to),
        cmocka_unit_test(steps_and_resets_are_suspicious),
        cmocka_unit_test(one_wrong_reading_is_left_out),
        cmocka_unit_test(every_other_reading_is_slow),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(uncertainty_grows_outside),
        cmocka_unit_test(conversion_is_exact_far_from_zero),
        cmocka_unit_test(stamps_of_any_size_convert),
        cmocka_unit_test(ticks_unwrap_next_to_a_neighbour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
