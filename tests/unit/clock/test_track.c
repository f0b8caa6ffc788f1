/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clocks that are set while they are read: every jump is found, and none is made up. */
#include "world.h"

#include "base/time.h"
#include "clock/track.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEEDS 200

static struct ts_reading readings[READINGS_MOST];

static double truth_of(const struct world *world, int64_t host_ns)
{
    return other_at(world, (double)(host_ns - world->host0));
}

/* The truth lies inside each segment's bounds, wherever it may be asked. */
static void check_segment(const struct world *world, const struct ts_clock_segment *segment)
{
    const int64_t span = segment->host_to_ns - segment->host_from_ns;
    for (int i = 0; i <= 50; i++) {
        const int64_t host = segment->host_from_ns + span / 50 * i;
        const int64_t other = world->other0 + (int64_t)floor(truth_of(world, host));
        double low, high;
        ts_clock_bounds_at(&segment->fit, other, &low, &high);
        const double late = (double)(host - ts_clock_to_host(&segment->fit, other));
        if (late < low - 2 || late > high + 2)
            fail_msg("truth %.1f outside %.1f .. %.1f", late, low, high);
    }
}

static void steady_clocks_have_one_segment(void **state)
{
    (void)state;
    for (int link = LINK_EQUAL; link <= LINK_WIFI; link++) {
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct world world;
            struct ts_clock_track track;
            open_world(&world, (enum link)link, 20000 + seed);
            world.wander_ppm = 2;
            const size_t count = 20 + ts_rng_below(&world.rng, 181);
            make_readings(&world, count, ts_rng_range(&world.rng, 1, 10), readings);
            assert_int_equal(ts_clock_track_fit(readings, count, &track, NULL), TS_OK);
            if (track.count != 1 || track.stepped || track.lost)
                fail_msg("link %d seed %u: %zu segments, %zu lost", link, (unsigned)seed,
                         track.count, track.lost);
            check_segment(&world, &track.segments[0]);
            ts_clock_track_free(&track);
        }
    }
}

static void check_step(enum link link, uint64_t seed, double step_ns, double span_s)
{
    struct world world;
    struct ts_clock_track track;
    open_world(&world, link, 30000 + seed);
    world.step_from_s = span_s * ts_rng_range(&world.rng, 0.15, 0.85);
    world.step_ns = step_ns;
    world.wander_ppm = 0.5;
    make_readings(&world, 100, span_s, readings);
    assert_int_equal(ts_clock_track_fit(readings, 100, &track, NULL), TS_OK);
    if (track.count != 2 || !track.stepped)
        fail_msg("link %d seed %u step %g ns: %zu segments", (int)link, (unsigned)seed, step_ns,
                 track.count);
    const int64_t jump = world.host0 + (int64_t)(world.step_from_s * 1e9);
    if (track.segments[0].host_to_ns > jump + 50 * TS_NS_PER_MS ||
        track.segments[1].host_from_ns < jump - 50 * TS_NS_PER_MS)
        fail_msg("link %d seed %u step %g: jump at %+lld and %+lld us", (int)link, (unsigned)seed,
                 step_ns, (long long)(track.segments[0].host_to_ns - jump) / 1000,
                 (long long)(track.segments[1].host_from_ns - jump) / 1000);
    assert_null(ts_clock_track_at_host(&track, jump));
    assert_ptr_equal(ts_clock_track_at_host(&track, world.host0), &track.segments[0].fit);
    for (int k = 0; k < 2; k++)
        check_segment(&world, &track.segments[k]);
    ts_clock_track_free(&track);
}

