/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_db.h"

#include "store/db.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_AT_ONCE 500 /* of one INSERT */

static const char tables[] =
    "CREATE TABLE IF NOT EXISTS feature_launch (added BIGINT PRIMARY KEY, device TEXT NOT NULL, "
    "app TEXT NOT NULL, launch TEXT NOT NULL, start_type TEXT NOT NULL, "
    "settled_ms DOUBLE PRECISION, time_to_initial_display_ms DOUBLE PRECISION, "
    "UNIQUE (device, launch));"
    "CREATE TABLE IF NOT EXISTS feature_value (added BIGINT NOT NULL REFERENCES feature_launch "
    "(added), place BIGINT NOT NULL, name TEXT NOT NULL, unit TEXT NOT NULL, "
    "value DOUBLE PRECISION, PRIMARY KEY (added, name));";

static int no_memory(struct ts_why *why)
{
    return ts_fail(why, TS_ENOMEM, "out of memory");
}

/* ---- into it ---- */

struct writer {
    struct ts_db *db; /* borrowed */
    struct ts_buf sql;
    size_t rows; /* of the statement that is being made */
    int64_t added;
};

static int flush(struct writer *writer, struct ts_why *why)
{
    int err = TS_OK;
    if (writer->rows)
        err = ts_buf_append(&writer->sql, "", 1)
                  ? no_memory(why)
                  : ts_db_run(writer->db, (const char *)writer->sql.data, why);
    writer->sql.size = 0;
    writer->rows = 0;
    return err;
}

/* Begins a row of VALUES; head: of the statement. */
static int next_row(struct writer *writer, const char *head, struct ts_why *why)
{
    const int err = writer->rows == ROWS_AT_ONCE ? flush(writer, why) : TS_OK;
    if (err)
        return err;
    return ts_buf_printf(&writer->sql, "%s(%" PRId64, writer->rows++ ? ", " : head, writer->added)
               ? no_memory(why)
               : TS_OK;
}

static int put_text(struct writer *writer, const char *text)
{
    const int err = ts_buf_append(&writer->sql, ", ", 2);
    return err ? err : ts_db_quote(&writer->sql, text);
}

static int put_number(struct writer *writer, double value)
{
    return isfinite(value) ? ts_buf_printf(&writer->sql, ", %.17g", value)
                           : ts_buf_printf(&writer->sql, ", NULL");
}

static int put_launches(struct writer *writer, const struct ts_feature_table *table,
                        struct ts_why *why)
{
    int err = TS_OK;
    for (size_t i = 0; i < table->row_count && !err; i++) {
        const struct ts_feature_table_row *row = &table->rows[i];
        writer->added++;
        err = next_row(writer, "INSERT INTO feature_launch VALUES ", why);
        if (!err && (put_text(writer, row->device) || put_text(writer, row->app) ||
                     put_text(writer, row->launch) ||
                     put_text(writer, ts_start_type_name(row->start_type)) ||
                     put_number(writer, row->settled_ms) ||
                     put_number(writer, row->time_to_initial_display_ms) ||
                     ts_buf_append(&writer->sql, ")", 1)))
            err = no_memory(why);
    }
    return err ? err : flush(writer, why);
}

static int put_values(struct writer *writer, const struct ts_feature_table *table,
                      struct ts_why *why)
{
    int err = TS_OK;
    for (size_t i = 0; i < table->row_count * table->feature_count && !err; i++) {
        const size_t column = i % table->feature_count;
        writer->added += !column;
        err = next_row(writer, "INSERT INTO feature_value VALUES ", why);
        if (!err && (ts_buf_printf(&writer->sql, ", %zu", column + 1) ||
                     put_text(writer, table->features[column].name) ||
                     put_text(writer, table->features[column].unit) ||
                     put_number(writer, table->values[i]) || ts_buf_append(&writer->sql, ")", 1)))
            err = no_memory(why);
    }
    return err ? err : flush(writer, why);
}

