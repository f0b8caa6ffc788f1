/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Order statistics against values worked out by hand and against the plainest possible versions on
 * random samples; the interval's coverage against its definition and by drawing. */
#include "base/rng.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NEAR(a, b) assert_true(is_near(a, b))
#define MOST       400

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void quantiles_by_hand(void **state)
{
    (void)state;
    const double four[] = {1, 2, 4, 10};
    NEAR(ts_quantile(four, 4, 0), 1);
    NEAR(ts_quantile(four, 4, 0.25), 1.75);
    NEAR(ts_quantile(four, 4, 0.5), 3);
    NEAR(ts_quantile(four, 4, 0.75), 5.5);
    NEAR(ts_quantile(four, 4, 0.9), 8.2);
    NEAR(ts_quantile(four, 4, 1), 10);
    NEAR(ts_iqr(four, 4), 3.75);
    NEAR(ts_mad(four, 4), 1.5); /* deviations 2 1 1 7 */
    NEAR(ts_mean(four, 4), 4.25);

    const double five[] = {1, 1, 2, 2, 9};
    NEAR(ts_median(five, 5), 2);
    NEAR(ts_mad(five, 5), 1);                                 /* deviations 1 1 0 0 7 */
    const struct ts_fences fences = ts_tukey_fences(five, 5); /* quartiles 1 and 2 */
    NEAR(fences.low, -0.5);
    NEAR(fences.high, 3.5);
    assert_true(ts_beyond(fences, 9) && ts_beyond(fences, -0.6));
    assert_false(ts_beyond(fences, 3.5));
}

static void small_samples(void **state)
{
    (void)state;
    const double one[] = {7};
    assert_true(isnan(ts_median(one, 0)) && isnan(ts_mad(one, 0)) && isnan(ts_mean(one, 0)));
    NEAR(ts_median(one, 1), 7);
    NEAR(ts_mad(one, 1), 0);
    NEAR(ts_iqr(one, 1), 0);
    const struct ts_interval none = ts_median_interval(one, 0);
    assert_true(isnan(none.low) && isnan(none.high));
    const struct ts_interval single = ts_median_interval(one, 1);
    NEAR(single.low, 7);
    NEAR(single.coverage, 0);
    assert_false(ts_interval_reached(single));
}

static int naive_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double naive_median(const double *values, size_t count)
{
    double copy[MOST];
    memcpy(copy, values, count * sizeof *copy);
    qsort(copy, count, sizeof *copy, naive_compare);
    return count % 2 ? copy[count / 2] : (copy[count / 2 - 1] + copy[count / 2]) / 2;
}

/* Half of the samples sit on a coarse grid, so that ties are common. */
static size_t draw_sample(struct ts_rng *rng, double *values)
{
    const size_t count = 1 + ts_rng_below(rng, MOST);
    const int coarse = (int)ts_rng_below(rng, 2);
    for (size_t i = 0; i < count; i++)
        values[i] = coarse ? (double)ts_rng_below(rng, 12) : 900 + 40 * ts_rng_normal(rng);
    return count;
}

static void against_naive_versions(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 2024, 1);
    for (int round = 0; round < 500; round++) {
        double values[MOST], deviations[MOST];
        const size_t count = draw_sample(&rng, values);
        const double median = naive_median(values, count);
        for (size_t i = 0; i < count; i++)
            deviations[i] = fabs(values[i] - median);
        const double mad = naive_median(deviations, count);
        ts_sort(values, count);
        for (size_t i = 1; i < count; i++)
            assert_true(values[i - 1] <= values[i]);
        NEAR(ts_median(values, count), median);
        NEAR(ts_mad(values, count), mad);
    }
}

/* P(B <= k) by Pascal's triangle. */
static double naive_binomial(size_t n, size_t k)
{
    static double row[MOST + 1];
    memset(row, 0, sizeof row);
    row[0] = 1;
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j > 0; j--)
            row[j] = (row[j] + row[j - 1]) / 2;
        row[0] /= 2;
    }
    double sum = 0;
    for (size_t j = 0; j <= k; j++)
        sum += row[j];
    return sum;
}

static void interval_by_definition(void **state)
{
    (void)state;
    double values[MOST];
    for (size_t i = 0; i < MOST; i++)
        values[i] = (double)(i + 1);
    for (size_t n = 2; n <= MOST; n++) {
        const struct ts_interval interval = ts_median_interval(values, n);
        const size_t d = (size_t)interval.low;
        assert_true(fabs(interval.low + interval.high - (double)(n + 1)) < 1e-9);
        assert_int_equal(ts_interval_reached(interval), n >= 6);
        if (n < 6) {
            NEAR(interval.low, 1);
            NEAR(interval.coverage, 1 - 2 * naive_binomial(n, 0));
            continue;
        }
        /* Between the narrowest that reaches the level and the widest that does not. */
        NEAR(interval.coverage, TS_INTERVAL_LEVEL);
        assert_true(1 - 2 * naive_binomial(n, d - 1) >= TS_INTERVAL_LEVEL);
        assert_true(1 - 2 * naive_binomial(n, d) < TS_INTERVAL_LEVEL);
    }
    /* 10 values: 2nd..9th holds 1002/1024, 3rd..8th 912/1024, so a part I of 0.3244, shared as
     * (n - d) I / (d + (n - 2 d) I). */
    const double part = (1002.0 / 1024 - 0.95) / (90.0 / 1024);
    NEAR(ts_median_interval(values, 10).low, 2 + 8 * part / (2 + 6 * part));
}

static void interval_of_large_samples(void **state)
{
    (void)state;
    enum { LARGE = 9999 };
    double *values = test_malloc(LARGE * sizeof *values);
    for (size_t i = 0; i < LARGE; i++)
        values[i] = (double)(i + 1);
    const struct ts_interval interval = ts_median_interval(values, LARGE);
    /* Normal approximation: (n + 1)/2 -+ 1.96 sqrt(n)/2 */
    assert_true(fabs(interval.low - (5000 - 1.96 * sqrt(LARGE) / 2)) < 1.5);
    test_free(values);
}

static void interval_covers_the_median(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 77, 2);
    const int rounds = 4000;
    int held = 0;
    for (int round = 0; round < rounds; round++) {
        double values[12];
        for (size_t i = 0; i < 12; i++) /* skewed on purpose; the median is log 2 */
            values[i] = -log(1 - ts_rng_uniform(&rng));
        ts_sort(values, 12);
        const struct ts_interval interval = ts_median_interval(values, 12);
        held += interval.low <= log(2) && log(2) <= interval.high;
    }
    const double coverage = TS_INTERVAL_LEVEL;
    const double sd = sqrt(coverage * (1 - coverage) / rounds);
    assert_true(fabs((double)held / rounds - coverage) < 4 * sd);
}

static void correlations_by_hand(void **state)
{
    (void)state;
    const double x[] = {1, 2, 3, 4}, y[] = {2, 1, 4, 3}, line[] = {5, 3, 1, -1};
    const double flat[] = {3, 3, 3, 3};
    NEAR(ts_pearson(x, y, 4), 0.6);
    NEAR(ts_pearson(x, line, 4), -1);
    assert_true(isnan(ts_pearson(x, flat, 4)));
    assert_true(isnan(ts_pearson(x, y, 1)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_hand),         cmocka_unit_test(small_samples),
        cmocka_unit_test(against_naive_versions),    cmocka_unit_test(interval_by_definition),
        cmocka_unit_test(interval_of_large_samples), cmocka_unit_test(interval_covers_the_median),
        cmocka_unit_test(correlations_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
