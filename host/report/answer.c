/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The top of the page: what was measured where, and of each app how long, how sure, and what
 * Android says of it. A table, so that it can be read aloud and copied out; on a phone its rows
 * become blocks (style.c). */
#include "report/page.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_ms(struct ts_out *out, double value)
{
    ts_out_number(out, value, 0, ts_fine_numbers);
    ts_out_put(out, "\u00a0ms");
}

static void put_bar(struct ts_out *out, const char *kind, double value, double full)
{
    if (isfinite(value) && full > 0)
        ts_out_printf(out, "<span class=\"bar %s\" style=\"width:%.1f%%\"></span>", kind,
                      100 * fmax(0, value) / full);
}

/* Which build it was; the conditions list all of them where they differ. */
static void put_version(struct ts_out *out, const struct ts_page *page, size_t row)
{
    const char *version = "";
    bool several = false;
    for (size_t i = 0; i < page->data->count; i++) {
        const char *own = page->data->launches[i].result.conditions.package_version;
        if (page->summary->row_of[i] != row || !*own)
            continue;
        several |= *version && strcmp(version, own) != 0;
        version = own;
    }
    if (!*version)
        return;
    ts_out_put(out, "<small>");
    if (several)
        ts_out_put(out, "several versions");
    else
        ts_html_name(out, version);
    ts_out_put(out, "</small>");
}

/* The start type is said above the table; here only where an app had another one. */
static void put_app(struct ts_out *out, const struct ts_page *page, size_t row)
{
    const struct ts_app_summary *app = &page->summary->apps[row];
    const enum ts_start_type planned = page->data->plan->start;
    ts_out_put(out, "<th scope=\"row\" class=\"app\">");
    ts_html_name(out, app->app);
    ts_out_put(out, "<small>");
    if (app->apart || (app->start != TS_START_UNKNOWN && app->start != planned))
        ts_out_printf(out, "%s start, ", ts_start_type_name(app->start));
    if (app->launches)
        ts_out_printf(out, "%d of %d launches</small>", app->usable, app->launches);
    else
        ts_out_put(out, "not launched yet</small>");
    put_version(out, page, row);
    if (app->never_rests)
        ts_out_put(out, "<small>part of the screen never rests</small>");
    ts_out_put(out, "</th>");
}

static void put_sure(struct ts_out *out, const struct ts_app_summary *app)
{
    const struct ts_estimate *settled = &app->settled;
    if (settled->count == 0) {
        ts_out_put(out, "no launch that counts");
        return;
    }
    ts_out_put(out, "<b>");
    if (settled->count == 1) {
        ts_out_put(out, "\u00b1");
        put_ms(out, fmax(1, 2 * app->u));
        ts_out_put(out, "</b><small>for this one launch</small>");
        return;
    }
    ts_out_number(out, settled->interval.low, 0, ts_fine_numbers);
    ts_out_put(out, " to ");
    put_ms(out, settled->interval.high);
    ts_out_printf(out, "</b><small>%s</small>",
                  ts_interval_reached(settled->interval) ? "95\u00a0% sure"
                                                         : "smallest to largest");
}

static void put_android(struct ts_out *out, const struct ts_app_summary *app)
{
    ts_out_put(out, "<td class=\"android\">");
    if (!app->initial_display.count) {
        ts_out_put(out, "<small>Android gave no number</small></td>");
        return;
    }
    ts_out_put(out, "<b>");
    put_ms(out, app->initial_display.median);
    ts_out_put(out, "</b><small>Android");
    if (app->difference.count) {
        ts_out_put(out, ", ");
        put_ms(out, fabs(app->difference.median));
        ts_out_put(out, app->difference.median < 0 ? " longer" : " shorter");
    }
    ts_out_put(out, "</small></td>");
}

static void put_signed(struct ts_out *out, double value)
{
    ts_out_put(out, value >= 0.5 ? "+" : "");
    ts_out_number(out, value, 0, ts_fine_numbers);
}

