/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether launches have become slower: of two tables, or of one whose launches are dated. */
#include "cli/estimate.h"
#include "cli/json_text.h"
#include "estimators/change.h"
#include "estimators/since.h"
#include "stats/order.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *what_of(const struct ts_estimate_request *request)
{
    return request->model ? "estimated_ms" : "mean_interval_ms";
}

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
    const char *what = what_of(request);
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

static int compare(const struct ts_estimate_request *request, struct ts_out *out,
                   struct ts_why *why)
{
    struct ts_estimate_request one = *request;
    struct ts_feature_table tables[2] = {{0}, {0}};
    double *values[2] = {NULL, NULL};
    struct ts_estimator estimator = {0};
    struct ts_change change;
    one.db = NULL;
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

/* ---- since when ---- */

struct series {
    const struct ts_estimate_request *request;
    struct ts_feature_table table;
    double *values, *own, *at_s, *sorted; /* owned; per row */
    json_t *rows;                         /* NULL: text */
    struct ts_out *out;
};

/* An app's median on this device is taken off, so that which apps were used when is no change. */
static void center(struct series *series, const char *device)
{
    const struct ts_feature_table *table = &series->table;
    for (size_t i = 0; i < table->row_count; i++)
        series->own[i] = NAN;
    for (size_t i = 0; i < table->row_count; i++) {
        const struct ts_feature_table_row *row = &table->rows[i];
        size_t count = 0;
        if (strcmp(row->device, device) != 0 || !isfinite(series->values[i]) ||
            !isnan(series->own[i]))
            continue;
        for (size_t pass = 0; pass < 2; pass++) {
            const double median = pass ? ts_median(series->sorted, count) : 0;
            for (size_t j = i; j < table->row_count; j++) {
                if (strcmp(table->rows[j].device, device) != 0 || !isfinite(series->values[j]) ||
                    strcmp(table->rows[j].app, row->app) != 0)
                    continue;
                if (pass)
                    series->own[j] = series->values[j] - median;
                else
                    series->sorted[count++] = series->values[j];
            }
            if (!pass)
                ts_sort(series->sorted, count);
        }
    }
}

/* "2017-03-01 10:40", UTC. */
static void print_date(double at_s, char *text, size_t size)
{
    const time_t seconds = (time_t)at_s;
    struct tm parts;
    if (!gmtime_r(&seconds, &parts) || !strftime(text, size, "%Y-%m-%d %H:%M", &parts))
        snprintf(text, size, "%.0f s", at_s);
}

static void put_since(const struct series *series, const char *device, size_t launches,
                      const struct ts_since *since, size_t count)
{
    json_t *changes = series->rows ? json_array() : NULL;
    if (!changes)
        ts_out_printf(series->out, "%s, %s of %zu dated launches: %s\n", device,
                      what_of(series->request), launches, count ? "" : "no change");
    for (size_t i = 0; i < count; i++) {
        const struct ts_since *one = &since[i];
        char at[40], low[40], high[40];
        if (changes) {
            json_array_append_new(
                changes,
                json_pack("{s:o, s:o, s:I, s:o, s:o, s:o}", "at_s", ts_json_figure(one->at_s),
                          "interval_s", ts_json_figures(one->low_s, one->high_s), "launches_before",
                          (json_int_t)one->launches, "before", ts_json_figure(one->before), "after",
                          ts_json_figure(one->after), "p", ts_json_figure(one->p)));
            continue;
        }
        print_date(one->at_s, at, sizeof at);
        print_date(one->low_s, low, sizeof low);
        print_date(one->high_s, high, sizeof high);
        ts_out_printf(series->out, "  since %s (95 %%: %s to %s) %+.1f ms, p = %.4f\n", at, low,
                      high, one->after - one->before, one->p);
    }
    if (changes)
        json_array_append_new(series->rows,
                              json_pack("{s:o, s:I, s:o}", "device", ts_json_name(device),
                                        "launches", (json_int_t)launches, "changes", changes));
}

static int find_of_device(struct series *series, const char *device, struct ts_why *why)
{
    struct ts_since *since = NULL;
    struct ts_why inner = {""};
    size_t launches = 0;
    center(series, device);
    for (size_t i = 0; i < series->table.row_count; i++)
        launches += isfinite(series->own[i]) && isfinite(series->at_s[i]);
    const long found = ts_since_find(series->own, series->at_s, series->table.row_count,
                                     series->request->settings.seed, &since, &inner);
    if (found < 0)
        return ts_fail(why, (int)found, "%.60s: %s", device, inner.text);
    put_since(series, device, launches, since, (size_t)found);
    free(since);
    return TS_OK;
}

static bool is_first(const struct ts_feature_table *table, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (strcmp(table->rows[i].device, table->rows[row].device) == 0)
            return false;
    }
    return true;
}

static int prepare(struct series *series, struct ts_why *why)
{
    struct ts_estimator estimator = {0};
    const struct ts_estimate_request *request = series->request;
    const size_t count = series->table.row_count + 1;
    const size_t dates = ts_feature_table_feature(&series->table, "launched_at_s");
    series->values = calloc(count, sizeof *series->values);
    series->own = calloc(count, sizeof *series->own);
    series->at_s = calloc(count, sizeof *series->at_s);
    series->sorted = calloc(count, sizeof *series->sorted);
    if (!series->values || !series->own || !series->at_s || !series->sorted)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    if (dates == series->table.feature_count)
        return ts_fail(why, TS_EPROTO,
                       "the table has no column launched_at_s [s], so that nobody knows when its "
                       "launches were; `touchstone estimate features` writes it");
    for (size_t i = 0; i < series->table.row_count; i++)
        series->at_s[i] = ts_feature_table_values(&series->table, i)[dates];
    int err = request->model ? ts_estimator_load(request->model, &estimator, why) : TS_OK;
    if (!err)
        err = take_values(request->model ? &estimator : NULL, &series->table, series->values, why);
    ts_estimator_free(&estimator);
    return err;
}

static int find_since(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    struct series series = {.request = request, .out = out};
    int err = ts_estimate_load(request, 0, &series.table, why);
    if (err)
        return err;
    series.rows = request->json ? json_array() : NULL;
    err = prepare(&series, why);
    for (size_t i = 0; i < series.table.row_count && !err; i++) {
        if (is_first(&series.table, i))
            err = find_of_device(&series, series.table.rows[i].device, why);
    }
    if (!err && series.rows)
        err = ts_json_put_line(
            json_pack("{s:s, s:O}", "of", what_of(request), "devices", series.rows), out);
    json_decref(series.rows);
    free(series.values);
    free(series.own);
    free(series.at_s);
    free(series.sorted);
    ts_feature_table_free(&series.table);
    return err;
}

int ts_estimate_shift(const struct ts_estimate_request *request, struct ts_out *out,
                      struct ts_why *why)
{
    return request->path_count == 2 ? compare(request, out, why) : find_since(request, out, why);
}
