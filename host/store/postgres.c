/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database on a PostgreSQL server. Rows are gathered here until send(). Launches go by
 * COPY in its binary format, since text would cost a conversion of every number at both ends; they
 * are nearly always new, and where one was there already, all go by one INSERT in text, which takes
 * longer and knows what to do. Sessions and setups are few and go by INSERT at once. */
#include "store/pgcopy.h"

#include <inttypes.h>
#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK            ((size_t)1 << 20)
#define UNIQUE_VIOLATION "23505" /* manual, appendix A */

struct own {
    PGconn *server;                        /* owned */
    struct ts_buf rows[TS_DB_TABLE_COUNT]; /* in COPY's format */
    char state[6];                         /* SQLSTATE of the last failure */
};

static struct own *own_of(struct ts_db *db)
{
    return db->own;
}

/* libpq's messages have several lines. result may be NULL. */
static int fail(struct ts_db *db, const PGresult *result, struct ts_why *why)
{
    PGconn *server = own_of(db)->server;
    const char *state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : NULL;
    char text[256] = "";
    snprintf(own_of(db)->state, sizeof own_of(db)->state, "%s", state ? state : "");
    const char *from = result ? PQresultErrorMessage(result) : PQerrorMessage(server);
    if (!*from)
        from = PQerrorMessage(server);
    snprintf(text, sizeof text, "%s", from);
    for (char *at = text; *at; at++)
        *at = *at == '\n' || *at == '\t' ? ' ' : *at;
    for (size_t size = strlen(text); size && text[size - 1] == ' '; size--)
        text[size - 1] = '\0';
    /* What has no code is not the server's; 57P01 and on: it shuts down, crashed, is not up yet. */
    const bool gone =
        PQstatus(server) == CONNECTION_BAD || !state || strncmp(state, "57P0", 4) == 0;
    /* Class 42: syntax error or access rule violation. */
    const bool wrong = state && strncmp(state, "42", 2) == 0 && strcmp(state, "42501") != 0;
    return ts_fail(why, wrong ? TS_EPROTO : TS_EIO, "database %.60s: %s%s",
                   PQdb(server) ? PQdb(server) : "", text,
                   gone ? "; what was put in before stays, do the same again when it is back" : "");
}

/* Frees the result. */
static int check(struct ts_db *db, PGresult *result, ExecStatusType wanted, struct ts_why *why)
{
    const int err = PQresultStatus(result) == wanted ? TS_OK : fail(db, result, why);
    PQclear(result);
    return err;
}

static int postgres_run(struct ts_db *db, const char *sql, struct ts_why *why)
{
    return check(db, PQexec(own_of(db)->server, sql), PGRES_COMMAND_OK, why);
}

static void say_nothing(void *context, const PGresult *result)
{
    (void)context;
    (void)result;
}

static int postgres_open(struct ts_db *db, const char *where, bool to_read, struct ts_why *why)
{
    /* What the URI says comes last and counts. */
    const char *const keys[] = {"connect_timeout",           "tcp_user_timeout", "client_encoding",
                                "fallback_application_name", "dbname",           NULL};
    const char *const values[] = {"10", "60000", "UTF8", "touchstone", where, NULL};
    struct own *own = db->own = calloc(1, sizeof *own);
    if (!own)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    own->server = PQconnectdbParams(keys, values, 1);
    if (PQstatus(own->server) != CONNECTION_OK) {
        char text[256] = "";
        snprintf(text, sizeof text, "%s", PQerrorMessage(own->server));
        text[strcspn(text, "\n")] = '\0';
        return ts_fail(why, TS_EIO, "%s; is the server running, and the address right?", text);
    }
    PQsetNoticeReceiver(own->server, say_nothing, NULL);
    return to_read ? postgres_run(db, "SET default_transaction_read_only = on", why) : TS_OK;
}

static void postgres_close(struct ts_db *db)
{
    struct own *own = own_of(db);
    if (!own)
        return;
    for (int i = 0; i < TS_DB_TABLE_COUNT; i++)
        ts_buf_free(&own->rows[i]);
    PQfinish(own->server);
    free(own);
}

/* ---- writing ---- */

