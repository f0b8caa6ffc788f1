/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches out of a results database (store/db.h), by device, build or rig. Sessions and setups
 * are few and read whole; of the launches, which may be millions, only the numbers come. */
#include "cli/compare_data.h"

#include "base/buf.h"
#include "store/db.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUILD_MAX   48
#define KEY_MAX     512
#define GROUPS_MOST 256

struct session {
    int64_t id;
    size_t order;                    /* in which it came */
    char *device, *rig, *rig_values; /* owned; "" not known */
};

struct setup {
    int64_t id;
    char *app, *version, *label;          /* owned; "" not known; label: as its plan calls it */
    char *conditions[TS_CONDITION_COUNT]; /* owned; NULL: not of a setup */
    bool met;                             /* by a launch; then: */
    size_t index;                         /* of the app */
    char build[BUILD_MAX];                /* its label, or "build 2", the app's second; "" not
                                           * known */
};

struct taken {
    const struct session *session; /* borrowed, as are the others */
    struct setup *setup;
    int64_t launch;
    const char *detector;
    double ms, u_common_ms;
    enum ts_left_out left_out;
};

/* What is read, in the order in which it is. */
struct reading {
    struct ts_compare_data *data;
    struct session *sessions; /* owned, by id once all are read, as are the others */
    struct setup *setups;
    struct taken *taken;
    size_t session_count, session_capacity, setup_count, setup_capacity, count, capacity;
    const struct session *last_session; /* of the row before */
    struct setup *last_setup;
    struct ts_names detectors, versions;
    const char *last_detector;
};

static int take_session(void *context, const struct ts_db_cell *row)
{
    struct reading *reading = context;
    void *sessions = reading->sessions;
    struct session *session =
        ts_grow(&sessions, &reading->session_count, &reading->session_capacity, sizeof *session);
    reading->sessions = sessions;
    if (!session)
        return TS_ENOMEM;
    session->id = row[0].u.integer;
    session->order = reading->session_count;
    session->device = strdup(ts_db_text(&row[1]));
    session->rig = strdup(ts_db_text(&row[2]));
    session->rig_values = strdup(ts_db_text(&row[3]));
    return session->device && session->rig && session->rig_values ? TS_OK : TS_ENOMEM;
}

/* Columns: id, app, version, build, then what is listed here. */
enum { OF_ID, OF_APP, OF_VERSION, OF_BUILD, OF_CONDITIONS };
static const struct {
    const char *column;
    enum ts_condition condition;
    bool number;
} conditions[] = {
    {"rule", TS_CONDITION_RULE, false},
    {"start_type", TS_CONDITION_START, false},
    {"CASE launch_from WHEN 'am' THEN 'Android''s start' ELSE 'lift' END", TS_CONDITION_ZERO,
     false},
    {"launch_from", TS_CONDITION_LAUNCH_FROM, false},
    {"refresh_before_hz", TS_CONDITION_REFRESH, true},
    {"compiler_filter", TS_CONDITION_COMPILER, false},
    {"network", TS_CONDITION_NETWORK, false},
    {"night_mode", TS_CONDITION_NIGHT, true},
    {"rotation", TS_CONDITION_ROTATION, true},
    {"animator_scale", TS_CONDITION_ANIMATION, true},
    {"observers", TS_CONDITION_OBSERVERS, false},
};
#define CONDITION_COUNT (sizeof conditions / sizeof *conditions)

