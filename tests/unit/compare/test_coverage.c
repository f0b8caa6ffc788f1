/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CAMPAIGNS simulated campaigns a line: how often intervals hold what they should, and how often
 * tests find what is not there. With 10,000 the bands are those that are promised; false alarms may
 * be fewer by two standard errors of their share. With fewer campaigns the bands are wider by three
 * standard errors. */
#include "campaigns.h"
#include "stats/comparison.h"
#include "stats/order.h"
#include "stats/spending.h"
#include "stats/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 200 /* launches of one side */
#ifndef SEED
#define SEED 500
#endif
#define ALARM_ERROR 0.0044 /* two standard errors of 5 % in 10,000 */

static double noise(double share)
{
    return CAMPAIGNS < 10000 ? 3 * sqrt(share * (1 - share) / CAMPAIGNS) : 0;
}

static void assert_within(const char *what, double share, double low, double high)
{
    if (share < low - noise(low) || share > high + noise(high))
        fail_msg("%s: %.2f %% is not in %.1f .. %.1f %%", what, 100 * share, 100 * low, 100 * high);
}

static bool holds(struct ts_interval interval, double value)
{
    return interval.low <= value && value <= interval.high;
}

struct held {
    double shift, ratio, difference, median_ratio, delta, median;
};

/* b is a's distribution times `factor`. */
static struct held coverage(size_t launches, double factor, uint64_t seed)
{
    static double a[MOST], b[MOST];
    static struct ts_place places[MOST];
    const struct campaign campaign = {.launches = launches, .sessions = 1};
    const struct ts_compare_rules rules = {0.95, 0.05, 0, 1};
    const double median = campaign_median(), one = 1.0 / CAMPAIGNS;
    struct held held = {0};
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, launches);
    for (int i = 0; i < CAMPAIGNS; i++) {
        struct ts_comparison found;
        struct ts_ranked of_a, of_b;
        struct ts_why why;
        campaign_draw(&campaign, &rng, a, places);
        campaign_draw(&campaign, &rng, b, places);
        assert_int_equal(ts_ranked_of((struct ts_sample){a, launches}, false, &of_a), TS_OK);
        assert_int_equal(ts_ranked_of((struct ts_sample){b, launches}, false, &of_b), TS_OK);
        held.shift += one * holds(ts_hodges_lehmann_of(&of_a, &of_b, 0.95).interval, 0);
        held.delta += one * holds(ts_cliffs_delta(&of_a, &of_b, 0.95).interval, 0);
        held.median += one * holds(ts_median_interval(of_a.sorted, launches), median);
        ts_ranked_free(&of_a);
        ts_ranked_free(&of_b);
        for (size_t j = 0; j < launches; j++)
            b[j] *= factor;
        assert_int_equal(ts_compare((struct ts_side){a, NULL, launches},
                                    (struct ts_side){b, NULL, launches}, &rules, &found, &why),
                         TS_OK);
        held.ratio += one * holds(found.ratio_interval, factor);
        held.median_ratio += one * holds(found.medians.ratio_interval, factor);
        held.difference += one * holds(found.medians.difference_interval, (factor - 1) * median);
    }
    return held;
}

static void intervals_hold_what_they_should(void **state)
{
    static const size_t launches[] = {6, 8, 10, 15, 20, 30, 50, 100};
    (void)state;
    print_message("%d campaigns, launches a side; 95 %% intervals hold in %%:\n"
                  "launches  Hodges-Lehmann  ratio  medians' difference  ratio  Cliff  median\n",
                  CAMPAIGNS);
    for (size_t i = 0; i < sizeof launches / sizeof *launches; i++) {
        if (CAMPAIGNS < 5000 && launches[i] < 10)
            continue; /* permutations of few launches take their time */
        const struct held held = coverage(launches[i], 1.1, 71);
        print_message("%8zu  %14.2f  %5.2f  %19.2f  %5.2f  %5.2f  %6.2f\n", launches[i],
                      100 * held.shift, 100 * held.ratio, 100 * held.difference,
                      100 * held.median_ratio, 100 * held.delta, 100 * held.median);
        const bool many = launches[i] >= 50;
        const double low = many ? 0.94 : 0.925, high = many ? 0.96 : 1;
        assert_within("Hodges-Lehmann", held.shift, low, high);
        assert_within("ratio", held.ratio, low, high);
        assert_within("difference of medians", held.difference, low, high);
        assert_within("ratio of medians", held.median_ratio, low, high);
        assert_within("Cliff", held.delta, low, high);
        assert_within("median", held.median, low, high);
    }
}

