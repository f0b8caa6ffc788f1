/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "stats/interval.h"
#include "stats/order.h"
#include "stats/shape.h"
#include "stats/stop.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MOST 120

static struct ts_stop_rule parse(const char *text)
{
    struct ts_stop_rule rule;
    struct ts_why why = {""};
    if (ts_stop_parse(text, strlen(text), &rule, &why))
        fail_msg("%s: %s", text, why.text);
    return rule;
}

static bool stops(const char *text, const double *values, size_t count, double minutes)
{
    const struct ts_stop_rule rule = parse(text);
    const int met = ts_stop_met(&rule, values, count, minutes, NULL);
    assert_true(met == 0 || met == 1);
    return met;
}

static void refuses(const char *text, const char *because)
{
    struct ts_stop_rule rule;
    struct ts_why why = {""};
    assert_int_equal(ts_stop_parse(text, strlen(text), &rule, &why), TS_EPROTO);
    if (!strstr(why.text, because))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, why.text, because);
}

static void malformed_rules_are_refused(void **state)
{
    char deep[200], wide[3000] = "launches(1)";
    (void)state;
    refuses("", "character 1");
    refuses("launches", "( was expected");
    refuses("launches()", "whole number");
    refuses("launches(0)", "whole number");
    refuses("launches(2.5)", "whole number");
    refuses("launches(10000)", "9999");
    refuses("launches(-3)", "whole number");
    refuses("launches(3", ")");
    refuses("launches(3))", "character 12");
    refuses("launches(3) launches(4)", "and, or, or the end");
    refuses("launches(3) and", "character 16");
    refuses("launches(3) or or launches(4)", "character 16");
    refuses("launchess(3)", "launches");
    refuses("Launches(3)", "launches");
    refuses("width < 5%", "(median)");
    refuses("width(mean) < 5%", "(median)");
    refuses("width(median) > 5%", "<");
    refuses("width(median) < 0%", "share");
    refuses("width(median) < -1", "share");
    refuses("width(median) < nan", "share");
    refuses("width(median) < 1e999", "share");
    refuses("variation < 5 5", "and, or");
    refuses("stable(3)", "comma");
    refuses("last(5, )", "launches");
    refuses("not", "launches");
    refuses("minutes(0)", "minutes");
    refuses("launches(3) \x01\xff", "\"??\"");
    memset(deep, '(', 100);
    deep[100] = '\0';
    refuses(deep, "deep");
    for (int i = 0; i < 60; i++)
        strcat(wide, " or launches(1)");
    refuses(wide, "more than");
    struct ts_stop_rule rule;
    const char nul[] = "launches(3)\0 or minutes(1)";
    assert_int_equal(ts_stop_parse(nul, sizeof nul - 1, &rule, NULL), TS_EPROTO);
}

