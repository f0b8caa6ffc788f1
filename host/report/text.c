/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/text.h"

#include "report/words.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static void put_interval(struct ts_table *table, const struct ts_estimate *estimate)
{
    if (estimate->count < 2)
        ts_table_put(table, "-");
    else
        ts_table_printf(table, "%.0f..%.0f%s", estimate->interval.low, estimate->interval.high,
                        ts_interval_reached(estimate->interval) ? "" : "*");
}

static bool put_apps(const struct ts_summary *summary, struct ts_text_style style,
                     struct ts_out *out)
{
    static const char *const headings[] = {"App",   "Count",   "Settled", "95 % range",
                                           "First", "Android", "Diff",    "Literal"};
    enum { COLUMNS = sizeof headings / sizeof *headings };
    struct ts_table table;
    ts_table_begin(&table, COLUMNS, 0xfe);
    for (int i = 0; i < COLUMNS; i++)
        ts_table_put(&table, headings[i]);
    bool starred = false;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        ts_table_put(&table, app->label);
        ts_table_printf(&table, "%d/%d", app->usable, app->launches);
        ts_table_number(&table, app->settled.median, 0);
        put_interval(&table, &app->settled);
        ts_table_number(&table, app->first_change.median, 0);
        ts_table_number(&table, app->initial_display.median, 0);
        ts_table_number(&table, app->difference.median, 0);
        ts_table_number(&table, app->literal.median, 0);
        starred |= app->settled.count >= 2 && !ts_interval_reached(app->settled.interval);
    }
    ts_table_end(&table, style, out);
    return starred;
}

static void put_left_out(const struct ts_report_data *data, struct ts_text_style style,
                         struct ts_out *out)
{
    int counts[TS_FLAG_COUNT] = {0}, warm_up = 0, excluded = 0, unusable = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        const enum ts_flag verdict = ts_result_verdict_flag(&launch->result);
        if (verdict != TS_FLAG_COUNT) {
            counts[verdict]++;
            unusable++;
        } else if (launch->warm_up) {
            warm_up++;
        } else if (launch->excluded) {
            excluded++;
        }
    }
    if (warm_up)
        ts_out_printf(out, "%d warm-up, kept but not counted.\n", warm_up);
    if (excluded)
        ts_out_printf(out, "%d excluded by hand.\n", excluded);
    if (!unusable)
        return;
    ts_out_printf(out, "\n%d not usable:\n", unusable);
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (!counts[flag])
            continue;
        ts_out_printf(out, "  %3d  ", counts[flag]);
        ts_out_coloured(out, TS_INK_BAD, ts_flag_name((enum ts_flag)flag), style);
        ts_out_put(out, "\n");
        ts_out_wrapped(out, ts_flag_words((enum ts_flag)flag)->meaning, 7, style);
        ts_out_wrapped(out, ts_flag_words((enum ts_flag)flag)->advice, 7, style);
    }
}

/* What the columns of put_apps() hold. */
static void put_legend(struct ts_text_style style, bool starred, struct ts_out *out)
{
    if (starred)
        ts_out_put(out, "* smallest to largest: below 6 launches there is no 95 % range.\n");
    ts_out_wrapped(out,
                   "Settled: the launch time. 95 % range: of its median. First: first visible "
                   "change. Android: its time to initial display. Diff: settled minus Android, "
                   "launch by launch. Literal: an older end rule, for comparison.",
                   0, style);
}

static void put_head(const struct ts_report_data *data, struct ts_text_style style,
                     struct ts_out *out)
{
    if (data->plan->name && *data->plan->name) {
        struct ts_out name = {0};
        ts_out_text(&name, data->plan->name, style.width, style);
        ts_out_bytes(&name, "", 1);
        if (!name.err)
            ts_out_coloured(out, TS_INK_BOLD, (const char *)name.text.data, style);
        ts_out_put(out, "\n");
        ts_buf_free(&name.text);
    }
    ts_out_wrapped(out, ts_measurand_words(data->plan->care.launch_from), 0, style);
    if (strcmp(data->info->bench, "sim") == 0)
        ts_out_printf(out, "Measured on the simulated bench, seed %" PRIu64 ".\n",
                      data->info->seed);
    ts_out_put(out, "Medians in milliseconds.\n\n");
}

void ts_text_summary(const struct ts_report_data *data, const struct ts_summary *summary,
                     struct ts_text_style style, struct ts_out *out)
{
    put_head(data, style, out);
    const bool starred = put_apps(summary, style, out);
    put_legend(style, starred, out);
    ts_out_printf(out, "\n%d of %d launches count.", summary->usable, summary->launches);
    if (isfinite(summary->u_common)) {
        ts_out_put(out, " Standard uncertainty shared by all of them: ");
        ts_out_number(out, summary->u_common, 2, ts_plain_numbers);
        ts_out_put(out, " ms.");
    }
    ts_out_put(out, "\n");
    ts_standing_text(&data->standing, style, out);
    put_left_out(data, style, out);
}
