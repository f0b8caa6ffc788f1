/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/compare_run.h"

#include "stats/multiple.h"
#include "stats/order.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MOST 31 /* beside the caller's own */

int ts_group_side(const struct ts_group *group, size_t app, double **values,
                  struct ts_place **places, size_t *count, size_t *left_out)
{
    size_t all;
    const struct ts_row *rows = ts_group_rows(group, app, &all);
    *count = 0;
    *values = calloc(all + 1, sizeof **values);
    *places = calloc(all + 1, sizeof **places);
    if (!*values || !*places)
        return TS_ENOMEM;
    for (size_t i = 0; i < all; i++) {
        const struct ts_row *row = &rows[i];
        left_out[row->left_out]++;
        if (row->left_out != TS_TAKEN)
            continue;
        (*values)[*count] = row->ms;
        (*places)[(*count)++] = row->place;
    }
    return TS_OK;
}

/* Of an app's launches that count: the median u_common; 0 when none says. */
static int common_of(const struct ts_group *group, size_t app, double *out)
{
    size_t count = 0, rows;
    const struct ts_row *row = ts_group_rows(group, app, &rows);
    double *all = calloc(rows + 1, sizeof *all);
    if (!all)
        return TS_ENOMEM;
    for (const struct ts_row *end = row + rows; row < end; row++) {
        if (row->left_out == TS_TAKEN && !isnan(row->u_common_ms))
            all[count++] = row->u_common_ms;
    }
    ts_sort(all, count);
    *out = count ? ts_median(all, count) : 0;
    free(all);
    return TS_OK;
}

/* One app of one group, ready to be compared. */
struct prepared {
    struct ts_compare_side *side; /* owned; NULL: why_not */
    struct ts_why why_not;
    double common;
    size_t left_out[TS_LEFT_OUT_COUNT];
};

static int prepare(const struct ts_group *group, size_t app, const char *name, struct prepared *out)
{
    double *values = NULL;
    struct ts_place *places = NULL;
    size_t count = 0;
    int err = ts_group_side(group, app, &values, &places, &count, out->left_out);
    if (!err)
        err = common_of(group, app, &out->common);
    if (!err)
        err = ts_compare_side_of((struct ts_side){values, places, count}, name, &out->side,
                                 &out->why_not);
    free(values);
    free(places);
    return err == TS_EINVAL ? TS_OK : err;
}

static int compare_app(const struct prepared *a, const struct prepared *b, bool one_rig,
                       const struct ts_compare_options *options, struct ts_compared_app *out)
{
    struct ts_compare_rules rules = options->rules;
    const bool told = !isnan(options->u_common_ms);
    const double common_a = told ? options->u_common_ms : a->common;
    const double common_b = told ? options->u_common_ms : b->common;
    out->p_holm = (double)NAN;
    out->u_common_ms = rules.u_common = one_rig ? 0 : hypot(common_a, common_b);
    memcpy(out->left_out[0], a->left_out, sizeof a->left_out);
    memcpy(out->left_out[1], b->left_out, sizeof b->left_out);
    if (!a->side || !b->side) {
        out->why_not = a->side ? b->why_not : a->why_not;
        return TS_OK;
    }
    out->compared = true;
    return ts_compare_sides(a->side, b->side, &rules, &out->comparison);
}

static bool has_app(const struct ts_group *group, size_t app)
{
    size_t count;
    (void)ts_group_rows(group, app, &count);
    return count > 0;
}

/* Which apps there are on either side. */
static int list_apps(const struct ts_compare_data *data, struct ts_compared *pair)
{
    pair->apps = calloc(data->apps.count + 1, sizeof *pair->apps);
    if (!pair->apps)
        return TS_ENOMEM;
    for (size_t app = 0; app < data->apps.count; app++) {
        if (has_app(pair->a, app) || has_app(pair->b, app))
            pair->apps[pair->count++].index = app;
    }
    return TS_OK;
}

/* Every app of every pair, by as many threads as there are processors: none waits for another. */
struct crew {
    const struct ts_compare_data *data;
    const struct ts_compare_options *options;
    const struct prepared *first; /* of the first group, each app's own */
    struct ts_compared *pairs;
    size_t count; /* of pairs */
    atomic_size_t next;
    atomic_int err;
};

static int compare_one(const struct crew *crew, struct ts_compared *pair, size_t slot)
{
    struct ts_compared_app *out = &pair->apps[slot];
    struct prepared second = {0};
    int err = prepare(pair->b, out->index, "the second", &second);
    out->app = crew->data->apps.items[out->index];
    if (!err)
        err = compare_app(&crew->first[out->index], &second, pair->one_rig, crew->options, out);
    ts_compare_side_free(second.side);
    return err;
}

