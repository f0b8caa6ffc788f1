/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How early in a launch its time can be estimated (paper M, section 2.5.3: bounded execution): only
 * the events up to some time after the click count, in training as in the test. */
#include "cli/estimate.h"
#include "cli/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEST_SHARE 0.1

static const double horizons_ms[] = {0,   100, 200,  300,  400,  500,
                                     700, 900, 1200, 1600, 2500, INFINITY};

struct early {
    const struct ts_estimate_request *request;
    struct ts_feature_table table;
    bool *test, *use;      /* owned; per row */
    double *said, *actual; /* owned; per row */
    double over;           /* share of the test's launches that have ended */
    struct ts_duration_scores scores;
};

static int alloc(struct early *early, struct ts_why *why)
{
    const size_t count = early->table.row_count + 1;
    early->test = calloc(count, sizeof *early->test);
    early->use = calloc(count, sizeof *early->use);
    early->said = calloc(count, sizeof *early->said);
    early->actual = calloc(count, sizeof *early->actual);
    if (!early->test || !early->use || !early->said || !early->actual)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    return TS_OK;
}

static void release(struct early *early)
{
    free(early->test);
    free(early->use);
    free(early->said);
    free(early->actual);
    ts_feature_table_free(&early->table);
}

/* Where nothing is known yet that could tell launches apart, all get the mean. */
static int estimate(struct early *early, struct ts_why *why)
{
    struct ts_estimator estimator = {0};
    const struct ts_estimator_settings *settings = &early->request->settings;
    int err = ts_estimator_train(&early->table, early->use, settings, &estimator, why);
    if (!err)
        err = ts_estimator_predict(&estimator, &early->table, early->said, why);
    ts_estimator_free(&estimator);
    if (err != TS_EPROTO)
        return err;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < early->table.row_count; i++) {
        const double target = ts_estimator_target(settings, &early->table, i);
        if (!early->use[i] || isnan(target))
            continue;
        sum += target;
        count++;
    }
    for (size_t i = 0; i < early->table.row_count && count; i++)
        early->said[i] = sum / (double)count;
    return count ? TS_OK
                 : ts_fail(why, TS_EPROTO, "no launch has a %s to learn from", settings->target);
}

static int judge(struct early *early, double horizon_ms, struct ts_why *why)
{
    struct ts_estimate_request request = *early->request;
    size_t silent, count = 0, over = 0;
    request.horizon_ms = horizon_ms;
    int err = ts_estimate_gather(&request, &early->table, &silent, why);
    if (err)
        return err;
    if (silent == early->table.row_count)
        return ts_fail(why, TS_EPROTO,
                       "none of the %zu launches has accessibility events, so that nothing tells "
                       "them apart during the launch; run a plan with `events: true`, or give a "
                       "recording of the helper app's recorder",
                       silent);
    err = alloc(early, why);
    if (!err)
        err = ts_split_internal(&early->table, TEST_SHARE, request.settings.seed, 0, early->test);
    for (size_t i = 0; i < early->table.row_count && !err; i++)
        early->use[i] = !early->test[i];
    if (!err)
        err = estimate(early, why);
    for (size_t i = 0; i < early->table.row_count && !err; i++) {
        const double target = ts_estimator_target(&request.settings, &early->table, i);
        if (!early->test[i] || isnan(target) || isnan(early->said[i]))
            continue;
        over += target <= horizon_ms;
        early->said[count] = early->said[i];
        early->actual[count++] = target;
    }
    if (!err && !count)
        err = ts_fail(why, TS_EPROTO, "no launch has a %s to judge by", request.settings.target);
    if (!err)
        err = ts_duration_scores_of(early->said, early->actual, count, &early->scores);
    early->over = count ? (double)over / (double)count : NAN;
    return err;
}

int ts_estimate_early(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    const enum ts_estimator_kind kind = request->settings.kind;
    json_t *rows = request->json ? json_array() : NULL;
    int err = kind == TS_ESTIMATOR_START || kind == TS_ESTIMATOR_TYPE
                  ? ts_fail(why, TS_EINVAL, "early is for times, not for start types")
                  : TS_OK;
    if (!rows && !err)
        ts_out_put(out, "events up to   launches over   error %   pearson\n");
    for (size_t i = 0; i < sizeof horizons_ms / sizeof *horizons_ms && !err; i++) {
        struct early early = {.request = request};
        err = judge(&early, horizons_ms[i], why);
        if (!err && rows)
            json_array_append_new(rows, json_pack("{s:o, s:o, s:o, s:o}", "horizon_ms",
                                                  ts_json_figure(horizons_ms[i]), "over",
                                                  ts_json_figure(early.over), "relative_error",
                                                  ts_json_figure(early.scores.relative_error),
                                                  "pearson", ts_json_figure(early.scores.pearson)));
        else if (!err && isfinite(horizons_ms[i]))
            ts_out_printf(out, "%9.0f ms %13.0f %% %9.1f %9.3f\n", horizons_ms[i], 100 * early.over,
                          100 * early.scores.relative_error, early.scores.pearson);
        else if (!err)
            ts_out_printf(out, "the end of them           - %9.1f %9.3f\n",
                          100 * early.scores.relative_error, early.scores.pearson);
        release(&early);
    }
    if (!err && rows)
        return ts_json_put_line(json_pack("{s:s, s:o}", "estimator",
                                          ts_estimator_names[request->settings.kind], "horizons",
                                          rows),
                                out);
    json_decref(rows);
    return err;
}
