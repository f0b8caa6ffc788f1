/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paper O's heuristics against cutting the dendrogram anew for every height, and on samples as the
 * paper describes them. */
#include "corpus.h"
#include "stats/compactness.h"
#include "stats/order.h"
#include "stats/outliers.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define QUERIES 5000
#define SAMPLES 400

struct ready {
    struct ts_distinct distinct;
    struct ts_linkage linkage;
    struct ts_cuts cuts;
    double *lof;
};

static void make_ready(struct ready *to, const double *sorted, size_t count)
{
    assert_int_equal(ts_distinct_of(sorted, count, &to->distinct), TS_OK);
    assert_int_equal(ts_linkage_of(&to->distinct, &to->linkage), TS_OK);
    to->lof = malloc(to->distinct.count * sizeof *to->lof);
    assert_non_null(to->lof);
    assert_int_equal(ts_lof_of(&to->distinct, 10, 1, to->lof), TS_OK);
    assert_int_equal(ts_cuts_of(&to->distinct, &to->linkage, to->lof, &to->cuts), TS_OK);
}

static void free_ready(struct ready *of)
{
    ts_distinct_free(&of->distinct);
    ts_linkage_free(&of->linkage);
    ts_cuts_free(&of->cuts);
    free(of->lof);
}

/* Lines 5 to 14 of algorithm 1, for one height: clusters by undoing nothing, from single values. */
static double cut_anew(const struct ready *of, const double *sorted, size_t count, double height,
                       bool *marked)
{
    size_t cluster_end[512];
    for (size_t i = 0; i < of->distinct.count; i++)
        cluster_end[i] = i;
    for (size_t i = 0; i < of->linkage.count && of->linkage.merges[i].height <= height; i++)
        cluster_end[of->linkage.merges[i].first] = of->linkage.merges[i].last;
    const size_t least = (count + 99) / 100 > 2 ? (count + 99) / 100 : 2;
    double sum = 0, kept = 0;
    for (size_t first = 0; first < of->distinct.count; first = cluster_end[first] + 1) {
        const size_t last = cluster_end[first];
        const size_t size = of->distinct.first[last + 1] - of->distinct.first[first];
        const bool outlier = size < least && of->distinct.values[first] > ts_median(sorted, count);
        for (size_t i = first; i <= last; i++) {
            const double copies = (double)ts_distinct_copies(&of->distinct, i);
            marked[i] = outlier;
            sum += outlier ? 0 : copies * of->lof[i];
            kept += outlier ? 0 : copies;
        }
    }
    return sum / kept;
}

static size_t count_marked(const struct ready *of, const bool *marked)
{
    size_t count = 0;
    for (size_t i = 0; i < of->distinct.count; i++)
        count += marked[i] ? ts_distinct_copies(&of->distinct, i) : 0;
    return count;
}

static void one_pass_equals_every_cut_anew(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (int round = 0; round < 60; round++) {
        static double x[500];
        const size_t count = 20 + ts_rng_below(&rng, 480);
        for (size_t i = 0; i < count; i++)
            x[i] = floor((round % 2 ? 3 : 30) * exp(0.7 * ts_rng_normal(&rng)));
        ts_sort(x, count);
        struct ready of;
        make_ready(&of, x, count);
        double least = INFINITY;
        size_t ideal = 0;
        for (size_t i = 0; i < of.cuts.count; i++) {
            const struct ts_cut *cut = &of.cuts.cuts[i];
            bool marked[512], as_marked[512];
            const double mean = cut_anew(&of, x, count, cut->height, marked);
            assert_int_equal(cut->outliers, count_marked(&of, marked));
            assert_true(fabs(cut->cleaned_lof - mean) < 1e-12 * mean);
            assert_int_equal(ts_cuts_mark(&of.distinct, &of.linkage, cut->height, as_marked),
                             TS_OK);
            assert_memory_equal(marked, as_marked, of.distinct.count * sizeof *marked);
            if (i) /* a cluster once kept is kept */
                assert_true(cut->outliers <= cut[-1].outliers && cut->height > cut[-1].height);
            if (mean <= least + 1e-12 * mean) {
                least = fmin(mean, least);
                ideal = i;
            }
        }
        const size_t found = ts_cuts_ideal(&of.cuts);
        assert_true(of.cuts.cuts[found].outliers == of.cuts.cuts[ideal].outliers);
        assert_int_equal(found, ideal);
        free_ready(&of);
    }
}

/* Cutting anew looks at every cluster for every height; one pass at each cluster once. Only when
 * nearly every value is another one does the former grow with the square. */