static void every_jump_ends_a_segment(void **state)
{
    (void)state;
    static const double adb[] = {2e6,   -2e6,    5e6,    -5e6,   20e6, -20e6,
                                 500e6, -3600e9, 3600e9, 1.6e18, -4e17};
    static const double mcu[] = {1.2e6, -1.2e6, 32.768e6, -32.768e6, 5e9, -5e9};
    for (uint64_t seed = 1; seed <= 60; seed++) {
        for (size_t i = 0; i < sizeof adb / sizeof *adb; i++)
            check_step(LINK_ADB, seed, adb[i], 12);
        for (size_t i = 0; i < sizeof mcu / sizeof *mcu; i++)
            check_step(LINK_JITTER, seed, mcu[i], 5);
        check_step(LINK_16U2, seed, 32.768e6, 5);
        check_step(LINK_SOF, seed, -32.768e6, 5);
        check_step(LINK_FTDI, seed, 60e6, 5);
    }
}

static struct ts_clock_track track_of(uint64_t seed, double step_s, double step_ns)
{
    struct world world;
    struct ts_clock_track track;
    open_world(&world, LINK_ADB, seed);
    world.step_from_s = step_s;
    world.step_ns = step_ns;
    make_readings(&world, 100, 12, readings);
    assert_int_equal(ts_clock_track_fit(readings, 100, &track, NULL), TS_OK);
    return track;
}

/* Seen, whatever its size, or smaller than the bounds of the same readings without it. */
static void no_jump_is_absorbed(void **state)
{
    (void)state;
    int seen = 0;
    for (uint64_t seed = 40001; seed <= 40400; seed++) {
        struct ts_rng rng;
        ts_rng_seed(&rng, seed, 9);
        const double step_s = ts_rng_range(&rng, 2, 10);
        const double step_ns = pow(10, ts_rng_range(&rng, 4, 10)) * (seed % 2 ? 1 : -1);
        struct ts_clock_track steady = track_of(seed, 99, 0);
        struct ts_clock_track track = track_of(seed, step_s, step_ns);
        const struct ts_clock_fit *fit = &steady.segments[0].fit;
        assert_false(steady.stepped);
        if (!track.stepped && fabs(step_ns) > fit->bound_high_ns - fit->bound_low_ns)
            fail_msg("seed %u: a step of %.3f ms, bounds of %.3f ms", (unsigned)seed, step_ns / 1e6,
                     (fit->bound_high_ns - fit->bound_low_ns) / 1e6);
        seen += track.stepped;
        ts_clock_track_free(&steady);
        ts_clock_track_free(&track);
    }
    print_message("%d of 400 steps of 10 us to 10 s seen\n", seen);
}

static void wrong_readings_are_no_jumps(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world world;
        struct ts_clock_track track;
        open_world(&world, seed % 2 ? LINK_ADB : LINK_JITTER, 50000 + seed);
        make_readings(&world, 100, 12, readings);
        const size_t wrong = ts_rng_below(&world.rng, 50);
        readings[wrong].t2_ns -= 50000000;
        readings[wrong + 25].t3_ns += 300000000;
        readings[wrong + 50].t2_ns += 20000000;
        readings[wrong + 50].t3_ns += 20000000;
        assert_int_equal(ts_clock_track_fit(readings, 100, &track, NULL), TS_OK);
        assert_int_equal(track.count, 1);
        assert_false(track.stepped);
        assert_int_equal(track.lost, 3);
        check_segment(&world, &track.segments[0]);
        ts_clock_track_free(&track);
    }
}

/* A stall only delays: nothing contradicts anything, and nothing is bent. */
static void a_stall_is_no_jump(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct world world;
        struct ts_clock_track track;
        open_world(&world, LINK_JITTER, 60000 + seed);
        make_readings(&world, 100, 5, readings);
        const size_t from = 5 + ts_rng_below(&world.rng, 90);
        const int64_t until = readings[from].t1_ns + 100 * TS_NS_PER_MS;
        for (size_t i = from; i < 100 && readings[i].t1_ns < until; i++)
            readings[i].t4_ns = readings[i].t4_ns > until ? readings[i].t4_ns : until;
        assert_int_equal(ts_clock_track_fit(readings, 100, &track, NULL), TS_OK);
        assert_int_equal(track.count, 1);
        assert_false(track.stepped);
        check_segment(&world, &track.segments[0]);
        assert_true(fabs(error_at(&world, &track.segments[0].fit, 0.5)) < 15e3);
        ts_clock_track_free(&track);
    }
}

