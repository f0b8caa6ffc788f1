/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures: what of gnuplot's output reaches the page, gnuplot that fails or hangs, and axes whose
 * labels can be read. */
#include "report/versus.h"
#include "report/figure.h"
#include "report/running.h"
#include "sample.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void adopts_only_svg(void **state)
{
    (void)state;
    const struct ts_figure figure = {"x", "a \"label\"", 10, 20, 30, 5};
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
    const struct ts_figure figure = {"x", "", 10, 20, 30, 5};
    char text[] = "this is no command\n";
    const struct ts_buf script = {.data = (uint8_t *)text, .size = strlen(text)};
    struct ts_out out = {0};
    assert_int_equal(ts_figure_draw(&figure, &script, NULL, 0, &out), TS_EIO);
    assert_int_equal(out.text.size, 0);
    ts_buf_free(&out.text);
}

/* gnuplot that never ends, whatever signals ask of it. */
static void hung_gnuplot_is_stopped(void **state)
{
    (void)state;
    char dir[200], path[300], kept[4096], search[4400];
    snprintf(dir, sizeof dir, "%s/test_gnuplot_XXXXXX", TS_BUILD_DIR);
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof path, "%s/gnuplot", dir);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("#!/bin/sh\ntrap '' TERM\necho '<svg '\nwhile :; do sleep 100; done\n", file);
    fclose(file);
    assert_int_equal(chmod(path, 0755), 0);
    snprintf(kept, sizeof kept, "%s", getenv("PATH"));
    snprintf(search, sizeof search, "%s:%s", dir, kept);
    setenv("PATH", search, 1);
    const struct ts_figure figure = {.id = "x", .label = "", .seconds = 1};
    char text[] = "plot x\n";
    const struct ts_buf script = {.data = (uint8_t *)text, .size = strlen(text)};
    struct ts_out out = {0};
    const int err = ts_figure_draw(&figure, &script, NULL, 0, &out);
    setenv("PATH", kept, 1);
    unlink(path);
    rmdir(dir);
    assert_int_equal(err, TS_ETIMEOUT);
    assert_int_equal(out.text.size, 0);
    ts_buf_free(&out.text);
}

/* The labels under an axis, as gnuplot places them: none runs into the next, at 9 px a digit. */
static void assert_labels_apart(const char *figure)
{
    double last_x = -1e9, last_y = -1;
    size_t last_size = 0;
    int labels = 0;
    for (const char *at = figure; (at = strstr(at, "translate(")) && at < strstr(figure, "</svg>");
         at++) {
        double x, y;
        const char *text = strstr(at, "<text>"), *next = strstr(at + 1, "translate(");
        if (sscanf(at, "translate(%lf,%lf)", &x, &y) != 2 || !text || (next && next < text))
            continue;
        const size_t size = strspn(text + 6, "0123456789");
        if (!size || text[6 + size] != '<')
            continue;
        const double room = 9 * (double)(size + last_size) / 2 + 6;
        assert_true(y != last_y || fabs(x - last_x) >= room);
        last_x = x;
        last_y = y;
        last_size = size;
        labels++;
    }
    assert_in_range(labels, 3, 24);
}

static void axis_labels_keep_apart(void **state)
{
    (void)state;
    static const double factors[] = {0.02, 0.3, 1, 3, 9, 40}; /* of the slowest app */
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        struct ts_report_data data;
        struct ts_summary summary;
        struct ts_versus android;
        struct ts_out figures[5] = {{{0}, 0}};
        sample_make(&data, 10, false);
        for (size_t launch = 2; launch < data.count; launch += 3) {
            data.launches[launch].result.settled.value *= factors[i];
            data.launches[launch].result.time_to_initial_display_ms *= factors[i];
        }
        assert_int_equal(ts_summarize(&data, &summary), TS_OK);
        assert_int_equal(ts_versus_android(&data, &summary, &android), TS_OK);
        assert_int_equal(ts_figure_distribution(&summary, &figures[0]), TS_OK);
        assert_int_equal(
            ts_figure_scatter(&android, &ts_versus_android_words, &summary, &figures[1]), TS_OK);
        assert_int_equal(
            ts_figure_difference(&android, &ts_versus_android_words, &summary, &figures[2]), TS_OK);
        assert_int_equal(ts_figure_running(&data, &summary, &figures[3]), TS_OK);
        assert_int_equal(ts_figure_phone(&data, &summary, &figures[4]), TS_OK);
        for (size_t j = 0; j < sizeof figures / sizeof *figures; j++) {
            ts_out_bytes(&figures[j], "", 1);
            assert_labels_apart((const char *)figures[j].text.data);
            ts_buf_free(&figures[j].text);
        }
        ts_versus_free(&android);
        ts_summary_free(&summary);
        sample_free(&data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(adopts_only_svg),
        cmocka_unit_test(failing_script_is_an_error),
        cmocka_unit_test(hung_gnuplot_is_stopped),
        cmocka_unit_test(axis_labels_keep_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
