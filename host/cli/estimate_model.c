/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_model.h"

#include "cli/estimate_costs.h"
#include "cli/estimate_forests.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KNOWN_SHARE 0.8 /* of the rows must have a feature that a formula may use */

const char *const ts_estimator_names[] = {"forest", "start", "type",  "ratio",
                                          "spore",  "foba",  "lasso", NULL};

void ts_estimator_free(struct ts_estimator *estimator)
{
    free(estimator->columns);
    for (size_t i = 0; i < TS_ESTIMATOR_FORESTS; i++)
        ts_forest_free(estimator->forests[i]);
    ts_spore_free(&estimator->spore);
    *estimator = (struct ts_estimator){0};
}

static bool is_formula(const struct ts_estimator_settings *settings)
{
    return settings->kind >= TS_ESTIMATOR_SPORE;
}

static bool is_settled(const struct ts_estimator_settings *settings)
{
    return strcmp(settings->target, TS_TARGET_SETTLED) == 0;
}

static bool is_android(const struct ts_estimator_settings *settings)
{
    return strcmp(settings->target, TS_TARGET_ANDROID) == 0;
}

const char *ts_estimator_unit(const struct ts_estimator_settings *settings,
                              const struct ts_feature_table *table)
{
    const size_t column = ts_feature_table_feature(table, settings->target);
    return column < table->feature_count ? table->features[column].unit : "ms";
}

int ts_estimator_check_target(const struct ts_estimator_settings *settings,
                              const struct ts_feature_table *table, struct ts_why *why)
{
    char names[160] = "";
    if (is_settled(settings) || is_android(settings) ||
        ts_feature_table_feature(table, settings->target) < table->feature_count)
        return TS_OK;
    for (size_t i = 0; i < table->feature_count; i++) {
        const size_t used = strlen(names);
        if (ts_cost_is_column(table->features[i].name))
            snprintf(names + used, sizeof names - used, ", %s", table->features[i].name);
    }
    return ts_fail(why, TS_EPROTO,
                   "the table has no column %s; a target is " TS_TARGET_SETTLED
                   ", " TS_TARGET_ANDROID "%s, or any other column of numbers",
                   settings->target, names);
}

/* A logarithm is taken of durations, and nothing that launches cost can be below zero. */
static double of_column(const struct ts_estimator_settings *settings,
                        const struct ts_feature_table *table, size_t row)
{
    if (is_settled(settings))
        return table->rows[row].settled_ms;
    if (is_android(settings))
        return table->rows[row].time_to_initial_display_ms;
    const size_t column = ts_feature_table_feature(table, settings->target);
    const double value =
        column < table->feature_count ? ts_feature_table_values(table, row)[column] : (double)NAN;
    return settings->kind == TS_ESTIMATOR_RATIO && !(value > 0) ? (double)NAN : value;
}

double ts_estimator_target(const struct ts_estimator_settings *settings,
                           const struct ts_feature_table *table, size_t number)
{
    const struct ts_feature_table_row *row = &table->rows[number];
    switch (settings->kind) {
    case TS_ESTIMATOR_START:
        return row->start_type == TS_START_UNKNOWN ? NAN : row->start_type == TS_START_COLD;
    case TS_ESTIMATOR_TYPE:
        return row->start_type == TS_START_COLD   ? 0
               : row->start_type == TS_START_WARM ? 1
               : row->start_type == TS_START_HOT  ? 2
                                                  : NAN;
    default:
        return of_column(settings, table, number);
    }
}

static int add_column(struct ts_estimator *out, const char *prefix, const char *name)
{
    for (size_t i = 0; *prefix && i < out->column_count; i++) {
        if (strcmp(out->columns[i] + strlen(prefix), name) == 0 &&
            strncmp(out->columns[i], prefix, strlen(prefix)) == 0)
            return TS_OK;
    }
    void *columns = out->columns;
    char *to = ts_grow(&columns, &out->column_count, &out->column_capacity, sizeof *out->columns);
    out->columns = columns;
    if (!to)
        return TS_ENOMEM;
    snprintf(to, sizeof *out->columns, "%s%s", prefix, name);
    return TS_OK;
}

/* Paper E tells start types from these two and the app alone. */
static bool is_count(const char *name)
{
    return strcmp(name, "window_count") == 0 || strcmp(name, "content_count") == 0;
}

/* A start that has much to do is silent for longer. */
static bool is_first(const char *name)
{
    return strcmp(name, "first_event_ms") == 0 || strcmp(name, "window_first_ms") == 0 ||
           strcmp(name, "content_first_ms") == 0;
}

