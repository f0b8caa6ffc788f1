/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report page: one file that asks for nothing, whatever apps are called, the same bytes every
 * time, with gnuplot and without. */
#include "report/base.h"
#include "report/html.h"
#include "report/page.h"
#include "report/summary.h"
#include "report/words.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char *make_page(int launches, bool hostile, bool figures)
{
    struct ts_report_data data;
    struct ts_out out = {0};
    sample_make(&data, launches, hostile);
    assert_int_equal(ts_report_page(&data, NULL, figures, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    assert_int_equal(out.err, TS_OK);
    sample_free(&data);
    return (char *)out.text.data;
}

static void assert_asks_for_nothing(const char *page)
{
    static const char *const requests[] = {"http:",   "https:",  "//",      "src=\"",
                                           "src='",   "url(",    "@import", "<link",
                                           "<script", "<iframe", "<object", "<img"};
    for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
        assert_null(strstr(page, requests[i]));
}

static void asks_for_nothing(void **state)
{
    (void)state;
    for (int hostile = 0; hostile < 2; hostile++) {
        char *page = make_page(24, hostile, true);
        assert_asks_for_nothing(page);
        assert_null(strchr(page, '\033'));
        if (hostile) {
            assert_non_null(strstr(page, "&lt;script&gt;alert(1)"));
            assert_non_null(strstr(page, "&lt;/title&gt;"));
            assert_non_null(strstr(page, "&lt;img "));
        }
        free(page);
    }
}

static void figures_are_drawn(void **state)
{
    (void)state;
    char *page = make_page(24, false, true);
    const char *first = strstr(page, "<svg");
    assert_non_null(first);
    assert_non_null(strstr(first + 1, "<svg"));
    assert_null(strstr(page, "ts-name-"));
    assert_null(strstr(page, "rgb("));
    assert_null(strstr(page, "<title>fd"));
    assert_non_null(strstr(page, ">Maps</text>"));
    free(page);
}

static int compare_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void ids_are_unique(void **state)
{
    (void)state;
    char *page = make_page(24, false, true);
    static char *ids[500];
    size_t count = 0;
    for (char *at = page; (at = strstr(at, " id=")) && count < 500;) {
        char *end = strchr(at + 5, at[4]);
        assert_non_null(end);
        *end = '\0';
        ids[count++] = at + 5;
        at = end + 1;
    }
    assert_true(count > 20);
    qsort(ids, count, sizeof *ids, compare_text);
    for (size_t i = 1; i < count; i++)
        assert_string_not_equal(ids[i - 1], ids[i]);
    free(page);
}

static void same_session_same_bytes(void **state)
{
    (void)state;
    char *one = make_page(24, false, true), *two = make_page(24, false, true);
    assert_string_equal(one, two);
    free(one);
    free(two);
}

static void says_so_without_gnuplot(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s", path ? path : "");
    setenv("PATH", "/nonexistent", 1);
    char *page = make_page(24, false, true);
    setenv("PATH", kept, 1);
    assert_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "gnuplot is not installed"));
    free(page);
}

static void few_launches_promise_nothing(void **state)
{
    (void)state;
    char *page = make_page(8, false, false); /* 4 of 8 count */
    assert_non_null(strstr(page, "smallest to largest"));
    assert_null(strstr(page, "<small>95\u00a0% sure"));
    free(page);
}

static void empty_session_makes_a_page(void **state)
{
    (void)state;
    struct ts_report_data data;
    sample_make(&data, 8, false);
    data.count = 0;
    data.calibrated = false;
    struct ts_out out = {0};
    assert_int_equal(ts_report_page(&data, NULL, true, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    const char *page = (const char *)out.text.data;
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "no launch that counts"));
    assert_non_null(strstr(page, "not calibrated on the contact plate"));
    ts_buf_free(&out.text);
    sample_free(&data);
}

