/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/explain_parts.h"

#include "export/segments.h"
#include "report/data.h"
#include "store/json_out.h"

#include <stdlib.h>
#include <string.h>

struct group {
    struct ts_milestones *launches; /* owned */
    size_t count;
};

struct groups {
    struct ts_report_data data[2];
    bool json, any;
    struct ts_text_style style;
    struct ts_out *out;
    struct ts_json_out writer;
};

static int load_group(const struct ts_report_data *data, const char *app, struct group *out,
                      struct ts_why *why)
{
    out->count = 0;
    out->launches = calloc(data->count + 1, sizeof *out->launches);
    if (!out->launches)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++) {
        struct ts_story story;
        if (!ts_launch_counts(&data->launches[i]) || strcmp(data->launches[i].result.app, app) != 0)
            continue;
        const int err = ts_story_load(data->session, (int)i + 1, false, &story, why);
        if (err)
            return err;
        memcpy(out->launches[out->count++].ms, story.ms, sizeof story.ms);
        ts_story_free(&story);
    }
    return TS_OK;
}

/* As printed, and no "-0.0". */
static double tenths(double ms)
{
    return round(10 * ms) / 10 + 0.0;
}

static void put_row(struct ts_table *table, const char *name,
                    const struct ts_segment_difference *of)
{
    ts_table_put(table, name);
    ts_table_number(table, of->median_a, 1);
    ts_table_number(table, of->median_b, 1);
    if (isfinite(of->difference))
        ts_table_printf(table, "%+.1f", tenths(of->difference));
    else
        ts_table_put(table, "-");
    if (isfinite(of->interval.low) && isfinite(of->interval.high))
        ts_table_printf(table, "%+.1f..%+.1f", tenths(of->interval.low), tenths(of->interval.high));
    else
        ts_table_put(table, "-");
    ts_table_printf(table, "%zu/%zu", of->count_a, of->count_b);
}

static void put_object(struct ts_json_out *json, int from, int to,
                       const struct ts_segment_difference *of)
{
    ts_json_open(json, NULL, '{');
    ts_json_text(json, "from", ts_milestone_names[from]);
    ts_json_text(json, "to", ts_milestone_names[to]);
    ts_json_integer(json, "count_a", (int64_t)of->count_a);
    ts_json_integer(json, "count_b", (int64_t)of->count_b);
    ts_json_number(json, "median_a_ms", of->median_a);
    ts_json_number(json, "median_b_ms", of->median_b);
    ts_json_number(json, "difference_ms", of->difference);
    ts_json_number(json, "low_ms", of->interval.low);
    ts_json_number(json, "high_ms", of->interval.high);
    ts_json_close(json, '}');
}

static void begin_app(struct groups *groups, const char *app, struct ts_table *table)
{
    static const char *const heads[] = {"ms", "A", "B", "B - A", "95 % interval", "launches"};
    if (groups->json) {
        ts_json_open(&groups->writer, NULL, '{');
        ts_json_text(&groups->writer, "app", app);
        ts_json_open(&groups->writer, "segments", '[');
        return;
    }
    ts_out_put(groups->out, groups->any ? "\n" : "");
    ts_out_text(groups->out, app, 60, groups->style);
    ts_out_put(groups->out, "\n");
    ts_table_begin(table, 6, 0x3e);
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        ts_table_put(table, heads[i]);
}

static void end_app(struct groups *groups, const struct ts_milestone_order *order,
                    struct ts_table *table)
{
    if (groups->json) {
        ts_json_close(&groups->writer, ']');
        ts_json_open(&groups->writer, "missing", '[');
    } else {
        ts_table_end(table, groups->style, groups->out);
    }
    for (int at = 0; at < TS_MILESTONE_COUNT; at++) {
        if (order->missing[at] && groups->json)
            ts_json_text(&groups->writer, NULL, ts_milestone_names[at]);
        else if (order->missing[at])
            ts_out_printf(groups->out, "%s: fewer than half of the launches have it.\n",
                          ts_explain_name(at));
    }
    if (groups->json) {
        ts_json_close(&groups->writer, ']');
        ts_json_close(&groups->writer, '}');
    }
}

static const char *whole_name(enum ts_milestone from)
{
    return from == TS_MILESTONE_LIFT ? "lift to settled" : "input to settled";
}

/* Stretch by stretch, then all of them: from lift, the first, where somebody tapped. */
static int put_app(struct groups *groups, const char *app, const struct group sides[2])
{
    struct ts_milestone_order order;
    struct ts_segment_difference difference;
    struct ts_table table;
    const struct group *a = &sides[0], *b = &sides[1];
    int err = ts_milestones_sort(a->launches, a->count, b->launches, b->count, &order);
    if (err)
        return err;
    begin_app(groups, app, &table);
    for (size_t i = 1; i <= order.count && !err; i++) {
        const bool whole = i == order.count;
        const enum ts_milestone from = order.order[whole ? 0 : i - 1];
        const enum ts_milestone to = whole ? TS_MILESTONE_SETTLED : order.order[i];
        err =
            ts_segment_compare(a->launches, a->count, b->launches, b->count, from, to, &difference);
        if (!err && groups->json)
            put_object(&groups->writer, (int)from, (int)to, &difference);
        else if (!err && whole)
            put_row(&table, whole_name(from), &difference);
        else if (!err)
            put_row(&table, ts_explain_name((int)to), &difference);
    }
    end_app(groups, &order, &table);
    groups->any = true;
    return err;
}

static int explain_app(struct groups *groups, const char *app, struct ts_why *why)
{
    struct group sides[2] = {{0}};
    int err = load_group(&groups->data[0], app, &sides[0], why);
    if (!err)
        err = load_group(&groups->data[1], app, &sides[1], why);
    if (!err && sides[0].count && sides[1].count)
        err = put_app(groups, app, sides);
    free(sides[0].launches);
    free(sides[1].launches);
    return err;
}

int ts_explain_groups(const char *const dirs[2], const char *app, bool json,
                      struct ts_text_style style, struct ts_out *out, struct ts_why *why)
{
    struct groups groups = {.json = json, .style = style, .out = out};
    groups.writer = (struct ts_json_out){.buf = &out->text, .broken_depth = 4};
    int err = ts_report_data_load(dirs[0], &groups.data[0], why);
    if (err)
        return err;
    err = ts_report_data_load(dirs[1], &groups.data[1], why);
    if (json && !err) {
        ts_json_open(&groups.writer, NULL, '{');
        ts_json_open(&groups.writer, "apps", '[');
    }
    for (size_t i = 0; !err && i < groups.data[0].plan->app_count; i++) {
        const char *name = groups.data[0].plan->apps[i].name;
        if (!app || strcmp(app, name) == 0)
            err = explain_app(&groups, name, why);
    }
    if (!err && !groups.any)
        err = ts_fail(why, TS_EINVAL, "no launches that count of %s%.100s%s in both sessions",
                      app ? "\"" : "any app", app ? app : "", app ? "\"" : "");
    if (json && !err) {
        ts_json_close(&groups.writer, ']');
        ts_json_close(&groups.writer, '}');
        err = groups.writer.err;
        ts_out_put(out, "\n");
    } else if (!err) {
        ts_out_put(out, "\nEach line: the stretch up to that milestone; medians, and B - A.\n");
    }
    ts_report_data_free(&groups.data[0]);
    ts_report_data_free(&groups.data[1]);
    return err;
}