static size_t shorten(const struct ts_stop_rule *rule, const double *values, size_t count)
{
    for (size_t taken = 1; rule && taken < count; taken++) {
        const int stop = ts_stop_met(rule, values, taken, 0, NULL);
        assert_true(stop >= 0);
        if (stop)
            return taken;
    }
    return count;
}

/* How often two campaigns of the same kind, the second `factor` times as slow, are told apart.
 * by_session: as several sessions. */
static double told_apart(const struct campaign *campaign, double factor, bool by_session,
                         const char *stop, uint64_t seed)
{
    static double a[MOST], b[MOST];
    static struct ts_place of_a[MOST], of_b[MOST];
    const size_t count = campaign->launches * campaign->sessions;
    const struct ts_compare_rules rules = {0.95, 0.05, 0, 1};
    struct ts_stop_rule rule;
    struct ts_why why = {""};
    struct ts_rng rng;
    double share = 0;
    if (stop)
        assert_int_equal(ts_stop_parse(stop, strlen(stop), &rule, &why), TS_OK);
    ts_rng_seed(&rng, seed, count);
    for (int i = 0; i < CAMPAIGNS; i++) {
        struct ts_comparison found;
        campaign_draw(campaign, &rng, a, of_a);
        campaign_draw(campaign, &rng, b, of_b);
        for (size_t j = 0; j < count; j++)
            b[j] *= factor;
        const size_t count_a = shorten(stop ? &rule : NULL, a, count);
        const size_t count_b = shorten(stop ? &rule : NULL, b, count);
        assert_int_equal(ts_compare((struct ts_side){a, by_session ? of_a : NULL, count_a},
                                    (struct ts_side){b, by_session ? of_b : NULL, count_b}, &rules,
                                    &found, &why),
                         TS_OK);
        share += (found.p < 0.05) / (double)CAMPAIGNS;
    }
    return share;
}

struct kind {
    const char *name;
    struct campaign campaign;
    bool by_session;
    const char *stop;
    double low, high;
};

