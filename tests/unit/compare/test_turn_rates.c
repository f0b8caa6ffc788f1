/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds that took turns, CAMPAIGNS simulated campaigns a line: how often the test finds what is
 * not there, what its interval holds, and what it finds where launches taken for sides by
 * themselves find less. */
#include "campaigns.h"
#include "sides.h"
#include "stats/relative.h"
#include "stats/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define SLOW  (CAMPAIGNS >= 10000)
#define ERROR 0.0044 /* two standard errors of 5 % in 10,000 */

enum order { ABBA, ABAB, SHUFFLED };

struct kind {
    const char *name;
    struct campaign campaign; /* launches: of one side, per session */
    enum order order;
    size_t row;
    const char *stop;
    bool daily, power;
};

/* Which side each launch of a session is of, as host/control draws it. */
static void draw_order(const struct kind *kind, struct ts_rng *rng, bool *of_b)
{
    bool first = false;
    size_t left = kind->campaign.launches;
    for (size_t round = 0; left; round++) {
        const size_t row = left < kind->row ? left : kind->row;
        if (kind->order == ABBA && round % 2)
            first = !first;
        else if (kind->order != ABAB)
            first = ts_rng_below(rng, 2);
        for (size_t i = 0; i < 2 * row; i++)
            *of_b++ = (i >= row) != first;
        left -= row;
    }
}

static bool stopped(const struct ts_stop_rule *rule, const struct sides *sides, int side)
{
    return rule && ts_stop_met(rule, sides->values[side], sides->count[side], 0, NULL) > 0;
}

static void draw(const struct kind *kind, const struct ts_stop_rule *rule, double factor,
                 struct ts_rng *rng, struct sides *sides)
{
    static double values[2 * SIDE_MOST];
    static struct ts_place places[2 * SIDE_MOST];
    static bool of_b[2 * SIDE_MOST];
    struct campaign both = kind->campaign;
    bool enough[2] = {false, false};
    both.launches *= 2;
    campaign_draw(&both, rng, values, places);
    sides->count[0] = sides->count[1] = 0;
    for (size_t i = 0; i < both.launches * both.sessions; i++) {
        const size_t nth = i % both.launches;
        if (!nth)
            draw_order(kind, rng, of_b);
        const int side = of_b[nth];
        if (enough[side])
            continue;
        sides_put(sides, side, values[i] * (side ? factor : 1), places[i].session, nth + 1);
        enough[side] = stopped(rule, sides, side);
    }
}

/* Shares of campaigns. */
struct rates {
    double found, held, before; /* p < 5 %; interval holds the factor; p as sides by themselves */
};

/* The same without turns: Brunner and Munzel's, as ts_compare() takes it. */
static double alone(const struct sides *sides)
{
    struct ts_ranked a, b;
    assert_int_equal(ts_ranked_of((struct ts_sample){sides->values[0], sides->count[0]}, false, &a),
                     TS_OK);
    assert_int_equal(ts_ranked_of((struct ts_sample){sides->values[1], sides->count[1]}, false, &b),
                     TS_OK);
    const double p = ts_relative_of(&a, &b, 0).p_two_sided;
    ts_ranked_free(&a);
    ts_ranked_free(&b);
    return p;
}

static void take_logs(struct sides *sides)
{
    for (int side = 0; side < 2; side++) {
        for (size_t i = 0; i < sides->count[side]; i++)
            sides->values[side][i] = log(sides->values[side][i]);
    }
}

/* Of the interval from 50 launches a side on, of `before` when it is asked for; else NAN. */
static struct rates rates_of(const struct kind *kind, double factor, bool before, uint64_t seed)
{
    static struct sides sides;
    const double one = 1.0 / CAMPAIGNS;
    const bool interval = kind->campaign.launches * kind->campaign.sessions >= 50 && !before;
    struct ts_stop_rule rule;
    struct rates out = {0, interval ? 0 : NAN, before ? 0 : NAN};
    struct ts_rng rng;
    struct ts_why why;
    if (kind->stop)
        assert_int_equal(ts_stop_parse(kind->stop, strlen(kind->stop), &rule, &why), TS_OK);
    ts_rng_seed(&rng, seed, 7);
    for (int i = 0; i < CAMPAIGNS; i++) {
        draw(kind, kind->stop ? &rule : NULL, factor, &rng, &sides);
        take_logs(&sides);
        struct ts_turns *turns = sides_turns(&sides);
        assert_non_null(turns);
        out.found += one * (ts_turns_test(turns, 0).p_two_sided < 0.05);
        if (interval) {
            const struct ts_interval in = ts_turns_shift(turns, 0.95).interval;
            out.held += one * (in.low <= log(factor) && log(factor) <= in.high);
        }
        if (before)
            out.before += one * (alone(&sides) < 0.05);
        ts_turns_free(turns);
    }
    return out;
}

static double noise(double share)
{
    return SLOW ? 0 : 3 * sqrt(share * (1 - share) / CAMPAIGNS);
}

static const char rule_of_width[] =
    "launches(30) and (width(median) < 5% or stable(10, 2%)) or launches(60)";
