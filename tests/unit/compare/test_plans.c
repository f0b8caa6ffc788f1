/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked before and between campaigns: power, looks, and histories of builds. */
#include "base/rng.h"
#include "stats/change_points.h"
#include "stats/distribution.h"
#include "stats/power.h"
#include "stats/spending.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", value, expected);
}

/* The bounds that are printed for five equal looks at a one-sided 0.025: 4.8769, 3.3569, 2.6803,
 * 2.2898, 2.0310 (Lan and DeMets's function, as tabled by Jennison and Turnbull, Group Sequential
 * Methods, 2000, chapter 7, and by others). */
static void bounds_are_the_tabled_ones(void **state)
{
    const double information[] = {0.2, 0.4, 0.6, 0.8, 1};
    const double z[] = {4.8769, 3.3569, 2.6803, 2.2898, 2.0310};
    double bounds[5];
    (void)state;
    assert_int_equal(ts_spending_bounds(0.025, information, 5, bounds), TS_OK);
    for (int i = 0; i < 5; i++)
        assert_near(-ts_normal_at(bounds[i]), z[i], 2e-4);
    /* One look at the end is no different from none. */
    assert_int_equal(ts_spending_bounds(0.05, (const double[]){1}, 1, bounds), TS_OK);
    assert_near(bounds[0], 0.05, 1e-9);
    assert_int_equal(ts_spending_bounds(0.05, (const double[]){0.5, 0.5}, 2, bounds), TS_EINVAL);
    assert_int_equal(ts_spending_bounds(0.05, (const double[]){0.5, 1.1}, 2, bounds), TS_EINVAL);
}

/* Random walks cross as often as is allowed. */
static void bounds_hold_for_random_walks(void **state)
{
    enum { WALKS = 40000, LOOKS = 3 };
    const double information[LOOKS] = {0.3, 0.55, 1};
    double bounds[LOOKS];
    struct ts_rng rng;
    int crossed = 0;
    (void)state;
    ts_rng_seed(&rng, 21, 1);
    assert_int_equal(ts_spending_bounds(0.05, information, LOOKS, bounds), TS_OK);
    for (int walk = 0; walk < WALKS; walk++) {
        double at = 0, time = 0;
        bool above = false;
        for (int look = 0; look < LOOKS; look++) {
            at += ts_rng_normal(&rng) * sqrt(information[look] - time);
            time = information[look];
            above |= ts_normal_below(-at / sqrt(time)) < bounds[look];
        }
        crossed += above;
    }
    assert_near((double)crossed / WALKS, 0.05, 0.004);
}

/* As many launches as are said to be needed show the shift in about four of five campaigns. */
static void power_is_what_is_promised(void **state)
{
    enum { REFERENCE = 2000, TRIALS = 2000, MOST = 400 };
    static double reference[REFERENCE], a[MOST], b[MOST];
    struct ts_rng rng;
    struct ts_ranked known, of_a, of_b;
    int shown = 0;
    (void)state;
    ts_rng_seed(&rng, 31, 1);
    for (int i = 0; i < REFERENCE; i++)
        reference[i] = exp(ts_rng_normal(&rng));
    assert_int_equal(ts_ranked_of((struct ts_sample){reference, REFERENCE}, true, &known), TS_OK);
    const double shift = 0.4;
    const size_t count = (size_t)ceil(ts_launches_needed(&known, shift));
    assert_in_range(count, 20, MOST);
    assert_near(ts_detectable(&known, (double)count), shift, 0.01);
    assert_true(isinf(ts_launches_needed(&known, 0)) && isinf(ts_detectable(&known, 2)));
    for (int trial = 0; trial < TRIALS; trial++) {
        for (size_t i = 0; i < count; i++) {
            a[i] = exp(ts_rng_normal(&rng));
            b[i] = exp(ts_rng_normal(&rng)) + shift;
        }
        assert_int_equal(ts_ranked_of((struct ts_sample){a, count}, true, &of_a), TS_OK);
        assert_int_equal(ts_ranked_of((struct ts_sample){b, count}, true, &of_b), TS_OK);
        shown += ts_relative_of(&of_a, &of_b, 0).p_two_sided < TS_POWER_ALPHA;
        ts_ranked_free(&of_a);
        ts_ranked_free(&of_b);
    }
    ts_ranked_free(&known);
    assert_near((double)shown / TRIALS, TS_POWER, 0.05);
}

static void changes_are_found_where_they_are(void **state)
{
    double builds[40];
    struct ts_rng rng;
    struct ts_change_point *points;
    (void)state;
    ts_rng_seed(&rng, 41, 1);
    for (int i = 0; i < 40; i++)
        builds[i] = 500 + 5 * ts_rng_normal(&rng) + (i >= 12 ? 30 : 0) - (i >= 28 ? 50 : 0);
    builds[5] = 900; /* a single odd build is no change */
    assert_int_equal(ts_change_points(builds, 40, 0.05, 1, &points), 2);
    assert_int_equal(points[0].first, 12);
    assert_int_equal(points[1].first, 28);
    assert_near(points[0].after - points[0].before, 30, 6);
    assert_near(points[1].after - points[1].before, -50, 6);
    free(points);
    assert_int_equal(ts_change_points(builds, 3, 0.05, 1, &points), 0);
    free(points);
}

static void steady_histories_are_left_alone(void **state)
{
    enum { HISTORIES = 300 };
    struct ts_rng rng;
    int found = 0;
    (void)state;
    ts_rng_seed(&rng, 42, 1);
    for (int history = 0; history < HISTORIES; history++) {
        double builds[25];
        struct ts_change_point *points;
        for (int i = 0; i < 25; i++)
            builds[i] = ts_rng_normal(&rng);
        found += ts_change_points(builds, 25, 0.05, (uint64_t)history, &points) > 0;
        free(points);
    }
    assert_in_range(found, 1, 18); /* 2.5 % are 7.5 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_are_the_tabled_ones),
        cmocka_unit_test(bounds_hold_for_random_walks),
        cmocka_unit_test(power_is_what_is_promised),
        cmocka_unit_test(changes_are_found_where_they_are),
        cmocka_unit_test(steady_histories_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