static bool wanted(const struct ts_feature_table *table, const bool *use,
                   const struct ts_estimator_settings *settings, size_t feature)
{
    const char *name = table->features[feature].name;
    size_t rows = 0, known = 0;
    if (strcmp(name, settings->target) == 0 || ts_cost_is_column(name) || !ts_feature_is_used(name))
        return false;
    if (settings->kind == TS_ESTIMATOR_START)
        return is_count(name);
    if (settings->kind == TS_ESTIMATOR_TYPE && !is_count(name) && !is_first(name))
        return false;
    for (size_t i = 0; i < table->row_count; i++) {
        rows += !use || use[i];
        known += (!use || use[i]) && isfinite(ts_feature_table_values(table, i)[feature]);
    }
    return is_formula(settings) ? (double)known >= KNOWN_SHARE * (double)rows : known > 0;
}

static int add_features(const struct ts_feature_table *table, const bool *use, bool counts,
                        bool others, struct ts_estimator *out)
{
    int err = TS_OK;
    for (size_t i = 0; i < table->feature_count && !err; i++) {
        if ((is_count(table->features[i].name) ? counts : others) &&
            wanted(table, use, &out->settings, i))
            err = add_column(out, "", table->features[i].name);
    }
    return err;
}

/* Features, then apps; of start types, counts and apps come first, which the first voter looks at
 * alone. */
static int choose_columns(const struct ts_feature_table *table, const bool *use,
                          struct ts_estimator *out)
{
    const bool apart = out->settings.kind == TS_ESTIMATOR_TYPE;
    int err = add_features(table, use, true, !apart, out);
    for (size_t i = 0; i < table->row_count && !err; i++) {
        if (!use || use[i])
            err = add_column(out, "app=", table->rows[i].app);
    }
    return err || !apart ? err : add_features(table, use, false, true, out);
}

size_t ts_estimator_width(const struct ts_estimator *estimator, size_t voter)
{
    size_t width = 0;
    if (voter + 1 == ts_estimator_voters(estimator))
        return estimator->column_count;
    while (width < estimator->column_count && (is_count(estimator->columns[width]) ||
                                               strncmp(estimator->columns[width], "app=", 4) == 0))
        width++;
    return width;
}

/* One row of columns; the table's places of the features are in `from`. */
static void fill_row(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                     const size_t *from, size_t row, double *to)
{
    for (size_t i = 0; i < estimator->column_count; i++)
        to[i] = from[i] < table->feature_count
                    ? ts_feature_table_values(table, row)[from[i]]
                    : strcmp(estimator->columns[i] + 4, table->rows[row].app) == 0;
}

static int find_columns(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                        size_t **out, struct ts_why *why)
{
    size_t *from = calloc(estimator->column_count + 1, sizeof *from);
    *out = from;
    if (!from)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < estimator->column_count; i++) {
        from[i] = ts_feature_table_feature(table, estimator->columns[i]);
        if (from[i] == table->feature_count && strncmp(estimator->columns[i], "app=", 4) != 0)
            return ts_fail(why, TS_EPROTO, "the table has no column %s, which the estimator needs",
                           estimator->columns[i]);
    }
    return TS_OK;
}

/* Rows that brought a new device; what is beyond would not fit into `devices` either. */
struct seen {
    size_t rows[sizeof((struct ts_estimator *)0)->devices / 2], count;
};

static void note_device(const struct ts_feature_table *table, size_t row, struct seen *seen,
                        struct ts_estimator *out)
{
    const char *device = table->rows[row].device;
    const size_t used = strlen(out->devices);
    for (size_t i = 0; i < seen->count; i++) {
        if (strcmp(table->rows[seen->rows[i]].device, device) == 0)
            return;
    }
    if (seen->count == sizeof seen->rows / sizeof *seen->rows)
        return;
    seen->rows[seen->count++] = row;
    snprintf(out->devices + used, sizeof out->devices - used, "%s%s", used ? ", " : "", device);
}

