/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/agreement.h"
#include "agreement/student.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g instead of %.9g", value, expected);
}

/* Two-sided 5 % points as printed tables of Student's t have them. */
static void quantiles_are_those_of_the_tables(void **state)
{
    static const struct {
        size_t freedom;
        double t;
    } table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},   {5, 2.571},
                 {9, 2.262},  {10, 2.228}, {30, 2.042}, {120, 1.980}, {1000000, 1.960}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        assert_near(ts_student_quantile(0.95, table[i].freedom), table[i].t, 0.0005);
    assert_near(ts_student_quantile(0.99, 5), 4.032, 0.0005);
    assert_true(isnan(ts_student_quantile(0.95, 0)));
    assert_near(ts_student_within(1, 1), 0.5, 1e-12);        /* Cauchy */
    assert_near(ts_student_within(2, 2), 0.816496581, 1e-9); /* t / sqrt(2 + t^2) */
}

/* Differences -10, 0, 10, 20, 30: mean 10, sum of squares about it 1000, sd sqrt(250). */
static void figures_are_those_reckoned_by_hand(void **state)
{
    const double a[] = {90, 210, 320, 430, 540}, b[] = {100, 210, 310, 410, 510};
    struct ts_agreement agreement;
    (void)state;
    assert_int_equal(ts_agreement_of(a, b, 5, &agreement), TS_OK);
    const double sd = 15.811388;
    assert_int_equal(agreement.count, 5);
    assert_near(agreement.bias, 10, 1e-9);
    assert_near(agreement.mean_absolute, 14, 1e-9); /* (10 + 0 + 10 + 20 + 30) / 5 */
    assert_near(agreement.sd, sd, 1e-6);
    assert_near(agreement.limits.low, 10 - 1.96 * sd, 1e-3);
    assert_near(agreement.limits.high, 10 + 1.96 * sd, 1e-3);
    assert_near(agreement.bias_interval.high, 10 + 2.7764 * sd / sqrt(5), 1e-3);
    assert_near(agreement.bias_interval.low, 10 - 2.7764 * sd / sqrt(5), 1e-3);
    assert_near(agreement.low_interval.low, 10 - 1.96 * sd - 2.7764 * sd * sqrt(0.6), 2e-3);
    assert_near(agreement.high_interval.high, 10 + 1.96 * sd + 2.7764 * sd * sqrt(0.6), 2e-3);
    assert_near(agreement.worst_absolute, 30, 1e-9);
    assert_near(agreement.p95_absolute, 28, 1e-9); /* rank 1 + 4 * 0.95 = 4.8 of 0 10 10 20 30 */
    assert_true(agreement.pearson > 0.99);
}

/* Seventeen pairs of peak flow, the two meters of Bland and Altman's paper, and what it says of
 * them: mean difference -2.1, sd 38.8 l/min; 95 % interval of the bias -22.0 to 17.8, of the lower
 * limit -114.3 to -45.1 and of the upper one 40.9 to 110.1, which it reckons with limits of two
 * standard deviations and rounded steps. */
static void figures_are_those_of_the_paper(void **state)
{
    const double wright[] = {494, 395, 516, 434, 476, 557, 413, 442, 650,
                             433, 417, 656, 267, 478, 178, 423, 427};
    const double mini[] = {512, 430, 520, 428, 500, 600, 364, 380, 658,
                           445, 432, 626, 260, 477, 259, 350, 451};
    struct ts_agreement agreement;
    (void)state;
    assert_int_equal(ts_agreement_of(wright, mini, 17, &agreement), TS_OK);
    assert_near(agreement.bias, -2.1, 0.05);
    assert_near(agreement.sd, 38.8, 0.05);
    assert_near(agreement.bias_interval.low, -22.0, 0.1);
    assert_near(agreement.bias_interval.high, 17.8, 0.1);
    const double narrower = (2 - 1.96) * 38.8;
    assert_near(agreement.low_interval.low, -114.3 + narrower, 0.5);
    assert_near(agreement.low_interval.high, -45.1 + narrower, 0.5);
    assert_near(agreement.high_interval.low, 40.9 - narrower, 0.5);
    assert_near(agreement.high_interval.high, 110.1 - narrower, 0.5);
    assert_near(agreement.pearson, 0.94, 0.005);
}

static void small_samples_say_what_they_do_not_know(void **state)
{
    const double a[] = {5}, b[] = {3};
    struct ts_agreement agreement;
    (void)state;
    assert_int_equal(ts_agreement_of(a, b, 0, &agreement), TS_OK);
    assert_true(isnan(agreement.bias) && isnan(agreement.mean_absolute));
    assert_true(isnan(agreement.worst_absolute) && isnan(agreement.p95_absolute));
    assert_int_equal(ts_agreement_of(a, b, 1, &agreement), TS_OK);
    assert_near(agreement.bias, 2, 0);
    assert_true(isnan(agreement.sd) && isnan(agreement.limits.low) && isnan(agreement.pearson));
    assert_true(isnan(agreement.bias_interval.low));
}

/* Differences 3, -4, 0, 5: squares 50, sd of one marking sqrt(50 / 8) = 2.5. */
static void repeatability_is_the_spread_of_one_marking(void **state)
{
    const double difference[] = {3, -4, 0, 5};
    (void)state;
    const struct ts_repeatability repeatability = ts_repeatability_of(difference, 4);
    assert_int_equal(repeatability.count, 4);
    assert_near(repeatability.mean_absolute, 3, 1e-12);
    assert_near(repeatability.sd, 2.5, 1e-12);
    assert_near(repeatability.coefficient, 1.96 * sqrt(2) * 2.5, 1e-3);
    assert_true(isnan(ts_repeatability_of(difference, 0).sd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_those_of_the_tables),
        cmocka_unit_test(figures_are_those_reckoned_by_hand),
        cmocka_unit_test(figures_are_those_of_the_paper),
        cmocka_unit_test(small_samples_say_what_they_do_not_know),
        cmocka_unit_test(repeatability_is_the_spread_of_one_marking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