static void visits_grow_with_distinct_values(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 2, 1);
    for (size_t count = 500; count <= 8000; count *= 4) {
        static double x[8000];
        for (int continuous = 0; continuous < 2; continuous++) {
            for (size_t i = 0; i < count; i++)
                x[i] = continuous ? ts_rng_normal(&rng) : (double)ts_rng_below(&rng, 40);
            ts_sort(x, count);
            struct ready of;
            make_ready(&of, x, count);
            assert_int_equal(of.cuts.visits, 2 * of.distinct.count - 1);
            if (continuous)
                assert_int_equal(of.cuts.count, count - 1);
            else
                assert_true(of.cuts.count <= 40 && of.distinct.count <= 40);
            free_ready(&of);
        }
    }
}

static void only_the_centre_of_a_bell_matters(void **state)
{
    (void)state;
    for (size_t count = 1; count < 200; count++) {
        for (double centre = 0.3; centre < 0.65; centre += 0.05) {
            const struct ts_level_curve bell = {.centre = centre};
            const size_t best = ts_level_best(&bell, count);
            for (double sigma = 0.05; sigma < 20; sigma *= 3) {
                size_t other = 0;
                double most = -1;
                for (size_t i = 0; i < count; i++) {
                    const double z = ((double)(i + 1) / (double)count - centre) / sigma;
                    const double rank = 1 / (1 + z * z); /* another shape, too */
                    if (rank >= most) {
                        most = rank;
                        other = i;
                    }
                }
                /* Levels as far on either side differ by rounding alone. */
                assert_true(other == best ||
                            fabs(fabs((double)(other + 1) / (double)count - centre) -
                                 fabs((double)(best + 1) / (double)count - centre)) < 1e-12);
            }
        }
    }
}

static void overlaps_by_hand(void **state)
{
    (void)state;
    const struct ts_level_range ranges[] = {{0.1, 0.5}, {0.3, 0.7}, {0.3, 0.5}};
    struct ts_overlap overlaps[5];
    assert_int_equal(ts_overlaps(ranges, 3, overlaps), 3);
    const struct ts_overlap expected[] = {{0.1, 0.3, 1}, {0.3, 0.5, 3}, {0.5, 0.7, 1}};
    for (size_t i = 0; i < 3; i++) {
        assert_true(overlaps[i].low == expected[i].low && overlaps[i].high == expected[i].high);
        assert_int_equal(overlaps[i].count, expected[i].count);
    }
    /* The nearest polynomial leaves an error that is orthogonal to every polynomial: here to level
     * and to its cube, integrated by the midpoint rule. */
    const struct ts_level_curve curve = ts_level_polynomial(overlaps, 3, 3);
    double linear = 0, cubic = 0;
    for (int i = 0; i < 100000; i++) {
        const double level = (i + 0.5) / 100000;
        double share = 0;
        for (size_t k = 0; k < 3; k++)
            share += level >= expected[k].low && level < expected[k].high
                         ? (double)expected[k].count / 3
                         : 0;
        const double error = share - ts_level_rank(&curve, level);
        linear += error * level / 100000;
        cubic += error * level * level * level / 100000;
    }
    assert_true(fabs(linear) < 1e-4 && fabs(cubic) < 1e-4);
}

struct tally {
    double bell, middle, polynomial; /* |outliers - ideal outliers| / n, summed */
    struct ts_compactness sum[3];    /* polluted, full, simplified */
    struct ts_level_range ranges[SAMPLES];
};

static size_t clean(const double *x, const bool *marked, struct ts_compactness *sum)
{
    static double kept[QUERIES];
    size_t count = 0;
    for (size_t i = 0; i < QUERIES; i++) {
        if (!marked || !marked[i])
            kept[count++] = x[i];
    }
    ts_sort(kept, count);
    const struct ts_compactness of = ts_compactness_of(kept, count);
    sum->twgd += of.twgd;
    sum->depth += of.depth;
    sum->radius += of.radius;
    sum->offset += of.offset;
    return QUERIES - count;
}

static double simplified_error(const double *x, const struct ts_level_curve *curve, size_t ideal,
                               struct ts_compactness *sum)
{
    const struct ts_outlier_rules rules = {.curve = curve, .tick = CORPUS_TICK_NS, .floor = NAN};
    struct ts_outliers found;
    struct ts_why why;
    assert_int_equal(ts_outliers_of(x, QUERIES, &rules, &found, &why), TS_OK);
    const double error = fabs((double)found.count - (double)ideal) / QUERIES;
    if (sum)
        assert_int_equal(clean(x, found.marked, sum), found.count);
    ts_outliers_free(&found);
    return error;
}

static void judge(struct tally *tally, uint64_t seed)
{
    static double x[QUERIES];
    const struct ts_level_curve bell = TS_LEVEL_BELL, middle = {.centre = 0.5};
    const struct ts_outlier_rules rules = {.full = true, .tick = CORPUS_TICK_NS, .floor = NAN};
    struct ts_outliers full;
    struct ts_why why;
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 5);
    corpus_queries(&rng, x, QUERIES);
    assert_int_equal(ts_outliers_of(x, QUERIES, &rules, &full, &why), TS_OK);
    clean(x, NULL, &tally->sum[0]);
    clean(x, full.marked, &tally->sum[1]);
    tally->ranges[seed % SAMPLES] = full.ideal;
    tally->bell += simplified_error(x, &bell, full.count, &tally->sum[2]) / SAMPLES;
    tally->middle += simplified_error(x, &middle, full.count, NULL) / SAMPLES;
    tally->polynomial +=
        simplified_error(x, &ts_level_polynomial_known, full.count, NULL) / SAMPLES;
    ts_outliers_free(&full);
}

