/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the order of launches says: what lasts from one to the next, and what drifts. */
#include "base/rng.h"
#include "stats/relative.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static struct ts_lasting lasting_of(const double *values, size_t count)
{
    const struct ts_serial serial = ts_serial_of(values, count);
    return ts_serial_lasting(&serial);
}

static void neighbours_that_resemble_each_other_count_for_less(void **state)
{
    double values[4000], before = 0;
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 3, 1);
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = before = 0.5 * before + ts_rng_normal(&rng);
    const struct ts_lasting found = lasting_of(values, COUNT(values));
    assert_near(found.first, 0.5, 0.03);
    assert_near(4000 / ts_lasting_factor(&found, 4000), 4000.0 / 3, 150);
    for (size_t i = 0; i < COUNT(values); i++)
        values[i] = i % 2 ? 1 : -1;
    assert_near(lasting_of(values, COUNT(values)).first, -0.95, 0);
    assert_near(lasting_of(values, 5).first, 0, 0);
    assert_near(lasting_of(values, 5).doubt, 0, 0);
}

/* 1 + 2 (2 / 3 * 0.8 * 0.5 + 1 / 3 * 0.8 * 0.25) for 3 values. */
static void what_lasts_is_summed_up_over_all_pairs(void **state)
{
    const struct ts_lasting lasting = {.share = 0.8, .keep = 0.5}, none = {.share = 1};
    (void)state;
    assert_near(ts_lasting_factor(&lasting, 3), 1.6666666666666667, 1e-12);
    assert_near(ts_lasting_factor(&none, 3), 1, 0);
}

/* An autoregression of 0.5 with noise of its own variance on top: 0.25 and 0.125 are left, of which
 * half lasts like 0.5. What chance may give is taken for a plain autoregression. */
static void noise_on_top_hides_nothing_that_lasts(void **state)
{
    static double values[40000];
    double before = 0;
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 5, 1);
    for (size_t i = 0; i < COUNT(values); i++) {
        before = 0.5 * before + sqrt(0.75) * ts_rng_normal(&rng);
        values[i] = before + ts_rng_normal(&rng);
    }
    const struct ts_lasting found = lasting_of(values, COUNT(values));
    assert_near(found.first, 0.25, 0.015);
    assert_near(found.keep, 0.5, 0.05);
    assert_near(found.share, 0.5, 0.06);
    /* c1 = (100 r1 + 2) / 95, c2 = r2 + (2 (1 + c1)^2 + 6 c1^2) / 100. */
    struct ts_serial sums = {100, 1, {100, 36, 0}, {0, 0, 0}, {83325, 0, 0}};
    struct ts_lasting plain = ts_serial_lasting(&sums);
    assert_near(plain.first, 0.4, 1e-12);
    assert_near(plain.keep, 0.4, 1e-12);
    sums.values[2] = 20;
    plain = ts_serial_lasting(&sums);
    assert_near(plain.keep, (0.2 + (2 * 1.96 + 0.96) / 100) / 0.4, 1e-12);
    assert_near(plain.share * plain.keep, 0.4, 1e-12);
    sums.values[1] = 15;
    plain = ts_serial_lasting(&sums);
    assert_near(plain.keep, 17.0 / 95, 1e-12);
    assert_near(plain.share, 1, 0);
}

/* Mean over many autoregressions of 0.3. */
static double first_of_few(size_t each)
{
    enum { SAMPLES = 20000 };
    double values[30], mean = 0;
    struct ts_rng rng;
    ts_rng_seed(&rng, 4, 1);
    for (int i = 0; i < SAMPLES; i++) {
        double before = ts_rng_normal(&rng) / sqrt(1 - 0.3 * 0.3);
        for (size_t j = 0; j < each; j++)
            values[j] = before = 0.3 * before + ts_rng_normal(&rng);
        mean += lasting_of(values, each).first / SAMPLES;
    }
    return mean;
}

/* What one sample's own mean and slope take away is put back. */
static void correlation_of_few_is_right_on_average(void **state)
{
    (void)state;
    assert_near(first_of_few(8), 0.3, 0.06); /* no slope yet */
    assert_near(first_of_few(12), 0.3, 0.03);
    assert_near(first_of_few(30), 0.3, 0.01);
}

/* Two sessions that warm up alike: the trend is known, is no noise of the comparison, and passes
 * for no resemblance of neighbours. What it does to sessions of unlike length counts as doubt. */
static void a_trend_that_both_have_is_taken_out(void **state)
{
    enum { LONG = 60, SHORT = 40 };
    double a[LONG], b[LONG], steady_a[LONG], steady_b[LONG];
    struct ts_ranked ranked[2], steady[2], unlike;
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 11, 1);
    for (size_t i = 0; i < LONG; i++) {
        steady_a[i] = ts_rng_normal(&rng);
        steady_b[i] = ts_rng_normal(&rng);
        a[i] = steady_a[i] + 4.0 * (double)i / LONG;
        b[i] = steady_b[i] + 4.0 * (double)i / LONG;
    }
    assert_int_equal(ts_ranked_of((struct ts_sample){a, LONG}, false, &ranked[0]), TS_OK);
    assert_int_equal(ts_ranked_of((struct ts_sample){b, LONG}, false, &ranked[1]), TS_OK);
    assert_int_equal(ts_ranked_of((struct ts_sample){steady_a, LONG}, false, &steady[0]), TS_OK);
    assert_int_equal(ts_ranked_of((struct ts_sample){steady_b, LONG}, false, &steady[1]), TS_OK);
    assert_int_equal(ts_ranked_of((struct ts_sample){b, SHORT}, false, &unlike), TS_OK);
    assert_true(fabs(ranked[0].correlation) < 0.3);
    /* Placements among drifting values are nearer to each other. */
    const double through = ts_relative_of(&ranked[0], &ranked[1], 0).u;
    assert_true(through < ts_relative_of(&steady[0], &steady[1], 0).u);
    assert_true(ts_relative_of(&ranked[0], &unlike, 0).u > 1.5 * through);
    for (int i = 0; i < 2; i++) {
        ts_ranked_free(&ranked[i]);
        ts_ranked_free(&steady[i]);
    }
    ts_ranked_free(&unlike);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_that_resemble_each_other_count_for_less),
        cmocka_unit_test(what_lasts_is_summed_up_over_all_pairs),
        cmocka_unit_test(noise_on_top_hides_nothing_that_lasts),
        cmocka_unit_test(correlation_of_few_is_right_on_average),
        cmocka_unit_test(a_trend_that_both_have_is_taken_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