static int make_matrix(const struct ts_feature_table *table, const bool *use,
                       struct ts_estimator *out, struct ts_estimator_matrix *to, struct ts_why *why)
{
    size_t *from = NULL;
    struct seen seen = {.count = 0};
    to->width = out->column_count;
    to->x = calloc(table->row_count * to->width + 1, sizeof *to->x);
    to->y = calloc(table->row_count + 1, sizeof *to->y);
    int err = find_columns(out, table, &from, why);
    if (!err && (!to->x || !to->y))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < table->row_count && !err; i++) {
        if (use && !use[i])
            continue;
        double *row = to->x + to->count * to->width;
        bool whole = true;
        fill_row(out, table, from, i, row);
        for (size_t j = 0; j < to->width; j++)
            whole &= isfinite(row[j]) || !is_formula(&out->settings);
        to->y[to->count] = ts_estimator_target(&out->settings, table, i);
        if (!whole || isnan(to->y[to->count])) {
            out->left_out++;
            continue;
        }
        to->count++;
        note_device(table, i, &seen, out);
    }
    out->rows = to->count;
    free(from);
    return err;
}

/* A formula of the constant alone is an answer; of nothing that could be in one, it is none. */
static int check_formula(const struct ts_estimator_matrix *from, struct ts_why *why)
{
    for (size_t i = from->width; i < from->count * from->width; i++) {
        if (from->x[i] != from->x[i % from->width])
            return TS_OK;
    }
    return from->count
               ? ts_fail(why, TS_EPROTO,
                         "no feature varies over the %zu launches that have all of them",
                         from->count)
               : ts_fail(why, TS_EPROTO, "no launch has all features and the time that it took");
}

static int fit_formula(const struct ts_estimator_matrix *from, struct ts_estimator *out,
                       struct ts_why *why)
{
    const struct ts_spore_data data = {
        .x = from->x, .y = from->y, .count = from->count, .width = from->width};
    const struct ts_spore_settings *settings = &out->settings.spore;
    if (out->settings.kind == TS_ESTIMATOR_FOBA)
        return ts_foba_fit(&data, settings, &out->spore, why);
    if (out->settings.kind == TS_ESTIMATOR_LASSO)
        return ts_lasso_fit(&data, settings, &out->spore, why);
    if (!out->settings.costs)
        return ts_spore_fit(&data, settings, &out->spore, why);
    double *cost = calloc(from->width + 1, sizeof *cost);
    size_t *probe = calloc(from->width + 1, sizeof *probe);
    for (size_t i = 0; cost && probe && i < from->width; i++) {
        const struct ts_feature *feature = ts_feature_find(out->columns[i]);
        probe[i] = feature ? feature->probe : TS_PROBE_STATE;
        cost[i] =
            ts_probe_runs_during_launch((enum ts_probe)probe[i]) ? out->settings.cost[probe[i]] : 0;
    }
    const struct ts_cost_rules rules = {cost, probe, TS_COST_LIMIT, INFINITY};
    const int err = cost && probe
                        ? ts_cost_fit(&data, settings, &rules, &out->spore, &out->log, why)
                        : ts_fail(why, TS_ENOMEM, "out of memory");
    free(cost);
    free(probe);
    return err;
}

int ts_estimator_train(const struct ts_feature_table *table, const bool *use,
                       const struct ts_estimator_settings *settings, struct ts_estimator *out,
                       struct ts_why *why)
{
    struct ts_estimator_matrix matrix = {0};
    *out = (struct ts_estimator){.settings = *settings};
    snprintf(out->version, sizeof out->version, "%s", TS_VERSION);
    int err = ts_estimator_check_target(settings, table, why);
    if (!err && choose_columns(table, use, out))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = make_matrix(table, use, out, &matrix, why);
    if (!err && is_formula(settings))
        err = check_formula(&matrix, why);
    if (!err && is_formula(settings))
        err = fit_formula(&matrix, out, why);
    else if (!err)
        err = ts_estimator_grow(&matrix, out, why);
    free(matrix.x);
    free(matrix.y);
    if (err)
        ts_estimator_free(out);
    return err;
}

int ts_estimator_rows(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                      double *out, struct ts_why *why)
{
    size_t *from = NULL;
    const int err = find_columns(estimator, table, &from, why);
    for (size_t i = 0; i < table->row_count && !err; i++)
        fill_row(estimator, table, from, i, out + i * estimator->column_count);
    free(from);
    return err;
}

int ts_estimator_predict(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                         double *out, struct ts_why *why)
{
    const size_t width = estimator->column_count;
    double *rows = calloc(table->row_count * width + 1, sizeof *rows);
    int err = rows ? ts_estimator_rows(estimator, table, rows, why)
                   : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err && ts_estimator_is_forest(estimator))
        err = ts_estimator_ask(estimator, rows, table->row_count, out, why);
    for (size_t i = 0; i < table->row_count && !err && !ts_estimator_is_forest(estimator); i++)
        out[i] = ts_spore_predict(&estimator->spore, rows + i * width);
    free(rows);
    return err;
}
