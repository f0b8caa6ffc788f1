/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rig against Android: lines, concordance, and the lower bound. */
#include "agreement/bound.h"
#include "agreement/concordance.h"
#include "agreement/regression.h"
#include "base/rng.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT 10

static const double x[COUNT] = {212.0, 305.5, 298.1, 410.7, 512.3,
                                498.8, 150.2, 333.3, 287.6, 620.4};
static const double y[COUNT] = {260.1, 350.9, 371.0, 455.2, 601.7,
                                533.9, 210.4, 401.8, 322.5, 735.0};

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", value, expected);
}

/* numpy 1.24 by Lin's formula; scipy 1.10.1, stats.spearmanr and odr.ODR (equal weights). */
static void figures_are_those_of_other_programs(void **state)
{
    double spearman;
    struct ts_line line;
    (void)state;
    const struct ts_concordance found = ts_concordance_of(x, y, COUNT);
    assert_near(found.coefficient, 0.905684588725144, 1e-12);
    assert_true(found.interval.low > 0.6 && found.interval.low < 0.9);
    assert_true(found.interval.high > 0.91 && found.interval.high < 1);
    assert_int_equal(ts_spearman(x, y, COUNT, &spearman), TS_OK);
    assert_near(spearman, 0.9878787878787878, 1e-12);
    assert_int_equal(ts_deming(x, y, COUNT, 1, &line), TS_OK);
    assert_near(line.slope, 1.10373141, 1e-6);
    assert_near(line.intercept, 23.71690554, 1e-3);
    assert_true(line.slope_interval.low < 1.10 && line.slope_interval.high > 1.11);
    assert_int_equal(ts_deming(x, y, COUNT, 0, &line), TS_EINVAL);
}

/* With x and y exchanged it is the same line: that is what shifting the median is for. */
static void passing_and_bablok_do_not_mind_the_order(void **state)
{
    struct ts_line there, back;
    (void)state;
    assert_int_equal(ts_passing_bablok(x, y, COUNT, &there), TS_OK);
    assert_int_equal(ts_passing_bablok(y, x, COUNT, &back), TS_OK);
    assert_near(there.slope * back.slope, 1, 0.01); /* an even number of slopes: means of two */
    assert_true(there.slope_interval.low < there.slope && there.slope < there.slope_interval.high);
    const double straight_x[] = {1, 2, 3, 4, 5, 6}, straight_y[] = {5, 7, 9, 11, 13, 400};
    assert_int_equal(ts_passing_bablok(straight_x, straight_y, 6, &there), TS_OK);
    assert_near(there.slope, 2, 1e-12); /* one wild pair does not move it */
    assert_near(there.intercept, 3, 1e-12);
    assert_int_equal(ts_passing_bablok(x, y, 2, &there), TS_OK);
    assert_true(isnan(there.slope));
    assert_int_equal(ts_passing_bablok(x, y, TS_PASSING_BABLOK_MOST + 1, &there), TS_ENOTSUP);
}

/* Both sides err; y = 20 + 1.1 x. How often the intervals hold. */
static void intervals_hold_the_line(void **state)
{
    enum { TRIALS = 1000, PAIRS = 40 };
    struct ts_rng rng;
    int deming = 0, passing_bablok = 0;
    (void)state;
    ts_rng_seed(&rng, 51, 1);
    for (int trial = 0; trial < TRIALS; trial++) {
        double of_x[PAIRS], of_y[PAIRS];
        struct ts_line line;
        for (int i = 0; i < PAIRS; i++) {
            const double value = ts_rng_range(&rng, 200, 900);
            of_x[i] = value + 20 * ts_rng_normal(&rng);
            of_y[i] = 20 + 1.1 * value + 20 * ts_rng_normal(&rng);
        }
        assert_int_equal(ts_deming(of_x, of_y, PAIRS, 1, &line), TS_OK);
        deming += line.slope_interval.low <= 1.1 && line.slope_interval.high >= 1.1;
        assert_int_equal(ts_passing_bablok(of_x, of_y, PAIRS, &line), TS_OK);
        passing_bablok += line.slope_interval.low <= 1.1 && line.slope_interval.high >= 1.1;
    }
    print_message("Deming holds the slope in %.1f %%, Passing-Bablok in %.1f %%\n",
                  100.0 * deming / TRIALS, 100.0 * passing_bablok / TRIALS);
    assert_in_range(deming, 925, 975);
    assert_in_range(passing_bablok, 925, 980);
}

static void a_bound_is_broken_by_more_than_chance(void **state)
{
    double rig[40], android[40], u[40];
    struct ts_bound bound;
    (void)state;
    for (int i = 0; i < 40; i++) {
        rig[i] = 500 + i;
        android[i] = i < 2 ? rig[i] + 9 : 400;
        u[i] = 4;
    }
    assert_int_equal(ts_bound_of(rig, u, android, 40, &bound), TS_OK);
    assert_int_equal(bound.above, 2);
    assert_false(bound.broken);
    assert_near(bound.offset, 119.5, 2);
    assert_true(ts_bound_lazy(&bound, 400, 5) && !ts_bound_lazy(&bound, 400, 40));
    assert_false(ts_bound_lazy(&bound, 4000, 5));
    assert_false(ts_bound_lazy(&bound, 100, 40)); /* by 77 ms at least: not 100 */
    for (int i = 0; i < 5; i++)
        android[i] = rig[i] + 9;
    assert_int_equal(ts_bound_of(rig, u, android, 40, &bound), TS_OK);
    assert_true(bound.broken);
    assert_int_equal(ts_bound_of(rig, u, android, 0, &bound), TS_OK);
    assert_true(isnan(bound.offset) && !bound.broken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_other_programs),
        cmocka_unit_test(passing_and_bablok_do_not_mind_the_order),
        cmocka_unit_test(intervals_hold_the_line),
        cmocka_unit_test(a_bound_is_broken_by_more_than_chance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
