/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database, in SQLite or PostgreSQL: what the files of sessions say, for those who ask
 * in SQL. schema.sql is plain SQL that any engine takes; only sqlite.c and postgres.c know their
 * engine. A session has one in its own folder; a lab's holds many, put there by store/ingest.h.
 *
 * Errors: TS_EIO, the file or the server said no, or is gone; TS_EPROTO, it is no such database;
 * TS_ENOTSUP, it is of a later version of this program. Those of earlier versions are brought
 * forward, in one transaction, when they are opened. */
#ifndef TS_STORE_DB_H
#define TS_STORE_DB_H

#include "base/buf.h"
#include "store/session.h"

struct ts_db;

/* where: "postgres://..." or "postgresql://..." (libpq's connection URI), else the path of an
 * SQLite file. Makes the tables if there are none. */
int ts_db_open(const char *where, struct ts_db **out, struct ts_why *why) TS_MUST_CHECK;
/* Makes nothing. Tables of earlier versions are brought forward here too. */
int ts_db_open_to_read(const char *where, struct ts_db **out, struct ts_why *why) TS_MUST_CHECK;
/* Changes nothing. TS_ENOTSUP: the tables are of an earlier version. */
int ts_db_open_as_it_is(const char *where, struct ts_db **out, struct ts_why *why) TS_MUST_CHECK;
void ts_db_close(struct ts_db *db);
/* A server's, which several may write to at once. */
bool ts_db_is_server(const char *where);
/* The place of the last session that is there; 0: none is. */
int ts_db_last_added(struct ts_db *db, int64_t *added, struct ts_why *why) TS_MUST_CHECK;

/* ---- a session's own database ---- */
/* Adds a session, to which the launches put later belong. */
int ts_db_put_session(struct ts_db *db, const struct ts_session_info *info,
                      const struct ts_plan *plan, struct ts_why *why) TS_MUST_CHECK;
/* Adds a launch or writes it anew, in one transaction. */
int ts_db_put_launch(struct ts_db *db, const struct ts_session_info *info,
                     const struct ts_result *result, struct ts_why *why) TS_MUST_CHECK;
/* reason NULL: the launch is not excluded. */
int ts_db_put_exclusion(struct ts_db *db, int launch, const char *reason,
                        struct ts_why *why) TS_MUST_CHECK;

/* ---- a lab's database: all rows between begin and commit, or none of them ---- */
struct ts_db_session {
    int64_t id;         /* by ts_db_id() */
    const char *digest; /* hexadecimal */
    const struct ts_session_info *info;
    const struct ts_plan *plan;
    const char *rig, *rig_values, *device, *started; /* NULL or "": not known */
    int64_t added;                                   /* its place; 0: behind all that are there */
};
struct ts_db_launch {
    const struct ts_result *result;
    bool kept; /* the session's own result */
    bool warm_up;
    const char *exclusion; /* NULL: not excluded */
};
#define TS_DB_DIGEST_SIZE 65
/* The id of what has this digest. */
int64_t ts_db_id(const char *digest);

int ts_db_begin(struct ts_db *db, struct ts_why *why) TS_MUST_CHECK;
/* One that is there already stays as it is. */
int ts_db_add_session(struct ts_db *db, const struct ts_db_session *session,
                      struct ts_why *why) TS_MUST_CHECK;
/* Of the session with that id. Where a launch has a row by the same detector version already, only
 * its exclusion is brought up to date. */
int ts_db_add_launch(struct ts_db *db, int64_t session, const struct ts_db_launch *launch,
                     struct ts_why *why) TS_MUST_CHECK;
/* After an error nothing of it is in the database, unless the server was lost while it said yes;
 * to do the same again is right in either case. */
int ts_db_commit(struct ts_db *db, struct ts_why *why) TS_MUST_CHECK;
void ts_db_cancel(struct ts_db *db); /* also when nothing was begun */

/* Launches as a session's own database (a file) has them: the same rows, and much sooner read than
 * the session's JSON. take() says of each that it is wanted (1) or not (0), and its exclusion
 * (NULL: none; borrowed until it is called again). What cannot be read there is passed over:
 * whoever asks knows what did not come. Errors are those of `to`, and TS_ENOMEM. */
struct ts_db_of {
    int launch;
    const char *app, *build, *version;
};
struct ts_db_choice {
    int (*take)(void *context, const struct ts_db_of *of, const char **exclusion);
    void *context;
};
int ts_db_copy_launches(const char *from, struct ts_db *to, int64_t session,
                        const struct ts_db_choice *choice, struct ts_why *why) TS_MUST_CHECK;

/* ---- tables of others, who make them themselves ---- */
/* One statement or several, with no answer. */
int ts_db_run(struct ts_db *db, const char *sql, struct ts_why *why) TS_MUST_CHECK;

/* ---- asking ---- */
enum ts_db_kind { TS_DB_NULL, TS_DB_INTEGER, TS_DB_NUMBER, TS_DB_TEXT };
struct ts_db_cell {
    enum ts_db_kind kind;
    union {
        int64_t integer;
        double number;
        const char *text;
    } u;
};
/* Hands each row of the answer to take(), in the engine's order; texts live until take() ends.
 * kinds tells the columns, one letter each: 'i' BIGINT, 'n' DOUBLE PRECISION, 't' TEXT. What take()
 * gives other than TS_OK ends it and comes back. */
int ts_db_read(struct ts_db *db, const char *sql, const char *kinds,
               int (*take)(void *context, const struct ts_db_cell *row), void *context,
               struct ts_why *why) TS_MUST_CHECK;
/* NAN and "" for NULL. */
double ts_db_number(const struct ts_db_cell *cell);
const char *ts_db_text(const struct ts_db_cell *cell);
/* Appends a text as SQL writes it, 'it''s'. */
int ts_db_quote(struct ts_buf *sql, const char *text) TS_MUST_CHECK;

#endif