static void tests_find_what_is_not_there_as_often_as_they_may(void **state)
{
    static const char rule[] =
        "launches(30) and (width(median) < 5% or stable(10, 2%)) or launches(60)";
    static const char variation[] = "launches(30) and last(20, variation < 15%) or launches(80)";
    static const struct kind kinds[] = {
        {"30 launches", {30, 1, 0, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"50 launches", {50, 1, 0, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"30, neighbours 0.3", {30, 1, 0.3, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, neighbours 0.3", {50, 1, 0.3, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"100, neighbours 0.3", {100, 1, 0.3, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"30, neighbours 0.5", {30, 1, 0.5, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, neighbours 0.5", {50, 1, 0.5, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"100, neighbours 0.5", {100, 1, 0.5, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"200, neighbours 0.5", {200, 1, 0.5, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"30, neighbours 0.7", {30, 1, 0.7, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, neighbours 0.7", {50, 1, 0.7, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"100, neighbours 0.7", {100, 1, 0.7, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"200, neighbours 0.7", {200, 1, 0.7, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, neighbours -0.3", {50, 1, -0.3, 0, 0, 0}, false, NULL, 0.04, 0.06},
        {"60, stop rule", {60, 1, 0, 0, 0, 0}, false, rule, 0.04, 0.06},
        {"80, stop rule of variation", {80, 1, 0, 0, 0, 0}, false, variation, 0.04, 0.06},
        {"60, stop rule, neighbours 0.3", {60, 1, 0.3, 0, 0, 0}, false, rule, 0.04, 0.06},
        {"60, stop rule, neighbours 0.5", {60, 1, 0.5, 0, 0, 0}, false, rule, 0.04, 0.06},
        {"60, stop rule, neighbours 0.7", {60, 1, 0.7, 0, 0, 0}, false, rule, 0.04, 0.06},
        {"60, stop rule, drift 1.5 sd", {60, 1, 0, 1.5, 0, 0}, false, rule, 0.04, 0.06},
        {"60, stop rule, drift, neighbours 0.3", {60, 1, 0.3, 1.5, 0, 0}, false, rule, 0.04, 0.06},
        {"30, drift 1.5 sd", {30, 1, 0, 1.5, 0, 0}, false, NULL, 0.04, 0.06},
        {"100, drift 1.5 sd", {100, 1, 0, 1.5, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, drift 3 sd", {50, 1, 0, 3, 0, 0}, false, NULL, 0.04, 0.06},
        {"50, drift 1.5 sd, neighbours 0.5", {50, 1, 0.5, 1.5, 0, 0}, false, NULL, 0.04, 0.06},
        {"6 x 10, sessions differ", {10, 6, 0, 0, 0, 0.5}, true, NULL, 0.04, 0.06},
        {"6 x 10, neighbours 0.5", {10, 6, 0.5, 0, 0, 0.3}, true, NULL, 0.04, 0.06},
        {"6 x 10, drift 1.5 sd", {10, 6, 0, 1.5, 0, 0.3}, true, NULL, 0.04, 0.06},
        {"6 x 10, block shifts 1 sd", {10, 6, 0, 0, 1, 0.3}, true, NULL, 0.04, 0.06},
        {"6 x 10, stop rule, all of it", {10, 6, 0.5, 1, 0.5, 0.3}, true, rule, 0.04, 0.06},
        {"3 x 10, all of it (may be careful)", {10, 3, 0.3, 1, 1, 0.3}, true, NULL, 0.025, 0.06},
    };
    (void)state;
    print_message("%d pairs of campaigns without a difference; told apart at 5 %%, in %%:\n",
                  CAMPAIGNS);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const double share =
            told_apart(&kinds[i].campaign, 1, kinds[i].by_session, kinds[i].stop, SEED + i);
        print_message("%-38s %5.2f +- %.2f\n", kinds[i].name, 100 * share,
                      100 * sqrt(share * (1 - share) / CAMPAIGNS));
        assert_within(kinds[i].name, share, kinds[i].low - ALARM_ERROR, kinds[i].high);
    }
}

/* A drift that both campaigns have is no noise of theirs. */
static void a_drift_hides_no_difference(void **state)
{
    static const struct campaign steady = {30, 1, 0, 0, 0, 0}, drifting = {30, 1, 0, 1.5, 0, 0};
    const double as_it_is = told_apart(&steady, 1.1, false, NULL, SEED + 100);
    const double through = told_apart(&drifting, 1.1, false, NULL, SEED + 101);
    (void)state;
    print_message("30 launches, 10 %% slower: told apart in %.1f %%, while all drift %.1f %%\n",
                  100 * as_it_is, 100 * through);
    assert_within("steady", as_it_is, 0.39, 0.45);
    assert_within("drifting", through, 0.3, 0.45);
}

/* One-sided questions at a third, two thirds and all of the launches, as `touchstone gate` asks. */
static double crossings(double correlation, uint64_t seed)
{
    enum { LOOKS = 3, LAUNCHES = 60 };
    static double a[LAUNCHES], b[LAUNCHES];
    static struct ts_place places[LAUNCHES];
    const struct campaign campaign = {LAUNCHES, 1, correlation, 0, 0, 0};
    const struct ts_compare_rules rules = {0.95, 0, 0, 1};
    const double information[LOOKS] = {1.0 / 3, 2.0 / 3, 1};
    double bounds[LOOKS], share = 0;
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    assert_int_equal(ts_spending_bounds(0.05, information, LOOKS, bounds), TS_OK);
    for (int i = 0; i < CAMPAIGNS; i++) {
        bool crossed = false;
        campaign_draw(&campaign, &rng, a, places);
        campaign_draw(&campaign, &rng, b, places);
        for (size_t look = 0; look < LOOKS; look++) {
            const size_t count = LAUNCHES * (look + 1) / LOOKS;
            struct ts_comparison found;
            struct ts_why why;
            assert_int_equal(ts_compare((struct ts_side){a, NULL, count},
                                        (struct ts_side){b, NULL, count}, &rules, &found, &why),
                             TS_OK);
            crossed |= found.p_slower < bounds[look];
        }
        share += crossed / (double)CAMPAIGNS;
    }
    return share;
}

static void looking_on_the_way_costs_nothing(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        const double correlation = 0.3 * i, share = crossings(correlation, 900);
        print_message("three looks at 60 launches, neighbours %.1f: %.2f %% cross at 5 %%\n",
                      correlation, 100 * share);
        assert_within("looks", share, 0.04 - ALARM_ERROR, 0.06);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_hold_what_they_should),
        cmocka_unit_test(tests_find_what_is_not_there_as_often_as_they_may),
        cmocka_unit_test(a_drift_hides_no_difference),
        cmocka_unit_test(looking_on_the_way_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
