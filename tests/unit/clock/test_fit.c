/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Properties of the clock fit over many synthetic links; every seed must hold. */
#include "base/rng.h"
#include "base/time.h"
#include "clock/fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define READINGS_MOST 400
#define SEEDS         300

enum link { LINK_EQUAL, LINK_JITTER, LINK_16U2, LINK_FTDI, LINK_ADB };

/* The other clock as a function of host time: rate error, slow wander, whole ticks. */
struct world {
    struct ts_rng rng;
    enum link link;
    double ppm, wander_ppm, wander_s, phase;
    double quantum_ns; /* 500: MCU ticks */
    int64_t host0, other0;
    double flush_phase;
    double step_from_s, step_ns; /* from then on the other clock is ahead by so much */
};

static double pi(void)
{
    return acos(-1);
}

/* Other clock minus other0, at host time minus host0. */
static double other_at(const struct world *world, double host_ns)
{
    const double omega = 2 * pi() / (world->wander_s * 1e9);
    const double step = host_ns >= world->step_from_s * 1e9 ? world->step_ns : 0;
    return host_ns * (1 + world->ppm * 1e-6) + step +
           world->wander_ppm * 1e-6 / omega * sin(omega * host_ns + world->phase);
}

static double host_at(const struct world *world, double other_ns)
{
    double host = other_ns;
    for (int i = 0; i < 8; i++)
        host -= other_at(world, host) - other_ns;
    return host;
}

static int64_t stamp(const struct world *world, double host_ns)
{
    const double quantum = world->quantum_ns;
    return world->other0 + (int64_t)(floor(other_at(world, host_ns) / quantum) * quantum);
}

static double exponential(struct ts_rng *rng, double mean)
{
    return -mean * log(1 - ts_rng_uniform(rng));
}

/* A byte that is ready now waits for the bridge's own timer. */
static double flushed(const struct world *world, double ready_ns, double period_ns)
{
    const double phase = fmod(ready_ns + world->flush_phase * period_ns, period_ns);
    return ready_ns + period_ns - phase;
}

static double way_out(struct world *world)
{
    struct ts_rng *rng = &world->rng;
    switch (world->link) {
    case LINK_EQUAL:
        return 160e3;
    case LINK_JITTER:
        return 160e3 + exponential(rng, 25e3) +
               (ts_rng_uniform(rng) < 0.03 ? exponential(rng, 8e6) : 0);
    case LINK_16U2:
    case LINK_FTDI:
        return ts_rng_range(rng, 60e3, 250e3);
    case LINK_ADB:
        return 300e3 + exponential(rng, 250e3) +
               (ts_rng_uniform(rng) < 0.05 ? exponential(rng, 20e6) : 0);
    }
    return 0;
}

static double arrives(struct world *world, double ready_ns)
{
    struct ts_rng *rng = &world->rng;
    if (world->link == LINK_16U2)
        return flushed(world, ready_ns, 4e6) + ts_rng_range(rng, 60e3, 250e3);
    if (world->link == LINK_FTDI)
        return flushed(world, ready_ns, 16e6) + ts_rng_range(rng, 60e3, 250e3);
    return ready_ns + way_out(world);
}

static void open_world(struct world *world, enum link link, uint64_t seed)
{
    *world = (struct world){.link = link, .wander_s = 20, .quantum_ns = 500, .step_from_s = 1e9};
    ts_rng_seed(&world->rng, seed, 700 + link);
    world->ppm = ts_rng_range(&world->rng, -5000, 5000);
    world->wander_s = ts_rng_range(&world->rng, 10, 60);
    world->phase = ts_rng_range(&world->rng, 0, 6.28);
    world->flush_phase = ts_rng_uniform(&world->rng);
    world->host0 = (int64_t)(ts_rng_uniform(&world->rng) * 1e15);
    world->other0 = (int64_t)(ts_rng_uniform(&world->rng) * 1e15);
    if (link == LINK_ADB) {
        world->ppm = ts_rng_range(&world->rng, -50, 50);
        world->quantum_ns = 1;
    }
}

static void make_readings(struct world *world, size_t count, double span_s, struct ts_reading *out)
{
    for (size_t i = 0; i < count; i++) {
        const double t1 = (span_s * 1e9 * (double)i) / (double)count +
                          ts_rng_range(&world->rng, 0, 0.3e9 * span_s / (double)count);
        const double t2 = t1 + way_out(world);
        const double t3 = t2 + (world->link == LINK_ADB ? 0 : 120e3);
        const double t4 = arrives(world, t3);
        out[i] = (struct ts_reading){world->host0 + (int64_t)floor(t1), stamp(world, t2),
                                     stamp(world, t3), world->host0 + (int64_t)ceil(t4)};
    }
}

/* Estimate minus truth, at a share of the span. */
static double error_at(const struct world *world, const struct ts_clock_fit *fit, double share)
{
    const int64_t other = fit->from_ns + (int64_t)(share * (double)(fit->to_ns - fit->from_ns));
    const double truth = host_at(world, (double)(other - world->other0));
    return (double)(ts_clock_to_host(fit, other) - world->host0) - truth;
}

struct tally {
    double worst_ns, square, mean, covered, count, worst_edge_ns;
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
    const double error = error_at(world, &fit, 0.5);
    tally->worst_ns = fmax(tally->worst_ns, fabs(error));
    tally->mean += error;
    tally->square += error * error;
    tally->covered += fabs(error) <= 2 * fit.u_ns;
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
    print_message("bias %+.2f rms %.2f worst %.2f us (anywhere %.2f), within 2u %.1f %%\n",
                  tally.mean / tally.count / 1e3, sqrt(tally.square / tally.count) / 1e3,
                  tally.worst_ns / 1e3, tally.worst_edge_ns / 1e3,
                  100 * tally.covered / tally.count);
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
    const double inside = ts_clock_u_at(&fit, fit.from_ns + 1000);
    assert_true(inside == fit.u_ns);
    assert_true(ts_clock_u_at(&fit, fit.to_ns + TS_NS_PER_S) > inside);
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
