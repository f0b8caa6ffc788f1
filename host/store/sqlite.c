/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database in an SQLite file. */
#include "store/db_engine.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUSY_MS 60000 /* so long others may write, who each take a moment */

struct own {
    sqlite3 *file;                            /* owned */
    sqlite3_stmt *inserts[TS_DB_TABLE_COUNT]; /* owned; prepared when first needed */
};

static struct own *own_of(struct ts_db *db)
{
    return db->own;
}

static int fail(struct ts_db *db, struct ts_why *why)
{
    sqlite3 *file = own_of(db)->file;
    const char *path = sqlite3_db_filename(file, "main");
    const int code = sqlite3_errcode(file);
    const bool malformed = code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR;
    return ts_fail(why, malformed ? TS_EPROTO : TS_EIO, "%s: %s%s",
                   path ? path : "results database", sqlite3_errmsg(file),
                   code == SQLITE_FULL ? "; free some space, then do the same again" : "");
}

static int sqlite_run(struct ts_db *db, const char *sql, struct ts_why *why)
{
    return sqlite3_exec(own_of(db)->file, sql, NULL, NULL, NULL) ? fail(db, why) : TS_OK;
}

static int sqlite_open(struct ts_db *db, const char *where, bool to_read, struct ts_why *why)
{
    struct own *own = db->own = calloc(1, sizeof *own);
    if (!own)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int flags = to_read ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    if (sqlite3_open_v2(where, &own->file, flags, NULL))
        return ts_fail(why, TS_EIO, "%s: %s", where,
                       own->file ? sqlite3_errmsg(own->file) : "out of memory");
    sqlite3_busy_timeout(own->file, BUSY_MS);
    /* The session's files are what must survive a crash; the database repeats them. */
    return sqlite_run(db, "PRAGMA synchronous = NORMAL;", why);
}

static void sqlite_close(struct ts_db *db)
{
    struct own *own = own_of(db);
    if (!own)
        return;
    for (int i = 0; i < TS_DB_TABLE_COUNT; i++)
        sqlite3_finalize(own->inserts[i]);
    sqlite3_close(own->file);
    free(own);
}

static int take_row(sqlite3_stmt *statement, const char *kinds,
                    int (*take)(void *context, const struct ts_db_cell *row), void *context)
{
    struct ts_db_cell row[TS_DB_COLUMNS_MOST];
    for (int i = 0; kinds[i]; i++) {
        row[i] = (struct ts_db_cell){TS_DB_NULL, {0}};
        if (sqlite3_column_type(statement, i) == SQLITE_NULL)
            continue;
        if (kinds[i] == 'i')
            row[i] =
                (struct ts_db_cell){TS_DB_INTEGER, {.integer = sqlite3_column_int64(statement, i)}};
        else if (kinds[i] == 'n')
            row[i] =
                (struct ts_db_cell){TS_DB_NUMBER, {.number = sqlite3_column_double(statement, i)}};
        else
            row[i] = (struct ts_db_cell){TS_DB_TEXT,
                                         {.text = (const char *)sqlite3_column_text(statement, i)}};
    }
    return take(context, row);
}

static int sqlite_read(struct ts_db *db, const char *sql, const char *kinds,
                       int (*take)(void *context, const struct ts_db_cell *row), void *context,
                       struct ts_why *why)
{
    sqlite3_stmt *statement;
    int err = TS_OK, step = SQLITE_DONE;
    if (sqlite3_prepare_v2(own_of(db)->file, sql, -1, &statement, NULL))
        return fail(db, why);
    while (!err && (step = sqlite3_step(statement)) == SQLITE_ROW)
        err = take_row(statement, kinds, take, context);
    if (!err && step != SQLITE_DONE)
        err = fail(db, why);
    sqlite3_finalize(statement);
    return err;
}

static int note_row(void *context, const struct ts_db_cell *row)
{
    bool *has = context;
    (void)row;
    *has = true;
    return TS_OK;
}

static int sqlite_has_tables(struct ts_db *db, bool *has, struct ts_why *why)
{
    *has = false;
    return sqlite_read(db, "SELECT 1 FROM sqlite_master WHERE name = 'launch'", "i", note_row, has,
                       why);
}

static int sqlite_begin(struct ts_db *db, struct ts_why *why)
{
    return sqlite_run(db, "BEGIN IMMEDIATE", why);
}

static int sqlite_commit(struct ts_db *db, struct ts_why *why)
{
    return sqlite_run(db, "COMMIT", why);
}

static void sqlite_cancel(struct ts_db *db)
{
    if (!sqlite3_get_autocommit(own_of(db)->file))
        (void)sqlite_run(db, "ROLLBACK", NULL);
}

static int prepare(struct ts_db *db, enum ts_db_table table, struct ts_why *why)
{
    const struct ts_db_table_shape *shape = &ts_db_tables[table];
    struct own *own = own_of(db);
    char sql[1024];
    int used = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (", shape->name);
    for (int i = 0; i < shape->columns; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, i ? ",?" : "?");
    snprintf(sql + used, sizeof sql - (size_t)used, ") ON CONFLICT %s", shape->on_conflict);
    return sqlite3_prepare_v2(own->file, sql, -1, &own->inserts[table], NULL) ? fail(db, why)
                                                                              : TS_OK;
}

static int sqlite_put(struct ts_db *db, enum ts_db_table table, const struct ts_db_cell *row,
                      struct ts_why *why)
{
    struct own *own = own_of(db);
    const int err = own->inserts[table] ? TS_OK : prepare(db, table, why);
    if (err)
        return err;
    sqlite3_stmt *insert = own->inserts[table];
    for (int i = 0; i < ts_db_tables[table].columns; i++) {
        if (row[i].kind == TS_DB_INTEGER)
            sqlite3_bind_int64(insert, i + 1, row[i].u.integer);
        else if (row[i].kind == TS_DB_NUMBER)
            sqlite3_bind_double(insert, i + 1, row[i].u.number);
        else if (row[i].kind == TS_DB_TEXT)
            sqlite3_bind_text(insert, i + 1, row[i].u.text, -1, SQLITE_STATIC);
        else
            sqlite3_bind_null(insert, i + 1);
    }
    const bool done = sqlite3_step(insert) == SQLITE_DONE;
    const int failed = done ? TS_OK : fail(db, why);
    sqlite3_reset(insert);
    return failed;
}

const struct ts_db_engine ts_db_sqlite = {
    .open = sqlite_open,
    .has_tables = sqlite_has_tables,
    .run = sqlite_run,
    .begin = sqlite_begin,
    .put = sqlite_put,
    .commit = sqlite_commit,
    .cancel = sqlite_cancel,
    .read = sqlite_read,
    .close = sqlite_close,
};
