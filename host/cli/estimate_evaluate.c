/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEST_SHARE 0.1 /* of the launches of each device, as in paper E */

struct evaluation {
    const struct ts_estimate_request *request;
    struct ts_feature_table table;
    bool *test;                      /* owned */
    double *all, *estimate, *actual; /* owned; `all`: of every row */
    size_t classes;                  /* numbers that a launch gets */
    json_t *rows;                    /* NULL: text */
    struct ts_out *out;
};

static void put_durations(struct evaluation *run, const char *name, const char *app,
                          const struct ts_duration_scores *s)
{
    if (!run->rows) {
        ts_out_printf(run->out, "%-10.10s %-20.20s %6zu %8.1f %7.1f %7.3f %8.3f %7.3f\n", name, app,
                      s->count, 100 * s->relative_error, s->mean_absolute_ms, s->pearson,
                      s->spearman, s->concordance);
        return;
    }
    char absolute[32];
    snprintf(absolute, sizeof absolute, "mean_absolute_%s",
             ts_estimator_unit(&run->request->settings, &run->table));
    json_array_append_new(
        run->rows,
        json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "split", ts_json_name(name),
                  "app", ts_json_name(app), "launches", (json_int_t)s->count, "relative_error",
                  ts_json_figure(s->relative_error), absolute, ts_json_figure(s->mean_absolute_ms),
                  "pearson", ts_json_figure(s->pearson), "spearman", ts_json_figure(s->spearman),
                  "concordance", ts_json_figure(s->concordance), "lin", ts_json_figure(s->lin)));
}

/* count, share: what a bin's two numbers are called. */
static json_t *bins_json(const struct ts_type_bin *bins, const char *count, const char *share)
{
    json_t *array = json_array();
    for (size_t i = 0; i < TS_TYPE_BINS; i++)
        json_array_append_new(array, json_pack("{s:I, s:o, s:o}", count, (json_int_t)bins[i].count,
                                               "probability", ts_json_figure(bins[i].probability),
                                               share, ts_json_figure(bins[i].share)));
    return array;
}

/* Of launches of which so much was said, how many were what was said. */
static void put_reliability(struct evaluation *run, const struct ts_type_bin *bins)
{
    for (size_t i = 0; i < TS_TYPE_BINS; i++) {
        if (bins[i].count)
            ts_out_printf(
                run->out,
                "    said %3zu to %3zu %%, %5.1f %% on average: true of %5.1f %% of %zu\n",
                100 * i / TS_TYPE_BINS, 100 * (i + 1) / TS_TYPE_BINS, 100 * bins[i].probability,
                100 * bins[i].share, bins[i].count);
    }
}

static void put_types(struct evaluation *run, const char *name, const char *app,
                      const struct ts_type_scores *s)
{
    if (!run->rows) {
        ts_out_printf(run->out, "%-10.10s %-20.20s %6zu %8.1f %7.3f %6zu %6zu %6zu %6zu\n", name,
                      app, s->count, 100 * s->error, s->brier, s->counts[1][1], s->counts[1][0],
                      s->counts[0][1], s->counts[0][0]);
        if (strcmp(app, "all") == 0)
            put_reliability(run, s->bins);
        return;
    }
    json_array_append_new(run->rows,
                          json_pack("{s:o, s:o, s:I, s:o, s:o, s:[[I, I], [I, I]], s:o}", "split",
                                    ts_json_name(name), "app", ts_json_name(app), "launches",
                                    (json_int_t)s->count, "error", ts_json_figure(s->error),
                                    "brier", ts_json_figure(s->brier), "confusion",
                                    (json_int_t)s->counts[0][0], (json_int_t)s->counts[0][1],
                                    (json_int_t)s->counts[1][0], (json_int_t)s->counts[1][1],
                                    "bins", bins_json(s->bins, "launches", "cold")));
}