/* Takes the results that are left, of which the first that is none of success says why. */
static int finish(struct ts_db *db, int err, struct ts_why *why)
{
    PGresult *result;
    while ((result = PQgetResult(own_of(db)->server))) {
        const ExecStatusType status = PQresultStatus(result);
        if (!err && status != PGRES_COMMAND_OK)
            err = fail(db, result, why);
        PQclear(result);
        /* A connection that broke goes on saying so. */
        if (status == PGRES_COPY_IN || status == PGRES_COPY_OUT)
            break;
    }
    return err;
}

static int send_bytes(struct ts_db *db, const void *bytes, size_t size, struct ts_why *why)
{
    for (size_t at = 0; at < size; at += CHUNK) {
        const size_t left = size - at;
        if (PQputCopyData(own_of(db)->server, (const char *)bytes + at,
                          (int)(left < CHUNK ? left : CHUNK)) != 1)
            return fail(db, NULL, why);
    }
    return TS_OK;
}

static int copy_rows(struct ts_db *db, enum ts_db_table table, struct ts_why *why)
{
    const struct ts_buf *rows = &own_of(db)->rows[table];
    char sql[128];
    snprintf(sql, sizeof sql, "COPY %s FROM STDIN (FORMAT binary)", ts_db_tables[table].name);
    int err = check(db, PQexec(own_of(db)->server, sql), PGRES_COPY_IN, why);
    if (err)
        return err;
    err = send_bytes(db, ts_pgcopy_header, sizeof ts_pgcopy_header, why);
    if (!err)
        err = send_bytes(db, rows->data, rows->size, why);
    if (!err)
        err = send_bytes(db, ts_pgcopy_trailer, sizeof ts_pgcopy_trailer, why);
    if (!err && PQputCopyEnd(own_of(db)->server, NULL) != 1)
        err = fail(db, NULL, why);
    return finish(db, err, why);
}

struct values {
    struct ts_buf sql;
    const char *kinds;
};

/* A column of a VALUES list that is all NULL has no type unless it is told. */
static int put_value(struct ts_buf *sql, const struct ts_db_cell *cell, char kind)
{
    if (cell->kind == TS_DB_TEXT)
        return ts_db_quote(sql, cell->u.text);
    if (cell->kind == TS_DB_INTEGER)
        return ts_buf_printf(sql, "%" PRId64, cell->u.integer);
    if (cell->kind == TS_DB_NUMBER)
        return ts_buf_printf(sql, "%.17g", cell->u.number);
    return ts_buf_printf(sql, "CAST(NULL AS %s)",
                         kind == 't'   ? "TEXT"
                         : kind == 'i' ? "BIGINT"
                                       : "DOUBLE PRECISION");
}

static int put_values(void *context, const struct ts_db_cell *row)
{
    struct values *values = context;
    int err = TS_OK;
    for (int i = 0; values->kinds[i] && !err; i++) {
        err = ts_buf_printf(&values->sql, i ? ", " : values->sql.size ? "),\n(" : "(");
        if (!err)
            err = put_value(&values->sql, &row[i], values->kinds[i]);
    }
    return err;
}

/* In the order of their first column, so that two who add the same setups never wait for each
 * other. */
static int insert_rows(struct ts_db *db, enum ts_db_table table, struct ts_why *why)
{
    const struct ts_db_table_shape *shape = &ts_db_tables[table];
    const struct ts_buf *rows = &own_of(db)->rows[table];
    struct values values = {{0}, shape->kinds};
    struct ts_buf taken = {0}, sql = {0}; /* taken: ts_pgcopy_take() writes into what it reads */
    if (!rows->size)
        return TS_OK;
    int err = ts_buf_append(&taken, rows->data, rows->size);
    if (!err)
        err = ts_buf_append(&taken, "", 1);
    if (!err)
        err =
            ts_pgcopy_take((char *)taken.data, rows->size, shape->kinds, put_values, &values, why);
    if (!err)
        err = ts_buf_printf(&sql,
                            "INSERT INTO %s SELECT * FROM (VALUES %.*s)) AS incoming ORDER BY 1 "
                            "ON CONFLICT %s",
                            shape->name, (int)values.sql.size, (const char *)values.sql.data,
                            shape->on_conflict);
    err = err ? ts_fail(why, err, "no memory for a session's rows")
              : postgres_run(db, (const char *)sql.data, why);
    ts_buf_free(&taken);
    ts_buf_free(&values.sql);
    ts_buf_free(&sql);
    return err;
}