static void overlap_is_high(const struct tally *tally)
{
    struct ts_overlap *overlaps = malloc(2 * SAMPLES * sizeof *overlaps);
    assert_non_null(overlaps);
    const long count = ts_overlaps(tally->ranges, SAMPLES, overlaps);
    assert_true(count > 0);
    for (long i = 0; i < count; i++) {
        if (overlaps[i].low >= 0.2 && overlaps[i].high <= 0.45)
            assert_true((double)overlaps[i].count > 0.6 * SAMPLES);
    }
    const struct ts_level_curve fitted = ts_level_polynomial(overlaps, (size_t)count, SAMPLES);
    for (size_t k = 0; k <= TS_LEVEL_DEGREE; k++) /* from other seeds, so only nearly the same */
        assert_true(fabs(fitted.legendre[k] - ts_level_polynomial_known.legendre[k]) < 0.1);
    free(overlaps);
}

/* Seeds on which nothing was tuned. */
static void samples_like_the_papers(void **state)
{
    (void)state;
    struct tally *tally = calloc(1, sizeof *tally);
    assert_non_null(tally);
    for (uint64_t seed = 0; seed < SAMPLES; seed++)
        judge(tally, 100000 + seed);
    assert_true(tally->bell < 0.005); /* printed: 0.004354 */
    assert_true(tally->middle < 0.005);
    assert_true(tally->polynomial < 0.005); /* printed: 0.004356 */
    for (int cleaned = 1; cleaned < 3; cleaned++) {
        assert_true(tally->sum[0].twgd > 3 * tally->sum[cleaned].twgd);
        assert_true(tally->sum[0].depth > 100 * tally->sum[cleaned].depth);
        assert_true(tally->sum[0].radius > 10 * tally->sum[cleaned].radius);
        assert_true(tally->sum[0].offset > 2 * tally->sum[cleaned].offset);
    }
    overlap_is_high(tally);
    free(tally);
}

static void refuses_with_a_reason(void **state)
{
    (void)state;
    static double x[1000];
    struct ts_rng rng;
    struct ts_outliers found;
    struct ts_why why = {""};
    ts_rng_seed(&rng, 3, 1);
    for (size_t i = 0; i < 1000; i++)
        x[i] = ts_rng_normal(&rng);
    struct ts_outlier_rules rules = {.floor = NAN};
    assert_int_equal(ts_outliers_of(x, 99, &rules, &found, &why), TS_ENOTSUP);
    assert_non_null(strstr(why.text, "too few"));
    assert_int_equal(ts_outliers_of(x, 1000, &rules, &found, &why), TS_ENOTSUP);
    assert_non_null(strstr(why.text, "tick"));
    rules.force = rules.full = true;
    assert_int_equal(ts_outliers_of(x, 10, &rules, &found, &why), TS_ENOTSUP);
    assert_non_null(strstr(why.text, "neighbours"));
    assert_int_equal(ts_outliers_of(x, 1000, &rules, &found, &why), TS_OK);
    assert_int_equal(found.heights, 999);
    ts_outliers_free(&found);
    for (size_t i = 0; i < 1000; i++)
        x[i] = 5;
    assert_int_equal(ts_outliers_of(x, 1000, &rules, &found, &why), TS_OK);
    assert_true(!found.count && found.distinct == 1);
    ts_outliers_free(&found);
}

/* The left tail is noise of the clock, never of the system. */
static void left_is_never_an_outlier(void **state)
{
    (void)state;
    double x[1000];
    for (size_t i = 0; i < 1000; i++)
        x[i] = i == 500 ? -900 : i == 7 || i == 700 ? 2000 : (double)(i % 3);
    const struct ts_outlier_rules rules = {.full = true, .tick = 1, .floor = NAN};
    struct ts_outliers found;
    struct ts_why why;
    assert_int_equal(ts_outliers_of(x, 1000, &rules, &found, &why), TS_OK);
    assert_true(found.count == 2 && found.marked[7] && found.marked[700] && !found.marked[500]);
    ts_outliers_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pass_equals_every_cut_anew),
        cmocka_unit_test(visits_grow_with_distinct_values),
        cmocka_unit_test(only_the_centre_of_a_bell_matters),
        cmocka_unit_test(overlaps_by_hand),
        cmocka_unit_test(samples_like_the_papers),
        cmocka_unit_test(refuses_with_a_reason),
        cmocka_unit_test(left_is_never_an_outlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
