/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two samples: against other programs' figures, and against the definitions spelt out. */
#include "base/rng.h"
#include "stats/comparison.h"
#include "stats/distribution.h"
#include "stats/equivalence.h"
#include "stats/multiple.h"
#include "stats/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
#define MOST         40

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.12g instead of %.12g", value, expected);
}

static const double first[] = {312.4, 298.7, 305.1, 330.9, 301.2, 299.8,
                               318.6, 345.0, 307.7, 311.3, 296.4, 302.9};
static const double second[] = {325.8, 341.2, 317.4, 309.9, 362.7,
                                333.3, 328.1, 319.6, 351.4, 336.0};

static struct ts_ranked ranked(const double *values, size_t count)
{
    struct ts_ranked out;
    assert_int_equal(ts_ranked_of((struct ts_sample){values, count}, true, &out), TS_OK);
    return out;
}

/* scipy 1.10.1: stats.norm, stats.t, stats.beta. */
static void distributions_are_scipys(void **state)
{
    (void)state;
    assert_near(ts_normal_at(0.999), 3.090232306167813, 1e-12);
    assert_near(ts_normal_below(-1.959963984540054), 0.025, 1e-15);
    assert_near(ts_student_at(0.975, 3.7), 2.8675207071912086, 1e-10);
    assert_near(ts_student_below(1.3, 2.2), 0.8434571070731994, 1e-12);
    assert_near(ts_student_below(-4, 0.7), 0.11667226029268567, 1e-12);
    assert_near(ts_beta_below(0.3, 15.5, 15.5), 0.010542471344480744, 1e-13);
    assert_near(ts_beta_below(0.7, 2.5, 0.5), 0.2031106637200549, 1e-12);
    assert_true(ts_beta_below(0, 1, 1) <= 0 && ts_beta_below(1, 1, 1) >= 1);
    assert_true(isinf(ts_student_at(1, 3)) && isinf(ts_normal_at(0)));
}

/* scipy 1.10.1: stats.brunnermunzel(first, second), both with and without ties. */
static void brunner_munzel_is_scipys(void **state)
{
    static const double low[] = {1, 2, 2, 3, 3, 3, 4, 5}, high[] = {2, 3, 3, 4, 4, 5, 5, 6, 6};
    (void)state;
    struct ts_ranked a = ranked(first, COUNT(first)), b = ranked(second, COUNT(second));
    const struct ts_relative found = ts_relative_of(&a, &b, 0);
    assert_near(found.statistic, 4.306529996168927, 1e-9);
    assert_near(found.p_two_sided, 0.0005039684833982871, 1e-12);
    assert_near(found.p_above, 0.0002519842416991436, 1e-12);
    assert_near(found.p_below, 0.9997480157583009, 1e-12);
    assert_near(ts_cliffs_delta(&a, &b, 0.95).delta, 0.7166666666666667, 1e-12);
    assert_near(ts_hodges_lehmann_of(&a, &b, 0.95).estimate, 21.5, 1e-9);
    ts_ranked_free(&a);
    ts_ranked_free(&b);
    a = ranked(low, COUNT(low));
    b = ranked(high, COUNT(high));
    const struct ts_relative tied = ts_relative_of(&a, &b, 0);
    assert_near(tied.statistic, 2.271079201589035, 1e-9);
    assert_near(tied.p_two_sided, 0.038303793643961415, 1e-12);
    ts_ranked_free(&a);
    ts_ranked_free(&b);
}

/* scipy 1.10.1: stats.ttest_ind(second, first, equal_var=False). */
static void sessions_are_compared_by_welchs_test(void **state)
{
    (void)state;
    const struct ts_session_effect found =
        ts_session_effect_of(first, COUNT(first), second, COUNT(second), 0, 0.95);
    assert_near(found.p_two_sided, 0.003917494326251794, 1e-12);
    assert_near(found.estimate / found.u, 3.2968979007492463, 1e-10);
    /* At an end of the interval the test is on the edge of rejecting. */
    const struct ts_session_effect edge =
        ts_session_effect_of(first, COUNT(first), second, COUNT(second), found.interval.low, 0.95);
    assert_near(edge.p_two_sided, 0.05, 1e-9);
    assert_true(isnan(ts_session_effect_of(first, 1, second, 5, 0, 0.95).p_two_sided));
}

static void draw(struct ts_rng *rng, double *values, size_t count, bool ticks)
{
    for (size_t i = 0; i < count; i++) {
        values[i] = exp(ts_rng_normal(rng) / 2) * 100;
        if (ticks)
            values[i] = floor(values[i] / 25);
    }
}

