/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/table.h"

#include "estimators/dictionary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ts_feature_table_free(struct ts_feature_table *table)
{
    free(table->features);
    free(table->rows);
    free(table->values);
    *table = (struct ts_feature_table){0};
}

size_t ts_feature_table_feature(const struct ts_feature_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->feature_count && strcmp(table->features[i].name, name) != 0)
        i++;
    return i;
}

int ts_feature_table_start(struct ts_feature_table *out)
{
    *out = (struct ts_feature_table){0};
    out->features = calloc(TS_FEATURE_COUNT, sizeof *out->features);
    if (!out->features)
        return TS_ENOMEM;
    out->feature_count = out->feature_capacity = TS_FEATURE_COUNT;
    for (size_t i = 0; i < TS_FEATURE_COUNT; i++) {
        memcpy(out->features[i].name, ts_features[i].name, strlen(ts_features[i].name));
        memcpy(out->features[i].unit, ts_features[i].unit, strlen(ts_features[i].unit));
    }
    return TS_OK;
}

/* Room for one more row of values, which count only when the row does. */
static int grow_values(struct ts_feature_table *table)
{
    const size_t needed = (table->row_count + 1) * table->feature_count;
    if (needed <= table->value_capacity && table->values)
        return TS_OK;
    const size_t capacity = 2 * needed + 64;
    double *grown = realloc(table->values, capacity * sizeof *grown);
    if (!grown)
        return TS_ENOMEM;
    table->values = grown;
    table->value_capacity = capacity;
    return TS_OK;
}

int ts_feature_table_add(struct ts_feature_table *table, const struct ts_feature_table_row *row,
                         const double *values)
{
    if (grow_values(table))
        return TS_ENOMEM;
    void *rows = table->rows;
    struct ts_feature_table_row *to =
        ts_grow(&rows, &table->row_count, &table->row_capacity, sizeof *to);
    table->rows = rows;
    if (!to)
        return TS_ENOMEM;
    *to = *row;
    for (size_t i = 0; i < table->feature_count; i++)
        table->values[table->value_count + i] = values[i];
    table->value_count += table->feature_count;
    return TS_OK;
}

int ts_feature_table_append(struct ts_feature_table *table, const struct ts_feature_table *other,
                            struct ts_why *why)
{
    for (size_t i = 0; i < table->feature_count || i < other->feature_count; i++) {
        if (i >= table->feature_count || i >= other->feature_count ||
            strcmp(table->features[i].name, other->features[i].name) != 0)
            return ts_fail(why, TS_EPROTO,
                           "column %zu: \"%s\" here, \"%s\" before; tables that go "
                           "together have the same features in the same order",
                           i + 7, i < other->feature_count ? other->features[i].name : "",
                           i < table->feature_count ? table->features[i].name : "");
    }
    for (size_t i = 0; i < other->row_count; i++) {
        if (ts_feature_table_add(table, &other->rows[i], ts_feature_table_values(other, i)))
            return ts_fail(why, TS_ENOMEM, "out of memory");
    }
    return TS_OK;
}

static int put_text(struct ts_buf *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n#") && *text && *text != ' ')
        return ts_buf_printf(out, "%s", text);
    int err = ts_buf_append(out, "\"", 1);
    for (; *text && !err; text++) {
        const bool breaks = *text == '\n' || *text == '\r';
        err = *text == '"' ? ts_buf_append(out, "\"\"", 2)
                           : ts_buf_append(out, breaks ? " " : text, 1);
    }
    return err ? err : ts_buf_append(out, "\"", 1);
}

static int put_number(struct ts_buf *out, double value)
{
    if (!isfinite(value))
        return ts_buf_append(out, ",NA", 3);
    char text[40];
    snprintf(text, sizeof text, ",%.12g", value);
    if (strtod(text + 1, NULL) != value)
        snprintf(text, sizeof text, ",%.17g", value);
    return ts_buf_append(out, text, strlen(text));
}

static int put_row(struct ts_buf *out, const struct ts_feature_table *table, size_t number)
{
    const struct ts_feature_table_row *row = &table->rows[number];
    const char *texts[] = {row->device, row->app, row->launch, ts_start_type_name(row->start_type)};
    int err = TS_OK;
    for (size_t i = 0; i < 4 && !err; i++) {
        err = i ? ts_buf_append(out, ",", 1) : TS_OK;
        if (!err)
            err = put_text(out, texts[i]);
    }
    if (!err)
        err = put_number(out, row->settled_ms);
    if (!err)
        err = put_number(out, row->time_to_initial_display_ms);
    for (size_t i = 0; i < table->feature_count && !err; i++)
        err = put_number(out, ts_feature_table_values(table, number)[i]);
    return err ? err : ts_buf_append(out, "\n", 1);
}

int ts_feature_table_print(const struct ts_feature_table *table, struct ts_buf *out)
{
    int err = ts_buf_printf(out, "device,app,launch,start_type,settled_ms [ms],"
                                 "time_to_initial_display_ms [ms]");
    for (size_t i = 0; i < table->feature_count && !err; i++)
        err = ts_buf_printf(out, ",%s [%s]", table->features[i].name, table->features[i].unit);
    if (!err)
        err = ts_buf_append(out, "\n", 1);
    for (size_t i = 0; i < table->row_count && !err; i++)
        err = put_row(out, table, i);
    return err;
}