/* Those that come anew give way. */
static int forget(struct writer *writer, const struct ts_feature_table *table, struct ts_why *why)
{
    int err = TS_OK;
    for (size_t i = 0; i < table->row_count && !err; i++) {
        static const char which[] = "(SELECT added FROM feature_launch WHERE device = ";
        struct ts_buf *sql = &writer->sql;
        sql->size = 0;
        if (ts_buf_printf(sql, "DELETE FROM feature_value WHERE added = %s", which) ||
            ts_db_quote(sql, table->rows[i].device) || ts_buf_printf(sql, " AND launch = ") ||
            ts_db_quote(sql, table->rows[i].launch) ||
            ts_buf_printf(sql, "); DELETE FROM feature_launch WHERE device = ") ||
            ts_db_quote(sql, table->rows[i].device) || ts_buf_printf(sql, " AND launch = ") ||
            ts_db_quote(sql, table->rows[i].launch) || ts_buf_append(sql, ";", 2))
            err = no_memory(why);
        else
            err = ts_db_run(writer->db, (const char *)sql->data, why);
    }
    writer->sql.size = 0;
    return err;
}

struct named {
    const struct ts_feature_table_row *row;
};

static int by_name(const void *a, const void *b)
{
    const struct ts_feature_table_row *x = ((const struct named *)a)->row,
                                      *y = ((const struct named *)b)->row;
    const int device = strcmp(x->device, y->device);
    return device ? device : strcmp(x->launch, y->launch);
}

static int check_names(const struct ts_feature_table *table, struct ts_why *why)
{
    struct named *rows = calloc(table->row_count + 1, sizeof *rows);
    int err = rows ? TS_OK : no_memory(why);
    for (size_t i = 0; i < table->row_count && !err; i++)
        rows[i].row = &table->rows[i];
    if (!err)
        qsort(rows, table->row_count, sizeof *rows, by_name);
    for (size_t i = 1; i < table->row_count && !err; i++) {
        if (by_name(&rows[i - 1], &rows[i]) == 0)
            err = ts_fail(why, TS_EPROTO,
                          "two launches of \"%.60s\" are called \"%.60s\"; a database tells them "
                          "by their names",
                          rows[i].row->device, rows[i].row->launch);
    }
    free(rows);
    return err;
}

static int take_integer(void *context, const struct ts_db_cell *row)
{
    int64_t *out = context;
    *out = row->kind == TS_DB_INTEGER ? row->u.integer : 0;
    return TS_OK;
}

int ts_feature_db_put(const char *where, const struct ts_feature_table *table, struct ts_why *why)
{
    struct writer writer = {.db = NULL};
    int64_t last = 0;
    int err = check_names(table, why);
    if (!err)
        err = ts_db_open(where, &writer.db, why);
    if (!err)
        err = ts_db_run(writer.db, "BEGIN", why);
    if (!err)
        err = ts_db_run(writer.db, tables, why);
    if (!err)
        err = forget(&writer, table, why);
    if (!err)
        err = ts_db_read(writer.db, "SELECT max(added) FROM feature_launch", "i", take_integer,
                         &last, why);
    writer.added = last;
    if (!err)
        err = put_launches(&writer, table, why);
    writer.added = last;
    if (!err)
        err = put_values(&writer, table, why);
    if (!err)
        err = ts_db_run(writer.db, "COMMIT", why);
    ts_buf_free(&writer.sql);
    ts_db_close(writer.db); /* what was begun and not committed is nowhere then */
    return err;
}

/* ---- out of it ---- */

struct reader {
    struct ts_feature_table *table;
    int64_t *added; /* owned; of the rows */
    size_t added_count, added_capacity;
    double *values; /* owned; of one row, all missing */
    size_t row;     /* that values come of: both are in the same order */
};

/* name, unit */
static int take_feature(void *context, const struct ts_db_cell *row)
{
    struct ts_feature_table *table = ((struct reader *)context)->table;
    const char *name = ts_db_text(&row[0]), *unit = ts_db_text(&row[1]);
    void *features = table->features;
    if (strlen(name) >= TS_FEATURE_TABLE_NAME_MAX || strlen(unit) >= sizeof table->features->unit ||
        ts_feature_table_feature(table, name) < table->feature_count)
        return TS_EPROTO;
    struct ts_feature_table_feature *to =
        ts_grow(&features, &table->feature_count, &table->feature_capacity, sizeof *to);
    table->features = features;
    if (!to)
        return TS_ENOMEM;
    memcpy(to->name, name, strlen(name) + 1);
    memcpy(to->unit, unit, strlen(unit) + 1);
    return TS_OK;
}