static int postgres_begin(struct ts_db *db, struct ts_why *why)
{
    (void)why;
    for (int i = 0; i < TS_DB_TABLE_COUNT; i++)
        ts_buf_clear(&own_of(db)->rows[i]);
    return TS_OK;
}

static int postgres_put(struct ts_db *db, enum ts_db_table table, const struct ts_db_cell *row,
                        struct ts_why *why)
{
    const int err = ts_pgcopy_put(&own_of(db)->rows[table], row, ts_db_tables[table].columns);
    return err ? ts_fail(why, err, "no memory for another launch") : TS_OK;
}

static int send_all(struct ts_db *db, bool new_launches, struct ts_why *why)
{
    int err = postgres_run(db, "BEGIN", why);
    for (int i = 0; i < TS_DB_LAUNCH && !err; i++)
        err = insert_rows(db, (enum ts_db_table)i, why);
    if (err)
        return err;
    return new_launches ? copy_rows(db, TS_DB_LAUNCH, why) : insert_rows(db, TS_DB_LAUNCH, why);
}

static int postgres_send(struct ts_db *db, struct ts_why *why)
{
    int err = send_all(db, true, why);
    if (!err || strcmp(own_of(db)->state, UNIQUE_VIOLATION) != 0)
        return err;
    err = postgres_run(db, "ROLLBACK", why);
    return err ? err : send_all(db, false, why);
}

static int postgres_commit(struct ts_db *db, struct ts_why *why)
{
    return postgres_run(db, "COMMIT", why);
}

static void postgres_cancel(struct ts_db *db)
{
    (void)postgres_begin(db, NULL);
    if (PQtransactionStatus(own_of(db)->server) != PQTRANS_IDLE)
        (void)postgres_run(db, "ROLLBACK", NULL);
}

/* ---- reading ---- */

static int postgres_read(struct ts_db *db, const char *sql, const char *kinds,
                         int (*take)(void *context, const struct ts_db_cell *row), void *context,
                         struct ts_why *why)
{
    PGconn *server = own_of(db)->server;
    struct ts_buf copy = {0};
    char *message;
    int size, err = ts_buf_printf(&copy, "COPY (%s) TO STDOUT (FORMAT binary)", sql);
    if (!err)
        err = ts_buf_append(&copy, "", 1);
    err = err ? ts_fail(why, err, "out of memory")
              : check(db, PQexec(server, (const char *)copy.data), PGRES_COPY_OUT, why);
    ts_buf_free(&copy);
    if (err)
        return err;
    bool first = true;
    /* After an error the rest is taken and thrown away: then the connection is of use again. */
    while ((size = PQgetCopyData(server, &message, 0)) > 0) {
        const size_t skip = first ? ts_pgcopy_header_size(message, (size_t)size) : 0;
        first = false;
        if (!err)
            err = ts_pgcopy_take(message + skip, (size_t)size - skip, kinds, take, context, why);
        PQfreemem(message);
    }
    if (size < -1 && !err)
        err = fail(db, NULL, why);
    return finish(db, err, why);
}

static int take_has(void *context, const struct ts_db_cell *row)
{
    *(bool *)context = row->u.integer > 0;
    return TS_OK;
}

static int postgres_has_tables(struct ts_db *db, bool *has, struct ts_why *why)
{
    return postgres_read(db,
                         "SELECT count(*) FROM information_schema.tables WHERE "
                         "table_name = 'launch' AND table_schema = current_schema()",
                         "i", take_has, has, why);
}

const struct ts_db_engine ts_db_postgres = {
    .open = postgres_open,
    .has_tables = postgres_has_tables,
    .run = postgres_run,
    .begin = postgres_begin,
    .put = postgres_put,
    .send = postgres_send,
    .commit = postgres_commit,
    .cancel = postgres_cancel,
    .read = postgres_read,
    .close = postgres_close,
};
