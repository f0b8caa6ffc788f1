/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The feature table, launches cut out of events, splits and scores. */
#include "estimators/dictionary.h"
#include "estimators/evaluation.h"
#include "estimators/features.h"
#include "study.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "device,app,launch,start_type,settled_ms [ms],time_to_initial_display_ms [ms]"

static void a_table_comes_back_to_the_bit(void **state)
{
    (void)state;
    struct ts_feature_table table, again;
    struct ts_buf text = {0}, twice = {0};
    struct ts_why why = {""};
    study_make(&(struct study_options){40, 3, 2, 1, 0.1, 7}, &table);
    memcpy(table.rows[3].app, "A \"b\", c", 9);
    assert_int_equal(ts_feature_table_print(&table, &text), TS_OK);
    assert_int_equal(ts_feature_table_parse((char *)text.data, text.size, &again, &why), TS_OK);
    assert_int_equal(again.row_count, 80);
    assert_int_equal(again.feature_count, TS_FEATURE_COUNT);
    assert_string_equal(again.rows[3].app, "A \"b\", c");
    for (size_t i = 0; i < 80 * TS_FEATURE_COUNT; i++)
        assert_true(again.values[i] == table.values[i] ||
                    (isnan(again.values[i]) && isnan(table.values[i])));
    assert_int_equal(ts_feature_table_print(&again, &twice), TS_OK);
    assert_int_equal(text.size, twice.size);
    assert_memory_equal(text.data, twice.data, text.size);
    ts_buf_free(&text);
    ts_buf_free(&twice);
    ts_feature_table_free(&table);
    ts_feature_table_free(&again);
}

static void what_is_wrong_is_said_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *says;
    } cases[] = {
        {"", "empty"},
        {"# nothing\n\n", "empty"},
        {"device,app,launch,start,settled_ms [ms]\n", "column 4 is \"start\""},
        {HEAD ",event_count\n", "no feature with its unit"},
        {HEAD ",last_event_ms [s]\n", "belongs in ms"},
        {HEAD ",own []\n", "no unit"},
        {HEAD ",own [1],own [1]\n", "two columns are called own"},
        {HEAD "\nP,A,1,cold,5\n", "line 2: it has fewer than the heading's 6"},
        {HEAD "\nP,A,1,cold,5,NA,3\n", "line 2: it has more"},
        {HEAD "\n\nP,A,1,cool,5,NA\n", "line 3: \"cool\" is no start type"},
        {HEAD ",own [1]\nP,A,1,cold,5,NA,\n", "line 2, field 7: \"\" is no number"},
        {HEAD ",own [1]\nP,A,1,cold,5,NA,inf\n", "\"inf\" is no number"},
        {HEAD "\nP,A,1,cold,-5,NA\n", "a launch of -5 ms is none"},
        {HEAD "\nP,,1,cold,5,NA\n", "field 2: it is empty"},
        {HEAD "\nP,\"A,1,cold,5,NA\n", "quotation does not end"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_feature_table table;
        struct ts_why why = {""};
        assert_int_equal(ts_feature_table_parse(cases[i].text, strlen(cases[i].text), &table, &why),
                         TS_EPROTO);
        if (!strstr(why.text, cases[i].says))
            fail_msg("case %zu: \"%s\" does not say \"%s\"", i, why.text, cases[i].says);
        assert_null(table.rows);
    }
}

static struct ts_accessibility_event event(int64_t at, enum ts_accessibility_kind kind,
                                           const char *package)
{
    struct ts_accessibility_event made = {.kind = kind, .uptime_ms = at};
    memcpy(made.package, package, strlen(package));
    return made;
}

static void launches_are_cut_out_of_a_day(void **state)
{
    (void)state;
    const enum ts_accessibility_kind click = TS_ACCESSIBILITY_CLICKED,
                                     window = TS_ACCESSIBILITY_WINDOW,
                                     content = TS_ACCESSIBILITY_CONTENT;
    const struct ts_accessibility_event day[] = {
        event(50, content, "home"),    event(100, click, "home"),      event(1900, window, "mail"),
        event(2000, content, "mail"),  event(2050, content, "status"), event(2300, content, "mail"),
        event(9000, content, "mail"), /* long after it had come to rest */
        event(10000, click, "mail"),   event(10100, window, "mail"), /* no launch */
        event(20000, click, "home"),   event(20200, window, "maps"),   event(20300, click, "maps"),
        event(20400, content, "maps"),
    };
    struct ts_launch_cut cut;
    double f[TS_FEATURE_COUNT];
    size_t from = 0;
    assert_true(ts_launch_cut_next(day, 13, &from, &cut));
    assert_string_equal(cut.package, "mail");
    assert_int_equal(cut.click, 1);
    assert_int_equal(cut.end, 6);
    ts_features_of_launch(day, &cut, INFINITY, f);
    assert_true(f[TS_FEATURE_event_count] == 3 && f[TS_FEATURE_window_count] == 1 &&
                f[TS_FEATURE_content_count] == 2);
    assert_true(f[TS_FEATURE_first_event_ms] == 1800 && f[TS_FEATURE_last_event_ms] == 2200);
    assert_true(f[TS_FEATURE_mean_interval_ms] == 200);
    assert_true(f[TS_FEATURE_event_02_ms] == 1900 && f[TS_FEATURE_event_16_ms] == 2200);
    assert_true(f[TS_FEATURE_content_first_ms] == 1900 && f[TS_FEATURE_window_last_ms] == 1800);
    ts_features_of_launch(day, &cut, 1850, f); /* early in the launch */
    assert_true(f[TS_FEATURE_event_count] == 1 && isnan(f[TS_FEATURE_mean_interval_ms]));
    ts_features_of_launch(day, &cut, 100, f);
    assert_true(f[TS_FEATURE_event_count] == 0 && isnan(f[TS_FEATURE_last_event_ms]) &&
                isnan(f[TS_FEATURE_event_01_ms]));
    assert_true(ts_launch_cut_next(day, 13, &from, &cut));
    assert_string_equal(cut.package, "maps");
    assert_int_equal(cut.end, 11);
    assert_false(ts_launch_cut_next(day, 13, &from, &cut));
}

