/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/summary.h"

#include "base/buf.h"

#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of one app's launches that count; every list has room for all launches. */
struct lists {
    double *settled, *first_change, *initial_display, *difference, *literal, *u, *u_common;
    double *pair_rig, *pair_android;
    size_t settled_count, first_count, initial_count, literal_count, pair_count;
    double *storage; /* owned */
};

static int lists_make(struct lists *lists, size_t count)
{
    double **const all[] = {&lists->settled,    &lists->first_change, &lists->initial_display,
                            &lists->difference, &lists->literal,      &lists->u,
                            &lists->u_common,   &lists->pair_rig,     &lists->pair_android};
    const size_t kinds = sizeof all / sizeof *all;
    *lists = (struct lists){.storage = calloc(kinds * (count + 1), sizeof(double))};
    if (!lists->storage)
        return TS_ENOMEM;
    for (size_t i = 0; i < kinds; i++)
        *all[i] = lists->storage + i * (count + 1);
    return TS_OK;
}

static void lists_add(struct lists *lists, const struct ts_result *result)
{
    const double settled = result->settled.value, android = result->time_to_initial_display_ms;
    if (isfinite(settled)) {
        lists->u[lists->settled_count] = isfinite(result->settled.u) ? result->settled.u : 0;
        lists->u_common[lists->settled_count] =
            isfinite(result->settled.u_common) ? result->settled.u_common : 0;
        lists->settled[lists->settled_count++] = settled;
    }
    if (isfinite(result->first_visual_change.value))
        lists->first_change[lists->first_count++] = result->first_visual_change.value;
    if (isfinite(result->literal_settled.value))
        lists->literal[lists->literal_count++] = result->literal_settled.value;
    if (isfinite(android))
        lists->initial_display[lists->initial_count++] = android;
    if (isfinite(android) && isfinite(settled)) {
        lists->difference[lists->pair_count] = settled - android;
        lists->pair_rig[lists->pair_count] = settled;
        lists->pair_android[lists->pair_count++] = android;
    }
}

static struct ts_estimate estimate(double *values, size_t count)
{
    ts_sort(values, count);
    return (struct ts_estimate){count, ts_median(values, count), ts_median_interval(values, count)};
}

static void count_launch(struct ts_app_summary *app, const struct ts_launch *launch)
{
    app->launches++;
    if (!ts_result_usable(&launch->result))
        return;
    if (launch->warm_up) {
        app->warm_up++;
        return;
    }
    if (launch->excluded) {
        app->excluded++;
        return;
    }
    const struct ts_result *result = &launch->result;
    if (app->usable++ == 0)
        app->start = result->start_type;
    else if (app->start != result->start_type)
        app->start = TS_START_UNKNOWN;
    if (result->time_to_initial_display_ms > result->settled.value + 2 * result->settled.u)
        app->android_longer++;
    app->never_rests += ts_launch_never_rests(launch);
}

static int summarize_app(const struct ts_report_data *data, struct lists *lists,
                         struct ts_app_summary *app)
{
    lists->settled_count = lists->first_count = lists->initial_count = 0;
    lists->literal_count = lists->pair_count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        if (strcmp(launch->result.app, app->app) != 0)
            continue;
        count_launch(app, launch);
        if (ts_launch_counts(launch))
            lists_add(lists, &launch->result);
    }
    app->settled = estimate(lists->settled, lists->settled_count);
    app->first_change = estimate(lists->first_change, lists->first_count);
    app->initial_display = estimate(lists->initial_display, lists->initial_count);
    app->literal = estimate(lists->literal, lists->literal_count);
    app->difference = estimate(lists->difference, lists->pair_count);
    app->u_common = estimate(lists->u_common, lists->settled_count).median;
    app->u = estimate(lists->u, lists->settled_count).median;
    app->correlation = lists->pair_count < TS_PAIRS_MIN
                           ? NAN
                           : ts_pearson(lists->pair_rig, lists->pair_android, lists->pair_count);
    const struct ts_fences fences = ts_tukey_fences(lists->settled, lists->settled_count);
    for (size_t i = 0; i < lists->settled_count; i++)
        app->beyond_fences += ts_beyond(fences, lists->settled[i]);
    app->settled_ms = calloc(lists->settled_count + 1, sizeof *app->settled_ms);
    if (!app->settled_ms)
        return TS_ENOMEM;
    memcpy(app->settled_ms, lists->settled, lists->settled_count * sizeof *app->settled_ms);
    return TS_OK;
}

static int add_app(struct ts_summary *summary, size_t *capacity, const char *name)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        if (strcmp(summary->apps[i].app, name) == 0)
            return TS_OK;
    }
    struct ts_app_summary *app =
        ts_grow((void **)&summary->apps, &summary->app_count, capacity, sizeof *app);
    if (!app)
        return TS_ENOMEM;
    app->app = name;
    return TS_OK;
}

/* The plan's apps, then any that only the results name. */
static int list_apps(const struct ts_report_data *data, struct ts_summary *summary)
{
    size_t capacity = 0;
    int err = TS_OK;
    for (size_t i = 0; !err && i < data->plan->app_count; i++)
        err = add_app(summary, &capacity, data->plan->apps[i].name);
    for (size_t i = 0; !err && i < data->count; i++)
        err = add_app(summary, &capacity, data->launches[i].result.app);
    return err;
}

int ts_summarize(const struct ts_report_data *data, struct ts_summary *out)
{
    *out = (struct ts_summary){.u_common = NAN};
    struct lists lists;
    int err = lists_make(&lists, data->count);
    if (!err)
        err = list_apps(data, out);
    for (size_t i = 0; !err && i < out->app_count; i++) {
        struct ts_app_summary *app = &out->apps[i];
        err = summarize_app(data, &lists, app);
        out->launches += app->launches;
        out->usable += app->usable;
        out->u_common = fmax(out->u_common, app->u_common); /* fmax prefers a number to NAN */
    }
    free(lists.storage);
    if (err)
        ts_summary_free(out);
    return err;
}

void ts_summary_free(struct ts_summary *summary)
{
    for (size_t i = 0; i < summary->app_count; i++)
        free(summary->apps[i].settled_ms);
    free(summary->apps);
    *summary = (struct ts_summary){0};
}
