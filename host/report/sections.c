/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/sections.h"

#include "report/words.h"
#include "stats/order.h"

#include <math.h>
#include <string.h>

static void put_ms(struct ts_out *out, double value)
{
    ts_out_number(out, value, 0, ts_fine_numbers);
}

/* "825 to 861" */
static void put_interval(struct ts_out *out, const struct ts_estimate *estimate)
{
    if (estimate->count < 2) {
        ts_out_put(out, ts_fine_numbers.unknown);
        return;
    }
    put_ms(out, estimate->interval.low);
    ts_out_put(out, " to ");
    put_ms(out, estimate->interval.high);
    if (!ts_interval_reached(estimate->interval))
        ts_out_put(out, "*");
}

static void put_bar(struct ts_out *out, const char *kind, double value, double full)
{
    if (isfinite(value) && full > 0)
        ts_out_printf(out, "<span class=\"bar %s\" style=\"width:%.1f%%\"></span>", kind,
                      100 * fmax(0, value) / full);
}

static void put_against_android(struct ts_out *out, const struct ts_app_summary *app)
{
    if (!app->difference.count) {
        ts_out_put(out, "Android gave no number of its own");
        return;
    }
    ts_out_put(out, "Android says <b>");
    put_ms(out, app->initial_display.median);
    ts_out_put(out, "\u00a0ms</b>: ");
    ts_out_number(out, fabs(app->difference.median), 0, ts_fine_numbers);
    ts_out_put(out, app->difference.median < 0 ? "\u00a0ms longer" : "\u00a0ms shorter");
}

static void put_answer(struct ts_out *out, const struct ts_app_summary *app, double full)
{
    ts_out_put(out, "<li>\n<p class=\"app\">");
    ts_html_name(out, app->app);
    if (app->start != TS_START_UNKNOWN)
        ts_out_printf(out, " <span class=\"quiet\">%s start</span>",
                      ts_start_type_name(app->start));
    ts_out_put(out, "</p>\n<p class=\"big\">");
    put_ms(out, app->settled.median);
    ts_out_put(out, "<small>\u00a0ms</small></p>\n<p class=\"bars\" aria-hidden=\"true\">");
    put_bar(out, "rig", app->settled.median, full);
    put_bar(out, "android", app->initial_display.median, full);
    ts_out_put(out, "</p>\n<p class=\"sure\">");
    if (app->settled.count < 2) {
        ts_out_put(out, app->settled.count ? "one launch only" : "no launch that counts");
    } else {
        const bool reached = ts_interval_reached(app->settled.interval);
        ts_out_put(out, reached ? "95\u00a0% sure: <b>" : "smallest to largest: <b>");
        put_ms(out, app->settled.interval.low);
        ts_out_put(out, " to ");
        put_ms(out, app->settled.interval.high);
        ts_out_printf(out, "\u00a0ms</b> \u00b7 %zu of %d launches", app->settled.count,
                      app->launches);
    }
    ts_out_put(out, "</p>\n<p class=\"against\">");
    put_against_android(out, app);
    ts_out_put(out, "</p>\n</li>\n");
}

void ts_section_answer(const struct ts_report_data *data, const struct ts_summary *summary,
                       struct ts_out *out)
{
    double full = 0;
    for (size_t i = 0; i < summary->app_count; i++) {
        full = fmax(full, summary->apps[i].settled.median);
        full = fmax(full, summary->apps[i].initial_display.median);
    }
    ts_out_put(out, "<section class=\"answer\">\n<h2 class=\"unseen\">The answer</h2>\n<ol>\n");
    for (size_t i = 0; i < summary->app_count; i++)
        put_answer(out, &summary->apps[i], full);
    ts_out_put(out, "</ol>\n<p class=\"legend\" aria-hidden=\"true\"><span class=\"key rig\">"
                    "</span>seen by the camera <span class=\"key android\"></span>Android\u2019s "
                    "time to initial display</p>\n<p>");
    ts_out_printf(out, "The large numbers are medians; %d of %d launches count. ", summary->usable,
                  summary->launches);
    if (isfinite(summary->u_common)) {
        ts_out_put(out, "The instrument may shift all of them together by \u00b1");
        ts_out_number(out, 2 * summary->u_common, 1, ts_fine_numbers);
        ts_out_put(out, "\u00a0ms (twice its standard uncertainty <i>u</i>\u00a0=\u00a0");
        ts_out_number(out, summary->u_common, 1, ts_fine_numbers);
        ts_out_put(out, "\u00a0ms); this part cancels when two builds are compared on the same "
                        "rig.");
    }
    ts_out_put(out, "</p>\n");
    if (!data->calibrated || data->calibration.plate_taps == 0)
        ts_out_put(out, "<p class=\"notice\">The lift was not calibrated on the contact plate: it "
                        "stands on the pick-up seen by the accelerometer and a nominal delay, "
                        "within \u00b16\u00a0ms.</p>\n");
    ts_out_put(out, "</section>\n");
}