static void a_tenth_of_each_device_is_for_the_test(void **state)
{
    (void)state;
    struct ts_feature_table table;
    struct ts_why why = {""};
    bool test[300], other[300];
    size_t first = 0, all = 0, differ = 0;
    study_make(&(struct study_options){100, 3, 3, 1, 0.1, 8}, &table);
    assert_int_equal(ts_split_internal(&table, 0.1, 5, 0, test), TS_OK);
    assert_int_equal(ts_split_internal(&table, 0.1, 6, 0, other), TS_OK);
    for (size_t i = 0; i < 300; i++) {
        first += test[i] && i < 100;
        all += test[i];
        differ += test[i] != other[i];
    }
    assert_int_equal(first, 10);
    assert_int_equal(all, 30);
    assert_true(differ > 20);
    /* Ten tenths, and every launch in one of them. */
    size_t times[300] = {0};
    for (size_t part = 0; part < 10; part++) {
        assert_int_equal(ts_split_internal(&table, 0.1, 5, part, other), TS_OK);
        for (size_t i = 0; i < 300; i++)
            times[i] += other[i];
    }
    for (size_t i = 0; i < 300; i++)
        assert_int_equal(times[i], 1);
    assert_int_equal(ts_split_check(&table, test, &why), TS_OK);
    /* The same launch under another name. */
    size_t in = 0, out = 0;
    while (!test[in])
        in++;
    while (test[out])
        out++;
    table.rows[out].settled_ms = table.rows[in].settled_ms;
    table.rows[out].time_to_initial_display_ms = table.rows[in].time_to_initial_display_ms;
    memcpy(table.rows[out].app, table.rows[in].app, TS_FEATURE_TABLE_TEXT_MAX);
    memcpy(table.values + out * table.feature_count, table.values + in * table.feature_count,
           table.feature_count * sizeof(double));
    assert_int_equal(ts_split_check(&table, test, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "once more"));
    ts_feature_table_free(&table);
}

static void scores_by_hand(void **state)
{
    (void)state;
    const double actual[] = {100, 200, 300, 400}, estimate[] = {110, 180, 330, 320};
    struct ts_duration_scores scores;
    assert_int_equal(ts_duration_scores_of(estimate, actual, 4, &scores), TS_OK);
    assert_float_equal(scores.relative_error, (0.1 + 0.1 + 0.1 + 0.2) / 4, 1e-12);
    assert_float_equal(scores.mean_absolute_ms, 35, 1e-12);
    assert_float_equal(scores.spearman, 0.8, 1e-12);
    assert_float_equal(scores.concordance, 5.0 / 6, 1e-12);
    const double probability[] = {0.9, 0.7, 0.2, 0.6}, cold[] = {1, 1, 0, 0};
    struct ts_type_scores types;
    ts_type_scores_of(probability, cold, 4, &types);
    assert_float_equal(types.error, 0.25, 1e-12);
    assert_int_equal(types.counts[0][1], 1);
    assert_int_equal(types.counts[1][1], 2);
    assert_float_equal(types.brier, (0.01 + 0.09 + 0.04 + 0.36) / 4, 1e-12);
    assert_int_equal(types.bins[3].count, 2);
    const double three[] = {0.8, 0.1, 0.1, 0.3, 0.6, 0.1, 0.5, 0.4, 0.1}, type[] = {0, 1, 2};
    struct ts_class_scores classes;
    ts_class_scores_of(three, type, 3, &classes);
    assert_float_equal(classes.error, 1.0 / 3, 1e-12);
    assert_int_equal(classes.counts[1][1], 1);
    assert_int_equal(classes.counts[2][0], 1);
    assert_float_equal(classes.brier, (0.06 + 0.26 + 1.22) / 3, 1e-12);
    assert_int_equal(classes.bins[0].count, 4);
    assert_float_equal(classes.bins[0].share, 0.25, 1e-12);
    assert_int_equal(ts_duration_scores_of(estimate, actual, 0, &scores), TS_OK);
    assert_true(isnan(scores.relative_error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_comes_back_to_the_bit),
        cmocka_unit_test(what_is_wrong_is_said_with_its_line),
        cmocka_unit_test(launches_are_cut_out_of_a_day),
        cmocka_unit_test(a_tenth_of_each_device_is_for_the_test),
        cmocka_unit_test(scores_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