/* The text of the next cell of a table, tags dropped; *at moves behind it. */
static const char *next_cell(const char **at)
{
    static char cell[400];
    const char *d = strstr(*at, "<td"), *h = strstr(*at, "<th");
    const char *from = !d || (h && h < d) ? h : d;
    assert_non_null(from);
    size_t size = 0;
    for (from = strchr(from, '>') + 1; strncmp(from, "</t", 3) != 0; from++) {
        if (*from == '<')
            from = strchr(from, '>');
        else if (size + 1 < sizeof cell)
            cell[size++] = *from;
    }
    cell[size] = '\0';
    *at = from;
    return cell;
}

static void assert_number_cell(const char **at, double value, int decimals)
{
    struct ts_out out = {0};
    ts_out_number(&out, value, decimals, ts_fine_numbers);
    ts_out_bytes(&out, "", 1);
    assert_string_equal(next_cell(at), (const char *)out.text.data);
    ts_buf_free(&out.text);
}

static void assert_range_cell(const char **at, const struct ts_estimate *estimate)
{
    char range[80];
    snprintf(range, sizeof range, "%.0f to %.0f%s", estimate->interval.low, estimate->interval.high,
             ts_interval_reached(estimate->interval) ? "" : "*");
    assert_string_equal(next_cell(at), range);
}

/* Where the rows of the table with this caption begin. */
static const char *find_rows(const char *page, const char *caption)
{
    char text[120];
    snprintf(text, sizeof text, "<caption>%s</caption>", caption);
    const char *at = strstr(page, text);
    assert_non_null(at);
    return strstr(at, "<tbody>");
}

