/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_android.h"

#include "cli/compare_data.h"
#include "report/data.h"
#include "report/summary.h"
#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One launch that counts, with what both sides say of it. */
struct launch {
    size_t app;
    double rig, u, android;
};

struct launches {
    struct ts_names apps;
    struct launch *items; /* owned */
    size_t count, capacity;
};

static int put(struct launches *launches, const char *app, struct launch launch)
{
    void *items = launches->items;
    const long index = ts_names_find(&launches->apps, app);
    if (index < 0)
        return (int)index;
    struct launch *to = ts_grow(&items, &launches->count, &launches->capacity, sizeof *to);
    launches->items = items;
    if (!to)
        return TS_ENOMEM;
    *to = launch;
    to->app = (size_t)index;
    return TS_OK;
}

static int add_session(struct launches *launches, const char *path, struct ts_why *why)
{
    struct ts_report_data session;
    int err = ts_report_data_load(path, &session, why);
    if (err)
        return err;
    for (size_t i = 0; i < session.count && !err; i++) {
        const struct ts_result *result = &session.launches[i].result;
        if (ts_launch_counts(&session.launches[i]) && isfinite(result->settled.value))
            err = put(launches, result->app,
                      (struct launch){0, result->settled.value, result->settled.u,
                                      result->time_to_initial_display_ms});
    }
    ts_report_data_free(&session);
    return err;
}

/* The same rows of a CSV, read once for each of the three columns. */
static int add_csv(struct launches *launches, char *path, struct ts_why *why)
{
    static const char *const columns[] = {"settled_ms", "settled_u_ms",
                                          "time_to_initial_display_ms"};
    struct ts_compare_data data = {0};
    int err = TS_OK;
    for (int i = 0; i < 3 && !err; i++) {
        const struct ts_compare_source source = {"settled", columns[i], "app", NULL, NULL};
        err = ts_compare_add(&data, path, &source, why);
    }
    for (size_t row = 0; !err && row < data.groups[0].count; row++) {
        const struct ts_group *groups = data.groups;
        const double u = groups[1].rows[row].ms;
        if (isfinite(groups[0].rows[row].ms))
            err = put(launches, data.apps.items[groups[0].rows[row].app],
                      (struct launch){0, groups[0].rows[row].ms, isfinite(u) ? u : 0,
                                      groups[2].rows[row].ms});
    }
    ts_compare_data_free(&data);
    return err;
}

static int pairs_new(struct ts_android_pairs *pairs, size_t count)
{
    *pairs = (struct ts_android_pairs){calloc(count + 1, sizeof(double)),
                                       calloc(count + 1, sizeof(double)),
                                       calloc(count + 1, sizeof(double)), 0};
    return pairs->rig && pairs->u && pairs->android ? TS_OK : TS_ENOMEM;
}

static void pairs_free(struct ts_android_pairs *pairs)
{
    free(pairs->rig);
    free(pairs->u);
    free(pairs->android);
}

static void pairs_put(struct ts_android_pairs *pairs, const struct launch *launch)
{
    pairs->rig[pairs->count] = launch->rig;
    pairs->u[pairs->count] = launch->u;
    pairs->android[pairs->count++] = launch->android;
}

static int median_of(const double *values, size_t count, double *out)
{
    double *sorted = ts_sorted_copy(values, count);
    if (!sorted)
        return TS_ENOMEM;
    *out = ts_median(sorted, count);
    free(sorted);
    return TS_OK;
}

static int judge_app(const struct launches *launches, size_t index, struct ts_android_app *app)
{
    int err = pairs_new(&app->pairs, launches->count);
    app->app = strdup(launches->apps.items[index]);
    if (err || !app->app)
        return TS_ENOMEM;
    for (size_t i = 0; i < launches->count; i++) {
        const struct launch *launch = &launches->items[i];
        if (launch->app == index && isfinite(launch->android))
            pairs_put(&app->pairs, launch);
    }
    const struct ts_android_pairs *pairs = &app->pairs;
    app->pearson = pairs->count < TS_PAIRS_MIN
                       ? (double)NAN
                       : ts_pearson(pairs->android, pairs->rig, pairs->count);
    err = median_of(pairs->rig, pairs->count, &app->rig);
    if (!err)
        err = median_of(pairs->android, pairs->count, &app->android);
    return err ? err : ts_bound_of(pairs->rig, pairs->u, pairs->android, pairs->count, &app->bound);
}

static int judge_all(const struct launches *launches, struct ts_android_agreement *out)
{
    struct ts_android_pairs all;
    int err = pairs_new(&all, launches->count);
    for (size_t i = 0; i < launches->count && !err; i++) {
        if (isfinite(launches->items[i].android))
            pairs_put(&all, &launches->items[i]);
        else
            out->untimed++;
    }
    if (!err)
        err = ts_agreement_of(all.rig, all.android, all.count, &out->all);
    if (!err)
        err = ts_spearman(all.android, all.rig, all.count, &out->spearman);
    if (!err)
        err = ts_deming(all.android, all.rig, all.count, 1, &out->deming);
    if (!err)
        err = ts_passing_bablok(all.android, all.rig, all.count, &out->passing_bablok);
    err = err == TS_ENOTSUP ? TS_OK : err; /* then the line stays unknown */
    if (!err)
        out->concordance = ts_concordance_of(all.android, all.rig, all.count);
    pairs_free(&all);
    return err;
}

static int judge(const struct launches *launches, struct ts_android_agreement *out)
{
    double least = INFINITY;
    int err = TS_OK;
    out->apps = calloc(launches->apps.count + 1, sizeof *out->apps);
    if (!out->apps)
        return TS_ENOMEM;
    for (size_t i = 0; i < launches->apps.count && !err; i++) {
        err = judge_app(launches, i, &out->apps[out->count++]);
        if (!err && out->apps[i].bound.count)
            least = fmin(least, out->apps[i].bound.offset);
    }
    for (size_t i = 0; i < out->count && !err; i++)
        out->apps[i].lazy = ts_bound_lazy(&out->apps[i].bound, out->apps[i].android, least);
    return err ? err : judge_all(launches, out);
}

int ts_agreement_android(char **paths, int count, bool json, struct ts_out *figure,
                         struct ts_out *out, struct ts_why *why)
{
    struct launches launches = {0};
    struct ts_android_agreement agreement = {0};
    struct stat about;
    int err = TS_OK;
    for (int i = 0; i < count && !err; i++)
        err = stat(paths[i], &about) == 0 && S_ISDIR(about.st_mode)
                  ? add_session(&launches, paths[i], why)
                  : add_csv(&launches, paths[i], why);
    if (!err)
        err = judge(&launches, &agreement);
    if (!err && !agreement.all.count)
        err = ts_fail(why, TS_EINVAL,
                      "no launch that counts has a time of Android's beside the rig's");
    if (!err && figure)
        err = ts_agreement_android_draw(&agreement, figure);
    if (!err && json)
        err = ts_agreement_android_put_json(&agreement, out);
    else if (!err)
        ts_agreement_android_put_text(&agreement, out);
    for (size_t i = 0; i < agreement.count; i++) {
        free(agreement.apps[i].app);
        pairs_free(&agreement.apps[i].pairs);
    }
    free(agreement.apps);
    free(launches.items);
    ts_names_free(&launches.apps);
    return err;
}