static void put_classes(struct evaluation *run, const char *name, const char *app,
                        const struct ts_class_scores *s)
{
    if (!run->rows) {
        ts_out_printf(run->out, "%-10.10s %-20.20s %6zu %8.1f %7.3f ", name, app, s->count,
                      100 * s->error, s->brier);
        for (size_t i = 0; i < TS_CLASSES; i++)
            ts_out_printf(run->out, " %5zu/%zu/%zu", s->counts[i][0], s->counts[i][1],
                          s->counts[i][2]);
        ts_out_put(run->out, "\n");
        if (strcmp(app, "all") == 0)
            put_reliability(run, s->bins);
        return;
    }
    json_t *counts = json_array();
    for (size_t i = 0; i < TS_CLASSES; i++)
        json_array_append_new(counts,
                              json_pack("[I, I, I]", (json_int_t)s->counts[i][0],
                                        (json_int_t)s->counts[i][1], (json_int_t)s->counts[i][2]));
    json_array_append_new(
        run->rows, json_pack("{s:o, s:o, s:I, s:o, s:o, s:o, s:o}", "split", ts_json_name(name),
                             "app", ts_json_name(app), "launches", (json_int_t)s->count, "error",
                             ts_json_figure(s->error), "brier", ts_json_figure(s->brier),
                             "confusion", counts, "bins", bins_json(s->bins, "given", "share")));
}

/* Of the test's launches of one app; NULL: of all. */
static int score(struct evaluation *run, const char *name, const char *app)
{
    const struct ts_estimator_settings *settings = &run->request->settings;
    const size_t classes = run->classes;
    size_t count = 0;
    for (size_t i = 0; i < run->table.row_count; i++) {
        const double target = ts_estimator_target(settings, &run->table, i);
        if (!run->test[i] || isnan(target) || isnan(run->all[i * classes]) ||
            (app && strcmp(run->table.rows[i].app, app) != 0))
            continue;
        for (size_t k = 0; k < classes; k++)
            run->estimate[count * classes + k] = run->all[i * classes + k];
        run->actual[count++] = target;
    }
    if (settings->kind == TS_ESTIMATOR_TYPE) {
        struct ts_class_scores scores;
        ts_class_scores_of(run->estimate, run->actual, count, &scores);
        put_classes(run, name, app ? app : "all", &scores);
        return TS_OK;
    }
    if (settings->kind == TS_ESTIMATOR_START) {
        struct ts_type_scores scores;
        ts_type_scores_of(run->estimate, run->actual, count, &scores);
        put_types(run, name, app ? app : "all", &scores);
        return TS_OK;
    }
    struct ts_duration_scores scores;
    const int err = ts_duration_scores_of(run->estimate, run->actual, count, &scores);
    if (!err)
        put_durations(run, name, app ? app : "all", &scores);
    return err;
}

static bool first_of_app(const struct evaluation *run, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (run->test[i] && strcmp(run->table.rows[i].app, run->table.rows[row].app) == 0)
            return false;
    }
    return run->test[row];
}

static int judge(struct evaluation *run, const char *name, struct ts_why *why)
{
    struct ts_estimator estimator = {0};
    bool *use = calloc(run->table.row_count + 1, sizeof *use);
    int err = use ? ts_split_check(&run->table, run->test, why)
                  : ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < run->table.row_count && !err; i++)
        use[i] = !run->test[i];
    if (!err)
        err = ts_estimator_train(&run->table, use, &run->request->settings, &estimator, why);
    if (!err)
        err = ts_estimator_predict(&estimator, &run->table, run->all, why);
    run->classes = err ? 1 : ts_estimator_classes(&estimator);
    if (!err)
        err = score(run, name, NULL);
    for (size_t i = 0; i < run->table.row_count && !err; i++) {
        if (first_of_app(run, i))
            err = score(run, name, run->table.rows[i].app);
    }
    free(use);
    ts_estimator_free(&estimator);
    return err;
}

