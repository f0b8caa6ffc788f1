/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Repeatability and reproducibility against an example of a size that is published, worked out by
 * hand here. */
#include "base/rng.h"
#include "instrument/repeatability.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g instead of %.9g", got, expected);
}

/* 5 laboratories, unequal numbers of values:
 *   A 10.1 10.3 10.2       n 3, mean 10.2,  sum of squares 0.02
 *   B 10.6 10.4            n 2, mean 10.5,  0.02
 *   C 9.8 10.0 9.9 9.9     n 4, mean  9.9,  0.02
 *   D 10.2 10.4 10.3       n 3, mean 10.3,  0.02
 *   E 10.0 10.2            n 2, mean 10.1,  0.02
 * N = 14, sum = 30.6 + 21 + 39.6 + 30.9 + 20.2 = 142.3, mean 10.1642857
 * s_r^2 = 0.10 / (14 - 5) = 0.0111111
 * between: 3*0.0357143^2 + 2*0.3357143^2 + 4*0.2642857^2 + 3*0.1357143^2 + 2*0.0642857^2
 *   = 0.0038265 + 0.2254082 + 0.2793878 + 0.0552551 + 0.0082653 = 0.5721429; / 4 = 0.1430357
 * n' = (14 - 42/14) / 4 = 2.75
 * s_L^2 = (0.1430357 - 0.0111111) / 2.75 = 0.0479726; s_R^2 = 0.0590837 */
static const double a[] = {10.1, 10.3, 10.2}, b[] = {10.6, 10.4}, c[] = {9.8, 10.0, 9.9, 9.9},
                    d[] = {10.2, 10.4, 10.3}, e[] = {10.0, 10.2};
static const struct ts_group laboratories[] = {{a, 3}, {b, 2}, {c, 4}, {d, 3}, {e, 2}};

static void an_example_by_hand(void **state)
{
    (void)state;
    struct ts_repeatability found;
    assert_int_equal(ts_repeatability(laboratories, 5, &found, NULL), TS_OK);
    assert_int_equal(found.values, 14);
    assert_near(found.mean, 10.1642857, 1e-7);
    assert_near(found.s_r, sqrt(0.0111111), 1e-6);
    assert_near(found.s_L, sqrt(0.0479726), 1e-6);
    assert_near(found.s_R, sqrt(0.0590837), 1e-6);
    assert_near(found.r, 2.8 * found.s_r, 1e-12);
    assert_near(found.R, 2.8 * found.s_R, 1e-12);
    /* Variances 0.01 0.02 0.00667 0.01 0.02: C = 0.02 / 0.0666667. Means 10.2 10.5 9.9 10.3 10.1:
     * of means 10.2, standard deviation sqrt(0.2 / 4), farthest B and C by 0.3. */
    assert_near(found.cochran.statistic, 0.3, 1e-6);
    assert_near(found.grubbs.statistic, 0.3 / sqrt(0.05), 1e-6);
    assert_int_equal(found.cochran.outlying, TS_OUTLYING_NO);
    assert_int_equal(found.grubbs.outlying, TS_OUTLYING_NO);
}

/* ISO 5725-2, tables 4 and 5: critical values for p groups of n. */
static void critical_values_are_those_of_tables(void **state)
{
    (void)state;
    assert_near(ts_cochran_critical(0.05, 5, 3), 0.684, 0.001);
    assert_near(ts_cochran_critical(0.01, 5, 3), 0.788, 0.001);
    assert_near(ts_cochran_critical(0.05, 10, 2), 0.602, 0.001);
    assert_near(ts_cochran_critical(0.01, 8, 4), 0.521, 0.001);
    assert_near(ts_grubbs_critical(0.05, 5), 1.715, 0.001);
    assert_near(ts_grubbs_critical(0.01, 5), 1.764, 0.001);
    assert_near(ts_grubbs_critical(0.05, 10), 2.290, 0.001);
    assert_near(ts_grubbs_critical(0.01, 10), 2.482, 0.001);
    assert_true(isnan(ts_grubbs_critical(0.05, 2)));
}

static void groups_that_lie_apart_are_named(void **state)
{
    (void)state;
    struct ts_rng rng;
    double values[8][10];
    struct ts_group groups[8];
    struct ts_repeatability found;
    ts_rng_seed(&rng, 5, 1);
    for (int g = 0; g < 8; g++) {
        for (int i = 0; i < 10; i++)
            values[g][i] = (g == 2 ? 4 : 0) + (g == 6 ? 6 : 1) * ts_rng_normal(&rng);
        groups[g] = (struct ts_group){values[g], 10};
    }
    assert_int_equal(ts_repeatability(groups, 8, &found, NULL), TS_OK);
    assert_int_equal(found.cochran.group, 6);
    assert_int_equal(found.cochran.outlying, TS_OUTLYING_OUTLIER);
    assert_int_equal(found.grubbs.group, 2);
    assert_true(found.s_R > found.s_r);
}

/* The estimates have the right mean: 3 within, 2 between. */
static void estimates_are_unbiased(void **state)
{
    (void)state;
    struct ts_rng rng;
    double values[6][5], within = 0, all = 0;
    struct ts_group groups[6];
    struct ts_repeatability found;
    const int trials = 3000;
    ts_rng_seed(&rng, 6, 1);
    for (int trial = 0; trial < trials; trial++) {
        for (int g = 0; g < 6; g++) {
            const double of_group = 2 * ts_rng_normal(&rng);
            for (int i = 0; i < 5; i++)
                values[g][i] = of_group + 3 * ts_rng_normal(&rng);
            groups[g] = (struct ts_group){values[g], 5};
        }
        assert_int_equal(ts_repeatability(groups, 6, &found, NULL), TS_OK);
        within += found.s_r * found.s_r / trials;
        all += found.s_R * found.s_R / trials;
    }
    assert_near(within, 9, 0.2);
    assert_near(all, 13, 0.5);
}

static void too_little_is_refused(void **state)
{
    (void)state;
    struct ts_repeatability found;
    struct ts_why why = {""};
    const struct ts_group single[] = {{a, 3}, {b, 1}};
    assert_int_equal(ts_repeatability(laboratories, 1, &found, &why), TS_EINVAL);
    assert_int_equal(ts_repeatability(single, 2, &found, &why), TS_EINVAL);
    assert_int_equal(ts_repeatability(laboratories, 2, &found, &why), TS_OK);
    assert_true(isnan(found.grubbs.critical_5));
    assert_int_equal(found.grubbs.outlying, TS_OUTLYING_NO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_example_by_hand),
        cmocka_unit_test(critical_values_are_those_of_tables),
        cmocka_unit_test(groups_that_lie_apart_are_named),
        cmocka_unit_test(estimates_are_unbiased),
        cmocka_unit_test(too_little_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
