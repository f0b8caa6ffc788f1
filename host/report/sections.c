/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of the page: each app, the spread, each launch. */
#include "report/sections.h"

#include "report/words.h"
#include "stats/order.h"

#include <math.h>
#include <string.h>

/* "825 to 861" */
static void put_interval(struct ts_out *out, const struct ts_estimate *estimate)
{
    ts_out_put(out, "<td class=\"number\">");
    if (estimate->count < 2) {
        ts_out_put(out, ts_fine_numbers.unknown);
    } else {
        ts_out_number(out, estimate->interval.low, 0, ts_fine_numbers);
        ts_out_put(out, " to ");
        ts_out_number(out, estimate->interval.high, 0, ts_fine_numbers);
        ts_out_put(out, ts_interval_reached(estimate->interval) ? "" : "*");
    }
    ts_out_put(out, "</td>");
}

/* Android begins after the lift and ends with the first frame: it cannot well be the longer one. */
static void put_android_longer(const struct ts_summary *summary, struct ts_out *out)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        if (!app->android_longer)
            continue;
        ts_out_put(out, "<p class=\"notice\">");
        ts_html_name(out, app->app);
        ts_out_printf(out,
                      ": in %d of %d launches Android\u2019s number is longer than what the camera "
                      "saw. Look at these launches before you trust either number.</p>\n",
                      app->android_longer, app->usable);
    }
}

void ts_section_apps(const struct ts_summary *summary, struct ts_out *out)
{
    ts_out_put(out, "<section>\n<h2>Each app in detail</h2>\n");
    ts_html_table_begin(out, "Medians, in milliseconds after lift",
                        "App|#Counted|#First change|#Settled|#95\u00a0% interval|#<i>u</i> of one "
                        "launch|#Android, initial display|#Settled \u2212 Android|#95\u00a0% "
                        "interval|#Corre\u00adlation|#Literal rule");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app->app);
        ts_out_printf(out, "</th><td class=\"number\">%d of %d</td>", app->usable, app->launches);
        ts_html_number(out, app->first_change.median, 0);
        ts_html_number(out, app->settled.median, 0);
        put_interval(out, &app->settled);
        ts_html_number(out, app->u, 1);
        ts_html_number(out, app->initial_display.median, 0);
        ts_html_number(out, app->difference.median, 0);
        put_interval(out, &app->difference);
        ts_html_number(out, app->correlation, 2);
        ts_html_number(out, app->literal.median, 0);
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_printf(out,
                  "<p class=\"quiet\">* smallest to largest. Correlation: of settled with "
                  "Android\u2019s number, launch by launch, from %d launches on; it says whether "
                  "the two move together, not whether they agree.</p>\n",
                  TS_PAIRS_MIN);
    put_android_longer(summary, out);
    ts_out_put(out, "</section>\n");
}

void ts_section_distribution_table(const struct ts_summary *summary, struct ts_out *out)
{
    ts_out_put(out, "<details><summary>The spread in numbers</summary>\n");
    ts_html_table_begin(out, "Settled, in milliseconds after lift",
                        "App|#Launches|#Least|#First quartile|#Median|#Third quartile|#Greatest|"
                        "#Median absolute deviation|#Beyond fences");
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

/* Why a launch counts or not, in a word. */
static const char *standing(const struct ts_launch *launch)
{
    if (!ts_result_usable(&launch->result))
        return ts_flag_words(ts_result_verdict_flag(&launch->result))->title;
    if (launch->warm_up)
        return "Warm-up";
    return launch->excluded ? "Excluded" : "Counts";
}

void ts_section_launches(const struct ts_report_data *data, struct ts_out *out)
{
    ts_out_put(out, "<details><summary>Every launch in numbers</summary>\n");
    ts_html_table_begin(out, "All launches, in milliseconds after lift",
                        "#Launch|App|Verdict|#First change|#Last change|#Settled|#<i>u</i>|#"
                        "Android, initial display|#Settled \u2212 Android|#Literal rule|#Splash|"
                        "#First app frame|#Main content|#85\u00a0% complete|#Speed index");
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *result = &data->launches[i].result;
        ts_out_printf(out, "<tr><td class=\"number\">%d</td><th scope=\"row\">", result->launch);
        ts_html_name(out, result->app);
        ts_out_printf(out, "</th><td>%s</td>", standing(&data->launches[i]));
        ts_html_number(out, result->first_visual_change.value, 1);
        if (ts_launch_never_rests(&data->launches[i]))
            ts_out_put(out, "<td class=\"number\">never rests</td>");
        else
            ts_html_number(out, result->last_visual_change.value, 1);
        ts_html_number(out, result->settled.value, 1);
        ts_html_number(out, result->settled.u, 1);
        ts_html_number(out, result->time_to_initial_display_ms, 0);
        ts_html_number(out, result->settled.value - result->time_to_initial_display_ms, 1);
        ts_html_number(out, result->literal_settled.value, 1);
        ts_html_number(out, result->splash.value, 1);
        ts_html_number(out, result->first_app_frame.value, 1);
        ts_html_number(out, result->main_content.value, 1);
        ts_html_number(out, result->visually_complete_85.value, 1);
        ts_html_number(out, result->speed_index.value, 1);
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_put(out, "</details>\n");
}
