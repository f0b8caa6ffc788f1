/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Every launch gets its time and type from forests that were trained on the other devices, so that
 * no launch is judged by what it taught. */
static int estimate(struct ts_study_run *run, enum ts_estimator_kind kind, double *out,
                    struct ts_why *why)
{
    struct ts_estimator_settings settings = run->request->settings;
    int err = TS_OK;
    settings.kind = kind;
    snprintf(settings.target, sizeof settings.target, "%s", TS_TARGET_ANDROID);
    for (size_t device = 0; device < run->device_count && !err; device++) {
        struct ts_estimator estimator = {0};
        for (size_t i = 0; i < run->table.row_count; i++)
            run->use[i] = strcmp(run->table.rows[i].device, run->devices[device]) != 0;
        err = ts_estimator_train(&run->table, run->use, &settings, &estimator, why);
        if (!err)
            err = ts_estimator_predict(&estimator, &run->table, run->all, why);
        ts_estimator_free(&estimator);
        for (size_t i = 0; i < run->table.row_count && !err; i++)
            out[i] = run->use[i] ? out[i] : run->all[i];
    }
    return err;
}

/* A launch's period is what its name begins with. */
static bool is_of(const struct ts_feature_table_row *row, const char *period)
{
    return strncmp(row->launch, period, strlen(period)) == 0;
}

/* What a launch counts with; NAN: not at all. */
static size_t take(struct ts_study_run *run, const char *app, const char *period,
                   const double *values, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < run->table.row_count; i++) {
        if (strcmp(run->table.rows[i].app, app) == 0 && is_of(&run->table.rows[i], period))
            out[count++] = values[i];
    }
    return count;
}

static int compare(struct ts_study_run *run, const char *app, const char *before, const char *after,
                   const double *values, struct ts_change *out, struct ts_why *why)
{
    const size_t a = take(run, app, before, values, run->estimate),
                 b = take(run, app, after, values, run->actual);
    return ts_change_of(run->estimate, a, run->actual, b, run->request->settings.seed, out, why);
}

static int find_shift(struct ts_study_run *run, const char *app, const double *predicted,
                      const double *interval, struct ts_why *why)
{
    struct ts_study_shift *shift = &run->shifts[run->shift_count];
    shift->app = app;
    int err = compare(run, app, "light", "heavy", predicted, &shift->predicted, why);
    if (!err)
        err = compare(run, app, "light", "heavy", interval, &shift->interval, why);
    if (!err)
        err = compare(run, app, "heavy-1", "heavy-2", predicted, &shift->control, why);
    run->shift_count += !err;
    return err;
}

static bool has_periods(const struct ts_study_run *run)
{
    static const char *const periods[] = {"light", "heavy-1", "heavy-2"};
    bool all = true;
    for (size_t k = 0; k < 3; k++) {
        bool found = false;
        for (size_t i = 0; i < run->table.row_count && !found; i++)
            found = is_of(&run->table.rows[i], periods[k]);
        all &= found;
    }
    return all;
}

int ts_study_find_shifts(struct ts_study_run *run, struct ts_why *why)
{
    const size_t column = ts_feature_table_feature(&run->table, "mean_interval_ms");
    const size_t rows = run->table.row_count;
    if (!has_periods(run) || column == run->table.feature_count)
        return TS_OK;
    double *time = calloc(rows, sizeof *time), *cold = calloc(rows, sizeof *cold);
    double *interval = calloc(rows, sizeof *interval), *own = calloc(rows, sizeof *own);
    int err = time && cold && interval && own ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = estimate(run, TS_ESTIMATOR_FOREST, time, why);
    if (!err)
        err = estimate(run, TS_ESTIMATOR_START, cold, why);
    for (size_t i = 0; i < rows && !err; i++) {
        time[i] = cold[i] > 0.5 ? time[i] : NAN;
        interval[i] = ts_feature_table_values(&run->table, i)[column];
    }
    if (!err) {
        ts_change_center(&run->table, time, cold);
        ts_change_center(&run->table, interval, own);
    }
    for (size_t i = 0; i < rows && !err; i++) {
        bool first = run->shift_count < TS_STUDY_APPS_KEPT;
        for (size_t j = 0; j < i && first; j++)
            first = strcmp(run->table.rows[j].app, run->table.rows[i].app) != 0;
        if (first)
            err = find_shift(run, run->table.rows[i].app, cold, own, why);
    }
    free(time);
    free(cold);
    free(interval);
    free(own);
    return err;
}
