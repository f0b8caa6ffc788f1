/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_forests.h"

#include "cli/estimate.h"
#include "cli/json_text.h"
#include "store/rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool take_spore_setting(const char *name, const char *value,
                               struct ts_spore_settings *settings)
{
    const struct {
        const char *name;
        double *number;
    } numbers[] = {{"threshold", &settings->threshold},
                   {"f_scale", &settings->f_scale},
                   {"nu", &settings->nu},
                   {"ridge", &settings->ridge}};
    char *end;
    const double number = strtod(value, &end);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (strcmp(name, numbers[i].name) != 0)
            continue;
        *numbers[i].number = number;
        return end != value && !*end && number >= 0 && number <= 1000;
    }
    const bool relative = strcmp(value, "relative") == 0;
    if (strcmp(name, "error") == 0) {
        settings->error = relative ? TS_SPORE_RELATIVE : TS_SPORE_RMSE;
        return relative || strcmp(value, "rmse") == 0;
    }
    settings->relative_fit = relative;
    return strcmp(name, "fit") == 0 && (relative || strcmp(value, "absolute") == 0);
}

bool ts_estimate_take_spore(const char *text, struct ts_spore_settings *settings)
{
    char copy[256], *rest = copy;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return false;
    for (char *one; (one = strsep(&rest, ","));) {
        char *value = strchr(one, '=');
        if (!value)
            return false;
        *value++ = '\0';
        if (!take_spore_setting(one, value, settings))
            return false;
    }
    return true;
}

static void put_formula(const struct ts_estimator *estimator, struct ts_out *out)
{
    const char **names = calloc(estimator->column_count + 1, sizeof *names);
    struct ts_buf text = {0};
    const bool rmse = estimator->settings.spore.error == TS_SPORE_RMSE;
    for (size_t i = 0; names && i < estimator->column_count; i++)
        names[i] = estimator->columns[i];
    if (!names || ts_spore_print(&estimator->spore, names, &text) || ts_buf_append(&text, "", 1))
        out->err = TS_ENOMEM;
    else
        ts_out_printf(out,
                      "%s\n(features as shares of their range in training; error there "
                      "%.1f%s)\n",
                      (char *)text.data, (rmse ? 1 : 100) * estimator->spore.error,
                      rmse ? ", root of the mean square" : " %");
    for (size_t i = 0; i < estimator->log.count; i++) {
        const struct ts_cost_round *round = &estimator->log.rounds[i];
        ts_out_printf(out, "round %zu: error %.1f%s, probes cost %.1f %%%s%s%s\n", i + 1,
                      (rmse ? 1 : 100) * round->error, rmse ? "" : " %", 100 * round->cost,
                      round->unknown ? ", and nobody has measured one of them" : "",
                      round->rejected == SIZE_MAX ? "" : ", rejected: ",
                      round->rejected == SIZE_MAX ? "" : ts_probe_names[round->rejected]);
    }
    free(names);
    ts_buf_free(&text);
}

/* What paired taps on this rig said of the probes, as shares of a launch. */
static int take_costs(const char *path, struct ts_estimator_settings *settings, struct ts_why *why)
{
    static const char *const names[] = {
        [TS_PROBE_ACCESSIBILITY] = "accessibility_percent", [TS_PROBE_POLLING] = "polling_percent"};
    struct ts_rig rig;
    int err = ts_rig_open(path, 0, &rig, why);
    if (err)
        return err;
    if (!rig.known[TS_RECORD_OBSERVERS])
        err = ts_fail(why, TS_EPROTO,
                      "%s: its observers are not measured; do it with `touchstone calibrate "
                      "observers`",
                      path);
    for (size_t probe = TS_PROBE_ACCESSIBILITY; probe <= TS_PROBE_POLLING && !err; probe++) {
        const struct ts_known *cost =
            ts_record_find(&rig.records[TS_RECORD_OBSERVERS], names[probe]);
        settings->cost[probe] = cost ? cost->value / 100 : NAN;
    }
    settings->costs = true;
    ts_rig_free(&rig);
    return err;
}

int ts_estimate_train(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    struct ts_feature_table table;
    struct ts_estimator estimator = {0};
    struct ts_estimator_settings settings = request->settings;
    int err = ts_estimate_load(request, 0, &table, why);
    if (!err && request->rig)
        err = take_costs(request->rig, &settings, why);
    if (!err)
        err = ts_estimator_train(&table, NULL, &settings, &estimator, why);
    if (!err)
        err = ts_estimator_save(&estimator, request->output, why);
    if (!err && request->json)
        err = ts_json_put_line(json_pack("{s:s, s:I, s:I, s:I, s:o}", "estimator",
                                         ts_estimator_names[estimator.settings.kind], "launches",
                                         (json_int_t)estimator.rows, "left_out",
                                         (json_int_t)estimator.left_out, "columns",
                                         (json_int_t)estimator.column_count, "cost_rounds",
                                         ts_estimator_rounds_json(&estimator)),
                               out);
    else if (!err)
        ts_out_printf(out, "%s: trained on %zu launches, %zu left out\n", request->output,
                      estimator.rows, estimator.left_out);
    if (!err && !request->json && !ts_estimator_is_forest(&estimator))
        put_formula(&estimator, out);
    ts_estimator_free(&estimator);
    ts_feature_table_free(&table);
    return err;
}