static const struct kind kinds[] = {
    {"30", {30, 1, 0, 0, 0, 0}, ABBA, 1, NULL, false, true},
    {"50", {50, 1, 0, 0, 0, 0}, ABBA, 1, NULL, true, true},
    {"30, neighbours 0.3", {30, 1, 0.3, 0, 0, 0}, ABBA, 1, NULL, false, false},
    {"30, neighbours 0.5", {30, 1, 0.5, 0, 0, 0}, ABBA, 1, NULL, true, true},
    {"50, neighbours 0.5", {50, 1, 0.5, 0, 0, 0}, ABBA, 1, NULL, false, false},
    {"30, neighbours 0.7", {30, 1, 0.7, 0, 0, 0}, ABBA, 1, NULL, false, true},
    {"100, neighbours 0.7", {100, 1, 0.7, 0, 0, 0}, ABBA, 1, NULL, false, false},
    {"30, drift 1.5 sd", {30, 1, 0, 1.5, 0, 0}, ABBA, 1, NULL, false, false},
    {"50, drift 3 sd", {50, 1, 0, 3, 0, 0}, ABBA, 1, NULL, false, true},
    {"30, shift 1 sd", {30, 1, 0, 0, 1, 0}, ABBA, 1, NULL, true, true},
    {"100, shift 1 sd", {100, 1, 0, 0, 1, 0}, ABBA, 1, NULL, false, false},
    {"60, stop rule", {60, 1, 0, 0, 0, 0}, ABBA, 1, rule_of_width, false, true},
    {"60, stop rule, neighbours 0.5", {60, 1, 0.5, 0, 0, 0}, ABBA, 1, rule_of_width, true, false},
    {"60, stop rule, drift 1.5 sd", {60, 1, 0, 1.5, 0, 0}, ABBA, 1, rule_of_width, false, false},
    {"60, stop rule, shift 1 sd", {60, 1, 0, 0, 1, 0}, ABBA, 1, rule_of_width, false, false},
    {"3 x 10, all of it", {10, 3, 0.3, 1, 1, 0.3}, ABBA, 1, NULL, true, true},
    {"3 x 10, sessions differ", {10, 3, 0, 0, 0, 0.5}, ABBA, 1, NULL, false, false},
    {"30 ABAB", {30, 1, 0, 0, 0, 0}, ABAB, 1, NULL, false, true},
    {"30 ABAB, neighbours 0.5", {30, 1, 0.5, 0, 0, 0}, ABAB, 1, NULL, false, false},
    {"30 ABAB, neighbours 0.7", {30, 1, 0.7, 0, 0, 0}, ABAB, 1, NULL, false, false},
    {"30 ABAB, drift 3 sd", {30, 1, 0, 3, 0, 0}, ABAB, 1, NULL, false, false},
    {"30 shuffled, neighbours 0.5", {30, 1, 0.5, 0, 0, 0}, SHUFFLED, 1, NULL, false, false},
    {"30, blocks of 5", {30, 1, 0, 0, 0, 0}, ABBA, 5, NULL, false, true},
    {"30, blocks of 5, drift 1.5 sd", {30, 1, 0, 1.5, 0, 0}, ABBA, 5, NULL, false, false},
    {"30, blocks of 5, shift 1 sd", {30, 1, 0, 0, 1, 0}, ABBA, 5, NULL, false, false},
    {"30, blocks of 5, neighbours 0.5", {30, 1, 0.5, 0, 0, 0}, ABBA, 5, NULL, false, false},
    {"50, blocks of 5, neighbours 0.5", {50, 1, 0.5, 0, 0, 0}, ABBA, 5, NULL, true, true},
    {"50, blocks of 5, neighbours 0.7", {50, 1, 0.7, 0, 0, 0}, ABBA, 5, NULL, false, false},
    {"100, blocks of 5, shift 1 sd", {100, 1, 0, 0, 1, 0}, ABBA, 5, NULL, false, false},
    {"50 ABAB, blocks of 5, drift 1.5 sd", {50, 1, 0, 1.5, 0, 0}, ABAB, 5, NULL, false, false},
};

static void equal_builds_are_told_apart_as_often_as_they_may(void **state)
{
    (void)state;
    print_message("%d campaigns of equal builds in turns; told apart at 5 %%, in %%, interval "
                  "holds in %%:\n",
                  CAMPAIGNS);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!SLOW && !kinds[i].daily)
            continue;
        const struct rates found = rates_of(&kinds[i], 1, false, 600 + i);
        print_message("%-38s %5.2f %6.2f\n", kinds[i].name, 100 * found.found, 100 * found.held);
        if (found.found < 0.04 - ERROR - noise(0.04) || found.found > 0.06 + noise(0.06))
            fail_msg("%s: %.2f %%", kinds[i].name, 100 * found.found);
        if (found.held < 0.94 - noise(0.94) || found.held > 0.96 + ERROR + noise(0.96))
            fail_msg("%s: the interval holds in %.2f %%", kinds[i].name, 100 * found.held);
    }
}

static void turns_find_no_less(void **state)
{
    (void)state;
    print_message("10 %% slower: told in %%, as sides by themselves in %%:\n");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!kinds[i].power || (!SLOW && !kinds[i].daily))
            continue;
        const struct rates found = rates_of(&kinds[i], 1.1, true, 700 + i);
        print_message("%-38s %6.2f %6.2f\n", kinds[i].name, 100 * found.found, 100 * found.before);
        const double least = found.before - 0.02 - noise(found.before);
        if (found.found < least)
            fail_msg("%s: %.2f %% after %.2f %%", kinds[i].name, 100 * found.found,
                     100 * found.before);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_builds_are_told_apart_as_often_as_they_may),
        cmocka_unit_test(turns_find_no_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
