/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/db.h"

#include "store/result_file.h"
#include "store/schema.h"

#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ts_db {
    sqlite3 *sqlite; /* owned */
    sqlite3_int64 session;
};

static int fail(struct ts_db *db, struct ts_why *why)
{
    const char *path = sqlite3_db_filename(db->sqlite, "main");
    const int code = sqlite3_errcode(db->sqlite);
    return ts_fail(why, code == SQLITE_NOTADB || code == SQLITE_CORRUPT ? TS_EPROTO : TS_EIO,
                   "%s: %s%s", path ? path : "results database", sqlite3_errmsg(db->sqlite),
                   code == SQLITE_FULL ? "; free some space, then resume" : "");
}

static int run(struct ts_db *db, const char *sql, struct ts_why *why)
{
    return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) ? fail(db, why) : TS_OK;
}

/* The session that launches belong to when the file has one already. */
static int find_session(struct ts_db *db, struct ts_why *why)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db->sqlite, "SELECT max(id) FROM session", -1, &statement, NULL))
        return fail(db, why);
    if (sqlite3_step(statement) == SQLITE_ROW)
        db->session = sqlite3_column_int64(statement, 0);
    return sqlite3_finalize(statement) ? fail(db, why) : TS_OK;
}

int ts_db_open(const char *path, struct ts_db **out, struct ts_why *why)
{
    *out = NULL;
    struct ts_db *db = calloc(1, sizeof *db);
    if (!db)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = TS_OK;
    if (sqlite3_open(path, &db->sqlite))
        err = ts_fail(why, TS_EIO, "%s: %s", path,
                      db->sqlite ? sqlite3_errmsg(db->sqlite) : "out of memory");
    /* The session's files are what must survive a crash; the database repeats them. */
    if (!err)
        err = run(db, "PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 2000;", why);
    if (!err)
        err = run(db, ts_schema_sql, why);
    if (!err)
        err = find_session(db, why);
    if (err) {
        ts_db_close(db);
        return err;
    }
    *out = db;
    return TS_OK;
}

void ts_db_close(struct ts_db *db)
{
    if (!db)
        return;
    sqlite3_close(db->sqlite);
    free(db);
}

/* A statement whose parameters are bound one after the other. */
struct binder {
    sqlite3_stmt *statement;
    int index;
};

static void bind_integer(struct binder *to, int64_t value)
{
    sqlite3_bind_int64(to->statement, ++to->index, value);
}

static void bind_known(struct binder *to, int value)
{
    if (value >= 0)
        bind_integer(to, value);
    else
        sqlite3_bind_null(to->statement, ++to->index);
}

static void bind_number(struct binder *to, double value)
{
    if (isfinite(value))
        sqlite3_bind_double(to->statement, ++to->index, value);
    else
        sqlite3_bind_null(to->statement, ++to->index);
}

static void bind_text(struct binder *to, const char *text)
{
    sqlite3_bind_text(to->statement, ++to->index, text, -1, SQLITE_TRANSIENT);
}

static void bind_text_or_null(struct binder *to, const char *text)
{
    if (text && *text)
        bind_text(to, text);
    else
        sqlite3_bind_null(to->statement, ++to->index);
}

static void bind_instant(struct binder *to, const struct ts_instant *instant)
{
    if (isfinite(instant->u_ns))
        bind_integer(to, instant->host_ns);
    else
        sqlite3_bind_null(to->statement, ++to->index);
    bind_number(to, instant->u_ns);
}

static void bind_metric(struct binder *to, const struct ts_metric *metric)
{
    bind_number(to, metric->value);
    bind_number(to, metric->u);
    bind_number(to, metric->u_common);
}

static int finish(struct ts_db *db, struct binder *binder, struct ts_why *why)
{
    sqlite3_step(binder->statement);
    return sqlite3_finalize(binder->statement) ? fail(db, why) : TS_OK;
}

/* "(?,?,...)" takes `count` parameters into the table, in the order of its columns. */
static int begin_insert(struct ts_db *db, const char *table, int count, struct binder *out,
                        struct ts_why *why)
{
    char sql[256];
    int used = snprintf(sql, sizeof sql, "INSERT INTO %s VALUES (", table);
    for (int i = 0; i < count; i++)
        used += snprintf(sql + used, sizeof sql - (size_t)used, i ? ",?" : "?");
    snprintf(sql + used, sizeof sql - (size_t)used, ")");
    *out = (struct binder){0};
    return sqlite3_prepare_v2(db->sqlite, sql, -1, &out->statement, NULL) ? fail(db, why) : TS_OK;
}

