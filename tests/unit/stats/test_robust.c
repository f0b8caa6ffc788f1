/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Medcouple and adjusted boxplot against their definitions; moments against scipy 1.10.1; fences on
 * traces as paper N describes them. */
#include "corpus.h"
#include "stats/fences.h"
#include "stats/medcouple.h"
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

#define NEAR(a, b) assert_true(fabs((a) - (b)) <= 1e-9 * fmax(1, fabs((double)(b))))
#define MOST       120
#define TRACES     200
#define TRACE      10000

static double naive_medcouple(const double *x, size_t count)
{
    static double h[MOST * MOST];
    const double median = ts_median(x, count);
    size_t ties = 0, made = 0;
    for (size_t i = 0; i < count; i++)
        ties += x[i] == median;
    size_t upper_tie = 0; /* of the values equal to the median, which one i is */
    for (size_t i = 0; i < count; i++) {
        size_t lower_tie = 0;
        for (size_t j = 0; j < count && x[i] >= median; j++) {
            if (x[j] > median)
                continue;
            if (x[i] > x[j])
                h[made++] = (x[i] - median + (x[j] - median)) / (x[i] - x[j]);
            else /* section 2 of the paper, m_1 .. m_k the places of the ties */
                h[made++] = (double)((upper_tie + lower_tie + 1 > ties) -
                                     (upper_tie + lower_tie + 1 < ties));
            lower_tie += x[j] == median;
        }
        upper_tie += x[i] == median;
    }
    ts_sort(h, made);
    return (h[(made - 1) / 2] + h[made / 2]) / 2;
}

static double medcouple(const double *sorted, size_t count)
{
    double out;
    assert_int_equal(ts_medcouple(sorted, count, &out), TS_OK);
    return out;
}

static void medcouple_is_the_naive_one(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (int round = 0; round < 600; round++) {
        double x[MOST], mirrored[MOST];
        const size_t count = 1 + ts_rng_below(&rng, MOST);
        const uint32_t coarse = 1 + ts_rng_below(&rng, 30);
        for (size_t i = 0; i < count; i++)
            x[i] = round % 2 ? (double)ts_rng_below(&rng, coarse) : exp(ts_rng_normal(&rng));
        ts_sort(x, count);
        for (size_t i = 0; i < count; i++)
            mirrored[count - 1 - i] = -x[i];
        const double fast = medcouple(x, count);
        assert_true(fabs(fast - naive_medcouple(x, count)) < 1e-12);
        assert_true(medcouple(mirrored, count) == -fast);
        assert_true(fast >= -1 && fast <= 1);
    }
    double nothing;
    assert_int_equal(ts_medcouple(NULL, 0, &nothing), TS_OK);
    assert_true(isnan(nothing));
}

static void adjusted_boxplot(void **state)
{
    (void)state;
    /* Median 4; h over {4 5 6 9 14} x {4 3 3 2 1}, ts_median of the 25: by the naive version. */
    const double x[] = {1, 2, 3, 3, 4, 5, 6, 9, 14};
    const double mc = naive_medcouple(x, 9);
    struct ts_fences fences;
    struct ts_why why = {""};
    double found;
    assert_true(mc > 0.2 && mc < 0.6);
    assert_int_equal(ts_adjusted_fences(x, 9, &fences, &found, &why), TS_OK);
    NEAR(found, mc);
    NEAR(fences.low, 3.0 - 1.5 * exp(-4 * mc) * 3); /* quartiles 3 and 6 */
    NEAR(fences.high, 6 + 1.5 * exp(3 * mc) * 3);
    double mirrored[9];
    for (size_t i = 0; i < 9; i++)
        mirrored[8 - i] = -x[i];
    assert_int_equal(ts_adjusted_fences(mirrored, 9, &fences, &found, &why), TS_OK);
    NEAR(fences.high, -(3 - 1.5 * exp(-4 * mc) * 3)); /* MC < 0: the factors change places */
    NEAR(fences.low, -(6 + 1.5 * exp(3 * mc) * 3));
    const double skewed[] = {0, 0, 0, 1, 1, 10, 20, 30, 40};
    assert_int_equal(ts_adjusted_fences(skewed, 9, &fences, &found, &why), TS_ENOTSUP);
    assert_true(found > 0.6 && strstr(why.text, "medcouple"));
    assert_int_equal(ts_adjusted_fences(skewed, 0, &fences, &found, &why), TS_EINVAL);
}

/* scipy.stats.skew(x), kurtosis(x, fisher=False), x.std(ddof=1) of the sample of test_clusters.c.
 */
