/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is done with an estimator: carried away, or asked whether launches have become slower. */
#include "cli/estimate.h"
#include "cli/estimate_forests.h"
#include "cli/json_text.h"
#include "estimators/change.h"
#include "estimators/emit.h"
#include "store/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_files(const struct ts_estimate_request *request,
                       const struct ts_estimator *estimator, const struct ts_emit_columns *columns,
                       bool *used, struct ts_why *why)
{
    struct ts_buf dump = {0}, text = {0}, script = {0};
    int err = TS_OK;
    if (ts_estimator_is_forest(estimator)) {
        const struct ts_emit_sum sum = {ts_forest_base(estimator->forests[0]),
                                        estimator->settings.kind == TS_ESTIMATOR_RATIO,
                                        estimator->factor};
        err = ts_forest_dump(estimator->forests[0], &dump, why);
        if (!err)
            err = ts_emit_forest_uses((char *)dump.data, dump.size, columns->count, used, why);
        if (!err)
            err = ts_emit_forest((char *)dump.data, dump.size, sum, columns, &text, why);
    } else {
        for (size_t i = 0; i < columns->count; i++)
            used[i] = ts_spore_uses(&estimator->spore, i);
        err = ts_emit_spore(&estimator->spore, columns, &text, why);
    }
    if (!err)
        err = ts_file_write(request->output, &text, why);
    if (!err && request->script) {
        err = ts_emit_script(columns, used, &script) ? ts_fail(why, TS_ENOMEM, "out of memory")
                                                     : ts_file_write(request->script, &script, why);
    }
    ts_buf_free(&dump);
    ts_buf_free(&text);
    ts_buf_free(&script);
    return err;
}

int ts_estimate_emit(const struct ts_estimate_request *request, struct ts_out *out,
                     struct ts_why *why)
{
    struct ts_estimator estimator;
    char about[600];
    int err = ts_estimator_load(request->paths[0], &estimator, why);
    if (err)
        return err;
    const char **names = calloc(estimator.column_count + 1, sizeof *names);
    bool *used = calloc(estimator.column_count + 1, sizeof *used);
    if (!names || !used)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    else if (estimator.settings.kind == TS_ESTIMATOR_START ||
             estimator.settings.kind == TS_ESTIMATOR_TYPE)
        err = ts_fail(why, TS_ENOTSUP, "%s: start types cannot be emitted, only durations",
                      request->paths[0]);
    if (!err) {
        for (size_t i = 0; i < estimator.column_count; i++)
            names[i] = estimator.columns[i];
        snprintf(about, sizeof about, "%s of %s, trained on %zu launches of %s.",
                 ts_estimator_names[estimator.settings.kind], estimator.settings.target,
                 estimator.rows, estimator.devices);
        const struct ts_emit_columns columns = {names, estimator.column_count, about};
        err = write_files(request, &estimator, &columns, used, why);
    }
    if (!err)
        ts_out_printf(out, "%s\n", request->output);
    free(names);
    free(used);
    ts_estimator_free(&estimator);
    return err;
}

/* ---- shift ---- */

/* What is compared of each launch: its estimated time, or its mean interval. */
static int take_values(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                       double *out, struct ts_why *why)
{
    const size_t interval = ts_feature_table_feature(table, "mean_interval_ms");
    if (estimator) {
        const int err = ts_estimator_predict(estimator, table, out, why);
        /* A hot start says little, and is not what the estimator of cold ones was trained on. */
        for (size_t i = 0; i < table->row_count; i++)
            out[i] = table->rows[i].start_type == TS_START_COLD ? out[i] : NAN;
        return err;
    }
    if (interval == table->feature_count)
        return ts_fail(why, TS_EPROTO, "the table has no column mean_interval_ms");
    for (size_t i = 0; i < table->row_count; i++)
        out[i] = ts_feature_table_values(table, i)[interval];
    return TS_OK;
}

static int put_change(const struct ts_estimate_request *request, const struct ts_change *change,
                      struct ts_out *out)
{
    const char *what = request->model ? "estimated_ms" : "mean_interval_ms";
    if (request->json)
        return ts_json_put_line(
            json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o, s:o}", "of", what, "a",
                      (json_int_t)change->count_a, "b", (json_int_t)change->count_b, "left_out",
                      (json_int_t)change->left_out, "mean", ts_json_figure(change->mean), "median",
                      ts_json_figure(change->median), "interval",
                      ts_json_figures(change->interval.low, change->interval.high), "p",
                      ts_json_figure(change->p)),
            out);
    ts_out_printf(out,
                  "%s, the second less the first: mean %+.1f ms, median %+.1f ms,\n"
                  "shift %.1f to %.1f ms (95 %%), p = %.4f; %zu and %zu launches, %zu left out\n",
                  what, change->mean, change->median, change->interval.low, change->interval.high,
                  change->p, change->count_a, change->count_b, change->left_out);
    return TS_OK;
}

int ts_estimate_shift(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    struct ts_estimate_request one = *request;
    struct ts_feature_table tables[2] = {{0}, {0}};
    double *values[2] = {NULL, NULL};
    struct ts_estimator estimator = {0};
    struct ts_change change;
    int err = request->model ? ts_estimator_load(request->model, &estimator, why) : TS_OK;
    for (size_t i = 0; i < 2 && !err; i++) {
        one.path_count = i + 1;
        err = ts_estimate_load(&one, i, &tables[i], why);
        if (err)
            break;
        values[i] = calloc(tables[i].row_count + 1, sizeof *values[i]);
        err = values[i]
                  ? take_values(request->model ? &estimator : NULL, &tables[i], values[i], why)
                  : ts_fail(why, TS_ENOMEM, "out of memory");
    }
    if (!err)
        err = ts_change_of(values[0], tables[0].row_count, values[1], tables[1].row_count,
                           request->settings.seed, &change, why);
    if (!err)
        err = put_change(request, &change, out);
    for (size_t i = 0; i < 2; i++) {
        free(values[i]);
        ts_feature_table_free(&tables[i]);
    }
    ts_estimator_free(&estimator);
    return err;
}
