/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report page: one file that asks for nothing, whatever apps are called, the same bytes every
 * time, with gnuplot and without. */
#include "report/figure.h"
#include "report/html.h"
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
    assert_int_equal(ts_report_page(&data, figures, &out), TS_OK);
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
    assert_null(strstr(page, "sure: <b>"));
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
    assert_int_equal(ts_report_page(&data, true, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    const char *page = (const char *)out.text.data;
    assert_null(strstr(page, "nan"));
    assert_null(strstr(page, "<svg"));
    assert_non_null(strstr(page, "no launch that counts"));
    assert_non_null(strstr(page, "not calibrated on the contact plate"));
    ts_buf_free(&out.text);
    sample_free(&data);
}

static void adopts_only_svg(void **state)
{
    (void)state;
    const struct ts_figure figure = {"x", "a \"label\"", 10, 20};
    const char *const names[] = {"<b>"};
    struct ts_out out = {0};
    const char good[] = "<?xml?><svg w='1'><title>t</title><use href='#gpPt6' "
                        "color='rgb(  4,   4,   4)' fill='rgb(1,2,3)'/>ts-name-0 ts-name-9</svg>";
    assert_int_equal(ts_figure_adopt(&figure, good, strlen(good), names, 1, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    assert_string_equal((const char *)out.text.data,
                        "<svg viewBox=\"0 0 10 20\" role=\"img\" aria-label=\"a "
                        "&quot;label&quot;\"><use href='#x-gpPt6' color='var(--f4)' "
                        "fill='rgb(1,2,3)'/>&lt;b&gt; </svg>");
    ts_buf_clear(&out.text);
    assert_int_equal(ts_figure_adopt(&figure, "oops", 4, names, 1, &out), TS_EIO);
    assert_int_equal(ts_figure_adopt(&figure, "<svg", 4, names, 1, &out), TS_EIO);
    assert_int_equal(ts_figure_adopt(&figure, "<svg><title>", 12, names, 1, &out), TS_EIO);
    assert_int_equal(ts_figure_adopt(&figure, NULL, 0, names, 1, &out), TS_EIO);
    assert_int_equal(out.text.size, 0);
    ts_buf_free(&out.text);
}

static void failing_script_is_an_error(void **state)
{
    (void)state;
    const struct ts_figure figure = {"x", "", 10, 20};
    char text[] = "this is no command\n";
    const struct ts_buf script = {.data = (uint8_t *)text, .size = strlen(text)};
    struct ts_out out = {0};
    assert_int_equal(ts_figure_draw(&figure, &script, NULL, 0, &out), TS_EIO);
    assert_int_equal(out.text.size, 0);
    ts_buf_free(&out.text);
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
    assert_int_equal(ts_report_write(path, page, &why), TS_OK);
    FILE *file = fopen(page, "rb");
    assert_non_null(file);
    char start[16] = "";
    assert_int_equal(fread(start, 1, 15, file), 15);
    assert_string_equal(start, "<!DOCTYPE html>");
    fclose(file);
    snprintf(page, sizeof page, "%s/no/such/folder/report.html", dir);
    assert_int_equal(ts_report_write(path, page, &why), TS_EIO);
    assert_true(ts_report_write(dir, page, &why) < 0);
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
        cmocka_unit_test(adopts_only_svg),
        cmocka_unit_test(failing_script_is_an_error),
        cmocka_unit_test(report_of_a_session_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
