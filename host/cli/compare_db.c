/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches out of a results database (store/db.h), by what its columns tell apart. */
#include "cli/compare_data.h"

#include "store/files.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_MAX   32
#define KEY_MAX     512
#define GROUPS_MOST 256

/* What a person asks for, and which column may hold it, the first that there is. */
static const struct {
    const char *by, *table, *column;
} places[] = {
    {"device", "session", "device"},
    {"device", "session", "phone"},
    {"build", "launch", "build"},
    {"build", "session", "build"},
    {"build", "launch", "package_version"},
    {"build", "launch", "apk_hash"},
    {"rig", "session", "rig"},
    {"rig", "session", "rig_name"},
};

static bool has_column(sqlite3 *db, const char *table, const char *column)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(db, "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", -1, &statement,
                           NULL))
        return false;
    sqlite3_bind_text(statement, 1, table, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, column, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(statement) == SQLITE_ROW;
    sqlite3_finalize(statement);
    return found;
}

static const char *text_of(sqlite3_stmt *statement, int column)
{
    const unsigned char *text = sqlite3_column_text(statement, column);
    return text ? (const char *)text : "";
}

static double number_of(sqlite3_stmt *statement, int column)
{
    return sqlite3_column_type(statement, column) == SQLITE_NULL
               ? NAN
               : sqlite3_column_double(statement, column);
}

static struct ts_group *group_of(struct ts_compare_data *data, const char *name)
{
    for (size_t i = 0; i < data->count; i++) {
        if (strcmp(data->groups[i].name, name) == 0)
            return &data->groups[i];
    }
    return ts_group_new(data, name);
}

/* Every app has versions of its own, so "the second build" is each app's second. */
static int name_build(struct ts_names *versions, const char *app, const char *version,
                      char name[BUILD_MAX])
{
    char key[KEY_MAX];
    const size_t prefix = strlen(app) + 1;
    int ordinal = 0;
    snprintf(key, sizeof key, "%s\n%s", app, version);
    const long index = ts_names_find(versions, key);
    if (index < 0 || prefix >= sizeof key)
        return index < 0 ? (int)index : TS_EPROTO;
    for (long i = 0; i <= index; i++)
        ordinal += strncmp(versions->items[i], key, prefix) == 0;
    snprintf(name, BUILD_MAX, "build %d", ordinal);
    return TS_OK;
}

/* Columns of the query below. */
enum {
    OF_GROUP,
    OF_APP,
    OF_SESSION,
    OF_MS,
    OF_U_COMMON,
    OF_USABLE,
    OF_EXCLUSION,
    OF_CONDITIONS, /* from here, in the order of enum ts_condition */
};

/* What goes on from row to row. */
struct reading {
    struct ts_compare_data *data;
    bool builds; /* groups are builds, of one rig */
    struct ts_names versions;
    long last[GROUPS_MOST]; /* session of a group's last row */
};

static int take_row(struct reading *reading, sqlite3_stmt *row)
{
    struct ts_compare_data *data = reading->data;
    char build[BUILD_MAX];
    const int err = reading->builds ? name_build(&reading->versions, text_of(row, OF_APP),
                                                 text_of(row, OF_GROUP), build)
                                    : TS_OK;
    if (err)
        return err;
    struct ts_group *group = group_of(data, reading->builds ? build : text_of(row, OF_GROUP));
    const long app = group ? ts_names_find(&data->apps, text_of(row, OF_APP)) : TS_ENOMEM;
    const long session = (long)sqlite3_column_int64(row, OF_SESSION);
    if (app < 0)
        return (int)app;
    const size_t index = (size_t)(group - data->groups);
    /* Rows come by session, so a session's rows follow each other within each group. */
    if (!group->count || reading->last[index] != session)
        group->sessions++;
    reading->last[index] = session;
    const double ms = number_of(row, OF_MS);
    enum ts_left_out left_out = isnan(ms) ? TS_NO_VALUE : TS_TAKEN;
    if (sqlite3_column_type(row, OF_EXCLUSION) != SQLITE_NULL)
        left_out = TS_EXCLUDED;
    if (!sqlite3_column_int(row, OF_USABLE))
        left_out = TS_UNUSABLE;
    for (int i = 0; i < TS_CONDITION_COUNT && left_out == TS_TAKEN; i++)
        ts_group_condition(group, (enum ts_condition)i, text_of(row, OF_CONDITIONS + i));
    ts_group_rig(group, reading->builds ? "database" : group->name);
    return ts_group_put(group, (struct ts_row){(size_t)app, group->sessions - 1, ms,
                                               number_of(row, OF_U_COMMON), left_out});
}

