/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram, tick, running median, levels and trend. */
#include "base/rng.h"
#include "stats/levels.h"
#include "stats/order.h"
#include "stats/running.h"
#include "stats/shape.h"
#include "stats/trend.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 300

static void histogram(void **state)
{
    (void)state;
    const double x[] = {0, 1, 1, 2, 3, 4, 4, 10};
    size_t counts[5];
    ts_histogram_fill(x, 8, counts, 5);
    const size_t expected[] = {3, 2, 2, 0, 1};
    assert_memory_equal(counts, expected, sizeof counts);
    /* iqr 3: width 2 * 3 / 2 = 3, so 4 bins over 10. */
    assert_int_equal(ts_histogram_bins(x, 8, 100), 4);
    assert_int_equal(ts_histogram_bins(x, 8, 3), 3);
    assert_int_equal(ts_histogram_bins(x, 0, 9), 0);
    const double same[] = {2, 2, 2}, spike[] = {0, 5, 5, 5, 5, 5, 5, 9};
    assert_int_equal(ts_histogram_bins(same, 3, 9), 1);
    assert_int_equal(ts_histogram_bins(spike, 8, 9), 9); /* no quartile range */
    ts_histogram_fill(same, 3, counts, 5);
    assert_int_equal(counts[0], 3);
}

static void ticks_are_found(void **state)
{
    (void)state;
    double x[MOST];
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (size_t i = 0; i < MOST; i++)
        x[i] = 7 + 125.0 / 3 * ts_rng_below(&rng, 40);
    ts_sort(x, MOST);
    assert_true(fabs(ts_tick_of(x, MOST) - 125.0 / 3) < 1e-9);
    for (size_t i = 0; i < MOST; i++)
        x[i] = ts_rng_normal(&rng);
    ts_sort(x, MOST);
    assert_true(ts_tick_of(x, MOST) == 0 && ts_smallest_gap(x, MOST) > 0);
    const double same[] = {2, 2};
    assert_true(ts_tick_of(same, 2) == 0 && ts_smallest_gap(same, 2) == 0);
}

static void running_median_is_that_of_each_beginning(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 2, 1);
    for (int round = 0; round < 40; round++) {
        double x[MOST], medians[MOST], iqrs[MOST], sorted[MOST];
        const size_t count = 1 + ts_rng_below(&rng, MOST);
        for (size_t i = 0; i < count; i++)
            x[i] = round % 2 ? (double)ts_rng_below(&rng, 9) : ts_rng_normal(&rng);
        assert_int_equal(ts_running_median(x, count, medians, iqrs), TS_OK);
        for (size_t i = 0; i < count; i++) {
            memcpy(sorted, x, (i + 1) * sizeof *x);
            ts_sort(sorted, i + 1);
            assert_true(medians[i] == ts_median(sorted, i + 1));
            assert_true(iqrs[i] == ts_iqr(sorted, i + 1));
        }
    }
    assert_int_equal(ts_running_median(NULL, 0, NULL, NULL), TS_OK);
}

/* Figure 16 of paper R: steady; drifting; a frequency step of 35 % that looks steady until it
 * goes back. */
static void running_median_tells_three_behaviours(void **state)
{
    (void)state;
    enum { RUNS = 1000 };
    static double x[3][RUNS], median[3][RUNS], iqr[3][RUNS];
    struct ts_rng rng;
    ts_rng_seed(&rng, 3, 1);
    for (size_t i = 0; i < RUNS; i++) {
        x[0][i] = 100 + ts_rng_normal(&rng);
        x[1][i] = 100 + 0.05 * (double)i + ts_rng_normal(&rng);
        x[2][i] = (i < 400 ? 135 : 100) + ts_rng_normal(&rng);
    }
    for (size_t k = 0; k < 3; k++)
        assert_int_equal(ts_running_median(x[k], RUNS, median[k], iqr[k]), TS_OK);
    for (size_t i = 50; i < RUNS; i++)
        assert_true(fabs(median[0][i] - 100) < 1 && iqr[0][i] < 2.5);
    assert_true(median[1][RUNS - 1] - median[1][50] > 20);
    assert_true(fabs(median[2][50] - 135) < 1 && fabs(median[2][399] - 135) < 1);
    assert_true(median[2][RUNS - 1] < 102 && iqr[2][RUNS - 1] > 30);
}

static double draw(struct ts_rng *rng, int shape)
{
    const double u = ts_rng_uniform(rng);
    switch (shape) {
    case 0:
        return ts_rng_normal(rng);
    case 1:
        return u;
    case 2:
        return -log(1 - u);
    default:
        return exp(ts_rng_normal(rng));
    }
}

/* Share of samples of one heap in which more than one level is found. */
static double false_levels(int shape, size_t count)
{
    enum { ROUNDS = 2000 };
    struct ts_rng rng;
    double x[MOST], share = 0;
    ts_rng_seed(&rng, 4, (uint64_t)shape * MOST + count);
    for (int round = 0; round < ROUNDS; round++) {
        for (size_t i = 0; i < count; i++)
            x[i] = draw(&rng, shape);
        ts_sort(x, count);
        share += ts_levels_of(x, count).count > 1 ? 1.0 / ROUNDS : 0;
    }
    return share;
}

