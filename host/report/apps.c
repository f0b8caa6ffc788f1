/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each app with every metric. */
#include "report/page.h"

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

/* Android begins with time zero or later and ends with the first frame: it cannot well be the
 * longer one. */
static void put_android_longer(const struct ts_summary *summary, struct ts_out *out)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        if (!app->android_longer)
            continue;
        ts_out_put(out, "<p class=\"notice\">");
        ts_html_name(out, app->label);
        ts_out_printf(out,
                      ": in %d of %d launches Android\u2019s number is longer than what the camera "
                      "saw. Look at these launches before you trust either number.</p>\n",
                      app->android_longer, app->usable);
    }
}

void ts_section_apps(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_summary *summary = page->summary;
    ts_out_put(out, "<section>\n<h2>Each app in detail</h2>\n");
    ts_html_table_begin(out, ts_page_after_zero(page, "Medians").text,
                        "App|#Counted|#First change|#Settled|#95\u00a0% interval|#<i>u</i> of one "
                        "launch|#Android, initial display|#Settled \u2212 Android|#95\u00a0% "
                        "interval|#Corre\u00adlation|#Literal rule");
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_out_put(out, "<tr><th scope=\"row\">");
        ts_html_name(out, app->label);
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