static void moments_are_those_of_scipy(void **state)
{
    (void)state;
    const double x[] = {8.75,    11.75,   12.25,   17.125, 17.875,  18,     20.125,  23.125,
                        25.375,  33.875,  42.25,   42.375, 43.375,  57.625, 61.75,   64.5,
                        76,      79.625,  88.125,  93,     93.375,  97.5,   97.875,  101.625,
                        102.375, 102.875, 103.875, 109.5,  118.875, 119.5,  119.875, 124.5};
    const struct ts_moments of = ts_moments_of(x, 32);
    NEAR(of.mean, 66.51953125);
    NEAR(of.sd, 39.3425699703255);
    NEAR(of.skewness, -0.0940312190256146);
    NEAR(of.kurtosis, 1.49128861231208);
    NEAR(ts_excess(of), of.kurtosis - 3);
    NEAR(ts_variation(of), 39.3425699703255 / 66.51953125);
    assert_true(isnan(ts_moments_of(x, 1).sd) && isnan(ts_moments_of(x, 0).mean));
    const double same[] = {3, 3, 3};
    assert_true(isnan(ts_moments_of(same, 3).skewness) && ts_moments_of(same, 3).sd == 0);
}

static void fences_by_hand(void **state)
{
    (void)state;
    double x[101];
    for (size_t i = 0; i < 101; i++)
        x[i] = 10 + (double)i;
    NEAR(ts_right_fence_at(TS_FENCE_QUARTILE, x, 101), 85 + 1.5 * 75);
    NEAR(ts_right_fence_at(TS_FENCE_RECORDED, x, 101), 105 + 3 * 95);
    NEAR(ts_right_fence_at((struct ts_right_fence){0.1, 1}, x, 101), 60.0); /* never left of it */
    assert_true(isnan(ts_right_fence_at(TS_FENCE_RECORDED, x, 0)));
}

/* The bands of the generator's own figures: skewness 25.6 and kurtosis 939 become 0.39 and 5.5
 * behind a cut of about 290 (printed: 25.35, 989.32, 0.34, 6.05, scale 300). Kurtosis of raw traces
 * hangs on the largest few values. */
static void recorded_fence_cleans_traces(void **state)
{
    (void)state;
    static double x[TRACE];
    double skewness = 0, kurtosis = 0, rest_skewness = 0, rest_kurtosis = 0, cut = 0, largest = 0;
    for (uint64_t seed = 0; seed < TRACES; seed++) {
        struct ts_rng rng;
        ts_rng_seed(&rng, seed, 2);
        corpus_trace(&rng, x, TRACE);
        ts_sort(x, TRACE);
        const struct ts_moments raw = ts_moments_of(x, TRACE);
        const struct ts_exemplar exemplar = {x, TRACE, NAN};
        const struct ts_fence_trial trial = ts_fence_try(TS_FENCE_RECORDED, &exemplar);
        assert_true(raw.kurtosis >= raw.skewness * raw.skewness + 1);
        skewness += raw.skewness / TRACES;
        kurtosis += raw.kurtosis / TRACES;
        rest_skewness += trial.skewness / TRACES;
        rest_kurtosis += trial.kurtosis / TRACES;
        cut += trial.cut / TRACES;
        largest += x[TRACE - 1] / TRACES;
    }
    assert_true(skewness > 23 && skewness < 29);
    assert_true(kurtosis > 750 && kurtosis < 1250);
    assert_true(rest_skewness > 0.3 && rest_skewness < 0.5);
    assert_true(rest_kurtosis > 4.8 && rest_kurtosis < 6.5);
    assert_true(cut > 275 && cut < 305);
    assert_true(largest > 50000 && largest < 80000);
}

/* Data that outliers dominate: skewness e^(1.5 s^2) / sqrt(p), kurtosis e^(4 s^2) / p for a share p
 * of outliers of equal size, s = 0, far beyond the rest. */
static void outliers_dominate_moments(void **state)
{
    (void)state;
    static double x[TRACE];
    for (size_t i = 0; i < TRACE; i++)
        x[i] = i < TRACE / 1000 * 999 ? 0 : 1;
    const struct ts_moments of = ts_moments_of(x, TRACE);
    assert_true(fabs(of.skewness / sqrt(1000) - 1) < 0.01);
    assert_true(fabs(of.kurtosis / 1000 - 1) < 0.01);
}

#define EXEMPLARS 60
struct exemplars {
    double values[EXEMPLARS][TRACE];
    struct ts_exemplar of[EXEMPLARS];
};

/* Traces of which a third each is as drawn, tied at its lower bound (skewed to the right) and tied
 * at its upper (to the left); every second one has 3 % more outliers. */