void ts_section_apps(const struct ts_summary *summary, struct ts_out *out)
{
    ts_out_put(out, "<section>\n<h2>Each app</h2>\n");
    ts_html_table_begin(out, "Medians in milliseconds, with their 95 % intervals",
                        "App|#Launches|#Count|#Settled|#95\u00a0% interval|#<i>u</i> shared|#First "
                        "change|#Android, initial display|#Camera \u2212 Android|#95\u00a0% "
                        "interval|#Correlation|#Literal rule");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app->app);
        ts_out_printf(out, "</th><td class=\"number\">%d</td><td class=\"number\">%d</td>",
                      app->launches, app->usable);
        ts_html_number(out, app->settled.median, 0);
        ts_out_put(out, "<td class=\"number\">");
        put_interval(out, &app->settled);
        ts_out_put(out, "</td>");
        ts_html_number(out, app->u_common, 1);
        ts_html_number(out, app->first_change.median, 0);
        ts_html_number(out, app->initial_display.median, 0);
        ts_html_number(out, app->difference.median, 0);
        ts_out_put(out, "<td class=\"number\">");
        put_interval(out, &app->difference);
        ts_out_put(out, "</td>");
        ts_html_number(out, app->correlation, 2);
        ts_html_number(out, app->literal.median, 0);
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_put(
        out,
        "<p class=\"quiet\">Intervals come from the order of the launches alone and suppose no "
        "distribution; * marks smallest to largest where fewer than 6 launches count. "
        "Android\u2019s number runs from the intent to the first frame of the app, so it is "
        "expected to be shorter. The literal rule ends the launch at the last frame in which a "
        "square of 5\u00d75 pixels changed by more than a tenth of full scale.</p>\n");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        if (!app->android_longer)
            continue;
        ts_out_put(out, "<p class=\"notice\">");
        ts_html_name(out, app->app);
        ts_out_printf(out,
                      ": in %d launches Android\u2019s number is longer than what the camera "
                      "saw. Look at them before you trust either.</p>\n",
                      app->android_longer);
    }
    ts_out_put(out, "</section>\n");
}

void ts_section_distribution_table(const struct ts_summary *summary, struct ts_out *out)
{
    ts_out_put(out, "<details><summary>The numbers</summary>\n");
    ts_html_table_begin(out, "Settled, milliseconds",
                        "App|#Launches|#Least|#First quartile|#Median|#Third quartile|#Greatest|"
                        "#MAD|#Beyond fences");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app->app);
        ts_out_printf(out, "</th><td class=\"number\">%zu</td>", app->settled.count);
        for (int quarter = 0; quarter <= 4; quarter++)
            ts_html_number(out, ts_quantile(app->settled_ms, app->settled.count, 0.25 * quarter),
                           0);
        ts_html_number(out, ts_mad(app->settled_ms, app->settled.count), 0);
        ts_out_printf(out, "<td class=\"number\">%d</td></tr>\n", app->beyond_fences);
    }
    ts_html_table_end(out);
    ts_out_put(out, "</details>\n");
}

void ts_section_agreement_table(const struct ts_report_data *data, struct ts_out *out)
{
    ts_out_put(out, "<details><summary>The numbers</summary>\n");
    ts_html_table_begin(out, "Launches that count, milliseconds",
                        "App|#Launch|#First change|#Settled|#<i>u</i>|#Android, initial "
                        "display|#Camera \u2212 Android");
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *result = &data->launches[i].result;
        if (!ts_launch_counts(&data->launches[i]))
            continue;
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, result->app);
        ts_out_printf(out, "</th><td class=\"number\">%d</td>", result->launch);
        ts_html_number(out, result->first_visual_change.value, 1);
        ts_html_number(out, result->settled.value, 1);
        ts_html_number(out, result->settled.u, 1);
        ts_html_number(out, result->time_to_initial_display_ms, 0);
        ts_html_number(out, result->settled.value - result->time_to_initial_display_ms, 1);
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_put(out, "</details>\n");
}