static void jumps_can_follow_one_another(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct world world;
        struct ts_clock_track track;
        open_world(&world, LINK_ADB, 70000 + seed);
        make_readings(&world, 120, 24, readings);
        const int64_t shifts[] = {0, -7000000, 3000000000, 0};
        for (size_t i = 0; i < 120; i++) {
            readings[i].t2_ns += shifts[i / 30];
            readings[i].t3_ns += shifts[i / 30];
        }
        assert_int_equal(ts_clock_track_fit(readings, 120, &track, NULL), TS_OK);
        assert_int_equal(track.count, 4);
        for (size_t k = 0; k < 4; k++)
            assert_in_range(track.segments[k].fit.used, 24, 30);
        ts_clock_track_free(&track);
    }
}

/* After a jump back by 2 s the same stamp comes twice. */
static void stamps_find_their_segment(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct world world;
        struct ts_clock_track track;
        open_world(&world, LINK_ADB, 80000 + seed);
        world.step_from_s = 5.1;
        world.step_ns = -2e9;
        make_readings(&world, 60, 12, readings);
        assert_int_equal(ts_clock_track_fit(readings, 60, &track, NULL), TS_OK);
        assert_int_equal(track.count, 2);
        const int64_t s = TS_NS_PER_S, host0 = world.host0;
        const int64_t early = world.other0 + (int64_t)truth_of(&world, host0 + 2 * s);
        const int64_t twice = world.other0 + (int64_t)truth_of(&world, host0 + 4 * s);
        const int64_t late = world.other0 + (int64_t)truth_of(&world, host0 + 9 * s);
        const struct ts_clock_fit *first = &track.segments[0].fit, *last = &track.segments[1].fit;
        assert_ptr_equal(ts_clock_track_at_other(&track, early, INT64_MAX), first);
        assert_ptr_equal(ts_clock_track_at_other(&track, late, INT64_MAX), last);
        assert_null(ts_clock_track_at_other(&track, twice, INT64_MAX));
        assert_ptr_equal(ts_clock_track_at_other(&track, twice, host0 + 4 * s + s / 10), first);
        ts_clock_track_free(&track);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    struct ts_rng rng;
    struct ts_clock_track track;
    struct ts_why why = {""};
    assert_int_equal(ts_clock_track_fit(readings, 0, &track, &why), TS_EPROTO);
    assert_int_equal(ts_clock_track_fit(readings, 3, &track, &why), TS_EPROTO);
    assert_true(why.text[0]);
    ts_rng_seed(&rng, 78, 1);
    for (int round = 0; round < 3000; round++) {
        const size_t count = 4 + ts_rng_below(&rng, 60);
        const int shift = (int)ts_rng_below(&rng, 64);
        for (size_t i = 0; i < count; i++) {
            int64_t *times[] = {&readings[i].t1_ns, &readings[i].t2_ns, &readings[i].t3_ns,
                                &readings[i].t4_ns};
            for (int k = 0; k < 4; k++)
                *times[k] = (int64_t)(ts_rng_next(&rng) >> shift);
            if (round % 2)
                readings[i].t4_ns = ts_ns_after(readings[i].t1_ns, 1000000);
            if (round % 2)
                readings[i].t3_ns = readings[i].t2_ns;
        }
        const int err = ts_clock_track_fit(readings, count, &track, NULL);
        assert_true(err == TS_OK || err == TS_EPROTO);
        if (err)
            continue;
        (void)ts_clock_track_at_other(&track, readings[0].t2_ns, readings[0].t4_ns);
        ts_clock_track_free(&track);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_clocks_have_one_segment),
        cmocka_unit_test(every_jump_ends_a_segment),
        cmocka_unit_test(no_jump_is_absorbed),
        cmocka_unit_test(wrong_readings_are_no_jumps),
        cmocka_unit_test(a_stall_is_no_jump),
        cmocka_unit_test(jumps_can_follow_one_another),
        cmocka_unit_test(stamps_find_their_segment),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
