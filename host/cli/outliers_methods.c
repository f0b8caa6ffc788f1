/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/outliers.h"

#include "stats/fences.h"
#include "stats/outliers.h"
#include "stats/shape.h"

#include <math.h>
#include <stdlib.h>

static void put(json_t *parameters, const char *key, double value)
{
    json_object_set_new(parameters, key, isfinite(value) ? json_real(value) : json_null());
}

static double or_else(double said, double otherwise)
{
    return isnan(said) ? otherwise : said;
}

static void mark_beyond(const struct ts_column *column, struct ts_fences fences, bool *marked,
                        json_t *parameters)
{
    for (size_t i = 0; i < column->count; i++)
        marked[i] = ts_beyond(fences, column->values[i]);
    if (isfinite(fences.low))
        put(parameters, "low", fences.low);
    put(parameters, "high", fences.high);
}

static int cluster(const struct ts_outlier_request *request, const struct ts_column *column,
                   const double *sorted, bool full, bool *marked, json_t *parameters,
                   struct ts_why *why)
{
    const struct ts_level_curve bell = {.centre = or_else(request->centre, TS_LEVEL_BELL.centre)};
    const struct ts_outlier_rules rules = {
        .full = full,
        .curve = request->polynomial ? &ts_level_polynomial_known : &bell,
        .neighbours = request->neighbours,
        .tick = or_else(request->tick, ts_tick_of(sorted, column->count)),
        .floor = request->floor,
        .force = request->force};
    struct ts_outliers found;
    const int err = ts_outliers_of(column->values, column->count, &rules, &found, why);
    if (err)
        return err;
    for (size_t i = 0; i < column->count; i++)
        marked[i] = found.marked[i];
    if (full) {
        const size_t k = request->neighbours ? request->neighbours : TS_LOF_NEIGHBOURS;
        json_object_set_new(parameters, "neighbours", json_integer((json_int_t)k));
        put(parameters, "ideal_low", found.ideal.low);
        put(parameters, "ideal_high", found.ideal.high);
    } else {
        json_object_set_new(parameters, "curve",
                            json_string(request->polynomial ? "polynomial" : "bell"));
        if (!request->polynomial)
            put(parameters, "centre", bell.centre);
    }
    put(parameters, "tick", found.tick > 0 ? found.tick : (double)NAN);
    put(parameters, "cut_height", found.cut_height);
    put(parameters, "cut_level", found.cut_level);
    json_object_set_new(parameters, "heights", json_integer((json_int_t)found.heights));
    json_object_set_new(parameters, "distinct", json_integer((json_int_t)found.distinct));
    ts_outliers_free(&found);
    return TS_OK;
}

static int run_full(const struct ts_outlier_request *request, const struct ts_column *column,
                    const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    return cluster(request, column, sorted, true, marked, parameters, why);
}

static int run_simplified(const struct ts_outlier_request *request, const struct ts_column *column,
                          const double *sorted, bool *marked, json_t *parameters,
                          struct ts_why *why)
{
    return cluster(request, column, sorted, false, marked, parameters, why);
}

static void fence_off(struct ts_right_fence fence, const struct ts_column *column,
                      const double *sorted, bool *marked, json_t *parameters)
{
    put(parameters, "percentile", fence.part * 100);
    put(parameters, "ratio", fence.ratio);
    const double cut = ts_right_fence_at(fence, sorted, column->count);
    mark_beyond(column, (struct ts_fences){-INFINITY, cut}, marked, parameters);
}

static int run_fence(const struct ts_outlier_request *request, const struct ts_column *column,
                     const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    const struct ts_right_fence fence = {or_else(request->percentile / 100, TS_FENCE_RECORDED.part),
                                         or_else(request->ratio, TS_FENCE_RECORDED.ratio)};
    if (!request->force && (1 - fence.part) * (double)column->count < 1)
        return ts_fail(why, TS_ENOTSUP,
                       "%zu values have no percentile of %g: it is the largest value",
                       column->count, fence.part * 100);
    fence_off(fence, column, sorted, marked, parameters);
    return TS_OK;
}

static int run_search(const struct ts_outlier_request *request, const struct ts_column *column,
                      const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    (void)request;
    (void)why;
    struct ts_right_fence grid[TS_FENCE_GRID];
    const struct ts_exemplar exemplar = {sorted, column->count, NAN};
    ts_fence_grid(grid);
    const size_t best = ts_fence_search(grid, TS_FENCE_GRID, &exemplar, 1);
    const struct ts_fence_trial trial = ts_fence_try(grid[best], &exemplar);
    fence_off(grid[best], column, sorted, marked, parameters);
    put(parameters, "border", trial.border);
    put(parameters, "skewness", trial.skewness);
    put(parameters, "kurtosis", trial.kurtosis);
    return TS_OK;
}

static int run_tukey(const struct ts_outlier_request *request, const struct ts_column *column,
                     const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    (void)request;
    (void)why;
    mark_beyond(column, ts_tukey_fences(sorted, column->count), marked, parameters);
    return TS_OK;
}

static int run_adjusted(const struct ts_outlier_request *request, const struct ts_column *column,
                        const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    (void)request;
    struct ts_fences fences;
    double medcouple;
    const int err = ts_adjusted_fences(sorted, column->count, &fences, &medcouple, why);
    if (err)
        return err;
    put(parameters, "medcouple", medcouple);
    mark_beyond(column, fences, marked, parameters);
    return TS_OK;
}

static int run_lof(const struct ts_outlier_request *request, const struct ts_column *column,
                   const double *sorted, bool *marked, json_t *parameters, struct ts_why *why)
{
    const size_t k = request->neighbours ? request->neighbours : TS_LOF_NEIGHBOURS;
    const double above = or_else(request->above, 1.5), median = ts_median(sorted, column->count);
    const double floor = or_else(request->floor, ts_smallest_gap(sorted, column->count));
    struct ts_distinct distinct;
    if (column->count <= k)
        return ts_fail(why, TS_ENOTSUP, "%zu values have no %zu neighbours each", column->count, k);
    int err = ts_distinct_of(sorted, column->count, &distinct);
    if (err)
        return err;
    double *lof = malloc(distinct.count * sizeof *lof);
    err = lof ? ts_lof_of(&distinct, k, floor, lof) : TS_ENOMEM;
    for (size_t i = 0; i < column->count && !err; i++) {
        const double value = column->values[i];
        marked[i] = lof[ts_distinct_find(&distinct, value)] > above && value > median;
    }
    json_object_set_new(parameters, "neighbours", json_integer((json_int_t)k));
    put(parameters, "above", above);
    put(parameters, "floor", floor);
    free(lof);
    ts_distinct_free(&distinct);
    return err;
}

const struct ts_outlier_method ts_outlier_methods[] = {
    {"full", TS_OUTLIERS_LEAST, run_full},
    {"simplified", TS_OUTLIERS_LEAST, run_simplified},
    {"fence", 2, run_fence},
    {"search", 100, run_search},
    {"tukey", 5, run_tukey},
    {"adjusted-boxplot", 10, run_adjusted},
    {"lof", 2, run_lof},
};
const size_t ts_outlier_method_count = sizeof ts_outlier_methods / sizeof *ts_outlier_methods;