static void one_heap_is_one_level(void **state)
{
    (void)state;
    for (int shape = 0; shape < 4; shape++) {
        assert_true(false_levels(shape, 300) <= 0.015);
        assert_true(false_levels(shape, 100) <= 0.015);
        assert_true(false_levels(shape, 30) <= 0.015);
    }
}

static void levels_are_found(void **state)
{
    (void)state;
    double x[90];
    int found = 0;
    struct ts_rng rng;
    ts_rng_seed(&rng, 5, 1);
    for (int round = 0; round < 200; round++) {
        for (size_t i = 0; i < 90; i++) /* steps of 15 ms, as in figure 17 */
            x[i] = 400 + (i < 20 ? 0 : i < 60 ? 15 : 30) + 1.5 * ts_rng_normal(&rng);
        ts_sort(x, 90);
        const struct ts_levels levels = ts_levels_of(x, 90);
        if (levels.count != 3)
            continue;
        found++;
        size_t at = 0;
        for (size_t i = 0; i < 3; i++) {
            assert_int_equal(levels.level[i].first, at);
            at += levels.level[i].count;
            assert_true(fabs(levels.level[i].median - (400 + 15 * (double)i)) < 2);
        }
        assert_int_equal(at, 90);
    }
    assert_true(found >= 190);
    assert_int_equal(ts_levels_of(x, 0).count, 0);
    assert_int_equal(ts_levels_of(x, 1).count, 1);
    const double two[] = {1, 1, 1, 1, 2, 2, 2, 2};
    assert_int_equal(ts_levels_of(two, 8).count, 2);
}

static void trend_is_its_definition(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 6, 1);
    for (int round = 0; round < 100; round++) {
        double x[MOST], s = 0;
        const size_t count = 3 + ts_rng_below(&rng, MOST - 3);
        for (size_t i = 0; i < count; i++)
            x[i] = round % 2 ? (double)ts_rng_below(&rng, 9) : ts_rng_normal(&rng);
        for (size_t i = 0; i < count; i++) {
            for (size_t j = i + 1; j < count; j++)
                s += (x[j] > x[i]) - (x[j] < x[i]);
        }
        struct ts_trend trend;
        assert_int_equal(ts_trend_of(x, count, &trend), TS_OK);
        assert_true(trend.s == s);
    }
    /* scipy.stats.kendalltau(range(30), x).statistic */
    const double x[] = {4.75, 12,   12,  1.75, 12.25, 10.75, 2.25, 0.75, 4.75, 10,
                        2,    2.25, 9.5, 3.75, 6.25,  6.25,  0.25, 6.75, 6.25, 7,
                        9.25, 3.25, 0.5, 7.25, 3.5,   8,     4.5,  1.25, 7.5,  11};
    struct ts_trend trend;
    assert_int_equal(ts_trend_of(x, 30, &trend), TS_OK);
    assert_true(fabs(trend.tau + 0.0439825420301001) < 1e-12);
    const double line[] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
    assert_int_equal(ts_trend_of(line, 9, &trend), TS_OK);
    assert_true(trend.s == 36 && trend.tau == 1 && trend.slope == 1);
    assert_true(fabs(trend.z - 35 / sqrt(92)) < 1e-12); /* variance 9 * 8 * 23 / 18 */
    const double tied[] = {1, 2, 2, 3};                 /* (4 * 3 * 13 - 2 * 9) / 18 */
    assert_int_equal(ts_trend_of(tied, 4, &trend), TS_OK);
    assert_true(trend.s == 5 && fabs(trend.z - 4 / sqrt(23.0 / 3)) < 1e-12);
    assert_int_equal(ts_trend_of(line, 2, &trend), TS_OK);
    assert_true(isnan(trend.s));
    const double same[] = {1, 1, 1};
    assert_int_equal(ts_trend_of(same, 3, &trend), TS_OK);
    assert_true(trend.s == 0 && isnan(trend.p) && trend.slope == 0);
}

static void trend_errs_as_often_as_it_says(void **state)
{
    (void)state;
    enum { ROUNDS = 10000, RUNS = 30 };
    struct ts_rng rng;
    ts_rng_seed(&rng, 7, 1);
    double alarms = 0, found = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double x[RUNS], drifting[RUNS];
        struct ts_trend trend;
        for (size_t i = 0; i < RUNS; i++) {
            x[i] = exp(ts_rng_normal(&rng));
            drifting[i] = ts_rng_normal(&rng) + 0.1 * (double)i;
        }
        assert_int_equal(ts_trend_of(x, RUNS, &trend), TS_OK);
        alarms += trend.p < 0.05 ? 1.0 / ROUNDS : 0;
        assert_int_equal(ts_trend_of(drifting, RUNS, &trend), TS_OK);
        found += trend.p < 0.05 ? 1.0 / ROUNDS : 0;
    }
    assert_true(alarms > 0.04 && alarms < 0.06);
    assert_true(found > 0.9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(histogram),
        cmocka_unit_test(ticks_are_found),
        cmocka_unit_test(running_median_is_that_of_each_beginning),
        cmocka_unit_test(running_median_tells_three_behaviours),
        cmocka_unit_test(one_heap_is_one_level),
        cmocka_unit_test(levels_are_found),
        cmocka_unit_test(trend_is_its_definition),
        cmocka_unit_test(trend_errs_as_often_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
