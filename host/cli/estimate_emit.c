/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate.h"
#include "cli/estimate_forests.h"
#include "estimators/emit.h"
#include "store/files.h"

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