static int take_setup(void *context, const struct ts_db_cell *row)
{
    struct reading *reading = context;
    void *setups = reading->setups;
    struct setup *setup =
        ts_grow(&setups, &reading->setup_count, &reading->setup_capacity, sizeof *setup);
    reading->setups = setups;
    if (!setup)
        return TS_ENOMEM;
    setup->id = row[OF_ID].u.integer;
    setup->app = strdup(ts_db_text(&row[OF_APP]));
    setup->version = strdup(ts_db_text(&row[OF_VERSION]));
    setup->label = strdup(ts_db_text(&row[OF_BUILD]));
    if (!setup->app || !setup->version || !setup->label)
        return TS_ENOMEM;
    for (size_t i = 0; i < CONDITION_COUNT; i++) {
        const struct ts_db_cell *cell = &row[OF_CONDITIONS + i];
        char number[32] = "";
        if (conditions[i].number && cell->kind == TS_DB_NUMBER)
            snprintf(number, sizeof number, "%.3g", cell->u.number);
        setup->conditions[conditions[i].condition] =
            strdup(conditions[i].number ? number : ts_db_text(cell));
        if (!setup->conditions[conditions[i].condition])
            return TS_ENOMEM;
    }
    return TS_OK;
}

/* Sessions and setups both begin with their id. */
static int by_id(const void *a, const void *b)
{
    const int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

static int take_launch(void *context, const struct ts_db_cell *row)
{
    struct reading *reading = context;
    const int64_t session = row[0].u.integer, setup = row[1].u.integer;
    const char *detector = ts_db_text(&row[3]);
    if (!reading->last_session || reading->last_session->id != session)
        reading->last_session = bsearch(&session, reading->sessions, reading->session_count,
                                        sizeof *reading->sessions, by_id);
    if (!reading->last_setup || reading->last_setup->id != setup)
        reading->last_setup =
            bsearch(&setup, reading->setups, reading->setup_count, sizeof *reading->setups, by_id);
    /* One that came while this was read. */
    if (!reading->last_session || !reading->last_setup)
        return TS_OK;
    if (!reading->last_detector || strcmp(reading->last_detector, detector) != 0) {
        const long index = ts_names_find(&reading->detectors, detector);
        if (index < 0)
            return (int)index;
        reading->last_detector = reading->detectors.items[index];
    }
    void *all = reading->taken;
    struct taken *taken = ts_grow(&all, &reading->count, &reading->capacity, sizeof *taken);
    reading->taken = all;
    if (!taken)
        return TS_ENOMEM;
    *taken = (struct taken){.session = reading->last_session,
                            .setup = reading->last_setup,
                            .launch = row[2].u.integer,
                            .detector = reading->last_detector,
                            .ms = ts_db_number(&row[4]),
                            .u_common_ms = ts_db_number(&row[5]),
                            .left_out = (enum ts_left_out)row[6].u.integer};
    return TS_OK;
}

/* As they were measured; sessions in the order in which they came. */
static int by_time(const void *a, const void *b)
{
    const struct taken *first = a, *second = b;
    if (first->session->order != second->session->order)
        return first->session->order < second->session->order ? -1 : 1;
    return (first->launch > second->launch) - (first->launch < second->launch);
}

/* Databases give rows in the order in which they came, for the most part. */
static void sort_by_time(struct reading *reading)
{
    size_t sorted = 1;
    while (sorted < reading->count &&
           by_time(&reading->taken[sorted - 1], &reading->taken[sorted]) <= 0)
        sorted++;
    if (sorted < reading->count)
        qsort(reading->taken, reading->count, sizeof *reading->taken, by_time);
}

static int read_sessions(struct reading *reading, struct ts_db *db, struct ts_why *why)
{
    /* A rig that was never calibrated has nothing that sessions share. In a session's own database
     * there is only one. */
    int err = ts_db_read(db,
                         "SELECT id, device, rig, COALESCE(rig_values, digest) FROM session"
                         " ORDER BY added, id",
                         "ittt", take_session, reading, why);
    if (!err && reading->session_count)
        qsort(reading->sessions, reading->session_count, sizeof *reading->sessions, by_id);
    return err;
}

static int read_setups(struct reading *reading, struct ts_db *db, struct ts_why *why)
{
    char sql[1024], kinds[OF_CONDITIONS + CONDITION_COUNT + 1] = "ittt";
    int used =
        snprintf(sql, sizeof sql, "SELECT id, app, COALESCE(package_version, apk_hash), build");
    for (size_t i = 0; i < CONDITION_COUNT; i++) {
        used += snprintf(sql + used, sizeof sql - (size_t)used,
                         conditions[i].number ? ", CAST(%s AS DOUBLE PRECISION)" : ", %s",
                         conditions[i].column);
        kinds[OF_CONDITIONS + i] = conditions[i].number ? 'n' : 't';
    }
    snprintf(sql + used, sizeof sql - (size_t)used, " FROM setup ORDER BY id");
    return ts_db_read(db, sql, kinds, take_setup, reading, why);
}

static int read_launches(struct reading *reading, struct ts_db *db,
                         const struct ts_compare_source *source, struct ts_why *why)
{
    char ms[64], common[80] = "NULL";
    struct ts_buf sql = {0};
    snprintf(ms, sizeof ms, "%s_ms", source->metric);
    /* Of what Android says nothing is shared. */
    if (strcmp(source->metric, "time_to_initial_display") != 0)
        snprintf(common, sizeof common, "%s_u_common_ms", source->metric);
    int err =
        ts_buf_printf(&sql,
                      "SELECT session_id, setup_id, launch, detector_version, %s,"
                      " CAST(%s AS DOUBLE PRECISION), CAST(CASE WHEN usable = 0 THEN %d"
                      " WHEN warm_up = 1 THEN %d WHEN exclusion IS NOT NULL THEN %d"
                      " WHEN %s IS NULL THEN %d ELSE %d END AS BIGINT) FROM launch WHERE ",
                      ms, common, TS_UNUSABLE, TS_WARM_UP, TS_EXCLUDED, ms, TS_NO_VALUE, TS_TAKEN);
    if (!err)
        err = ts_buf_printf(&sql, source->detector ? "detector_version = " : "kept = 1");
    if (!err && source->detector)
        err = ts_db_quote(&sql, source->detector);
    if (!err)
        err = ts_buf_append(&sql, "", 1);
    if (!err)
        err = ts_db_read(db, (const char *)sql.data, "iiitnni", take_launch, reading, why);
    ts_buf_free(&sql);
    if (!err)
        sort_by_time(reading);
    return err;
}

/* Every app has versions of its own, so "the second build" is each app's second. */
static int name_build(struct ts_names *versions, struct setup *setup)
{
    char key[KEY_MAX];
    const size_t prefix = strlen(setup->app) + 1;
    int ordinal = 0;
    if (*setup->label)
        snprintf(setup->build, BUILD_MAX, "%s", setup->label);
    if (*setup->label || !*setup->version)
        return TS_OK;
    snprintf(key, sizeof key, "%s\n%s", setup->app, setup->version);
    const long index = ts_names_find(versions, key);
    if (index < 0 || prefix >= sizeof key)
        return index < 0 ? (int)index : TS_EPROTO;
    for (long i = 0; i <= index; i++)
        ordinal += strncmp(versions->items[i], key, prefix) == 0;
    snprintf(setup->build, BUILD_MAX, "build %d", ordinal);
    return TS_OK;
}

/* Apps and builds get their places as they first appear. */
static int meet(struct reading *reading, struct setup *setup)
{
    const long app = ts_names_find(&reading->data->apps, setup->app);
    if (app < 0)
        return (int)app;
    setup->met = true;
    setup->index = (size_t)app;
    return name_build(&reading->versions, setup);
}

static struct ts_group *group_of(struct ts_compare_data *data, const char *name)
{
    for (size_t i = 0; i < data->count; i++) {
        if (strcmp(data->groups[i].name, name) == 0)
            return &data->groups[i];
    }
    return data->count < GROUPS_MOST ? ts_group_new(data, name) : NULL;
}

static void put_conditions(struct ts_group *group, const struct taken *taken)
{
    ts_group_condition(group, TS_CONDITION_DETECTOR, taken->detector);
    for (size_t i = 0; i < CONDITION_COUNT; i++) {
        const enum ts_condition which = conditions[i].condition;
        ts_group_condition(group, which, taken->setup->conditions[which]);
    }
}

/* Builds of one session took turns by chance; those are put by their names. */
static void sort_turns(struct ts_compare_data *data, const struct session *const *first)
{
    const struct session *of[GROUPS_MOST];
    memcpy(of, first, data->count * sizeof(const struct session *));
    for (size_t i = 1; i < data->count; i++) {
        for (size_t j = i;
             j && of[j] == of[j - 1] && strcmp(data->groups[j].name, data->groups[j - 1].name) < 0;
             j--) {
            const struct ts_group kept = data->groups[j];
            data->groups[j] = data->groups[j - 1];
            data->groups[j - 1] = kept;
        }
    }
}

/* Sorts the launches into groups. */
static int share_out(struct reading *reading, const char *by, struct ts_why *why)
{
    const struct taken *last[GROUPS_MOST] = {0};
    const struct session *first[GROUPS_MOST];
    bool said = false;
    for (size_t i = 0; i < reading->count; i++) {
        const struct taken *taken = &reading->taken[i];
        int err = taken->setup->met ? TS_OK : meet(reading, taken->setup);
        if (err)
            return err;
        const char *name = strcmp(by, "device") == 0 ? taken->session->device
                           : strcmp(by, "rig") == 0  ? taken->session->rig
                                                     : taken->setup->build;
        said |= *name != '\0';
        struct ts_group *group = group_of(reading->data, *name ? name : "unknown");
        if (!group)
            return ts_fail(why, TS_EPROTO, "more than %d groups", GROUPS_MOST - 1);
        const size_t index = (size_t)(group - reading->data->groups);
        /* Rows come by session, so a session's rows follow each other within each group. */
        const struct taken *before = last[index];
        if (!before)
            first[index] = taken->session;
        if (!before || before->session != taken->session) {
            group->sessions++;
            ts_group_rig(group, taken->session->rig_values);
        }
        /* What all but a few rows have in common with the row before need not be looked at. */
        if (taken->left_out == TS_TAKEN &&
            (!before || before->left_out != TS_TAKEN || before->setup != taken->setup ||
             before->detector != taken->detector))
            put_conditions(group, taken);
        last[index] = taken;
        const struct ts_place place = {taken->session->order, (size_t)taken->launch};
        err = ts_group_put(group, (struct ts_row){taken->setup->index, place, taken->ms,
                                                  taken->u_common_ms, taken->left_out});
        if (err)
            return err;
    }
    if (strcmp(by, "build") == 0)
        sort_turns(reading->data, first);
    return said || !reading->count
               ? TS_OK
               : ts_fail(why, TS_ENOTSUP, "it does not say which %s a launch is of", by);
}

static void free_reading(struct reading *reading)
{
    for (size_t i = 0; i < reading->session_count; i++) {
        free(reading->sessions[i].device);
        free(reading->sessions[i].rig);
        free(reading->sessions[i].rig_values);
    }
    for (size_t i = 0; i < reading->setup_count; i++) {
        free(reading->setups[i].app);
        free(reading->setups[i].version);
        free(reading->setups[i].label);
        for (int j = 0; j < TS_CONDITION_COUNT; j++)
            free(reading->setups[i].conditions[j]);
    }
    free(reading->sessions);
    free(reading->setups);
    free(reading->taken);
    ts_names_free(&reading->detectors);
    ts_names_free(&reading->versions);
}

int ts_compare_add_database(struct ts_compare_data *data, const char *where, const char *by,
                            const struct ts_compare_source *source, struct ts_why *why)
{
    struct reading reading = {.data = data};
    struct ts_db *db;
    struct ts_why inner = {""};
    int err = ts_db_open_to_read(where, &db, why);
    if (err)
        return err;
    err = read_sessions(&reading, db, &inner);
    if (!err)
        err = read_setups(&reading, db, &inner);
    if (!err)
        err = read_launches(&reading, db, source, &inner);
    ts_db_close(db);
    if (!err)
        err = share_out(&reading, by, &inner);
    if (!err)
        err = ts_compare_sort(data);
    free_reading(&reading);
    return err ? ts_fail(why, err, "%s", *inner.text ? inner.text : ts_err_text(err)) : TS_OK;
}