static int copy_text(const struct ts_db_cell *cell, char *to)
{
    const char *text = ts_db_text(cell);
    if (strlen(text) >= TS_FEATURE_TABLE_TEXT_MAX)
        return TS_EPROTO;
    memcpy(to, text, strlen(text) + 1);
    return TS_OK;
}

/* added, device, app, launch, start_type, settled_ms, time_to_initial_display_ms */
static int take_launch(void *context, const struct ts_db_cell *cells)
{
    struct reader *reader = context;
    struct ts_feature_table_row row = {.start_type = TS_START_UNKNOWN};
    void *added = reader->added;
    int64_t *to = ts_grow(&added, &reader->added_count, &reader->added_capacity, sizeof *to);
    reader->added = added;
    if (!to)
        return TS_ENOMEM;
    *to = cells[0].u.integer;
    if (copy_text(&cells[1], row.device) || copy_text(&cells[2], row.app) ||
        copy_text(&cells[3], row.launch))
        return TS_EPROTO;
    for (int i = 0; ts_start_type_names[i]; i++) {
        if (strcmp(ts_db_text(&cells[4]), ts_start_type_names[i]) == 0)
            row.start_type = (enum ts_start_type)i;
    }
    row.settled_ms = ts_db_number(&cells[5]);
    row.time_to_initial_display_ms = ts_db_number(&cells[6]);
    return ts_feature_table_add(reader->table, &row, reader->values);
}

/* added, name, value */
static int take_value(void *context, const struct ts_db_cell *cells)
{
    struct reader *reader = context;
    struct ts_feature_table *table = reader->table;
    while (reader->row < table->row_count && reader->added[reader->row] < cells[0].u.integer)
        reader->row++;
    const size_t feature = ts_feature_table_feature(table, ts_db_text(&cells[1]));
    if (reader->row < table->row_count && reader->added[reader->row] == cells[0].u.integer &&
        feature < table->feature_count)
        table->values[reader->row * table->feature_count + feature] = ts_db_number(&cells[2]);
    return TS_OK;
}

static int read_all(struct ts_db *db, struct reader *reader, struct ts_why *why)
{
    int err = ts_db_read(db,
                         "SELECT name, unit FROM feature_value GROUP BY name, unit "
                         "ORDER BY min(place), name",
                         "tt", take_feature, reader, why);
    if (err)
        return err;
    reader->values = calloc(reader->table->feature_count + 1, sizeof *reader->values);
    if (!reader->values)
        return no_memory(why);
    for (size_t i = 0; i < reader->table->feature_count; i++)
        reader->values[i] = NAN;
    err = ts_db_read(db,
                     "SELECT added, device, app, launch, start_type, settled_ms, "
                     "time_to_initial_display_ms FROM feature_launch ORDER BY added",
                     "ittttnn", take_launch, reader, why);
    if (err)
        return err;
    return ts_db_read(db, "SELECT added, name, value FROM feature_value ORDER BY added", "itn",
                      take_value, reader, why);
}

int ts_feature_db_get(const char *where, struct ts_feature_table *out, struct ts_why *why)
{
    struct reader reader = {.table = out};
    struct ts_why inner = {""};
    struct ts_db *db;
    *out = (struct ts_feature_table){0};
    int err = ts_db_open_to_read(where, &db, why);
    if (err)
        return err;
    err = read_all(db, &reader, &inner);
    if (!err && !out->row_count)
        err = ts_fail(&inner, TS_EPROTO, "there is none");
    if (err == TS_EPROTO)
        ts_fail(why, err,
                "%.200s: no launch with its features can be read (%s); `touchstone estimate "
                "features ... --db` puts them there",
                where, inner.text);
    else if (err)
        ts_fail(why, err, "%s", *inner.text ? inner.text : ts_err_text(err));
    ts_db_close(db);
    free(reader.added);
    free(reader.values);
    if (err)
        ts_feature_table_free(out);
    return err;
}
