/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_run.h"

#include "cli/json_text.h"
#include "stats/change_points.h"
#include "stats/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* One app's medians, of the builds that have it. */
struct history {
    double *medians; /* owned */
    size_t *build;   /* owned; index of the group */
    size_t count;
    struct ts_change_point *points; /* owned */
    long point_count;
};

static void history_free(struct history *history)
{
    free(history->medians);
    free(history->build);
    free(history->points);
}

static int take_build(const struct ts_compare_data *data, size_t group, size_t app,
                      struct history *history)
{
    double *values;
    struct ts_place *places;
    size_t count, left_out[TS_LEFT_OUT_COUNT] = {0};
    const int err = ts_group_side(&data->groups[group], app, &values, &places, &count, left_out);
    if (!err && count) {
        ts_sort(values, count);
        history->medians[history->count] = ts_median(values, count);
        history->build[history->count++] = group;
    }
    free(values);
    free(places);
    return err;
}

static int find(const struct ts_compare_data *data, size_t app,
                const struct ts_compare_options *options, struct history *history)
{
    *history = (struct history){.medians = calloc(data->count, sizeof *history->medians),
                                .build = calloc(data->count, sizeof *history->build)};
    int err = history->medians && history->build ? TS_OK : TS_ENOMEM;
    for (size_t i = 0; i < data->count && !err; i++)
        err = take_build(data, i, app, history);
    if (err)
        return err;
    history->point_count =
        ts_change_points(history->medians, history->count, 1 - options->rules.level,
                         options->rules.seed, &history->points);
    return history->point_count < 0 ? (int)history->point_count : TS_OK;
}

static void put_text(const struct ts_compare_data *data, size_t app, const struct history *history,
                     struct ts_text_style style, struct ts_out *out)
{
    ts_out_text(out, data->apps.items[app], 40, style);
    ts_out_printf(out, ": %zu builds, ", history->count);
    if (!history->point_count)
        ts_out_put(out, "no change\n");
    else
        ts_out_printf(out, "%ld change%s\n", history->point_count,
                      history->point_count == 1 ? "" : "s");
    for (long i = 0; i < history->point_count; i++) {
        const struct ts_change_point *point = &history->points[i];
        ts_out_put(out, "  from ");
        ts_out_text(out, data->groups[history->build[point->first]].name, 30, style);
        ts_out_printf(out, " on: %.1f -> %.1f ms (%+.1f %%), p %.4f\n", point->before, point->after,
                      100 * (point->after / point->before - 1), point->p);
    }
}

static json_t *app_json(const struct ts_compare_data *data, size_t app,
                        const struct history *history)
{
    json_t *points = json_array(), *medians = json_array();
    for (size_t i = 0; i < history->count; i++)
        json_array_append_new(medians, json_real(history->medians[i]));
    for (long i = 0; i < history->point_count; i++) {
        const struct ts_change_point *point = &history->points[i];
        json_array_append_new(
            points, json_pack("{s:o, s:f, s:f, s:f}", "from",
                              ts_json_name(data->groups[history->build[point->first]].name),
                              "before_ms", point->before, "after_ms", point->after, "p", point->p));
    }
    return json_pack("{s:o, s:o, s:o}", "app", ts_json_name(data->apps.items[app]), "medians_ms",
                     medians, "changes", points);
}

int ts_compare_history(const struct ts_compare_data *data, const struct ts_compare_options *options,
                       bool json, struct ts_text_style style, struct ts_out *out,
                       struct ts_why *why)
{
    json_t *apps = json_array();
    int err = apps ? TS_OK : TS_ENOMEM;
    if (!err && data->count < 2 * TS_CHANGE_LEAST)
        err = ts_fail(why, TS_EINVAL, "a history takes %d builds or more", 2 * TS_CHANGE_LEAST);
    for (size_t app = 0; app < data->apps.count && !err; app++) {
        struct history history;
        err = find(data, app, options, &history);
        if (!err && json)
            json_array_append_new(apps, app_json(data, app, &history));
        else if (!err)
            put_text(data, app, &history, style, out);
        history_free(&history);
    }
    if (!err && json)
        return ts_json_put_line(json_pack("{s:o}", "apps", apps), out);
    json_decref(apps);
    return err;
}
