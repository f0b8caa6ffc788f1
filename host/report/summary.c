/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/summary.h"

#include "base/buf.h"

#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <stdio.h>
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
    app->usable++;
    if (result->start_type != TS_START_UNKNOWN)
        app->start = result->start_type;
    if (result->time_to_initial_display_ms > result->settled.value + 2 * result->settled.u)
        app->android_longer++;
    app->never_rests += ts_launch_never_rests(launch);
}

static int summarize_row(const struct ts_report_data *data, const struct ts_summary *summary,
                         size_t row, struct lists *lists)
{
    struct ts_app_summary *app = &summary->apps[row];
    lists->settled_count = lists->first_count = lists->initial_count = 0;
    lists->literal_count = lists->pair_count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_launch *launch = &data->launches[i];
        if (summary->row_of[i] != row)
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

/* A bit for each way in which launches of the app that count started. */
static unsigned start_types(const struct ts_report_data *data, const char *app)
{
    unsigned types = 0;
    for (size_t i = 0; i < data->count; i++) {
        if (ts_launch_counts(&data->launches[i]) && strcmp(data->launches[i].result.app, app) == 0)
            types |= 1u << data->launches[i].result.start_type;
    }
    return types;
}

static char *make_label(const struct ts_app_summary *app)
{
    const char *type = ts_start_type_name(app->start);
    const size_t size = strlen(app->app) + strlen(type) + 3;
    char *label = malloc(size);
    if (label && app->apart)
        snprintf(label, size, "%s, %s", app->app, type);
    else if (label)
        snprintf(label, size, "%s", app->app);
    return label;
}

static int add_app(const struct ts_report_data *data, struct ts_summary *summary, size_t *capacity,
                   const char *name)
{
    static const enum ts_start_type order[] = {TS_START_COLD, TS_START_WARM, TS_START_HOT,
                                               TS_START_UNKNOWN};
    for (size_t i = 0; i < summary->app_count; i++) {
        if (strcmp(summary->apps[i].app, name) == 0)
            return TS_OK;
    }
    const unsigned types = start_types(data, name);
    /* One of which the log does not tell is taken for what the others are, when they are alike. */
    const unsigned known = types & ~(1u << TS_START_UNKNOWN);
    const bool apart = (known & (known - 1)) != 0;
    for (int i = 0; i < (apart ? 4 : 1); i++) {
        if (apart && !(types >> order[i] & 1))
            continue;
        struct ts_app_summary *app =
            ts_grow((void **)&summary->apps, &summary->app_count, capacity, sizeof *app);
        if (!app)
            return TS_ENOMEM;
        app->app = name;
        app->apart = apart;
        app->start = apart ? order[i] : TS_START_UNKNOWN;
        app->label = make_label(app);
        if (!app->label)
            return TS_ENOMEM;
    }
    return TS_OK;
}

/* What does not count may have started as no other launch did; it goes to its app's first row. */
static size_t find_row(const struct ts_summary *summary, const struct ts_result *result)
{
    size_t first = summary->app_count;
    for (size_t i = 0; i < summary->app_count; i++) {
        const struct ts_app_summary *app = &summary->apps[i];
        if (strcmp(app->app, result->app) != 0)
            continue;
        if (!app->apart || app->start == result->start_type)
            return i;
        first = first < i ? first : i;
    }
    return first;
}

/* The plan's apps, then any that only the results name. */
static int list_rows(const struct ts_report_data *data, struct ts_summary *summary)
{
    size_t capacity = 0;
    int err = TS_OK;
    for (size_t i = 0; !err && i < data->plan->app_count; i++)
        err = add_app(data, summary, &capacity, data->plan->apps[i].name);
    for (size_t i = 0; !err && i < data->count; i++)
        err = add_app(data, summary, &capacity, data->launches[i].result.app);
    summary->row_of = calloc(data->count + 1, sizeof *summary->row_of);
    if (err || !summary->row_of)
        return TS_ENOMEM;
    for (size_t i = 0; i < data->count; i++) {
        const struct ts_conditions *conditions = &data->launches[i].result.conditions;
        summary->row_of[i] = find_row(summary, &data->launches[i].result);
        struct ts_app_summary *app = &summary->apps[summary->row_of[i]];
        app->build = *conditions->build ? conditions->build : app->build;
        app->stop = *conditions->stop ? conditions->stop : app->stop;
    }
    return TS_OK;
}

int ts_summarize(const struct ts_report_data *data, struct ts_summary *out)
{
    *out = (struct ts_summary){.u_common = NAN};
    struct lists lists;
    int err = lists_make(&lists, data->count);
    if (!err)
        err = list_rows(data, out);
    for (size_t i = 0; !err && i < out->app_count; i++) {
        struct ts_app_summary *app = &out->apps[i];
        err = summarize_row(data, out, i, &lists);
        out->launches += app->launches;
        out->usable += app->usable;
        out->u_common = fmax(out->u_common, app->u_common); /* fmax prefers a number to NAN */
    }
    free(lists.storage);
    if (err)
        ts_summary_free(out);
    return err;
}

size_t ts_summary_settled(const struct ts_report_data *data, const struct ts_summary *summary,
                          size_t row, double *values)
{
    size_t count = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double settled = data->launches[i].result.settled.value;
        if (summary->row_of[i] == row && ts_launch_counts(&data->launches[i]) && isfinite(settled))
            values[count++] = settled;
    }
    return count;
}

void ts_summary_free(struct ts_summary *summary)
{
    for (size_t i = 0; i < summary->app_count; i++) {
        free(summary->apps[i].settled_ms);
        free(summary->apps[i].label);
    }
    free(summary->apps);
    free(summary->row_of);
    *summary = (struct ts_summary){0};
}