/* Every pair written down. */
static void estimates_are_those_of_all_pairs(void **state)
{
    static double a[MOST], b[MOST], all[MOST * MOST];
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 11, 1);
    for (int trial = 0; trial < 400; trial++) {
        const size_t m = 2 + ts_rng_below(&rng, MOST - 1), n = 2 + ts_rng_below(&rng, MOST - 1);
        double score = 0;
        draw(&rng, a, m, trial % 2);
        draw(&rng, b, n, trial % 2);
        for (size_t i = 0; i < m * n; i++) {
            all[i] = b[i % n] - a[i / n];
            score += (all[i] > 0) - (all[i] < 0);
        }
        ts_sort(all, m * n);
        struct ts_ranked of_a = ranked(a, m), of_b = ranked(b, n);
        const struct ts_hodges_lehmann shift = ts_hodges_lehmann_of(&of_a, &of_b, 0.95);
        assert_near(shift.estimate, ts_median(all, m * n), 1e-9);
        assert_true(shift.interval.low <= shift.estimate && shift.estimate <= shift.interval.high);
        assert_near(ts_cliffs_delta(&of_a, &of_b, 0.95).delta, score / (double)(m * n), 1e-12);
        ts_ranked_free(&of_a);
        ts_ranked_free(&of_b);
    }
}

/* Inside the interval the test does not reject, just outside it does. */
static void interval_and_test_agree(void **state)
{
    static double a[MOST], b[MOST];
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 12, 1);
    for (int trial = 0; trial < 200; trial++) {
        draw(&rng, a, 20, false);
        draw(&rng, b, 30, false);
        struct ts_ranked of_a = ranked(a, 20), of_b = ranked(b, 30);
        const struct ts_interval in = ts_hodges_lehmann_of(&of_a, &of_b, 0.95).interval;
        const double step = 2e-6 * (in.high - in.low);
        assert_true(ts_relative_of(&of_a, &of_b, -in.low - step).p_two_sided >= 0.05);
        assert_true(ts_relative_of(&of_a, &of_b, -in.low + step).p_two_sided < 0.05);
        assert_true(ts_relative_of(&of_a, &of_b, -in.high + step).p_two_sided >= 0.05);
        assert_true(ts_relative_of(&of_a, &of_b, -in.high - step).p_two_sided < 0.05);
        ts_ranked_free(&of_a);
        ts_ranked_free(&of_b);
    }
}

/* Of 3 and 3 without overlap there are 20 labellings, one of them as high. */
static void few_values_are_permuted_exactly(void **state)
{
    static const double low[] = {1, 2, 3}, high[] = {4, 5, 6};
    struct ts_permuted exact, drawn, again;
    (void)state;
    assert_int_equal(ts_relative_permuted((struct ts_sample){low, 3}, (struct ts_sample){high, 3},
                                          1000, 1, &exact),
                     TS_OK);
    assert_true(exact.exact);
    assert_near(exact.p_above, 1.0 / 20, 1e-12);
    assert_near(exact.p_two_sided, 2.0 / 20, 1e-12);
    assert_near(exact.p_below, 1, 1e-12);
    const struct ts_sample a = {first, 7}, b = {second, 7};
    assert_int_equal(ts_relative_permuted(a, b, 4000, 1, &exact), TS_OK);
    assert_int_equal(ts_relative_permuted(a, b, 3000, 1, &drawn), TS_OK);
    assert_int_equal(ts_relative_permuted(a, b, 3000, 1, &again), TS_OK);
    assert_true(exact.exact && !drawn.exact);
    assert_near(drawn.p_two_sided, exact.p_two_sided, 0.02);
    assert_true(drawn.p_two_sided <= again.p_two_sided && drawn.p_two_sided >= again.p_two_sided);
}

/* Each sum of ranks counted by hand: (0.01, 0.03, 0.04) x (3, 2, 1), never falling. */
static void holm_adjusts(void **state)
{
    const double p[] = {0.04, (double)NAN, 0.01, 0.03}, expected[] = {0.06, NAN, 0.03, 0.06};
    double adjusted[4];
    (void)state;
    assert_int_equal(ts_holm(p, 4, adjusted), TS_OK);
    for (int i = 0; i < 4; i++) {
        if (i == 1)
            assert_true(isnan(adjusted[i]));
        else
            assert_near(adjusted[i], expected[i], 1e-12);
    }
}