static void make_exemplars(struct exemplars *to, bool judged)
{
    for (uint64_t k = 0; k < EXEMPLARS; k++) {
        struct ts_rng rng;
        double *x = to->values[k];
        ts_rng_seed(&rng, k, 3);
        double from = corpus_trace(&rng, x, TRACE);
        for (size_t i = 0; i < TRACE; i++) {
            if (x[i] >= from)
                continue;
            x[i] = k % 3 == 1 && x[i] < 52 ? 40 : k % 3 == 2 && x[i] > 46 ? 46 : x[i];
            if (k % 2 && ts_rng_uniform(&rng) < 0.03) {
                x[i] += 1000 * exp(2 * ts_rng_uniform(&rng));
                from = fmin(from, x[i]);
            }
        }
        ts_sort(x, TRACE);
        to->of[k] = (struct ts_exemplar){x, TRACE, judged ? from : (double)NAN};
    }
}

static void search_ends_at_the_recorded_fence(void **state)
{
    (void)state;
    struct exemplars *exemplars = malloc(sizeof *exemplars);
    struct ts_right_fence grid[TS_FENCE_GRID];
    assert_non_null(exemplars);
    ts_fence_grid(grid);
    make_exemplars(exemplars, true);
    double low = 1, high = -1;
    for (size_t k = 0; k < EXEMPLARS; k++) {
        const double mc = medcouple(exemplars->values[k], TRACE);
        low = fmin(low, mc);
        high = fmax(high, mc);
    }
    assert_true(low < -0.6 && high > 0.6); /* as skewed as the adjusted boxplot cannot be */
    const size_t best = ts_fence_search(grid, TS_FENCE_GRID, exemplars->of, EXEMPLARS);
    assert_true(grid[best].part == 0.95 && grid[best].ratio == 3);
    /* Not for want of worse ones: further in, or nearer, inliers are cut off; above 95 % outliers
     * are the scale. */
    for (size_t i = 0; i < TS_FENCE_GRID; i++) {
        double worst = 0;
        for (size_t k = 0; k < EXEMPLARS; k++)
            worst = fmax(worst, ts_fence_try(grid[i], &exemplars->of[k]).misjudged);
        if (grid[i].part <= 0.5 || grid[i].part >= 0.98 || grid[i].ratio < 1.5)
            assert_true(worst > TS_FENCE_ACCEPTABLE);
    }
    free(exemplars);
}

/* 8 % of outliers reach below the 95th percentile: the search leaves it. */
static void search_adapts(void **state)
{
    (void)state;
    static double x[TRACE];
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 4);
    for (size_t i = 0; i < TRACE; i++)
        x[i] = i % 25 < 2 ? 20000 + 1000 * ts_rng_normal(&rng) : 50 + 5 * ts_rng_normal(&rng);
    ts_sort(x, TRACE);
    struct ts_right_fence grid[TS_FENCE_GRID];
    ts_fence_grid(grid);
    const struct ts_exemplar exemplar = {x, TRACE, 10000};
    const size_t best = ts_fence_search(grid, TS_FENCE_GRID, &exemplar, 1);
    assert_true(grid[best].part == 0.90 && ts_fence_try(grid[best], &exemplar).misjudged == 0);
    assert_int_equal(ts_fence_try(grid[best], &exemplar).removed, TRACE / 25 * 2);
}

/* By its definition, on values whose own percentile is none of the outliers. */
static void a_border_is_what_would_change_sides(void **state)
{
    enum { VALUES = 101, MIDDLE = 50 };
    double values[VALUES], expected = 0;
    (void)state;
    for (int i = 0; i < VALUES; i++)
        values[i] = i;
    const struct ts_exemplar exemplar = {values, VALUES, (double)NAN};
    const struct ts_fence_trial trial =
        ts_fence_try((struct ts_right_fence){.part = 0.75, .ratio = 0.1}, &exemplar);
    const double away = trial.cut - MIDDLE;
    for (int i = 0; i < VALUES; i++)
        expected += values[i] > MIDDLE + away / 2 && values[i] <= MIDDLE + 1.5 * away;
    assert_true(expected > 10 && expected < 50);
    assert_true(fabs(trial.border - expected / VALUES) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_border_is_what_would_change_sides),
        cmocka_unit_test(medcouple_is_the_naive_one),
        cmocka_unit_test(adjusted_boxplot),
        cmocka_unit_test(moments_are_those_of_scipy),
        cmocka_unit_test(fences_by_hand),
        cmocka_unit_test(recorded_fence_cleans_traces),
        cmocka_unit_test(outliers_dominate_moments),
        cmocka_unit_test(search_ends_at_the_recorded_fence),
        cmocka_unit_test(search_adapts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