/* Against the base, in the same cell as Android's number: a column more would not fit a phone. */
static void put_change(const struct ts_page *page, size_t row, struct ts_out *out)
{
    struct ts_hodges_lehmann change;
    const int err = ts_base_change(page->base, page->data, page->summary, row, &change);
    out->err = out->err ? out->err : err;
    if (err || *page->base->unlike.text)
        return;
    if (isnan(change.estimate)) {
        ts_out_put(out, "<small class=\"change\">nothing to compare in the base</small>");
        return;
    }
    ts_out_put(out, "<span class=\"change\"><b>");
    put_signed(out, change.estimate);
    ts_out_put(out, "\u00a0ms</b> <small>against the base");
    if (isfinite(change.interval.low)) {
        ts_out_put(out, ", ");
        put_signed(out, change.interval.low);
        ts_out_put(out, " to ");
        put_signed(out, change.interval.high);
    }
    ts_out_put(out, "</small></span>");
}

static void put_row(const struct ts_page *page, size_t row, double full, struct ts_out *out)
{
    const struct ts_app_summary *app = &page->summary->apps[row];
    ts_out_put(out, "<tr>");
    put_app(out, page, row);
    ts_out_put(out, "<td class=\"big\">");
    ts_out_number(out, app->settled.median, 0, ts_fine_numbers);
    ts_out_put(out, app->settled.count ? "<span>\u00a0ms</span></td>" : "</td>");
    ts_out_put(out, "<td class=\"sure\">");
    put_sure(out, app);
    if (page->base)
        put_change(page, row, out);
    ts_out_put(out, "</td>");
    put_android(out, app);
    ts_out_put(out, "<td class=\"bars\" aria-hidden=\"true\">");
    put_bar(out, "rig", app->settled.median, full);
    put_bar(out, "android", app->initial_display.median, full);
    ts_out_put(out, "</td></tr>\n");
}

static void put_count(struct ts_out *out, size_t count, const char *one, const char *many)
{
    ts_out_printf(out, "%zu %s", count, count == 1 ? one : many);
}

void ts_page_facts(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    ts_out_put(out, "<p class=\"facts\">");
    put_count(out, data->plan->app_count, "app", "apps");
    ts_out_put(out, " \u00b7 ");
    put_count(out, data->count, "launch", "launches");
    const size_t planned = (size_t)ts_plan_total(data->plan);
    if (data->count != planned)
        ts_out_printf(out, " of %zu planned", planned);
    if (data->plan->start != TS_START_UNKNOWN)
        ts_out_printf(out, " \u00b7 %s starts", ts_start_type_name(data->plan->start));
    if (*data->campaign.device || *data->campaign.phone) {
        ts_out_put(out, " \u00b7 ");
        ts_html_name(out, *data->campaign.device ? data->campaign.device : data->campaign.phone);
    }
    if (*data->campaign.device && *data->campaign.phone) {
        ts_out_put(out, " (");
        ts_html_name(out, data->campaign.phone);
        ts_out_put(out, ")");
    }
    if (*data->campaign.started) {
        ts_out_put(out, " \u00b7 ");
        ts_out_bytes(out, data->campaign.started, strcspn(data->campaign.started, "T"));
    }
    ts_out_put(out, "</p>\n");
    if (strcmp(data->info->bench, "sim") == 0)
        ts_out_printf(out,
                      "<p class=\"notice\"><b>Measured on the simulated bench</b> (seed %" PRIu64
                      "): phone, stylus and camera are computed. These numbers say how well "
                      "Touchstone measures and nothing about real apps.</p>\n",
                      data->info->seed);
}

/* What a reader has to know before believing a number. */
static void put_base(const struct ts_base *base, const struct ts_report_data *data,
                     struct ts_out *out)
{
    ts_out_put(out,
               *base->unlike.text ? "<p class=\"notice\">Not compared with " : "<p>The base is ");
    ts_html_name(out, base->name);
    const char *phone = base->data.campaign.phone;
    if (*phone && strcmp(phone, data->campaign.phone) != 0) {
        ts_out_put(out, " (");
        ts_html_name(out, phone);
        ts_out_put(out, ")");
    }
    if (*base->unlike.text) {
        ts_out_put(out, ": ");
        ts_out_html(out, base->unlike.text);
        ts_out_put(out, ".</p>\n");
        return;
    }
    ts_out_put(out, ": launches of an app here are slower than launches there by so much, by the "
                    "median of all differences, with its 95\u00a0% interval from 6 launches on "
                    "each side on. One session a side cannot tell a slower build from a warmer "
                    "afternoon. ");
    ts_out_html(out, base->remark.text);
    ts_out_put(out, "</p>\n");
}