int ts_db_put_session(struct ts_db *db, const struct ts_session_info *info,
                      const struct ts_plan *plan, struct ts_why *why)
{
    struct binder to;
    char seed[24];
    int err = begin_insert(db, "session", 8, &to, why);
    if (err)
        return err;
    snprintf(seed, sizeof seed, "%" PRIu64, info->seed);
    db->session++;
    bind_integer(&to, db->session);
    bind_text(&to, plan->name ? plan->name : "");
    bind_text(&to, info->bench);
    bind_text(&to, seed);
    bind_text(&to, info->touchstone);
    bind_text(&to, info->detector);
    bind_text(&to, ts_start_type_names[plan->start]);
    bind_integer(&to, ts_plan_total(plan));
    return finish(db, &to, why);
}

static void bind_flags(struct binder *to, const struct ts_result *result)
{
    char flags[TS_FLAG_COUNT * 24] = "";
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (!ts_result_has(result, (enum ts_flag)flag))
            continue;
        const size_t used = strlen(flags);
        snprintf(flags + used, sizeof flags - used, "%s%s", used ? "," : "",
                 ts_flag_name((enum ts_flag)flag));
    }
    bind_text(to, flags);
}

static void bind_conditions(struct binder *to, const struct ts_conditions *conditions)
{
    bind_text_or_null(to, conditions->package_version);
    bind_text_or_null(to, conditions->apk_hash);
    bind_text_or_null(to, conditions->compiler_filter);
    bind_number(to, conditions->battery_percent);
    bind_number(to, conditions->temperature_c);
    bind_number(to, conditions->refresh_before_hz);
    bind_number(to, conditions->refresh_after_hz);
    bind_number(to, conditions->brightness);
    bind_known(to, conditions->thermal_status);
    bind_known(to, conditions->night_mode);
    bind_known(to, conditions->rotation);
    for (int i = 0; i < 3; i++)
        bind_number(to, conditions->animation_scale[i]);
    bind_text_or_null(to, conditions->network);
    bind_text_or_null(to, conditions->observers);
}

#define LAUNCH_COLUMNS 65

static int insert_launch(struct ts_db *db, const struct ts_result *result, struct ts_why *why)
{
    struct binder to;
    const int err = begin_insert(db, "launch", LAUNCH_COLUMNS, &to, why);
    if (err)
        return err;
    bind_integer(&to, db->session);
    bind_integer(&to, result->launch);
    bind_text(&to, result->app);
    bind_text(&to, ts_start_type_name(result->start_type));
    bind_text(&to, ts_result_verdict(result));
    bind_flags(&to, result);
    bind_integer(&to, ts_result_usable(result));
    bind_text_or_null(&to, NULL);
    bind_text(&to, ts_rule_name(result->rule));
    bind_text_or_null(&to, result->detector_version);
    bind_instant(&to, &result->contact);
    bind_instant(&to, &result->pickup);
    bind_instant(&to, &result->lift);
#define BIND_METRIC(name) bind_metric(&to, &result->name);
    TS_METRIC_LIST(BIND_METRIC)
#undef BIND_METRIC
    bind_number(&to, result->time_to_initial_display_ms);
    bind_number(&to, result->time_to_full_display_ms);
    bind_text_or_null(&to, result->component);
    bind_conditions(&to, &result->conditions);
    bind_integer(&to, result->frames);
    bind_integer(&to, result->dropped);
    bind_number(&to, result->frame_period_ms);
    return finish(db, &to, why);
}

static int delete_launch(struct ts_db *db, int launch, struct ts_why *why)
{
    struct binder to = {0};
    static const char sql[] = "DELETE FROM launch WHERE session_id = ? AND launch = ?";
    if (sqlite3_prepare_v2(db->sqlite, sql, -1, &to.statement, NULL))
        return fail(db, why);
    bind_integer(&to, db->session);
    bind_integer(&to, launch);
    return finish(db, &to, why);
}

int ts_db_put_launch(struct ts_db *db, const struct ts_session_info *info,
                     const struct ts_result *result, struct ts_why *why)
{
    /* The database says what result.json says, to the last digit. */
    struct ts_buf text = {0};
    struct ts_result printed;
    int err = ts_result_print(result, info, &text);
    if (!err)
        err = ts_result_parse((const char *)text.data, text.size, &printed, why);
    else
        ts_fail(why, err, "launch %d: %s", result->launch, ts_err_text(err));
    ts_buf_free(&text);
    if (err)
        return err;
    err = run(db, "BEGIN", why);
    if (err)
        return err;
    err = delete_launch(db, result->launch, why);
    if (!err)
        err = insert_launch(db, &printed, why);
    if (!err)
        err = run(db, "COMMIT", why);
    if (err)
        (void)run(db, "ROLLBACK", NULL);
    return err;
}

int ts_db_put_exclusion(struct ts_db *db, int launch, const char *reason, struct ts_why *why)
{
    struct binder to = {0};
    static const char sql[] = "UPDATE launch SET exclusion = ? WHERE session_id = ? AND launch = ?";
    if (sqlite3_prepare_v2(db->sqlite, sql, -1, &to.statement, NULL))
        return fail(db, why);
    bind_text_or_null(&to, reason);
    bind_integer(&to, db->session);
    bind_integer(&to, launch);
    return finish(db, &to, why);
}