static void tables_hold_the_numbers(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    sample_make(&data, 24, false);
    data.launches[9].result.time_to_initial_display_ms = NAN;
    data.launches[12].result.last_visual_change.value = NAN;
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    struct ts_out out = {0};
    assert_int_equal(ts_report_page(&data, NULL, false, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    const char *page = (const char *)out.text.data;
    const char *at = find_rows(page, "Medians, in milliseconds after lift");
    for (size_t i = 0; i < summary.app_count; i++) {
        const struct ts_app_summary *app = &summary.apps[i];
        assert_string_equal(next_cell(&at), app->app);
        assert_string_equal(next_cell(&at), "20 of 24");
        assert_number_cell(&at, app->first_change.median, 0);
        assert_number_cell(&at, app->settled.median, 0);
        assert_range_cell(&at, &app->settled);
        assert_number_cell(&at, app->u, 1);
        assert_number_cell(&at, app->initial_display.median, 0);
        assert_number_cell(&at, app->difference.median, 0);
        assert_range_cell(&at, &app->difference);
        assert_number_cell(&at, app->correlation, 2);
        assert_number_cell(&at, app->literal.median, 0);
    }
    at = find_rows(page, "All launches, in milliseconds after lift");
    for (size_t i = 0; i < data.count; i++) {
        const struct ts_result *result = &data.launches[i].result;
        assert_number_cell(&at, result->launch, 0);
        assert_string_equal(next_cell(&at), result->app);
        const bool counts = strncmp(next_cell(&at), "Counts", 6) == 0;
        assert_int_equal(counts, ts_launch_counts(&data.launches[i]));
        assert_number_cell(&at, result->first_visual_change.value, 1);
        if (i == 12)
            assert_string_equal(next_cell(&at), "never rests");
        else
            assert_number_cell(&at, result->last_visual_change.value, 1);
        assert_number_cell(&at, result->settled.value, 1);
        assert_number_cell(&at, result->settled.u, 1);
        assert_number_cell(&at, result->time_to_initial_display_ms, 0);
        assert_number_cell(&at, result->settled.value - result->time_to_initial_display_ms, 1);
        assert_number_cell(&at, result->literal_settled.value, 1);
        assert_number_cell(&at, result->splash.value, 1);
        assert_number_cell(&at, result->first_app_frame.value, 1);
        assert_number_cell(&at, result->main_content.value, 1);
        assert_number_cell(&at, result->visually_complete_85.value, 1);
        assert_number_cell(&at, result->speed_index.value, 1);
        assert_number_cell(&at, result->conditions.temperature_c, 1);
        assert_number_cell(&at, result->conditions.cpu_mhz, 0);
        assert_number_cell(&at, result->conditions.cpu_most_mhz, 0);
    }
    ts_buf_free(&out.text);
    ts_summary_free(&summary);
    sample_free(&data);
}

static void names_the_bench_and_what_never_rests(void **state)
{
    (void)state;
    struct ts_report_data data;
    sample_make(&data, 24, false);
    for (int simulated = 0; simulated < 2; simulated++) {
        struct ts_session_info info = *data.info;
        snprintf(info.bench, sizeof info.bench, "%s", simulated ? "sim" : "live");
        data.info = &info;
        data.launches[12].result.last_visual_change.value = simulated ? NAN : 900;
        struct ts_out out = {0};
        assert_int_equal(ts_report_page(&data, NULL, false, &out), TS_OK);
        ts_out_bytes(&out, "", 1);
        const char *page = (const char *)out.text.data;
        const char *notice = strstr(page, "Measured on the simulated bench");
        const char *restless = strstr(page, "part of the screen never rests</small>");
        assert_int_equal(notice != NULL, simulated);
        assert_int_equal(restless != NULL, simulated);
        assert_true(!notice || notice < strstr(page, "<table"));
        ts_buf_free(&out.text);
    }
    sample_free(&data);
}

/* An older session in which every launch of Maps and Mail was 50 ms quicker and the third app was
 * not there; then one that another detector saw. */
static void stands_against_its_base(void **state)
{
    (void)state;
    for (int unlike = 0; unlike < 2; unlike++) {
        struct ts_report_data data, older;
        struct ts_base base;
        struct ts_out out = {0};
        sample_make(&data, 24, false);
        sample_make(&older, 24, false);
        for (size_t i = 0; i < older.count; i++) {
            older.launches[i].result.settled.value -= 50;
            older.launches[i].excluded = i % 3 == 2 ? "not there" : older.launches[i].excluded;
        }
        struct ts_session_info info = *data.info;
        snprintf(info.detector, sizeof info.detector, "%s", unlike ? "other" : data.info->detector);
        older.info = &info;
        snprintf(older.campaign.phone, sizeof older.campaign.phone, "Pixel 7 & Co");
        assert_int_equal(ts_base_take("build 411", &older, &data, &base), TS_OK);
        assert_int_equal(ts_report_page(&data, &base, false, &out), TS_OK);
        ts_out_bytes(&out, "", 1);
        const char *page = (const char *)out.text.data;
        const char *change = strstr(page, "<b>+50\u00a0ms</b> <small>against the base, +");
        assert_int_equal(change != NULL, !unlike);
        assert_int_equal(change && strstr(change + 1, "<b>+50\u00a0ms</b>"), !unlike);
        assert_int_equal(strstr(page, "nothing to compare in the base") != NULL, !unlike);
        assert_int_equal(strstr(page, "The base is <bdi>build 411</bdi> (<bdi>Pixel 7 &amp; Co"
                                      "</bdi>)") != NULL,
                         !unlike);
        assert_int_equal(strstr(page, "Not compared with <bdi>build 411</bdi> (<bdi>Pixel 7 &amp; "
                                      "Co</bdi>): it was measured by detector other") != NULL,
                         unlike);
        ts_buf_free(&out.text);
        ts_base_close(&base);
        sample_free(&data);
    }
}

/* Every verdict comes with what it means and what to do. */
static void verdicts_are_explained(void **state)
{
    (void)state;
    struct ts_report_data data;
    sample_make(&data, 10, false);
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++)
        data.launches[flag].result.flags = 1u << flag;
    struct ts_out out = {0}, escaped = {0};
    assert_int_equal(ts_report_page(&data, NULL, false, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        const struct ts_flag_words *words = ts_flag_words((enum ts_flag)flag);
        ts_buf_clear(&escaped.text);
        ts_html_words(&escaped, words->meaning);
        ts_out_put(&escaped, "</p><p><i>What to do:</i> ");
        ts_html_words(&escaped, words->advice);
        ts_out_bytes(&escaped, "", 1);
        assert_non_null(strstr((const char *)out.text.data, (const char *)escaped.text.data));
    }
    ts_buf_free(&escaped.text);
    ts_buf_free(&out.text);
    sample_free(&data);
}

/* What a person types stands apart from the sentence about it; a lone mark is a mark. */
static void commands_stand_out(void **state)
{
    (void)state;
    static const struct {
        const char *words, *html;
    } cases[] = {
        {"run `a <b>` and `c`", "run <code>a &lt;b&gt;</code> and <code>c</code>"},
        {"a `b` c` d", "a <code>b</code> c` d"},
        {"plain", "plain"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct ts_out out = {0};
        ts_html_words(&out, cases[i].words);
        ts_out_bytes(&out, "", 1);
        assert_int_equal(out.err, TS_OK);
        assert_string_equal((const char *)out.text.data, cases[i].html);
        ts_buf_free(&out.text);
    }
}

/* Through the store: a session of six launches, one excluded. */
static void report_of_a_session_folder(void **state)
{
    (void)state;
    char dir[200], path[300];
    snprintf(dir, sizeof dir, "%s/test_report_XXXXXX", TS_BUILD_DIR);
    assert_non_null(mkdtemp(dir));
    struct ts_report_data data, read;
    struct ts_why why = {""};
    struct ts_session_writer *session;
    sample_make(&data, 8, false);
    snprintf(path, sizeof path, "%s/session", dir);
    assert_int_equal(ts_session_create(path, data.info, data.plan, "", &session, &why), TS_OK);
    for (int launch = 1; launch <= 6; launch++) {
        const struct ts_evidence_intent intent = {.launch = launch};
        assert_int_equal(ts_session_begin(session, launch, false, &why), TS_OK);
        assert_int_equal(ts_session_intent(session, &intent), TS_OK);
        assert_int_equal(
            ts_session_finish_launch(session, &data.launches[launch - 1].result, false, &why),
            TS_OK);
    }
    ts_session_close(session);
    assert_int_equal(ts_session_exclude(path, 4, "the phone rang", &why), TS_OK);
    assert_int_equal(ts_report_data_load(path, &read, &why), TS_OK);
    assert_int_equal(read.count, 6);
    assert_false(read.calibrated);
    assert_string_equal(read.launches[3].excluded, "the phone rang");
    assert_null(read.launches[4].excluded);
    ts_report_data_free(&read);

    char page[400];
    snprintf(page, sizeof page, "%s/report.html", dir);
    assert_int_equal(ts_report_write(path, NULL, page, &why), TS_OK);
    FILE *file = fopen(page, "rb");
    assert_non_null(file);
    char start[16] = "";
    assert_int_equal(fread(start, 1, 15, file), 15);
    assert_string_equal(start, "<!DOCTYPE html>");
    fclose(file);
    snprintf(page, sizeof page, "%s/no/such/folder/report.html", dir);
    assert_int_equal(ts_report_write(path, NULL, page, &why), TS_EIO);
    assert_true(ts_report_write(dir, NULL, page, &why) < 0);
    assert_true(strlen(why.text) > 0);
    sample_free(&data);
    char clean[220];
    snprintf(clean, sizeof clean, "rm -rf '%s'", dir);
    assert_int_equal(system(clean), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(asks_for_nothing),
        cmocka_unit_test(figures_are_drawn),
        cmocka_unit_test(ids_are_unique),
        cmocka_unit_test(same_session_same_bytes),
        cmocka_unit_test(says_so_without_gnuplot),
        cmocka_unit_test(few_launches_promise_nothing),
        cmocka_unit_test(empty_session_makes_a_page),
        cmocka_unit_test(tables_hold_the_numbers),
        cmocka_unit_test(names_the_bench_and_what_never_rests),
        cmocka_unit_test(stands_against_its_base),
        cmocka_unit_test(verdicts_are_explained),
        cmocka_unit_test(commands_stand_out),
        cmocka_unit_test(report_of_a_session_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
