/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database on a PostgreSQL server. Rows go and come by COPY in its binary format: text
 * would cost a conversion of every number at both ends. Rows are gathered here until commit, which
 * sends each table's to a table of this connection alone and from there, by one INSERT, to where
 * they belong. Launches are nearly always new: those go where they belong at once, in half the
 * time, and while more of them are made, so that the server works meanwhile; if one was there
 * already, all of them go the long way. */
#include "store/pgcopy.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK            ((size_t)1 << 20)
#define EARLY            ((size_t)1 << 16) /* so many bytes of launches are worth sending */
#define UNIQUE_VIOLATION "23505"           /* manual, appendix A */

struct own {
    PGconn *server; /* owned */
    struct ts_buf rows[TS_DB_TABLE_COUNT];
    bool has_incoming;
    bool going;    /* launches are on their way */
    size_t sent;   /* bytes of theirs */
    char state[6]; /* SQLSTATE of the last failure */
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
    strncat(text, from, sizeof text - 1);
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
        strncat(text, PQerrorMessage(own->server), sizeof text - 1);
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

static int send(struct ts_db *db, const void *bytes, size_t size, struct ts_why *why)
{
    for (size_t at = 0; at < size; at += CHUNK) {
        const size_t left = size - at;
        if (PQputCopyData(own_of(db)->server, (const char *)bytes + at,
                          (int)(left < CHUNK ? left : CHUNK)) != 1)
            return fail(db, NULL, why);
    }
    return TS_OK;
}

static int begin_copy(struct ts_db *db, enum ts_db_table table, const char *prefix,
                      struct ts_why *why)
{
    char sql[128];
    snprintf(sql, sizeof sql, "COPY %s%s FROM STDIN (FORMAT binary)", prefix,
             ts_db_tables[table].name);
    const int err = check(db, PQexec(own_of(db)->server, sql), PGRES_COPY_IN, why);
    return err ? err : send(db, ts_pgcopy_header, sizeof ts_pgcopy_header, why);
}

static int end_copy(struct ts_db *db, struct ts_why *why)
{
    int err = send(db, ts_pgcopy_trailer, sizeof ts_pgcopy_trailer, why);
    if (!err && PQputCopyEnd(own_of(db)->server, NULL) != 1)
        err = fail(db, NULL, why);
    return finish(db, err, why);
}

/* Over the table of this connection, which knows what to do with rows that are there already. */
static int send_rows(struct ts_db *db, enum ts_db_table table, struct ts_why *why)
{
    const char *name = ts_db_tables[table].name;
    const struct ts_buf *rows = &own_of(db)->rows[table];
    char sql[1024];
    if (!rows->size)
        return TS_OK;
    int err = begin_copy(db, table, "incoming_", why);
    if (!err)
        err = send(db, rows->data, rows->size, why);
    if (!err)
        err = end_copy(db, why);
    if (err)
        return err;
    /* In the order of their ids, so that two who add the same setups never wait for each other. */
    snprintf(sql, sizeof sql, "INSERT INTO %s SELECT * FROM incoming_%s%s ON CONFLICT %s", name,
             name, table == TS_DB_SETUP ? " ORDER BY id" : "", ts_db_tables[table].on_conflict);
    err = postgres_run(db, sql, why);
    /* ON COMMIT DELETE ROWS would make three new files at every commit. */
    snprintf(sql, sizeof sql, "DELETE FROM incoming_%s", name);
    return err ? err : postgres_run(db, sql, why);
}

static int make_incoming(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    for (int i = 0; i < TS_DB_TABLE_COUNT && !own->has_incoming; i++) {
        char sql[160];
        snprintf(sql, sizeof sql, "CREATE TEMPORARY TABLE incoming_%s (LIKE %s)",
                 ts_db_tables[i].name, ts_db_tables[i].name);
        const int err = postgres_run(db, sql, why);
        if (err)
            return err;
    }
    own->has_incoming = true;
    return TS_OK;
}

/* What launches refer to; once. */
static int send_others(struct ts_db *db, struct ts_why *why)
{
    int err = TS_OK;
    for (int i = 0; i < TS_DB_LAUNCH && !err; i++) {
        err = send_rows(db, (enum ts_db_table)i, why);
        ts_buf_clear(&own_of(db)->rows[i]);
    }
    return err;
}

static int begin_launches(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    int err = make_incoming(db, why);
    if (!err)
        err = postgres_run(db, "BEGIN", why);
    if (!err)
        err = send_others(db, why);
    if (!err)
        err = postgres_run(db, "SAVEPOINT launches", why);
    if (!err)
        err = begin_copy(db, TS_DB_LAUNCH, "", why);
    own->going = !err;
    return err;
}

static int send_launches(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    const struct ts_buf *rows = &own->rows[TS_DB_LAUNCH];
    const size_t from = own->sent;
    own->sent = rows->size;
    return from < rows->size ? send(db, rows->data + from, rows->size - from, why) : TS_OK;
}

/* Setups are sent together, before all launches (see send_rows()): so launches go early only where
 * there are no new setups, as nearly always, and one that comes later ends that. */
static int send_early(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    if (own->rows[TS_DB_SETUP].size || own->rows[TS_DB_LAUNCH].size - own->sent < EARLY)
        return TS_OK;
    const int err = own->going ? TS_OK : begin_launches(db, why);
    return err ? err : send_launches(db, why);
}

static int postgres_begin(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    (void)why;
    for (int i = 0; i < TS_DB_TABLE_COUNT; i++)
        ts_buf_clear(&own->rows[i]);
    own->going = false;
    own->sent = 0;
    return TS_OK;
}

static int postgres_put(struct ts_db *db, enum ts_db_table table, const struct ts_db_cell *row,
                        struct ts_why *why)
{
    const int err = ts_pgcopy_put(&own_of(db)->rows[table], row, ts_db_tables[table].columns);
    return err ? ts_fail(why, err, "no memory for another launch") : send_early(db, why);
}

/* What went the short way is taken back, and goes the long way with what is left. */
static int send_again(struct ts_db *db, struct ts_why *why)
{
    int err = postgres_run(db, "ROLLBACK TO SAVEPOINT launches", why);
    if (!err)
        err = send_others(db, why);
    return err ? err : send_rows(db, TS_DB_LAUNCH, why);
}

static int postgres_commit(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    int err = own->going ? TS_OK : begin_launches(db, why);
    const bool late = own->rows[TS_DB_SESSION].size || own->rows[TS_DB_SETUP].size;
    if (!err && !late)
        err = send_launches(db, why);
    if (!err)
        err = end_copy(db, why);
    own->going = false;
    if (err ? strcmp(own->state, UNIQUE_VIOLATION) == 0 : late)
        err = send_again(db, why);
    return err ? err : postgres_run(db, "COMMIT", why);
}

static void postgres_cancel(struct ts_db *db)
{
    PGconn *server = own_of(db)->server;
    if (own_of(db)->going && PQputCopyEnd(server, "given up") == 1)
        (void)finish(db, TS_EIO, NULL);
    (void)postgres_begin(db, NULL);
    if (PQtransactionStatus(server) != PQTRANS_IDLE)
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
    .commit = postgres_commit,
    .cancel = postgres_cancel,
    .read = postgres_read,
    .close = postgres_close,
};