static void put_notes(const struct ts_standing *standing, const struct ts_summary *summary,
                      struct ts_out *out)
{
    bool few = false;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_estimate *settled = &summary->apps[i].settled;
        few |= settled->count >= 2 && !ts_interval_reached(settled->interval);
    }
    if (!summary->usable) {
        ts_out_put(out, summary->launches ? "<p class=\"notice\">No launch counts, so there is no "
                                            "answer: see <a href=\"#left-out\">why, and what to "
                                            "do</a>.</p>\n"
                                          : "<p class=\"notice\">No launch is finished yet.</p>\n");
        return;
    }
    ts_out_printf(out, "<p>The large numbers are medians. %d of %d launches count", summary->usable,
                  summary->launches);
    ts_out_put(out, summary->usable < summary->launches
                        ? "; <a href=\"#left-out\">the others and why</a>. "
                        : ". ");
    ts_out_put(out, "Differences are taken launch by launch, so the middle one need not be the "
                    "difference of the two medians.</p>\n");
    if (isfinite(summary->u_common)) {
        ts_out_put(out, "<p>The instrument may shift all numbers together by \u00b1");
        ts_out_number(out, 2 * summary->u_common, 2, ts_fine_numbers);
        ts_out_put(out, "\u00a0ms (twice the standard uncertainty that all launches share); this "
                        "cancels when two builds are compared on the same rig.</p>\n");
    }
    ts_out_printf(out,
                  "<p>The rig\u2019s <a href=\"#instrument\">verification</a> against photodiodes: "
                  "%s.</p>\n",
                  !standing->certificate           ? "none"
                  : !standing->certificate->passed ? "failed"
                  : ts_standing_doubtful(standing) ? "passed, but see above"
                                                   : "passed");
    if (few)
        ts_out_put(out, "<p class=\"notice\">From 6 launches of an app on there is a range that "
                        "holds the median with 95\u00a0% probability. Below that the page shows "
                        "the smallest and the largest launch: raise <code>launches</code> in the "
                        "plan.</p>\n");
}

void ts_section_answer(const struct ts_page *page, struct ts_out *out)
{
    const struct ts_report_data *data = page->data;
    const struct ts_summary *summary = page->summary;
    double full = 0;
    for (size_t i = 0; i < summary->app_count; i++) {
        full = fmax(full, summary->apps[i].settled.median); /* fmax passes over NAN */
        full = fmax(full, summary->apps[i].initial_display.median);
    }
    ts_out_put(out,
               "<section>\n<h2 class=\"unseen\">The answer</h2>\n<table class=\"answer\">"
               "<caption class=\"unseen\">How long each app takes to launch</caption>\n"
               "<thead><tr><th scope=\"col\">App</th><th scope=\"col\" class=\"number\">"
               "Settled</th><th scope=\"col\">How sure</th><th scope=\"col\">Android\u2019s "
               "number</th><td class=\"legend\" aria-hidden=\"true\"><span><span class=\"key "
               "rig\"></span>settled, camera</span> <span><span class=\"key "
               "android\"></span>initial display, Android</span></td></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < summary->app_count; i++)
        put_row(page, i, full, out);
    ts_out_put(out, "</tbody></table>\n");
    if (page->base)
        put_base(page->base, data, out);
    put_notes(&data->standing, summary, out);
    const bool tapped = data->plan->care.launch_from != TS_FROM_AM;
    if (tapped && (!data->calibrated || data->calibration.plate_taps == 0))
        ts_out_put(out, "<p class=\"notice\">The lift was not calibrated on the contact plate: it "
                        "stands on the pick-up seen by the accelerometer and a nominal delay, "
                        "within \u00b16\u00a0ms.</p>\n");
    ts_out_put(out, "</section>\n");
}