static int take_rows(struct ts_compare_data *data, sqlite3 *db, const char *sql, bool builds,
                     struct ts_why *why)
{
    sqlite3_stmt *statement;
    struct reading reading = {.data = data, .builds = builds};
    int err = TS_OK, step = SQLITE_DONE;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL))
        return ts_fail(why, TS_EPROTO, "%s", sqlite3_errmsg(db));
    while (!err && (step = sqlite3_step(statement)) == SQLITE_ROW) {
        if (data->count >= GROUPS_MOST)
            err = ts_fail(why, TS_EPROTO, "more than %d groups", GROUPS_MOST - 1);
        else
            err = take_row(&reading, statement);
    }
    if (!err && step != SQLITE_DONE)
        err = ts_fail(why, TS_EIO, "%s", sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    ts_names_free(&reading.versions);
    return err;
}

static int query(struct ts_compare_data *data, sqlite3 *db, const char *by, const char *metric,
                 struct ts_why *why)
{
    char sql[2048], value[64], common[80] = "NULL";
    size_t place = 0, count = sizeof places / sizeof *places;
    while (place < count && (strcmp(places[place].by, by) != 0 ||
                             !has_column(db, places[place].table, places[place].column)))
        place++;
    if (place == count)
        return ts_fail(why, TS_ENOTSUP, "it does not say which %s a launch is of", by);
    snprintf(value, sizeof value, "%s_ms", metric);
    if (!has_column(db, "launch", value))
        return ts_fail(why, TS_ENOTSUP, "it has no %s", value);
    snprintf(common, sizeof common, "%s_u_common_ms", metric);
    const bool has_common = has_column(db, "launch", common);
    snprintf(sql, sizeof sql,
             "SELECT COALESCE(CAST(%s.%s AS TEXT), 'unknown'), launch.app, launch.session_id,"
             " launch.%s, %s%s, launch.usable, launch.exclusion, launch.detector_version,"
             " launch.rule, launch.start_type, CAST(launch.refresh_before_hz AS TEXT),"
             " launch.compiler_filter, launch.network, CAST(launch.night_mode AS TEXT),"
             " CAST(launch.rotation AS TEXT), CAST(launch.animator_scale AS TEXT),"
             " launch.observers FROM launch JOIN session ON session.id = launch.session_id"
             " ORDER BY launch.session_id, launch.launch",
             places[place].table, places[place].column, value, has_common ? "launch." : "",
             has_common ? common : "NULL");
    return take_rows(data, db, sql,
                     strcmp(by, "build") == 0 && strcmp(places[place].table, "launch") == 0, why);
}

int ts_compare_add_database(struct ts_compare_data *data, const char *path, const char *by,
                            const struct ts_compare_source *source, struct ts_why *why)
{
    sqlite3 *db = NULL;
    struct ts_why inner = {""};
    int err;
    if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL))
        err = ts_fail(&inner, TS_EIO, "%s", db ? sqlite3_errmsg(db) : "out of memory");
    else
        err = query(data, db, by, source->metric, &inner);
    sqlite3_close(db);
    return err ? ts_fail(why, err, "%s: %s", path, *inner.text ? inner.text : ts_err_text(err))
               : TS_OK;
}
