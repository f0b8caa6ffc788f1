/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/json_text.h"
#include "estimators/online.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct following {
    struct ts_estimator estimator;
    struct ts_online online;
    size_t alarm_at; /* launch, from 1; 0: none */
    double before, followed;
    size_t count;
};

/* One launch after the other, in the table's order: estimated first, learnt from afterwards. */
static int follow(struct following *to, const struct ts_feature_table *table, struct ts_why *why)
{
    const size_t width = to->estimator.column_count;
    double *rows = calloc(table->row_count * width + 1, sizeof *rows);
    double *kept = calloc(table->row_count + 1, sizeof *kept);
    int err = rows && kept ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_estimator_predict(&to->estimator, table, kept, why);
    if (!err)
        err = ts_estimator_rows(&to->estimator, table, rows, why);
    ts_online_start(&to->online, &to->estimator.spore);
    for (size_t i = 0; i < table->row_count && !err; i++) {
        const double actual = ts_estimator_target(&to->estimator.settings, table, i);
        const double said =
            ts_online_update(&to->online, &to->estimator.spore, rows + i * width, actual);
        if (!isfinite(said) || !isfinite(actual) || !(actual > 0))
            continue;
        to->count++;
        to->before += fabs(kept[i] - actual) / actual;
        to->followed += fabs(said - actual) / actual;
        if (to->online.alarm && !to->alarm_at)
            to->alarm_at = to->count;
    }
    if (!err && !to->count)
        err = ts_fail(why, TS_EPROTO, "no launch has all that the formula needs, and its %s",
                      to->estimator.settings.target);
    free(rows);
    free(kept);
    return err;
}

static int put(const struct following *from, bool json, struct ts_out *out)
{
    const double n = (double)from->count;
    if (json)
        return ts_json_put_line(
            json_pack("{s:I, s:f, s:f, s:o}", "launches", (json_int_t)from->count,
                      "relative_error_before", from->before / n, "relative_error_followed",
                      from->followed / n, "alarm_at",
                      from->alarm_at ? json_integer((json_int_t)from->alarm_at) : json_null()),
            out);
    ts_out_printf(out, "%zu launches: error %.1f %% as it was trained, %.1f %% followed\n",
                  from->count, 100 * from->before / n, 100 * from->followed / n);
    if (from->alarm_at)
        ts_out_printf(out,
                      "Alarm at launch %zu: its errors are above those of training for too long. "
                      "Measure some\nlaunches with the rig and train anew.\n",
                      from->alarm_at);
    return TS_OK;
}

int ts_estimate_follow(const struct ts_estimate_request *request, struct ts_out *out,
                       struct ts_why *why)
{
    struct following following = {.alarm_at = 0};
    struct ts_feature_table table = {0};
    int err = ts_estimator_load(request->paths[0], &following.estimator, why);
    if (err)
        return err;
    if (following.estimator.settings.kind < TS_ESTIMATOR_SPORE)
        err = ts_fail(why, TS_EPROTO, "%s: only a formula can follow; train one with --kind spore",
                      request->paths[0]);
    if (!err)
        err = ts_estimate_load(request, 1, &table, why);
    if (!err)
        err = follow(&following, &table, why);
    if (!err && request->output)
        err = ts_estimator_save(&following.estimator, request->output, why);
    if (!err)
        err = put(&following, request->json, out);
    ts_feature_table_free(&table);
    ts_estimator_free(&following.estimator);
    return err;
}
