/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/json_text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* NAN where the gate says that the start was not cold. */
static int pass_gate(const struct ts_estimate_request *request,
                     const struct ts_feature_table *table, double *estimate, struct ts_why *why)
{
    struct ts_estimator gate = {0};
    double *cold = calloc(TS_ESTIMATOR_CLASSES * table->row_count + 1, sizeof *cold);
    int err = cold ? ts_estimator_load(request->gate, &gate, why)
                   : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && gate.settings.kind != TS_ESTIMATOR_START && gate.settings.kind != TS_ESTIMATOR_TYPE)
        err = ts_fail(why, TS_EPROTO, "%s: it is not of kind start or type", request->gate);
    if (!err)
        err = ts_estimator_predict(&gate, table, cold, why);
    for (size_t i = 0; i < table->row_count && !err; i++)
        estimate[i] = cold[i * ts_estimator_classes(&gate)] > 0.5 ? estimate[i] : NAN;
    ts_estimator_free(&gate);
    free(cold);
    return err;
}

static int put_estimates(const struct ts_estimate_request *request,
                         const struct ts_feature_table *table, const double *estimate,
                         const struct ts_estimator_settings *settings, struct ts_out *out)
{
    char name[TS_FEATURE_TABLE_NAME_MAX + 16] = "estimate_ms";
    if (settings->kind == TS_ESTIMATOR_START)
        snprintf(name, sizeof name, "cold_probability");
    else if (strcmp(settings->target, TS_TARGET_SETTLED) != 0 &&
             strcmp(settings->target, TS_TARGET_ANDROID) != 0)
        snprintf(name, sizeof name, "estimate_%s", settings->target);
    json_t *rows = request->json ? json_array() : NULL;
    if (!rows)
        ts_out_printf(out, "launch,%s\n", name);
    for (size_t i = 0; i < table->row_count; i++) {
        if (rows)
            json_array_append_new(rows, json_pack("{s:o, s:o}", "launch",
                                                  ts_json_name(table->rows[i].launch), name,
                                                  ts_json_figure(estimate[i])));
        else if (isnan(estimate[i]))
            ts_out_printf(out, "%s,NA\n", table->rows[i].launch);
        else
            ts_out_printf(out, "%s,%.9g\n", table->rows[i].launch, estimate[i]);
    }
    return rows ? ts_json_put_line(json_pack("{s:o}", "estimates", rows), out) : TS_OK;
}

static int put_types(const struct ts_estimate_request *request,
                     const struct ts_feature_table *table, const double *p, struct ts_out *out)
{
    json_t *rows = request->json ? json_array() : NULL;
    if (!rows)
        ts_out_put(out, "launch,cold_probability,warm_probability,hot_probability\n");
    for (size_t i = 0; i < table->row_count; i++, p += TS_ESTIMATOR_CLASSES) {
        if (rows)
            json_array_append_new(rows, json_pack("{s:o, s:f, s:f, s:f}", "launch",
                                                  ts_json_name(table->rows[i].launch),
                                                  "cold_probability", p[0], "warm_probability",
                                                  p[1], "hot_probability", p[2]));
        else
            ts_out_printf(out, "%s,%.9g,%.9g,%.9g\n", table->rows[i].launch, p[0], p[1], p[2]);
    }
    return rows ? ts_json_put_line(json_pack("{s:o}", "estimates", rows), out) : TS_OK;
}

int ts_estimate_predict(const struct ts_estimate_request *request, struct ts_out *out,
                        struct ts_why *why)
{
    struct ts_feature_table table = {0};
    struct ts_estimator estimator;
    double *estimate = NULL;
    int err = ts_estimator_load(request->paths[0], &estimator, why);
    if (err)
        return err;
    err = ts_estimate_load(request, 1, &table, why);
    if (!err) {
        estimate = calloc(TS_ESTIMATOR_CLASSES * table.row_count + 1, sizeof *estimate);
        err = estimate ? ts_estimator_predict(&estimator, &table, estimate, why)
                       : ts_fail(why, TS_ENOMEM, "out of memory");
    }
    if (!err && request->gate)
        err = pass_gate(request, &table, estimate, why);
    if (!err && estimator.settings.kind == TS_ESTIMATOR_TYPE)
        err = put_types(request, &table, estimate, out);
    else if (!err)
        err = put_estimates(request, &table, estimate, &estimator.settings, out);
    free(estimate);
    ts_estimator_free(&estimator);
    ts_feature_table_free(&table);
    return err;
}