static void *work(void *context)
{
    struct crew *crew = context;
    for (;;) {
        size_t slot = atomic_fetch_add(&crew->next, 1), i = 0;
        while (i < crew->count && slot >= crew->pairs[i].count)
            slot -= crew->pairs[i++].count;
        if (i == crew->count || atomic_load(&crew->err))
            return NULL;
        const int err = compare_one(crew, &crew->pairs[i], slot);
        if (err)
            atomic_store(&crew->err, err);
    }
}

static int work_all(struct crew *crew)
{
    pthread_t others[THREADS_MOST];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t begun = 0;
    while (begun < THREADS_MOST && (long)begun + 1 < processors &&
           pthread_create(&others[begun], NULL, work, crew) == 0)
        begun++;
    work(crew);
    while (begun)
        (void)pthread_join(others[--begun], NULL);
    return atomic_load(&crew->err);
}

static int sum_up(const struct ts_compare_options *options, struct ts_compared *pair)
{
    struct ts_comparison *done = calloc(pair->count + 1, sizeof *done);
    size_t compared = 0;
    if (!done)
        return TS_ENOMEM;
    for (size_t i = 0; i < pair->count; i++) {
        if (pair->apps[i].compared)
            done[compared++] = pair->apps[i].comparison;
    }
    pair->overall = ts_compare_overall(done, compared, &options->rules);
    free(done);
    return TS_OK;
}

static int check_conditions(struct ts_compared *pair, bool anyway, struct ts_why *why)
{
    for (int i = 0; i < TS_CONDITION_COUNT; i++) {
        const char *a = pair->a->conditions[i], *b = pair->b->conditions[i];
        /* What only one side knows of (a CSV beside a session) cannot be held against it. */
        pair->unlike[i] = *a && *b && (strcmp(a, b) != 0 || strchr(a, ','));
        if (pair->unlike[i] && ts_condition_needed[i] && !anyway)
            return ts_fail(why, TS_EPROTO,
                           "%.80s and %.80s cannot be compared: %s is %s there and %s here; "
                           "%s, or say --anyway",
                           pair->a->name, pair->b->name, ts_condition_names[i], a, b,
                           i == TS_CONDITION_ZERO ? "launch both from a touch, or both by am start"
                           : i == TS_CONDITION_DETECTOR ? "replay both with one version"
                                                        : "name sessions that are alike");
    }
    return TS_OK;
}

static bool on_one_rig(const struct ts_compared *pair, enum ts_rigs rigs)
{
    if (rigs != TS_RIGS_BY_THEMSELVES)
        return rigs == TS_RIGS_ONE;
    return strcmp(pair->a->rig, pair->b->rig) == 0 && strcmp(pair->a->rig, "several") != 0;
}

static int correct(struct ts_compared *out, size_t count)
{
    size_t asked = 0;
    for (size_t i = 0; i < count; i++)
        asked += out[i].count;
    double *p = calloc(2 * asked + 1, sizeof *p), *adjusted = p + asked;
    if (!p)
        return TS_ENOMEM;
    asked = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < out[i].count; j++)
            p[asked++] = out[i].apps[j].compared ? out[i].apps[j].comparison.p : NAN;
    }
    const int err = ts_holm(p, asked, adjusted);
    asked = 0;
    for (size_t i = 0; i < count && !err; i++) {
        for (size_t j = 0; j < out[i].count; j++)
            out[i].apps[j].p_holm = adjusted[asked++];
    }
    free(p);
    return err;
}

int ts_compare_run(const struct ts_compare_data *data, const struct ts_compare_options *options,
                   struct ts_compared *out, struct ts_why *why)
{
    const size_t apps = data->apps.count, pairs = data->count - 1;
    struct prepared *first = calloc(apps + 1, sizeof *first);
    struct crew crew = {data, options, first, out, pairs, 0, TS_OK};
    int err = first ? TS_OK : TS_ENOMEM;
    for (size_t i = 0; i < pairs && !err; i++) {
        out[i] = (struct ts_compared){.a = &data->groups[0], .b = &data->groups[i + 1]};
        out[i].one_rig = on_one_rig(&out[i], options->rigs);
        err = check_conditions(&out[i], options->anyway, why);
        if (!err)
            err = list_apps(data, &out[i]);
    }
    for (size_t app = 0; app < apps && !err; app++)
        err = prepare(&data->groups[0], app, "the first", &first[app]);
    if (!err)
        err = work_all(&crew);
    for (size_t i = 0; i < pairs && !err; i++)
        err = sum_up(options, &out[i]);
    for (size_t app = 0; first && app < apps; app++)
        ts_compare_side_free(first[app].side);
    free(first);
    return err ? err : correct(out, pairs);
}

void ts_compared_free(struct ts_compared *compared, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(compared[i].apps);
}

const char *ts_compared_verdict(const struct ts_compared_app *app, double level)
{
    if (!app->compared)
        return "not compared";
    if (app->p_holm <= 1 - level)
        return app->comparison.ratio > 1 ? "slower" : "faster";
    return app->comparison.p_equal <= 1 - level ? "same" : "not shown";
}
