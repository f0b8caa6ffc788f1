/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names from outside made harmless, tables that fit, and summaries worked out by hand. */
#include "report/out.h"
#include "report/text.h"
#include "report/words.h"
#include "stats/order.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct ts_text_style ascii = {.width = 80};
static const struct ts_text_style fine = {.utf8 = true, .width = 80};

/* The text so far, as a string that lives until the next call on `out`. */
static const char *text_of(struct ts_out *out)
{
    ts_out_bytes(out, "", 1);
    assert_int_equal(out->err, TS_OK);
    out->text.size--;
    return (const char *)out->text.data;
}

static void assert_html(const char *text, const char *expected)
{
    struct ts_out out = {0};
    ts_out_html(&out, text);
    assert_string_equal(text_of(&out), expected);
    ts_buf_free(&out.text);
}

static void html_is_escaped(void **state)
{
    (void)state;
    assert_html("a<b>&\"c\"'", "a&lt;b&gt;&amp;&quot;c&quot;&#39;");
    assert_html("Kaf\u00e9 \u5730\u56fe \U0001f600", "Kaf\u00e9 \u5730\u56fe \U0001f600");
    assert_html("\x01\x1b[31m", "\ufffd\ufffd[31m");
    assert_html("a\u202eb", "a\ufffdb");
    assert_html("\xff\xc3(", "\ufffd\ufffd(");                   /* stray and cut short */
    assert_html("\xc0\xbc", "\ufffd\ufffd");                     /* overlong '<' */
    assert_html("\xed\xa0\x80", "\ufffd\ufffd\ufffd");           /* a surrogate */
    assert_html("\xf4\x90\x80\x80", "\ufffd\ufffd\ufffd\ufffd"); /* beyond U+10FFFF */
    assert_html("\xe2\x82", "\ufffd\ufffd");                     /* ends inside a character */
}

static void assert_number(double value, int decimals, const char *expected)
{
    struct ts_out out = {0};
    ts_out_number(&out, value, decimals, ts_plain_numbers);
    assert_string_equal(text_of(&out), expected);
    ts_buf_free(&out.text);
}

static void numbers_print_well(void **state)
{
    (void)state;
    assert_number(12.26, 1, "12.3");
    assert_number(-12.26, 1, "-12.3");
    assert_number(-0.3, 0, "0");
    assert_number(-0.04, 1, "0.0");
    assert_number(NAN, 1, "-");
    assert_number(INFINITY, 0, "-");
    struct ts_out huge = {0};
    ts_out_number(&huge, -1e300, 2, ts_fine_numbers);
    assert_int_equal(strlen(text_of(&huge)), 3 + 301 + 3);
    ts_buf_free(&huge.text);
}

static int columns_of(const char *line, size_t size)
{
    int columns = 0;
    uint32_t character;
    for (size_t at = 0; at < size;) {
        at += ts_utf8_next(line + at, &character);
        columns += ts_utf8_columns(character);
    }
    return columns;
}

static void assert_fits(const char *text, bool plain)
{
    while (*text) {
        const size_t size = strcspn(text, "\n");
        assert_true(columns_of(text, size) <= 80);
        assert_true(size == 0 || text[size - 1] != ' ');
        for (size_t i = 0; i < size; i++) {
            assert_int_not_equal(text[i], '\033');
            assert_true(!plain || ((unsigned char)text[i] >= ' ' && (unsigned char)text[i] < 127));
        }
        text += size + (text[size] == '\n');
    }
}

static void tables_fit(void **state)
{
    (void)state;
    struct ts_out out = {0};
    struct ts_table table;
    ts_table_begin(&table, 3, 0x6);
    const char *const cells[] = {"Name", "ms", "n", "\u5730\u56fe", "7", "12", "x", "", "3"};
    for (size_t i = 0; i < 9; i++)
        ts_table_put(&table, cells[i]);
    ts_table_end(&table, fine, &out);
    assert_string_equal(text_of(&out), "Name  ms   n\n\u5730\u56fe   7  12\nx          3\n");
    ts_buf_clear(&out.text);

    const struct ts_text_style narrow = {.width = 20};
    ts_table_begin(&table, 2, 0x2);
    ts_table_put(&table, "a name that is too long");
    ts_table_put(&table, "12345");
    ts_table_end(&table, narrow, &out);
    assert_string_equal(text_of(&out), "a name that ~  12345\n");
    ts_buf_clear(&out.text);
    ts_table_begin(&table, 3, 0x4);
    ts_table_put(&table, "short");
    ts_table_put(&table, "and a long second one");
    ts_table_put(&table, "7");
    ts_table_end(&table, narrow, &out);
    assert_string_equal(text_of(&out), "short  and a lon~  7\n");
    ts_buf_free(&out.text);
}

