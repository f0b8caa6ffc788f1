/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What SQLite and PostgreSQL have in common. */
#include "store/db_engine.h"
#include "store/result_file.h"
#include "store/schema.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ts_db_is_server(const char *where)
{
    return strncmp(where, "postgres://", 11) == 0 || strncmp(where, "postgresql://", 13) == 0;
}

static int take_integer(void *context, const struct ts_db_cell *row)
{
    int64_t *out = context;
    *out = row->kind == TS_DB_INTEGER ? row->u.integer : 0;
    return TS_OK;
}

enum opening { TO_READ, TO_READ_AS_IT_IS, TO_WRITE };

/* Tables of an earlier version are brought forward; for that, one that is only read is opened to
 * write for a moment. */
static int bring_forward(struct ts_db *db, const char *where, enum opening how, struct ts_why *why)
{
    const char *name = ts_db_is_server(where) ? "it" : where;
    struct ts_why inner = {""};
    struct ts_db *writable;
    bool current = false;
    int err = ts_db_is_current(db, &current, &inner);
    if (err || current)
        return err ? ts_fail(why, err, "%.200s: %s", name, inner.text) : TS_OK;
    if (how == TO_READ_AS_IT_IS)
        return ts_fail(why, TS_ENOTSUP, "%.200s: is of an earlier version", name);
    if (how == TO_WRITE)
        err = ts_db_migrate(db, &inner);
    else if (!(err = ts_db_open(where, &writable, &inner)))
        ts_db_close(writable);
    return err ? ts_fail(why, err,
                         "%.200s: is of an earlier version of this program and could not be "
                         "brought forward: %s",
                         name, inner.text)
               : TS_OK;
}

static int open_db(const char *where, enum opening how, struct ts_db **out, struct ts_why *why)
{
    *out = NULL;
    struct ts_db *db = calloc(1, sizeof *db);
    if (!db)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    bool has = false;
    db->engine = ts_db_is_server(where) ? &ts_db_postgres : &ts_db_sqlite;
    int err = db->engine->open(db, where, how != TO_WRITE, why);
    if (!err)
        err = db->engine->has_tables(db, &has, why);
    if (!err && !has && how != TO_WRITE)
        err =
            ts_fail(why, TS_EPROTO, "%s: holds no launches", ts_db_is_server(where) ? "it" : where);
    else if (!err && !has)
        err = db->engine->run(db, ts_schema_sql, why);
    else if (!err)
        err = bring_forward(db, where, how, why);
    if (err) {
        ts_db_close(db);
        return err;
    }
    *out = db;
    return TS_OK;
}

int ts_db_open_to_read(const char *where, struct ts_db **out, struct ts_why *why)
{
    return open_db(where, TO_READ, out, why);
}

int ts_db_open_as_it_is(const char *where, struct ts_db **out, struct ts_why *why)
{
    return open_db(where, TO_READ_AS_IT_IS, out, why);
}

int ts_db_open(const char *where, struct ts_db **out, struct ts_why *why)
{
    int err = open_db(where, TO_WRITE, out, why);
    /* The session that launches belong to when the file has one already. */
    if (!err)
        err = ts_db_read(*out, "SELECT max(id) FROM session", "i", take_integer, &(*out)->session,
                         why);
    if (err) {
        ts_db_close(*out);
        *out = NULL;
    }
    return err;
}

void ts_db_close(struct ts_db *db)
{
    if (!db)
        return;
    db->engine->close(db);
    free(db);
}

int ts_db_begin(struct ts_db *db, struct ts_why *why)
{
    db->adding = 0;
    return db->engine->begin(db, why);
}

/* What REFERENCES would say of every launch (schema.sql), asked once of all. The session itself was
 * put with them. */
static int check_setups(struct ts_db *db, struct ts_why *why)
{
    char sql[256];
    int64_t missing = 0;
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM launch WHERE session_id = %" PRId64
             " AND NOT EXISTS (SELECT 1 FROM setup WHERE setup.id = launch.setup_id)",
             db->adding);
    const int err = ts_db_read(db, sql, "i", take_integer, &missing, why);
    return err || !missing
               ? err
               : ts_fail(why, TS_EIO,
                         "the setups of %" PRId64 " launches are gone: somebody removed "
                         "rows of the table setup; do the same again",
                         missing);
}

int ts_db_commit(struct ts_db *db, struct ts_why *why)
{
    int err = db->engine->send ? db->engine->send(db, why) : TS_OK;
    if (!err && db->adding)
        err = check_setups(db, why);
    return err ? err : db->engine->commit(db, why);
}

void ts_db_cancel(struct ts_db *db)
{
    memset(db->seen, 0, sizeof db->seen);
    db->engine->cancel(db);
}

int ts_db_run(struct ts_db *db, const char *sql, struct ts_why *why)
{
    return db->engine->run(db, sql, why);
}

int ts_db_read(struct ts_db *db, const char *sql, const char *kinds,
               int (*take)(void *context, const struct ts_db_cell *row), void *context,
               struct ts_why *why)
{
    return db->engine->read(db, sql, kinds, take, context, why);
}

double ts_db_number(const struct ts_db_cell *cell)
{
    return cell->kind == TS_DB_NUMBER ? cell->u.number : (double)NAN;
}

const char *ts_db_text(const struct ts_db_cell *cell)
{
    return cell->kind == TS_DB_TEXT ? cell->u.text : "";
}

int ts_db_quote(struct ts_buf *sql, const char *text)
{
    int err = ts_buf_append(sql, "'", 1);
    for (; !err && *text; text++) {
        err = ts_buf_append(sql, text, 1);
        if (!err && *text == '\'')
            err = ts_buf_append(sql, text, 1);
    }
    return err ? err : ts_buf_append(sql, "'", 1);
}

