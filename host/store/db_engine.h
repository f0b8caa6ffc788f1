/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What sqlite.c and postgres.c do for db.c, and nobody else sees. */
#ifndef TS_STORE_DB_ENGINE_H
#define TS_STORE_DB_ENGINE_H

#include "store/db.h"

/* In the order in which rows must be written, since the last refers to the others. */
enum ts_db_table { TS_DB_SESSION, TS_DB_SETUP, TS_DB_LAUNCH, TS_DB_TABLE_COUNT };
struct ts_db_table_shape {
    const char *name;
    int columns;
    const char *kinds;       /* of the columns, as ts_db_read() takes them */
    const char *on_conflict; /* what follows ON CONFLICT */
};
extern const struct ts_db_table_shape ts_db_tables[TS_DB_TABLE_COUNT];
#define TS_DB_COLUMNS_MOST 96

struct ts_db_engine {
    int (*open)(struct ts_db *db, const char *where, bool to_read, struct ts_why *why);
    /* *has: the table launch is there. */
    int (*has_tables)(struct ts_db *db, bool *has, struct ts_why *why);
    /* One statement or several, with no answer. */
    int (*run)(struct ts_db *db, const char *sql, struct ts_why *why);
    int (*begin)(struct ts_db *db, struct ts_why *why);
    /* A whole row in the order of schema.sql. May fail as late as in send(). */
    int (*put)(struct ts_db *db, enum ts_db_table table, const struct ts_db_cell *row,
               struct ts_why *why);
    /* Then the transaction has all rows; NULL: it had each at once. */
    int (*send)(struct ts_db *db, struct ts_why *why);
    int (*commit)(struct ts_db *db, struct ts_why *why);
    void (*cancel)(struct ts_db *db);
    int (*read)(struct ts_db *db, const char *sql, const char *kinds,
                int (*take)(void *context, const struct ts_db_cell *row), void *context,
                struct ts_why *why);
    void (*close)(struct ts_db *db);
};
extern const struct ts_db_engine ts_db_sqlite, ts_db_postgres;

#define TS_DB_SEEN 16384

struct ts_db {
    const struct ts_db_engine *engine;
    void *own;                /* the engine's */
    int64_t seen[TS_DB_SEEN]; /* setups that were put, each in the place of its id */
    int64_t adding;           /* the session that was added since begin; 0: none */
    int64_t session;          /* of a session's own database: to which launches belong */
    int warm_up, row;         /* of that session: the first launches of each app's every row */
};

/* ---- db.c ---- */
/* A row of setup, unless it was put before. */
int ts_db_put_setup(struct ts_db *db, const struct ts_db_cell *cells,
                    struct ts_why *why) TS_MUST_CHECK;

/* ---- db_migrate.c ---- */
/* Whether the tables are those of schema.sql. TS_ENOTSUP: they are of a later version, or of
 * another program. */
int ts_db_is_current(struct ts_db *db, bool *current, struct ts_why *why) TS_MUST_CHECK;
/* Brings the tables of any earlier version to this one, with all that is in them: all of it or
 * nothing. */
int ts_db_migrate(struct ts_db *db, struct ts_why *why) TS_MUST_CHECK;

/* ---- db_rows.c: rows in the order of schema.sql ---- */
/* One row on its way; texts that it does not borrow are in it. */
struct ts_db_row {
    struct ts_db_cell cells[TS_DB_COLUMNS_MOST];
    int count;
    char seed[24], flags[TS_FLAG_COUNT * 24], app[128];
    char kept[4096];
    size_t kept_size;
};
void ts_db_row_session(struct ts_db_row *row, const struct ts_db_session *session, int64_t added);
/* The id of a setup, of whose row the first cell is not looked at; or an error. */
int64_t ts_db_setup_id(const struct ts_db_cell *cells);
/* Gives its id, or an error. */
int64_t ts_db_row_setup(struct ts_db_row *row, const struct ts_result *result);
void ts_db_row_launch(struct ts_db_row *row, int64_t session, int64_t setup,
                      const struct ts_db_launch *launch);

#endif