static void pages_of_text_fit(void **state)
{
    (void)state;
    for (int hostile = 0; hostile < 2; hostile++) {
        struct ts_report_data data;
        struct ts_summary summary;
        sample_make(&data, 24, hostile);
        for (int flag = 0; flag < TS_FLAG_COUNT; flag++) /* everything that can be said */
            ts_result_flag(&data.launches[flag].result, (enum ts_flag)flag);
        data.launches[0].result.flags = (1u << TS_FLAG_COUNT) - 1;
        assert_int_equal(ts_summarize(&data, &summary), TS_OK);
        for (int utf8 = 0; utf8 < 2; utf8++) {
            struct ts_out out = {0};
            ts_text_summary(&data, &summary, utf8 ? fine : ascii, &out);
            assert_fits(text_of(&out), !utf8);
            ts_text_launch(&data.launches[0], utf8 ? fine : ascii, &out);
            assert_fits(text_of(&out), !utf8);
            assert_non_null(strstr(text_of(&out), "Timeline"));
            ts_buf_free(&out.text);
        }
        ts_summary_free(&summary);
        sample_free(&data);
    }
}

static void colours_only_when_asked(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    sample_make(&data, 24, false);
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    struct ts_out plain = {0}, coloured = {0};
    ts_text_summary(&data, &summary, ascii, &plain);
    ts_text_summary(&data, &summary, (struct ts_text_style){.colour = true, .width = 80},
                    &coloured);
    assert_null(strchr(text_of(&plain), '\033'));
    assert_non_null(strchr(text_of(&coloured), '\033'));
    ts_buf_free(&plain.text);
    ts_buf_free(&coloured.text);
    ts_summary_free(&summary);
    sample_free(&data);
}

static void what_is_unknown_is_a_dash(void **state)
{
    (void)state;
    struct ts_launch launch = {.result = sample_result("Maps", 1, NAN, NAN)};
    launch.result.lift.u_ns = NAN;
    struct ts_out out = {0};
    ts_text_launch(&launch, ascii, &out);
    assert_null(strstr(text_of(&out), "nan"));
    assert_fits(text_of(&out), true);
    ts_buf_free(&out.text);
}

/* What has no value says why, and the timeline is in order of time. */
static void says_why_there_is_no_number(void **state)
{
    (void)state;
    struct ts_launch launch = {.result = sample_result("Maps", 1, 900, NAN)};
    launch.result.last_visual_change.value = 850; /* half of its step; settled comes later */
    struct ts_out out = {0};
    ts_text_launch(&launch, ascii, &out);
    const char *text = text_of(&out), *timeline = strstr(text, "Timeline");
    assert_non_null(timeline);
    assert_true(strstr(timeline, "last change") < strstr(timeline, "settled"));
    assert_null(strstr(text, "- ms"));
    assert_non_null(strstr(text, "time to initial display  not reported"));
    assert_null(strstr(text, "never rests"));
    assert_true(strstr(timeline, "splash") < strstr(timeline, "app frame"));
    assert_true(strstr(timeline, "app frame") < strstr(timeline, "main content"));
    assert_non_null(strstr(text, "speed index     540.0  3.3"));
    assert_non_null(strstr(text, "85 % complete   869.0  3.2"));
    assert_null(strstr(text, "none seen"));
    ts_buf_clear(&out.text);
    launch.result = sample_result("Maps", 3, 900, NAN);
    ts_text_launch(&launch, ascii, &out);
    assert_non_null(strstr(text_of(&out), "none seen"));
    assert_null(strstr(strstr(text_of(&out), "Timeline"), "splash"));
    ts_buf_clear(&out.text);
    launch.result.last_visual_change = (struct ts_metric){NAN, NAN, NAN};
    ts_text_launch(&launch, ascii, &out);
    assert_non_null(strstr(text_of(&out), "part of the screen never rests"));
    ts_buf_clear(&out.text);
    launch.result.settled = launch.result.literal_settled = launch.result.last_visual_change;
    ts_text_launch(&launch, ascii, &out);
    assert_non_null(strstr(text_of(&out), "the screen did not come to rest"));
    assert_null(strstr(text_of(&out), "never rests"));
    ts_buf_free(&out.text);
}