int ts_db_last_added(struct ts_db *db, int64_t *added, struct ts_why *why)
{
    *added = 0;
    return ts_db_read(db, "SELECT max(added) FROM session", "i", take_integer, added, why);
}

int ts_db_add_session(struct ts_db *db, const struct ts_db_session *session, struct ts_why *why)
{
    struct ts_db_row row;
    int64_t last = 0;
    /* Two that come at the same instant may have the same number; then their ids decide. */
    const int err = session->added ? TS_OK : ts_db_last_added(db, &last, why);
    if (err)
        return err;
    ts_db_row_session(&row, session, session->added ? session->added : last + 1);
    db->adding = session->id;
    return db->engine->put(db, TS_DB_SESSION, row.cells, why);
}

int ts_db_put_setup(struct ts_db *db, const struct ts_db_cell *cells, struct ts_why *why)
{
    const int64_t id = cells[0].u.integer;
    int64_t *seen = &db->seen[id % TS_DB_SEEN];
    const int err = *seen == id ? TS_OK : db->engine->put(db, TS_DB_SETUP, cells, why);
    if (!err)
        *seen = id;
    return err;
}

int ts_db_add_launch(struct ts_db *db, int64_t session, const struct ts_db_launch *launch,
                     struct ts_why *why)
{
    struct ts_db_row row;
    const int64_t setup = ts_db_row_setup(&row, launch->result);
    if (setup < 0)
        return ts_fail(why, (int)setup, "launch %d: %s", launch->result->launch,
                       ts_err_text((int)setup));
    const int err = ts_db_put_setup(db, row.cells, why);
    if (err)
        return err;
    ts_db_row_launch(&row, session, setup, launch);
    return db->engine->put(db, TS_DB_LAUNCH, row.cells, why);
}

/* ---- a session's own database ---- */

/* Ends what was begun, well or not. */
static int end(struct ts_db *db, int err, struct ts_why *why)
{
    if (!err)
        err = ts_db_commit(db, why);
    if (err)
        ts_db_cancel(db);
    return err;
}

int ts_db_put_session(struct ts_db *db, const struct ts_session_info *info,
                      const struct ts_plan *plan, struct ts_why *why)
{
    const struct ts_db_session session = {
        .id = db->session + 1, .digest = "", .info = info, .plan = plan};
    int err = ts_db_begin(db, why);
    if (err)
        return err;
    err = end(db, ts_db_add_session(db, &session, why), why);
    if (err)
        return err;
    db->session++;
    db->warm_up = plan->warm_up;
    db->row = ts_plan_installs(plan) ? ts_plan_row(plan) : INT_MAX;
    return TS_OK;
}

/* How many launches of its app, or of its build, come before it in the session. */
static int count_before(struct ts_db *db, const struct ts_result *result, int64_t *count,
                        struct ts_why *why)
{
    struct ts_buf sql = {0};
    char app[sizeof result->app];
    ts_plan_plain_app(result->app, result->conditions.build, app, sizeof app);
    int err = ts_buf_printf(&sql,
                            "SELECT count(*) FROM launch JOIN setup ON setup.id = launch.setup_id "
                            "WHERE session_id = %" PRId64 " AND launch < %d AND app = ",
                            db->session, result->launch);
    if (!err)
        err = ts_db_quote(&sql, app);
    if (!err)
        err = ts_buf_printf(&sql, " AND COALESCE(build, '') = ");
    if (!err)
        err = ts_db_quote(&sql, result->conditions.build);
    if (!err)
        err = ts_buf_append(&sql, "", 1);
    err = err ? ts_fail(why, err, "out of memory")
              : ts_db_read(db, (const char *)sql.data, "i", take_integer, count, why);
    ts_buf_free(&sql);
    return err;
}

static int run_about(struct ts_db *db, int launch, const char *what, const char *reason,
                     struct ts_why *why)
{
    struct ts_buf sql = {0};
    int err = ts_buf_printf(&sql, "%s", what);
    if (!err && reason)
        err = ts_db_quote(&sql, reason);
    if (!err)
        err = ts_buf_printf(&sql, " WHERE session_id = %" PRId64 " AND launch = %d", db->session,
                            launch);
    if (!err)
        err = ts_buf_append(&sql, "", 1);
    err =
        err ? ts_fail(why, err, "out of memory") : db->engine->run(db, (const char *)sql.data, why);
    ts_buf_free(&sql);
    return err;
}

int ts_db_put_launch(struct ts_db *db, const struct ts_session_info *info,
                     const struct ts_result *result, struct ts_why *why)
{
    /* The database says what result.json says, to the last digit. */
    struct ts_buf text = {0};
    struct ts_result printed;
    int64_t before = 0;
    int err = ts_result_print(result, info, &text);
    if (!err)
        err = ts_result_parse((const char *)text.data, text.size, &printed, why);
    else
        ts_fail(why, err, "launch %d: %s", result->launch, ts_err_text(err));
    ts_buf_free(&text);
    if (!err && db->warm_up)
        err = count_before(db, result, &before, why);
    if (!err)
        err = ts_db_begin(db, why);
    if (err)
        return err;
    const bool warms_up = db->warm_up && before % db->row < db->warm_up;
    const struct ts_db_launch launch = {&printed, true, warms_up, NULL};
    err = run_about(db, result->launch, "DELETE FROM launch", NULL, why);
    if (!err)
        err = ts_db_add_launch(db, db->session, &launch, why);
    return end(db, err, why);
}

int ts_db_put_exclusion(struct ts_db *db, int launch, const char *reason, struct ts_why *why)
{
    return run_about(db, launch,
                     reason ? "UPDATE launch SET exclusion = "
                            : "UPDATE launch SET exclusion = NULL",
                     reason, why);
}