static void printed_rules_are_the_same_rules(void **state)
{
    static const char *const rules[][2] = {
        {"launches(20)", NULL},
        {"launches(20)or\tminutes(  1.5 )", "launches(20) or minutes(1.5)"},
        {"launches(20) and (width(median) < 5% or stable(10, 2%)) or launches(60) or minutes(30)",
         NULL},
        {"(launches(1) and launches(2)) and launches(3)",
         "launches(1) and launches(2) and launches(3)"},
        {"launches(1) and (launches(2) and launches(3))", NULL},
        {"launches(1) or (launches(2) or launches(3))", NULL},
        {"not (launches(1) or minutes(2))", NULL},
        {"not not launches(1)", NULL},
        {"last(20, variation < 0.05 and not launches(3))",
         "last(20, variation < 5% and not launches(3))"},
        {"variation < 1e-3", "variation < 0.1%"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        char text[400], again[400];
        const struct ts_stop_rule rule = parse(rules[i][0]);
        const size_t length = ts_stop_print(&rule, text, sizeof text);
        assert_int_equal(length, strlen(text));
        assert_string_equal(text, rules[i][1] ? rules[i][1] : rules[i][0]);
        const struct ts_stop_rule second = parse(text);
        ts_stop_print(&second, again, sizeof again);
        assert_string_equal(again, text);
    }
    char little[9];
    const struct ts_stop_rule rule = parse("launches(20)");
    assert_int_equal(ts_stop_print(&rule, little, sizeof little), 12);
    assert_string_equal(little, "launches");
    assert_int_equal(ts_stop_print(&rule, NULL, 0), 12);
}

/* Each test against its definition, on the first 1, 2, ... values. */
static void tests_are_what_they_say(void **state)
{
    double values[MOST], sorted[MOST];
    struct ts_rng rng;
    (void)state;
    ts_rng_seed(&rng, 61, 1);
    int widths = 0, variations = 0, stables = 0;
    for (size_t count = 0; count < MOST; count++) {
        if (count)
            values[count - 1] = 100 + 10 * ts_rng_normal(&rng);
        assert_int_equal(stops("launches(7)", values, count, 0), count >= 7);
        memcpy(sorted, values, count * sizeof *values);
        ts_sort(sorted, count);
        const struct ts_interval interval = ts_median_interval(sorted, count);
        const bool narrow = count && ts_interval_reached(interval) &&
                            interval.high - interval.low < 0.05 * ts_median(sorted, count);
        assert_int_equal(stops("width(median) < 5%", values, count, 0), narrow);
        const bool even = count >= 2 && ts_variation(ts_moments_of(values, count)) < 0.1;
        assert_int_equal(stops("variation < 10%", values, count, 0), even);
        bool steady = count >= 6;
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (size_t first = steady ? count - 5 : 1; steady && first <= count; first++) {
            memcpy(sorted, values, first * sizeof *values);
            ts_sort(sorted, first);
            const double now[] = {ts_median(sorted, first), ts_iqr(sorted, first)};
            for (int i = 0; i < 2; i++) {
                low[i] = fmin(low[i], now[i]);
                high[i] = fmax(high[i], now[i]);
            }
        }
        steady =
            steady && fmax(high[0] - low[0], high[1] - low[1]) < 0.02 * ts_median(sorted, count);
        assert_int_equal(stops("stable(5, 2%)", values, count, 0), steady);
        const bool window = count >= 9 && ts_variation(ts_moments_of(values + count - 9, 9)) < 0.08;
        assert_int_equal(stops("last(9, variation < 8%)", values, count, 0), window);
        widths += narrow;
        variations += even;
        stables += steady;
    }
    assert_true(widths > 5 && widths < MOST - 5);
    assert_true(variations > 5 && stables > 5 && stables < MOST - 10);
    assert_false(stops("minutes(30)", values, 5, 29.9));
    assert_true(stops("minutes(30)", values, 0, 30));
}

static void rules_compose(void **state)
{
    const double values[] = {100, 101, 99, 100, 102, 98, 100, 101, 99, 100};
    struct ts_stop_reason reason;
    (void)state;
    assert_true(stops("not launches(11)", values, 10, 0));
    assert_true(stops("launches(99) or launches(3) and launches(4)", values, 10, 0));
    assert_false(stops("(launches(99) or launches(3)) and launches(99)", values, 10, 0));
    assert_false(stops("last(20, launches(1))", values, 10, 0));
    const struct ts_stop_rule rule =
        parse("launches(99) or launches(10) and width(median) < 5% or minutes(5)");
    assert_int_equal(ts_stop_met(&rule, values, 10, 2, &reason), 1);
    assert_string_equal(reason.text, "launches(10): 10; width(median) < 5%: 2.00%");
    assert_int_equal(ts_stop_met(&rule, values, 9, 2, &reason), 0);
    assert_string_equal(reason.text, "");
    assert_int_equal(ts_stop_met(&rule, values, 9, 7.25, &reason), 1);
    assert_string_equal(reason.text, "minutes(5): 7.25");
}

static void it_is_known_which_rules_end(void **state)
{
    static const struct {
        const char *text;
        bool ends;
    } rules[] = {
        {"launches(20)", true},
        {"minutes(5)", true},
        {"variation < 5%", false},
        {"launches(5) and variation < 5%", false},
        {"launches(5) and variation < 5% or launches(9)", true},
        {"not launches(5)", false},
        {"not not launches(5)", true},
        {"last(10, launches(5))", true},
        {"last(10, launches(11))", false},
        {"last(10, not launches(11))", true},
        {"launches(3) and not minutes(5)", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const struct ts_stop_rule rule = parse(rules[i].text);
        if (ts_stop_ends(&rule) != rules[i].ends)
            fail_msg("%s", rules[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_rules_are_refused),
        cmocka_unit_test(printed_rules_are_the_same_rules),
        cmocka_unit_test(tests_are_what_they_say),
        cmocka_unit_test(rules_compose),
        cmocka_unit_test(it_is_known_which_rules_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
