/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The campaign as it went on: whether its medians came to rest, how warm and fast the phone was,
 * why it ended. */
#include "report/page.h"
#include "report/running.h"

#include "stats/running.h"

#include <math.h>
#include <stdlib.h>

#define REST_SHARE 0.025

int ts_running_of(const struct ts_report_data *data, const struct ts_summary *summary, size_t row,
                  struct ts_running *out)
{
    const size_t room = summary->apps[row].settled.count + 1;
    double *values = calloc(room, sizeof *values);
    *out = (struct ts_running){0, calloc(room, sizeof(double)), calloc(room, sizeof(double))};
    int err = values && out->medians && out->iqrs ? TS_OK : TS_ENOMEM;
    if (!err)
        out->count = ts_summary_settled(data, summary, row, values);
    if (!err && out->count)
        err = ts_running_median(values, out->count, out->medians, out->iqrs);
    free(values);
    if (err)
        ts_running_free(out);
    return err;
}

void ts_running_free(struct ts_running *running)
{
    free(running->medians);
    free(running->iqrs);
    *running = (struct ts_running){0};
}

size_t ts_running_rests(const struct ts_running *running, double share)
{
    size_t n = running->count;
    if (!n)
        return 0;
    const double last = running->medians[n - 1];
    while (n > 0 && fabs(running->medians[n - 1] - last) <= share * last)
        n--;
    return n + 1;
}

static void put_row(const struct ts_page *page, size_t row, struct ts_out *out)
{
    const struct ts_app_summary *app = &page->summary->apps[row];
    struct ts_running running;
    const int err = ts_running_of(page->data, page->summary, row, &running);
    if (err) {
        out->err = out->err ? out->err : err;
        return;
    }
    const size_t n = running.count, half = n / 2;
    const size_t rests = ts_running_rests(&running, REST_SHARE);
    ts_out_put(out, "<tr><th scope=\"row\">");
    ts_html_name(out, app->label);
    ts_out_printf(out, "</th><td class=\"number\">%zu</td>", n);
    ts_html_number(out, half ? running.medians[half - 1] : NAN, 0);
    ts_html_number(out, n ? running.medians[n - 1] : NAN, 0);
    ts_html_number(out, rests ? (double)rests : NAN, 0);
    ts_html_number(out, n > 1 ? 100 * running.iqrs[n - 1] / running.medians[n - 1] : NAN, 1);
    ts_out_put(out, "<td>");
    if (app->stop)
        ts_html_name(out, app->stop);
    else
        ts_out_put(out, app->launches < ts_plan_per_app(page->data->plan) && !app->apart
                            ? "the campaign ended"
                            : "all launches of the plan");
    ts_out_put(out, "</td></tr>\n");
    ts_running_free(&running);
}

/* Control journals why an app's launches ended; that a person stopped the campaign is only to be
 * seen from what is missing. */
static void put_end(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    const size_t planned = (size_t)ts_plan_total(data->plan);
    size_t ended = 0;
    for (size_t row = 0; row < page->summary->app_count; row++)
        ended += page->summary->apps[row].stop != NULL;
    const bool rule = data->plan->stop && *data->plan->stop;
    ts_out_put(out, "<p>");
    if (data->count == planned)
        ts_out_put(out, "The campaign ended with the last launch of its plan.");
    else if (rule && ended >= data->plan->app_count)
        ts_out_put(out, "The campaign ended because every app met the plan\u2019s stop rule.");
    else
        ts_out_printf(out,
                      "The campaign was stopped, or cut off, after %zu of %zu launches; "
                      "<code>touchstone run --resume</code> goes on with it.",
                      data->count, planned);
    if (rule) {
        ts_out_put(out, " Stop rule: <code>");
        ts_html_name(out, data->plan->stop);
        ts_out_put(out, "</code>.");
    }
    ts_out_put(out, "</p>\n");
}

void ts_section_campaign(const struct ts_page *page, struct ts_out *out)
{
    struct ts_out running = {0}, phone = {0};
    if (!page->data->count)
        return;
    ts_out_put(out, "<section id=\"campaign\">\n<h2>Over the campaign</h2>\n");
    put_end(page, out);
    ts_page_figures_begin(out);
    ts_page_figure(page->figures ? ts_figure_running(page->data, page->summary, &running)
                                 : TS_ENOTSUP,
                   "Whether it came to rest.",
                   "Above: the median of the first 1, 2, \u2026 launches, against the last one. "
                   "Below: their quartile range as a share of their median. A line that still "
                   "climbs or falls at its end asks for more launches.",
                   &running, out);
    const int err = page->figures ? ts_figure_phone(page->data, page->summary, &phone) : TS_ENOTSUP;
    ts_page_figure(err, "How warm and how fast the phone was.",
                   "Before each launch. Above: its battery\u2019s temperature. Below: the clock of "
                   "its fastest core at that moment, and (dashed) the highest that it was allowed: "
                   "where that falls, heat holds the phone back.",
                   &phone, out);
    ts_page_figures_end(out);
    if (err == TS_EOF)
        ts_out_put(out, "<p class=\"quiet\">Neither temperature nor clock of the phone were "
                        "recorded.</p>\n");
    ts_html_table_begin(out, "Settled as launches came in, in milliseconds",
                        "App|#Counted|#Median of the first half|#Median of all|#Within 2.5\u00a0% "
                        "from launch|#Quartile range, % of median|Why it ended");
    for (size_t row = 0; row < page->summary->app_count; row++)
        put_row(page, row, out);
    ts_html_table_end(out);
    ts_out_put(out, "</section>\n");
}