static void margins_are_judged_on_both_sides(void **state)
{
    (void)state;
    struct ts_ranked a = ranked(first, COUNT(first)), b = ranked(second, COUNT(second));
    assert_near(ts_equivalence_of(&a, &b, 0).p_not_inferior +
                    ts_equivalence_of(&a, &b, 0).p_inferior,
                1, 1e-12);
    assert_true(ts_equivalence_of(&a, &b, 50).p_not_inferior < 0.01);
    assert_true(ts_equivalence_of(&a, &b, 5).p_inferior < 0.05);
    assert_true(ts_equivalence_of(&a, &b, 50).p_equivalent < 0.01 &&
                ts_equivalence_of(&a, &b, 10).p_equivalent > 0.5);
    assert_true(ts_equivalence_of(&b, &a, 50).p_equivalent < 0.01);
    ts_ranked_free(&a);
    ts_ranked_free(&b);
}

/* 1 .. 9 against 11 .. 19: c = round(5 - 3) = 2, P(B < 2) = 10 / 512, z = 2.0635,
 * u = (8 - 2) / 2 z = 1.45383, twice: 2.05603 times 1.95996 is 4.0297. */
static void medians_are_those_reckoned_by_hand(void **state)
{
    double a[9], b[9];
    (void)state;
    for (int i = 0; i < 9; i++) {
        a[i] = i + 1;
        b[i] = i + 11;
    }
    const struct ts_medians found = ts_medians_of(a, 9, b, 9, 0.95);
    assert_near(found.difference, 10, 1e-12);
    assert_near(found.ratio, 3, 1e-12);
    assert_near(found.difference_interval.high - 10, 4.0297, 1e-4);
    assert_near(found.ratio_interval.low * found.ratio_interval.high, 9, 1e-9);
    a[0] = 0;
    assert_true(isnan(ts_medians_of(a, 9, b, 9, 0.95).ratio));
    assert_true(isnan(ts_medians_of(a, 1, b, 9, 0.95).difference_interval.low));
}

static void sides_are_compared_whole(void **state)
{
    const struct ts_compare_rules rules = {0.95, 0.05, 0, 1};
    struct ts_comparison out, rigs;
    struct ts_why why = {""};
    struct ts_side a = {first, NULL, COUNT(first)}, b = {second, NULL, COUNT(second)};
    (void)state;
    assert_int_equal(ts_compare(a, b, &rules, &out, &why), TS_OK);
    assert_int_equal(out.unit, TS_COMPARE_LAUNCHES);
    assert_true(out.ratio > 1.06 && out.ratio < 1.08 && out.p < 0.01);
    assert_true(out.a.outliers == 1 && out.a.count == 12);
    /* What two rigs do not share widens the interval, and takes the proof away. */
    struct ts_compare_rules apart = rules;
    apart.u_common = 12;
    assert_int_equal(ts_compare(a, b, &apart, &rigs, &why), TS_OK);
    assert_true(rigs.ratio_interval.low < out.ratio_interval.low && rigs.p > 0.05);
    /* Sessions, when there are several. */
    struct ts_place places[12] = {{0, 0}};
    for (size_t i = 0; i < 12; i++)
        places[i].session = i / 4;
    a.places = b.places = places;
    assert_int_equal(ts_compare(a, b, &rules, &out, &why), TS_OK);
    assert_int_equal(out.unit, TS_COMPARE_SESSIONS);
    assert_true(out.b.sessions == 3 && out.p > 0.001 && out.session_spread > 0);
    /* Refusals say why. */
    a.count = 5;
    assert_int_equal(ts_compare(a, b, &rules, &out, &why), TS_EINVAL);
    assert_non_null(strstr(why.text, "5 launches"));
    double zero[] = {1, 2, 3, 0, 5, 6};
    assert_int_equal(ts_compare(b, (struct ts_side){zero, NULL, 6}, &rules, &out, &why), TS_EINVAL);
    /* All values equal: the same, whatever it is asked. */
    const double same[] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5};
    a = b = (struct ts_side){same, NULL, 10};
    assert_int_equal(ts_compare(a, b, &rules, &out, &why), TS_OK);
    assert_true(out.p > 0.99 && out.p_equal < 1e-6);
    assert_near(out.ratio, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distributions_are_scipys),
        cmocka_unit_test(brunner_munzel_is_scipys),
        cmocka_unit_test(sessions_are_compared_by_welchs_test),
        cmocka_unit_test(estimates_are_those_of_all_pairs),
        cmocka_unit_test(interval_and_test_agree),
        cmocka_unit_test(few_values_are_permuted_exactly),
        cmocka_unit_test(holm_adjusts),
        cmocka_unit_test(margins_are_judged_on_both_sides),
        cmocka_unit_test(medians_are_those_reckoned_by_hand),
        cmocka_unit_test(sides_are_compared_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