/* Seven launches: 1 warm-up, 1 unusable, 1 excluded, 4 that count. */
static void summary_by_hand(void **state)
{
    (void)state;
    static struct ts_plan_app apps[] = {{.name = "Maps", .component = "a.b/.C"},
                                        {.name = "Mail", .component = "a.c/.C"}};
    const struct ts_plan plan = {.apps = apps, .app_count = 2, .launches = 6, .warm_up = 1};
    const double settled[] = {9000, 500, 9000, 9000, 700, 520, 510};
    const double android[] = {1, 400, 1, 1, NAN, 900, 400};
    struct ts_launch launches[7] = {0};
    for (int i = 0; i < 7; i++)
        launches[i].result = sample_result("Maps", i + 1, settled[i], android[i]);
    ts_result_flag(&launches[2].result, TS_FLAG_TOO_HOT);
    ts_result_flag(&launches[1].result, TS_FLAG_LOG_LOST); /* does not disqualify */
    launches[3].excluded = "the phone rang";
    launches[6].result.last_visual_change.value = NAN;
    launches[2].result.last_visual_change.value = NAN; /* does not count */
    struct ts_report_data data = {.plan = &plan, .launches = launches, .count = 7};
    ts_report_data_mark_warm_up(&data);
    struct ts_summary summary;
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    assert_int_equal(summary.app_count, 2);
    assert_int_equal(summary.launches, 7);
    assert_int_equal(summary.usable, 4);
    const struct ts_app_summary *maps = &summary.apps[0];
    assert_int_equal(maps->warm_up, 1);
    assert_int_equal(maps->excluded, 1);
    assert_int_equal(maps->start, TS_START_COLD);
    assert_false(maps->apart);
    assert_true(maps->settled.count == 4 && maps->settled.median == 515);
    assert_true(maps->settled.interval.low == 500 && maps->settled.interval.high == 700);
    assert_false(ts_interval_reached(maps->settled.interval));
    assert_true(maps->initial_display.count == 3 && maps->initial_display.median == 400);
    assert_true(maps->difference.count == 3 && maps->difference.median == 100);
    assert_true(maps->literal.median == 490);
    assert_true(maps->u_common == 1.4 && summary.u_common == 1.4);
    assert_true(maps->u == 2.9);
    assert_int_equal(maps->never_rests, 1);
    assert_true(isnan(maps->correlation)); /* 3 pairs say nothing */
    assert_int_equal(maps->android_longer, 1);
    assert_int_equal(maps->beyond_fences, 1); /* 700: quartiles 507.5 and 565 */
    assert_int_equal(summary.apps[1].launches, 0);
    assert_true(isnan(summary.apps[1].settled.median));
    ts_summary_free(&summary);
}

/* Warm starts of an app are no cold ones; one that does not count makes no row. */
static void start_types_stand_apart(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    sample_make(&data, 12, false);
    for (size_t i = 18; i < data.count; i += 3)
        data.launches[i].result.start_type = TS_START_WARM; /* Maps from its seventh launch on */
    data.launches[10].result.start_type = TS_START_HOT;     /* its flag disqualifies it */
    assert_true(!ts_launch_counts(&data.launches[10]));
    data.launches[22].result.start_type = TS_START_UNKNOWN; /* of Mail, all others are cold */
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    assert_int_equal(summary.app_count, 4);
    assert_int_equal(summary.apps[2].start, TS_START_COLD);
    const struct ts_app_summary *cold = &summary.apps[0], *warm = &summary.apps[1];
    assert_string_equal(cold->label, "Maps, cold");
    assert_string_equal(warm->label, "Maps, warm");
    assert_string_equal(cold->app, "Maps");
    assert_string_equal(summary.apps[2].label, "Mail");
    assert_false(summary.apps[2].apart);
    assert_int_equal(cold->launches, 6);
    assert_int_equal(warm->launches, 6);
    assert_int_equal(warm->settled.count, 6);
    double settled[6];
    for (size_t i = 0; i < 6; i++) {
        settled[i] = data.launches[18 + 3 * i].result.settled.value;
        assert_int_equal(summary.row_of[18 + 3 * i], 1);
    }
    ts_sort(settled, 6);
    assert_true(warm->settled.median == ts_median(settled, 6));
    struct ts_out out = {0};
    ts_text_summary(&data, &summary, (struct ts_text_style){.width = 80}, &out);
    assert_non_null(strstr(text_of(&out), "Maps, warm "));
    ts_buf_free(&out.text);
    ts_summary_free(&summary);
    sample_free(&data);
}

static void every_flag_has_words(void **state)
{
    (void)state;
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        const struct ts_flag_words *words = ts_flag_words((enum ts_flag)flag);
        assert_non_null(words->title);
        assert_int_equal(words->meaning[strlen(words->meaning) - 1], '.');
        assert_int_equal(words->advice[strlen(words->advice) - 1], '.');
    }
}

static void json_holds_the_same(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    sample_make(&data, 8, true);
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    struct ts_out out = {0};
    ts_json_summary(&data, &summary, &out);
    assert_non_null(strstr(text_of(&out), "\"launches\": 24"));
    assert_null(strstr(text_of(&out), "nan"));
    ts_buf_free(&out.text);
    ts_summary_free(&summary);
    sample_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_is_escaped),
        cmocka_unit_test(numbers_print_well),
        cmocka_unit_test(tables_fit),
        cmocka_unit_test(pages_of_text_fit),
        cmocka_unit_test(colours_only_when_asked),
        cmocka_unit_test(what_is_unknown_is_a_dash),
        cmocka_unit_test(says_why_there_is_no_number),
        cmocka_unit_test(summary_by_hand),
        cmocka_unit_test(start_types_stand_apart),
        cmocka_unit_test(every_flag_has_words),
        cmocka_unit_test(json_holds_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
