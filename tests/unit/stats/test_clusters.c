/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Linkage and LOF against the plainest possible versions on random samples, and against scipy
 * 1.10.1 / fastcluster 1.2.3 (linkage(x, "complete")) and scikit-learn 1.2.1
 * (LocalOutlierFactor(n_neighbors=10)), whose values are in the tables below. */
#include "base/rng.h"
#include "stats/compactness.h"
#include "stats/linkage.h"
#include "stats/lof.h"
#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fmax(1, fabs(b)))
#define MOST       60

static const double no_ties[] = {
    8.75,   11.75,   12.25,   17.125,  17.875,  18,    20.125,  23.125, 25.375,  33.875, 42.25,
    42.375, 43.375,  57.625,  61.75,   64.5,    76,    79.625,  88.125, 93,      93.375, 97.5,
    97.875, 101.625, 102.375, 102.875, 103.875, 109.5, 118.875, 119.5,  119.875, 124.5};
static const double no_ties_heights[] = {
    0.125, 0.125, 0.375,  0.375,  0.375, 0.5,    0.5,    0.875,  1,     1.125, 1.25,
    2.25,  2.25,  2.75,   3,      3.5,   3.625,  4.875,  5.625,  6.875, 7.875, 8.25,
    9.5,   9.75,  16.625, 21.375, 22,    34.625, 36.375, 66.875, 115.75};
static const double no_ties_lof[] = {
    1.01364646579,  1.00033595027,  0.998117531012, 0.998117531012, 0.998117531012, 0.998117531012,
    1.00754581284,  1.02085632837,  1.03083921502,  0.94768302599,  0.97086591743,  0.972497505927,
    0.98555021391,  1.1269609382,   1.17778599505,  1.20967551314,  1.18073923924,  1.13137455764,
    1.0104327838,   0.964251261725, 0.964251261725, 0.94644924062,  0.944127237867, 0.958228152619,
    0.962924431402, 0.966055283925, 1.00024371979,  1.06779483084,  1.06704335412,  1.08207288862,
    1.0933450395,   1.23236823364};
static const double ties[] = {10, 10, 11, 11, 11, 11, 12, 12, 12, 12, 12, 13, 13, 14,
                              14, 14, 17, 17, 20, 20, 21, 26, 27, 27, 40, 41, 41, 90};
static const double ties_heights[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0,  0,  0,  0, 0,
                                      0, 1, 1, 1, 1, 1, 2, 4, 4, 10, 17, 31, 80};

/* Heights of the whole sample, as scipy lists them: one 0 for each repeated value. */
static void list_heights(const double *sorted, size_t count, double *heights)
{
    struct ts_distinct distinct;
    struct ts_linkage linkage;
    assert_int_equal(ts_distinct_of(sorted, count, &distinct), TS_OK);
    assert_int_equal(ts_distinct_total(&distinct), count);
    assert_int_equal(ts_linkage_of(&distinct, &linkage), TS_OK);
    assert_int_equal(linkage.count + 1, distinct.count);
    size_t at = 0;
    while (at < count - distinct.count)
        heights[at++] = 0;
    for (size_t i = 0; i < linkage.count; i++) {
        const struct ts_merge *merge = &linkage.merges[i];
        assert_true(merge->first < merge->right && merge->right <= merge->last);
        heights[at++] = merge->height;
    }
    ts_linkage_free(&linkage);
    ts_distinct_free(&distinct);
}

static void heights_are_those_of_scipy(void **state)
{
    (void)state;
    double heights[MOST];
    list_heights(no_ties, 32, heights);
    for (size_t i = 0; i < 31; i++)
        assert_true(heights[i] == no_ties_heights[i]);
    list_heights(ties, 28, heights);
    for (size_t i = 0; i < 27; i++)
        assert_true(heights[i] == ties_heights[i]);
}

/* O(n^3), on any points: the least of all greatest distances, leftmost first. */
static void naive_heights(const double *sorted, size_t count, double *heights)
{
    int cluster[MOST];
    for (size_t i = 0; i < count; i++)
        cluster[i] = (int)i;
    for (size_t step = 0; step + 1 < count; step++) {
        double best = INFINITY;
        int to = 0, from = 0;
        for (int a = 0; a < (int)count; a++) {
            for (int b = a + 1; b < (int)count; b++) {
                double greatest = -1;
                for (size_t i = 0; i < count; i++) {
                    for (size_t j = 0; j < count; j++) {
                        if (cluster[i] == a && cluster[j] == b)
                            greatest = fmax(greatest, fabs(sorted[i] - sorted[j]));
                    }
                }
                if (greatest >= 0 && greatest < best) {
                    best = greatest;
                    to = a;
                    from = b;
                }
            }
        }
        heights[step] = best;
        for (size_t i = 0; i < count; i++)
            cluster[i] = cluster[i] == from ? to : cluster[i];
    }
}

/* coarse: how many values there may be; 0: no ties. */
static void draw(struct ts_rng *rng, double *sorted, size_t count, uint32_t coarse)
{
    for (size_t i = 0; i < count; i++)
        sorted[i] = coarse ? (double)ts_rng_below(rng, coarse) : exp(2 * ts_rng_normal(rng));
    ts_sort(sorted, count);
}

