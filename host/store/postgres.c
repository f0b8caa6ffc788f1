/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database on a PostgreSQL server. Rows go and come by COPY in its binary format
 * (PostgreSQL 15 manual, COPY, "Binary Format"): text would cost a conversion of every number at
 * both ends. Rows are gathered here until commit, which sends each table's to a table of this
 * connection alone and from there, by one INSERT, to where they belong; new launches at once. */
#include "store/db_engine.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK            ((size_t)1 << 20)
#define HEADER_SIZE      19
#define UNIQUE_VIOLATION "23505"            /* manual, appendix A */
#define SIGNATURE        "PGCOPY\n\377\r\n" /* and a NUL */

struct own {
    PGconn *server; /* owned */
    struct ts_buf rows[TS_DB_TABLE_COUNT];
    bool has_incoming;
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

/* Most significant byte first, as all numbers are in this format. */
static int put_big(struct ts_buf *buf, uint64_t value, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    return ts_buf_append(buf, bytes, (size_t)size);
}

static int put_cell(struct ts_buf *buf, const struct ts_db_cell *cell)
{
    if (cell->kind == TS_DB_NULL)
        return put_big(buf, UINT32_MAX, 4);
    if (cell->kind == TS_DB_TEXT) {
        const size_t size = strlen(cell->u.text);
        const int err = put_big(buf, size, 4);
        return err ? err : ts_buf_append(buf, cell->u.text, size);
    }
    uint64_t bits;
    memcpy(&bits, &cell->u, sizeof bits); /* a double's bits stand in the same order */
    const int err = put_big(buf, sizeof bits, 4);
    return err ? err : put_big(buf, bits, sizeof bits);
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
    static const char header[HEADER_SIZE] = SIGNATURE;
    struct ts_buf *rows = &own_of(db)->rows[table];
    const int columns = ts_db_tables[table].columns;
    int err = rows->size ? TS_OK : ts_buf_append(rows, header, sizeof header);
    if (!err)
        err = put_big(rows, (uint64_t)columns, 2);
    for (int i = 0; i < columns && !err; i++)
        err = put_cell(rows, &row[i]);
    return err ? ts_fail(why, err, "no memory for another launch") : TS_OK;
}

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

static int copy_into(struct ts_db *db, enum ts_db_table table, const char *prefix,
                     struct ts_why *why)
{
    static const char trailer[] = "\377\377";
    struct own *own = own_of(db);
    const struct ts_buf *rows = &own->rows[table];
    char sql[128];
    snprintf(sql, sizeof sql, "COPY %s%s FROM STDIN (FORMAT binary)", prefix,
             ts_db_tables[table].name);
    int err = check(db, PQexec(own->server, sql), PGRES_COPY_IN, why);
    if (err)
        return err;
    for (size_t at = 0; at < rows->size && !err; at += CHUNK) {
        const size_t left = rows->size - at;
        if (PQputCopyData(own->server, (const char *)rows->data + at,
                          (int)(left < CHUNK ? left : CHUNK)) != 1)
            err = fail(db, NULL, why);
    }
    if (!err &&
        (PQputCopyData(own->server, trailer, 2) != 1 || PQputCopyEnd(own->server, NULL) != 1))
        err = fail(db, NULL, why);
    return finish(db, err, why);
}

/* Over the table of this connection, which knows what to do with rows that are there already. */
static int send_rows(struct ts_db *db, enum ts_db_table table, struct ts_why *why)
{
    const char *name = ts_db_tables[table].name;
    char sql[1024];
    int err = copy_into(db, table, "incoming_", why);
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

/* Launches are nearly always new: then they go where they belong at once, in half the time. */
static int send_launches(struct ts_db *db, struct ts_why *why)
{
    struct own *own = own_of(db);
    int err = postgres_run(db, "SAVEPOINT launches", why);
    if (!err)
        err = copy_into(db, TS_DB_LAUNCH, "", why);
    if (!err || strcmp(own->state, UNIQUE_VIOLATION) != 0)
        return err;
    err = postgres_run(db, "ROLLBACK TO SAVEPOINT launches", why);
    return err ? err : send_rows(db, TS_DB_LAUNCH, why);
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

static int postgres_commit(struct ts_db *db, struct ts_why *why)
{
    int err = make_incoming(db, why);
    if (!err)
        err = postgres_run(db, "BEGIN", why);
    for (int i = 0; i < TS_DB_TABLE_COUNT && !err; i++) {
        if (!own_of(db)->rows[i].size)
            continue;
        err = i == TS_DB_LAUNCH ? send_launches(db, why) : send_rows(db, (enum ts_db_table)i, why);
    }
    return err ? err : postgres_run(db, "COMMIT", why);
}

static void postgres_cancel(struct ts_db *db)
{
    (void)postgres_begin(db, NULL);
    if (PQtransactionStatus(own_of(db)->server) != PQTRANS_IDLE)
        (void)postgres_run(db, "ROLLBACK", NULL);
}

/* ---- reading ---- */

struct bytes {
    char *at, *end;
};

/* 2, 4 or 8 bytes; written out, so that a compiler makes one load of it: a lab has millions. */
static bool take_big(struct bytes *bytes, int size, uint64_t *value)
{
    const uint8_t *at = (const uint8_t *)bytes->at;
    if (bytes->end - bytes->at < size)
        return false;
    bytes->at += size;
    *value = (uint64_t)at[0] << 8 | at[1];
    if (size > 2)
        *value = *value << 16 | (uint64_t)at[2] << 8 | at[3];
    if (size > 4)
        *value = *value << 32 | (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 |
                 (uint64_t)at[6] << 8 | at[7];
    return true;
}

/* The next field. A text ends where the size of the next field begins, which was read by then. */
static bool take_cell(struct bytes *bytes, char kind, struct ts_db_cell *cell, char **text_end)
{
    uint64_t size, bits;
    if (!take_big(bytes, 4, &size))
        return false;
    if (*text_end)
        **text_end = '\0';
    *text_end = NULL;
    *cell = (struct ts_db_cell){TS_DB_NULL, {0}};
    if (size == UINT32_MAX)
        return true;
    if (kind == 't') {
        *cell = (struct ts_db_cell){TS_DB_TEXT, {.text = bytes->at}};
        if (size > (size_t)(bytes->end - bytes->at))
            return false;
        bytes->at += size;
        *text_end = bytes->at;
        return true;
    }
    if (size != sizeof bits || !take_big(bytes, sizeof bits, &bits))
        return false;
    cell->kind = kind == 'i' ? TS_DB_INTEGER : TS_DB_NUMBER;
    memcpy(&cell->u, &bits, sizeof bits);
    return true;
}

/* All rows of one message, which libpq ends with a NUL. */
static int take_message(struct bytes bytes, const char *kinds,
                        int (*take)(void *context, const struct ts_db_cell *row), void *context,
                        struct ts_why *why)
{
    struct ts_db_cell row[TS_DB_COLUMNS_MOST];
    const size_t columns = strlen(kinds);
    uint64_t count;
    while (take_big(&bytes, 2, &count) && count != UINT16_MAX) {
        char *text_end = NULL;
        bool whole = count == columns;
        for (int i = 0; kinds[i] && whole; i++)
            whole = take_cell(&bytes, kinds[i], &row[i], &text_end);
        if (!whole)
            return ts_fail(why, TS_EPROTO, "the server's answer has another shape than was asked");
        /* Where a last text ends, another row of the message may begin. */
        const char after = text_end ? *text_end : '\0';
        if (text_end)
            *text_end = '\0';
        const int err = take(context, row);
        if (text_end)
            *text_end = after;
        if (err)
            return err;
    }
    return TS_OK;
}

static size_t header_size(char *message, size_t size)
{
    struct bytes extension = {message + HEADER_SIZE - 4, message + HEADER_SIZE};
    uint64_t more;
    if (size < HEADER_SIZE || memcmp(message, SIGNATURE, sizeof SIGNATURE) != 0 ||
        !take_big(&extension, 4, &more))
        return 0;
    return HEADER_SIZE + more <= size ? (size_t)(HEADER_SIZE + more) : size;
}

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
        const size_t skip = first ? header_size(message, (size_t)size) : 0;
        first = false;
        if (!err)
            err = take_message((struct bytes){message + skip, message + size}, kinds, take, context,
                               why);
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