/* What launches are kept apart by: the device, or with --by app the app. */
static const char *side(const struct evaluation *run, size_t row)
{
    return run->request->by_app ? run->table.rows[row].app : run->table.rows[row].device;
}

/* Each device in turn, or the one that was asked for, judged by what the others teach. */
static int judge_external(struct evaluation *run, struct ts_why *why)
{
    const char *wanted = run->request->external;
    const struct ts_feature_table *table = &run->table;
    size_t judged = 0;
    for (size_t first = 0; first < table->row_count; first++) {
        const char *own = side(run, first);
        size_t others = 0;
        bool seen = false;
        for (size_t i = 0; i < table->row_count; i++) {
            run->test[i] = strcmp(side(run, i), own) == 0;
            seen |= i < first && run->test[i];
            others += !run->test[i];
        }
        if (seen || (wanted && strcmp(wanted, own) != 0))
            continue;
        if (!others)
            return wanted || run->request->by_app
                       ? ts_fail(why, TS_EPROTO,
                                 "all launches are of %s: nothing is left to train on", own)
                       : TS_OK;
        const int err = judge(run, own, why);
        if (err)
            return err;
        judged++;
    }
    return judged || !wanted ? TS_OK
                             : ts_fail(why, TS_EPROTO, "there is no launch of \"%s\"", wanted);
}

static void put_head(const struct evaluation *run)
{
    const struct ts_estimator_settings *settings = &run->request->settings;
    if (run->rows)
        return;
    if (settings->kind == TS_ESTIMATOR_START)
        ts_out_put(run->out, "tested on  app                  launch  error %   brier   cold as "
                             "hot  hot as    hot\n"
                             "                                                       cold        "
                             " cold\n");
    else if (settings->kind == TS_ESTIMATOR_TYPE)
        ts_out_put(run->out, "Types said (cold/warm/hot) of launches that were\n"
                             "tested on  app                  launch  error %   brier   cold, "
                             "     warm,      hot\n");
    else
        ts_out_printf(run->out,
                      "Estimates of %s by %s. internal: trained on 90 %% of each device's\n"
                      "launches; a device's or app's name: trained on the others alone.\n\n"
                      "tested on  app                  launch  error %% %7.7s pearson spearman "
                      "concord\n",
                      settings->target, ts_estimator_names[settings->kind],
                      ts_estimator_unit(settings, &run->table));
}

int ts_estimate_evaluate(const struct ts_estimate_request *request, struct ts_out *out,
                         struct ts_why *why)
{
    struct evaluation run = {.request = request, .out = out};
    if (request->study >= 0)
        return ts_estimate_study(request, out, why);
    int err = ts_estimate_load(request, 0, &run.table, why);
    if (err)
        return err;
    run.rows = request->json ? json_array() : NULL;
    run.test = calloc(run.table.row_count + 1, sizeof *run.test);
    run.all = calloc(TS_CLASSES * (run.table.row_count + 1), sizeof *run.all);
    run.estimate = calloc(TS_CLASSES * (run.table.row_count + 1), sizeof *run.estimate);
    run.actual = calloc(run.table.row_count + 1, sizeof *run.actual);
    if (!run.test || !run.all || !run.estimate || !run.actual)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    put_head(&run);
    if (!err && !request->external && !request->by_app) {
        err = ts_split_internal(&run.table, TEST_SHARE, request->settings.seed, 0, run.test);
        if (!err)
            err = judge(&run, "internal", why);
    }
    if (!err)
        err = judge_external(&run, why);
    if (!err && run.rows)
        err = ts_json_put_line(json_pack("{s:s, s:s, s:I, s:O}", "estimator",
                                         ts_estimator_names[request->settings.kind], "target",
                                         request->settings.target, "seed",
                                         (json_int_t)request->settings.seed, "results", run.rows),
                               out);
    json_decref(run.rows);
    free(run.test);
    free(run.all);
    free(run.estimate);
    free(run.actual);
    ts_feature_table_free(&run.table);
    return err;
}