static void heights_are_the_naive_ones(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (int round = 0; round < 60; round++) {
        double sorted[MOST], fast[MOST], naive[MOST];
        const size_t count = round < 6 ? MOST : 2 + ts_rng_below(&rng, 25);
        draw(&rng, sorted, count, round % 3 ? 1 + ts_rng_below(&rng, 80) : 0);
        list_heights(sorted, count, fast);
        naive_heights(sorted, count, naive);
        for (size_t i = 0; i + 1 < count; i++)
            assert_true(fast[i] == naive[i]);
    }
}

static double reach_k(const double *x, size_t count, size_t at, size_t k)
{
    double distance[200];
    for (size_t i = 0, n = 0; i < count; i++) {
        if (i != at)
            distance[n++] = fabs(x[i] - x[at]);
    }
    ts_sort(distance, count - 1);
    return distance[k - 1];
}

static void naive_lof(const double *x, size_t count, size_t k, double floor, double *out)
{
    double reach[200], mean[200];
    for (size_t i = 0; i < count; i++)
        reach[i] = reach_k(x, count, i, k);
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            double sum = 0, neighbours = 0;
            for (size_t j = 0; j < count; j++) {
                const double distance = fabs(x[j] - x[i]);
                if (j == i || distance > reach[i])
                    continue;
                neighbours++;
                if (!pass)
                    sum += fmax(fmax(reach[j], distance), floor);
                else
                    sum += mean[i] == 0 && mean[j] == 0 ? 1 : mean[i] / mean[j];
            }
            *(pass ? &out[i] : &mean[i]) = sum / neighbours;
        }
    }
}

static void lof_is_the_naive_one(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 2, 1);
    for (int round = 0; round < 300; round++) {
        double sorted[200], fast[200], naive[200];
        const size_t k = 1 + ts_rng_below(&rng, 15), count = k + 1 + ts_rng_below(&rng, 180);
        const double floor = round % 2;
        draw(&rng, sorted, count, round % 3 ? 1 + ts_rng_below(&rng, 90) : 0);
        struct ts_distinct distinct;
        assert_int_equal(ts_distinct_of(sorted, count, &distinct), TS_OK);
        assert_int_equal(ts_lof_of(&distinct, k, floor, fast), TS_OK);
        naive_lof(sorted, count, k, floor, naive);
        for (size_t i = 0; i < distinct.count; i++) {
            for (size_t j = distinct.first[i]; j < distinct.first[i + 1]; j++)
                assert_true(fast[i] == naive[j] || fabs(fast[i] / naive[j] - 1) < 1e-12);
        }
        ts_distinct_free(&distinct);
    }
}

static void lof_is_that_of_scikit_learn(void **state)
{
    (void)state;
    struct ts_distinct distinct;
    double lof[32];
    assert_int_equal(ts_distinct_of(no_ties, 32, &distinct), TS_OK);
    assert_int_equal(ts_lof_of(&distinct, 10, 0, lof), TS_OK);
    for (size_t i = 0; i < 32; i++)
        assert_true(fabs(lof[i] - no_ties_lof[i]) < 1e-9);
    assert_int_equal(ts_lof_of(&distinct, 32, 0, lof), TS_EINVAL);
    assert_int_equal(ts_lof_of(&distinct, 0, 0, lof), TS_EINVAL);
    ts_distinct_free(&distinct);
}

/* One rare value between heaps of copies: the literal factor is infinite, the floor mends it. */
static void a_floor_keeps_factors_finite(void **state)
{
    (void)state;
    double sorted[101], lof[3];
    for (size_t i = 0; i < 101; i++)
        sorted[i] = i < 50 ? 10 : i == 50 ? 11 : 12;
    struct ts_distinct distinct;
    assert_int_equal(ts_distinct_of(sorted, 101, &distinct), TS_OK);
    assert_int_equal(ts_lof_of(&distinct, 10, 0, lof), TS_OK);
    assert_true(isinf(lof[1]) && lof[0] == 1 && lof[2] == 1);
    assert_int_equal(ts_lof_of(&distinct, 10, 1, lof), TS_OK);
    assert_true(lof[1] == 1 && lof[0] == 1 && lof[2] == 1);
    ts_distinct_free(&distinct);
}

static void compactness_is_its_definition(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 3, 1);
    for (int round = 0; round < 50; round++) {
        double x[MOST], pairs = 0, squares = 0;
        const size_t count = 1 + ts_rng_below(&rng, MOST);
        draw(&rng, x, count, round % 2 ? 20 : 0);
        for (size_t i = 0; i < count; i++) {
            squares += pow(x[i] - ts_mean(x, count), 2);
            for (size_t j = i + 1; j < count; j++)
                pairs += x[j] - x[i];
        }
        const struct ts_compactness of = ts_compactness_of(x, count);
        NEAR(of.twgd, pairs);
        NEAR(of.depth, x[count - 1] - x[0]);
        NEAR(of.radius, sqrt(squares / (double)count));
        NEAR(of.offset, fabs(ts_mean(x, count) - x[(count - 1) / 2]));
    }
    assert_true(isnan(ts_compactness_of(NULL, 0).twgd));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_those_of_scipy),
        cmocka_unit_test(heights_are_the_naive_ones),
        cmocka_unit_test(lof_is_the_naive_one),
        cmocka_unit_test(lof_is_that_of_scikit_learn),
        cmocka_unit_test(a_floor_keeps_factors_finite),
        cmocka_unit_test(compactness_is_its_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
