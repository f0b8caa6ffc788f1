/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How the launches of each app spread, and each launch. */
#include "report/figure.h"
#include "report/page.h"
#include "report/words.h"
#include "stats/order.h"

#include <math.h>

static void put_spread(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_summary *summary = page->summary;
    ts_out_put(out, "<details><summary>The spread in numbers</summary>\n");
    ts_html_table_begin(out, ts_page_after_zero(page, "Settled").text,
                        "App|#Launches|#Least|#First quartile|#Median|#Third quartile|#Greatest|"
                        "#Median absolute deviation|#Beyond fences");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app->label);
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

/* Of a launch that counts. */
static bool is_outlier(const struct ts_page *page, size_t launch)
{
    const struct ts_app_summary *app = &page->summary->apps[page->summary->row_of[launch]];
    return ts_beyond(ts_tukey_fences(app->settled_ms, app->settled.count),
                     page->data->launches[launch].result.settled.value);
}

/* Why a launch counts or not, in a word. */
static const char *standing(const struct ts_page *page, size_t i)
{
    const struct ts_launch *launch = &page->data->launches[i];
    if (!ts_result_usable(&launch->result))
        return ts_flag_words(ts_result_verdict_flag(&launch->result))->title;
    if (launch->warm_up)
        return "Warm-up";
    if (launch->excluded)
        return "Excluded";
    return is_outlier(page, i) ? "Counts, outlier" : "Counts";
}

static void put_launches(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    ts_out_put(out, "<details><summary>Every launch in numbers</summary>\n");
    ts_html_table_begin(
        out, ts_page_after_zero(page, "All launches").text,
        "#Launch|App|Verdict|#First change|#Last change|#Settled|#<i>u</i>|#"
        "Android, initial display|#Settled \u2212 Android|#Literal rule|#Splash|"
        "#First app frame|#Main content|#85\u00a0% complete|#Speed index|#Phone, \u00b0C|"
        "#Clock, MHz|#Allowed, MHz");
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_result *result = &data->launches[i].result;
        ts_out_printf(out, "<tr><td class=\"number\">%d</td><th scope=\"row\">", result->launch);
        ts_html_name(out, result->app);
        ts_out_printf(out, "</th><td>%s</td>", standing(page, i));
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
        ts_html_number(out, result->conditions.temperature_c, 1);
        ts_html_number(out, result->conditions.cpu_mhz, 0);
        ts_html_number(out, result->conditions.cpu_most_mhz, 0);
        ts_out_put(out, "</tr>\n");
    }
    ts_html_table_end(out);
    ts_out_put(out, "</details>\n");
}

void ts_section_launches(const struct ts_page *page, struct ts_out *out)
{
    struct ts_out drawing = {0};
    const int err = page->figures ? ts_figure_distribution(page->summary, &drawing) : TS_ENOTSUP;
    ts_out_put(out, "<section>\n<h2>Launch by launch</h2>\n");
    if (err == TS_EOF)
        ts_out_put(out, "<p>No launch counts, so there is nothing to draw.</p>\n");
    ts_page_figures_begin(out);
    ts_page_figure(err, "How far launches spread.",
                   "Points: single launches, hollow where they lie far from the rest (beyond "
                   "Tukey\u2019s fences; marked, not removed). Bar: median. Box: middle half, from "
                   "5 launches on. Diamond: Android\u2019s median.",
                   &drawing, out);
    ts_page_figures_end(out);
    put_spread(page, out);
    put_launches(page, out);
    ts_out_put(out, "</section>\n");
}
