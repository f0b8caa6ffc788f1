/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches as `touchstone compare` and `touchstone gate` take them: from session folders, CSV files
 * and results databases, all in one shape. */
#ifndef TS_CLI_COMPARE_DATA_H
#define TS_CLI_COMPARE_DATA_H

#include "base/err.h"
#include "stats/turns.h"

#include <stdbool.h>
#include <stddef.h>

/* Why a launch is in no figure, in order of precedence. */
enum ts_left_out { TS_TAKEN, TS_UNUSABLE, TS_WARM_UP, TS_EXCLUDED, TS_NO_VALUE, TS_LEFT_OUT_COUNT };

struct ts_row {
    size_t app;            /* index: of the data's apps */
    struct ts_place place; /* the same session of all groups has one number */
    double ms;             /* NAN: none */
    double u_common_ms;    /* NAN: not known */
    enum ts_left_out left_out;
};

/* What must be alike on both sides, or is named when it is not. */
#define TS_CONDITION_LIST(X)                                                                       \
    X(DETECTOR, detector_version, true)                                                            \
    X(RULE, rule, true)                                                                            \
    X(START, start_type, true)                                                                     \
    X(ZERO, zero, true)                                                                            \
    X(LAUNCH_FROM, launch_from, false)                                                             \
    X(REFRESH, refresh_hz, false)                                                                  \
    X(COMPILER, compiler_filter, false)                                                            \
    X(NETWORK, network, false)                                                                     \
    X(NIGHT, night_mode, false)                                                                    \
    X(ROTATION, rotation, false)                                                                   \
    X(ANIMATION, animation_scale, false)                                                           \
    X(OBSERVERS, observers, false)

enum ts_condition {
#define TS_CONDITION_ENUM(NAME, name, needed) TS_CONDITION_##NAME,
    TS_CONDITION_LIST(TS_CONDITION_ENUM)
#undef TS_CONDITION_ENUM
        TS_CONDITION_COUNT
};
extern const char *const ts_condition_names[TS_CONDITION_COUNT];
extern const bool ts_condition_needed[TS_CONDITION_COUNT]; /* unlike ones are refused */

#define TS_CONDITION_MAX 96

/* One side: a device, a build, a condition. */
struct ts_group {
    char *name;          /* owned */
    struct ts_row *rows; /* owned; by app, and within an app in the order of measuring */
    size_t count, capacity;
    size_t sessions;                                       /* that its launches are of */
    char conditions[TS_CONDITION_COUNT][TS_CONDITION_MAX]; /* "": not known; several, with commas */
    char rig[160]; /* tells rigs apart; "": not known; "several" */
};

struct ts_names {
    char **items; /* owned */
    size_t count, capacity;
};

struct ts_compare_data {
    struct ts_names apps;
    struct ts_names sessions; /* of files; a database's have numbers of their own */
    struct ts_group *groups;  /* owned */
    size_t count, capacity;
};

struct ts_compare_source {
    const char *metric; /* sessions and databases: "settled", a name of TS_METRIC_LIST, or
                           "time_to_initial_display" */
    const char *column; /* CSV; NULL: the metric's own, or the only column */
    const char *app;    /* CSV: the column that names the app; NULL: all are one app */
    /* CSV: the column that names the session; NULL: a file is one. Where there is a column
     * "launch" too, the same word is the same session in all files. */
    const char *session;
    const char *detector; /* databases: take its results; NULL: those that each session kept */
};

/* PATH[,PATH...]: session folders and CSV files that together are one side, named as given. */
int ts_compare_add(struct ts_compare_data *data, const char *paths,
                   const struct ts_compare_source *source, struct ts_why *why) TS_MUST_CHECK;
/* One group for each value of device, build or rig in a results database (where: store/db.h), in
 * order of first appearance. TS_ENOTSUP: the database does not say. */
int ts_compare_add_database(struct ts_compare_data *data, const char *where, const char *by,
                            const struct ts_compare_source *source,
                            struct ts_why *why) TS_MUST_CHECK;
void ts_compare_data_free(struct ts_compare_data *data);

/* ---- for the readers of each kind ---- */
/* Index of a name; added if it is not there. TS_ENOMEM. */
long ts_names_find(struct ts_names *names, const char *name) TS_MUST_CHECK;
void ts_names_free(struct ts_names *names);
struct ts_group *ts_group_new(struct ts_compare_data *data, const char *name) TS_MUST_CHECK;
int ts_group_put(struct ts_group *group, struct ts_row row) TS_MUST_CHECK;
/* Puts the rows of all groups by app, once they are all there. */
int ts_compare_sort(struct ts_compare_data *data) TS_MUST_CHECK;
/* An app's rows. */
const struct ts_row *ts_group_rows(const struct ts_group *group, size_t app, size_t *count);
/* Adds a value that a launch was measured under; "" is passed over. */
void ts_group_condition(struct ts_group *group, enum ts_condition which, const char *value);
void ts_group_rig(struct ts_group *group, const char *rig);
int ts_compare_add_csv(struct ts_compare_data *data, struct ts_group *group, const char *path,
                       const struct ts_compare_source *source, struct ts_why *why) TS_MUST_CHECK;
int ts_compare_add_session(struct ts_compare_data *data, struct ts_group *group, const char *path,
                           const struct ts_compare_source *source,
                           struct ts_why *why) TS_MUST_CHECK;

#endif
