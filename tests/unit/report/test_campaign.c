/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign went, why it ended, and the camera against Android: what the page says of them. */
#include "report/versus.h"
#include "report/html.h"
#include "report/running.h"
#include "sample.h"
#include "stats/order.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *make_page(const struct ts_report_data *data)
{
    struct ts_out out = {0};
    assert_int_equal(ts_report_page(data, NULL, false, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    return (char *)out.text.data;
}

static void assert_says(const struct ts_report_data *data, const char *text)
{
    char *page = make_page(data);
    if (!strstr(page, text))
        fail_msg("the page does not say \"%s\"", text);
    free(page);
}

static void says_why_it_ended(void **state)
{
    (void)state;
    struct ts_report_data data;
    sample_make(&data, 24, false);
    assert_says(&data, "The campaign ended with the last launch of its plan.");
    data.count = 60;
    assert_says(&data, "The campaign was stopped, or cut off, after 60 of 72 launches");
    struct ts_plan plan = *data.plan;
    char rule[] = "width(median) < 5%";
    plan.stop = rule;
    data.plan = &plan;
    for (size_t i = 57; i < 59; i++)
        snprintf(data.launches[i].result.conditions.stop, 60, "width(median) is %zu %%", i - 54);
    assert_says(&data, "was stopped, or cut off, after"); /* one app has not met it */
    snprintf(data.launches[59].result.conditions.stop, 60, "launches(20)");
    assert_says(&data, "The campaign ended because every app met the plan\u2019s stop rule. Stop "
                       "rule: <code><bdi>width(median) &lt; 5%</bdi></code>.");
    assert_says(&data, "<td><bdi>width(median) is 4 %</bdi></td>");
    assert_says(&data, "<td><bdi>launches(20)</bdi></td>");
    sample_free(&data);
}

static void says_when_temperatures_are_missing(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    struct ts_out out = {0};
    sample_make(&data, 12, false);
    for (size_t i = 0; i < data.count; i++) {
        struct ts_conditions *conditions = &data.launches[i].result.conditions;
        conditions->temperature_c = conditions->cpu_mhz = conditions->cpu_most_mhz = NAN;
    }
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    assert_int_equal(ts_figure_phone(&data, &summary, &out), TS_EOF);
    assert_int_equal(out.text.size, 0);
    assert_int_equal(ts_report_page(&data, NULL, true, &out), TS_OK);
    ts_out_bytes(&out, "", 1);
    assert_non_null(strstr((const char *)out.text.data, "clock of the phone were recorded."));
    ts_buf_free(&out.text);
    ts_summary_free(&summary);
    sample_free(&data);
}

/* Medians 100, 150, 200, 197.5, 195, 197.5 of 100 200 300 195 190 ... come to rest at the third. */
static void medians_come_to_rest(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    struct ts_running running;
    static const double settled[] = {100, 200, 300, 195, 190, 202};
    static const double medians[] = {100, 150, 200, 197.5, 195, 197.5};
    sample_make(&data, 8, false);
    struct ts_plan plan = *data.plan;
    plan.warm_up = 0;
    data.plan = &plan;
    data.count = 6;
    for (size_t i = 0; i < 6; i++) {
        data.launches[i].result = sample_result("Maps", (int)i + 1, settled[i], 80);
        data.launches[i].warm_up = false;
        data.launches[i].excluded = NULL;
    }
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    assert_int_equal(ts_running_of(&data, &summary, 0, &running), TS_OK);
    assert_int_equal(running.count, 6);
    for (size_t i = 0; i < 6; i++)
        assert_true(fabs(running.medians[i] - medians[i]) < 1e-9);
    assert_int_equal(ts_running_rests(&running, 0.025), 3);
    assert_int_equal(ts_running_rests(&running, 0.01), 6);
    assert_int_equal(ts_running_rests(&running, 0.5), 1);
    ts_running_free(&running);
    assert_int_equal(ts_running_of(&data, &summary, 1, &running), TS_OK);
    assert_int_equal(running.count, 0);
    assert_int_equal(ts_running_rests(&running, 0.025), 0);
    ts_running_free(&running);
    ts_summary_free(&summary);
    sample_free(&data);
}

/* Bias and limits by hand from the launches that count; the line only where there are pairs. */
static void camera_against_android(void **state)
{
    (void)state;
    struct ts_report_data data;
    struct ts_summary summary;
    struct ts_versus android;
    double sum = 0, squares = 0;
    size_t count = 0;
    sample_make(&data, 24, false);
    for (size_t i = 0; i < data.count; i++) {
        struct ts_result *result = &data.launches[i].result;
        if (strcmp(result->app, "Mail") == 0 && i > 18)
            result->time_to_initial_display_ms = NAN; /* fewer than six pairs of it are left */
        if (strcmp(result->app, "Maps") != 0 || !ts_launch_counts(&data.launches[i]))
            continue;
        const double difference = result->settled.value - result->time_to_initial_display_ms;
        sum += difference;
        squares += difference * difference;
        count++;
    }
    const double bias = sum / (double)count;
    const double sd = sqrt((squares - sum * bias) / (double)(count - 1));
    assert_int_equal(ts_summarize(&data, &summary), TS_OK);
    assert_int_equal(ts_versus_android(&data, &summary, &android), TS_OK);
    const struct ts_versus_side *maps = &android.rows[0];
    assert_int_equal(maps->count, count);
    assert_true(fabs(maps->agreement.bias - bias) < 1e-6);
    assert_true(fabs(maps->agreement.limits.low - (bias - 1.96 * sd)) < 0.01 * sd);
    assert_true(fabs(maps->agreement.limits.high - (bias + 1.96 * sd)) < 0.01 * sd);
    assert_true(isfinite(maps->line.slope));
    assert_true(android.rows[1].count < TS_PAIRS_MIN && isnan(android.rows[1].line.slope));
    assert_int_equal(android.all.count,
                     maps->count + android.rows[1].count + android.rows[2].count);
    char row[200];
    snprintf(row, sizeof row,
             "<tr><th scope=\"row\"><bdi>Maps</bdi></th><td class=\"number\">%zu</td>"
             "<td class=\"number\">%.0f</td>",
             count, bias);
    assert_says(&data, row);
    ts_versus_free(&android);
    for (size_t i = 0; i < data.count; i++)
        data.launches[i].result.time_to_initial_display_ms = NAN;
    assert_says(&data, "Android gave no number of its own for a launch that counts");
    ts_summary_free(&summary);
    sample_free(&data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_why_it_ended),
        cmocka_unit_test(says_when_temperatures_are_missing),
        cmocka_unit_test(medians_come_to_rest),
        cmocka_unit_test(camera_against_android),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
