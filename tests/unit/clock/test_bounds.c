/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hard bounds at every instant: the truth is inside, and they are as narrow as was promised. */
#include "world.h"

#include "base/time.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define SEEDS 250

static struct ts_reading readings[READINGS_MOST];

/* The least of round trip + 2 drift * age over all readings: nobody can promise less. */
static double promised_ns(const struct ts_clock_fit *fit, size_t count, int64_t other_ns)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const struct ts_reading *r = &readings[i];
        const double there = (double)(r->t3_ns - r->t2_ns);
        const double trip = (double)(r->t4_ns - r->t1_ns) - fit->rate * there;
        const double age =
            fabs((double)(other_ns - r->t2_ns)) + fabs((double)(other_ns - r->t3_ns));
        least = fmin(least, trip + fit->drift_most * age);
    }
    return least;
}

struct tally {
    double instants, width_ns, promised_ns, over_ns;
};

static void check_instants(struct world *world, const struct ts_clock_fit *fit, size_t count,
                           struct tally *tally)
{
    const double span = (double)(fit->to_ns - fit->from_ns);
    for (int i = 0; i < 120; i++) {
        const int64_t other = fit->from_ns + (int64_t)(span * ts_rng_range(&world->rng, -0.5, 1.5));
        const double late = -error_of(world, fit, other);
        double low, high;
        ts_clock_bounds_at(fit, other, &low, &high);
        if (late < low - 1 || late > high + 1) /* the rounding of a nanosecond */
            fail_msg("link %d, %+.0f ppm, wander %.1f: truth %.1f outside %.1f .. %.1f ns, at %.3f "
                     "of the span",
                     (int)world->link, world->ppm, world->wander_ppm, late, low, high,
                     (double)(other - fit->from_ns) / span);
        const double promised = promised_ns(fit, count, other);
        tally->instants++;
        tally->width_ns += high - low;
        tally->promised_ns += promised;
        tally->over_ns = fmax(tally->over_ns, high - low - promised);
        if (other >= fit->from_ns && other <= fit->to_ns)
            assert_true(low >= fit->bound_low_ns - 1 && high <= fit->bound_high_ns + 1);
    }
}

static void the_truth_is_inside_at_every_instant(void **state)
{
    (void)state;
    static const char *const names[] = {"equal", "jitter",     "1 ms frames", "16U2",
                                        "FTDI",  "FTDI, 1 ms", "adb",         "Wi-Fi"};
    for (int link = LINK_EQUAL; link <= LINK_WIFI; link++) {
        struct tally tally = {0};
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct world world;
            struct ts_clock_fit fit;
            open_world(&world, (enum link)link, 90000 + seed);
            world.wander_ppm = ts_rng_range(&world.rng, 0, 3);
            if (seed % 3 == 0)
                world.ppm = ts_rng_range(&world.rng, -100, 100);
            const size_t count = 8 + ts_rng_below(&world.rng, 180);
            make_readings(&world, count, ts_rng_range(&world.rng, 1, 12), readings);
            assert_int_equal(ts_clock_fit(readings, count, &fit, NULL), TS_OK);
            check_instants(&world, &fit, count, &tally);
        }
        print_message("%-11s %.0f instants: bounds %.1f us wide on average, promised %.1f; at most "
                      "%.2f us over\n",
                      names[link], tally.instants, tally.width_ns / tally.instants / 1e3,
                      tally.promised_ns / tally.instants / 1e3, tally.over_ns / 1e3);
        /* Readings as good as one another bound the clock in more places than are kept. */
        assert_true(tally.over_ns <= (link == LINK_EQUAL ? 10e3 : 1));
    }
}

/* A phone's clock read every 0.2 s for a launch: the figures a user is told. */
static void a_phone_is_known_to_its_round_trip(void **state)
{
    (void)state;
    double worst_ns = 0, sum_ns = 0, drift = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct world world;
        struct ts_clock_fit fit;
        open_world(&world, LINK_ADB, 95000 + seed);
        world.wander_ppm = 0.5;
        make_readings(&world, 50, 10, readings);
        assert_int_equal(ts_clock_fit(readings, 50, &fit, NULL), TS_OK);
        for (int i = 0; i <= 20; i++) {
            const double error = fabs(error_at(&world, &fit, i / 20.0));
            worst_ns = fmax(worst_ns, error);
            sum_ns += error / 21 / SEEDS;
        }
        drift = fmax(drift, fit.drift_most);
    }
    print_message("adb: error %.1f us on average, %.1f at most; drift bounded by %.0f ppm\n",
                  sum_ns / 1e3, worst_ns / 1e3, drift * 1e6);
    assert_true(worst_ns < 200e3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_truth_is_inside_at_every_instant),
        cmocka_unit_test(a_phone_is_known_to_its_round_trip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
