/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An estimator: which columns it looks at, and a forest or a formula over them. On disk a JSON file
 * says what it is, what it was trained on and with which seed; a forest's trees are beside it, in
 * FILE.ubj. */
#ifndef TS_CLI_ESTIMATE_MODEL_H
#define TS_CLI_ESTIMATE_MODEL_H

#include "estimators/cost.h"
#include "estimators/dictionary.h"
#include "estimators/evaluation.h"
#include "estimators/spore.h"
#include "estimators/table.h"
#include "forest/forest.h"

#include <jansson.h>

enum ts_estimator_kind {
    TS_ESTIMATOR_FOREST, /* duration */
    TS_ESTIMATOR_START,  /* probability of a cold start, by a forest on counts and the app */
    TS_ESTIMATOR_TYPE,   /* probabilities of cold, warm and hot: each by two forests, one as that
                            of start and a shallow one that also sees when the first events came,
                            whose votes are stacked */
    TS_ESTIMATOR_RATIO,  /* duration, by a forest of logarithms whose median relative error is 0 */
    TS_ESTIMATOR_SPORE,  /* duration, as a formula */
    TS_ESTIMATOR_FOBA,
    TS_ESTIMATOR_LASSO
};
extern const char *const ts_estimator_names[]; /* NULL ends the row */

/* What duration estimators are trained on unless they are told; and Android's number. Any column of
 * numbers may be the target. */
#define TS_TARGET_SETTLED "settled_ms"
#define TS_TARGET_ANDROID "time_to_initial_display_ms"

/* Classes of TS_ESTIMATOR_TYPE: cold, warm, hot. */
#define TS_ESTIMATOR_CLASSES TS_CLASSES
#define TS_ESTIMATOR_FORESTS (TS_ESTIMATOR_CLASSES * TS_VOTERS_MOST)

struct ts_estimator_settings {
    enum ts_estimator_kind kind;
    char target[TS_FEATURE_TABLE_NAME_MAX]; /* name of a column */
    uint64_t seed;
    int trees;
    struct ts_spore_settings spore;
    double cost[TS_PROBE_COUNT]; /* shares of a launch; NAN: not known */
    bool costs;                  /* formulas go through the cost loop */
};

struct ts_estimator {
    struct ts_estimator_settings settings;
    char (*columns)[TS_FEATURE_TABLE_TEXT_MAX + 8]; /* owned; features, then app=NAME */
    size_t column_count, column_capacity;
    struct ts_forest *forests[TS_ESTIMATOR_FORESTS]; /* owned; the voters of each class one after
                                                        the other; NULL: there is none */
    struct ts_spore_model spore;                     /* owned */
    struct ts_platt platts[TS_ESTIMATOR_CLASSES];    /* start types */
    double factor;          /* ratio: what the forest's times are multiplied by */
    struct ts_cost_log log; /* rounds of the cost loop */
    size_t rows, left_out;  /* of training; left out: no target, or a feature is missing */
    char devices[256];      /* of training, with commas */
    char version[32];       /* of the program that trained it */
};

/* Trains on rows with use[row] (NULL: all). */
int ts_estimator_train(const struct ts_feature_table *table, const bool *use,
                       const struct ts_estimator_settings *settings, struct ts_estimator *out,
                       struct ts_why *why) TS_MUST_CHECK;
/* out[table->row_count * column_count]: the columns that the estimator looks at. */
int ts_estimator_rows(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                      double *out, struct ts_why *why) TS_MUST_CHECK;
/* Numbers that a launch gets: 3 of kind type, else 1. */
size_t ts_estimator_classes(const struct ts_estimator *estimator);
/* Forests for each of them: 2 of kind type, else 1. */
size_t ts_estimator_voters(const struct ts_estimator *estimator);
/* The columns that a voter looks at are the first so many. */
size_t ts_estimator_width(const struct ts_estimator *estimator, size_t voter);
/* out[table->row_count * classes]: ms, or probabilities; NAN where a formula misses a feature.
 * TS_EPROTO: the table has no column that the estimator needs. */
int ts_estimator_predict(const struct ts_estimator *estimator, const struct ts_feature_table *table,
                         double *out, struct ts_why *why) TS_MUST_CHECK;
/* The reference of a row: in the target's unit, or 1 for cold and 0, or the class; NAN: there is
 * none. */
double ts_estimator_target(const struct ts_estimator_settings *settings,
                           const struct ts_feature_table *table, size_t row);
/* "ms", or the unit of the target's column. */
const char *ts_estimator_unit(const struct ts_estimator_settings *settings,
                              const struct ts_feature_table *table);
/* TS_EPROTO: the table has no such column; *why says which it has. */
int ts_estimator_check_target(const struct ts_estimator_settings *settings,
                              const struct ts_feature_table *table,
                              struct ts_why *why) TS_MUST_CHECK;

/* Rounds of the cost loop: a list, empty for estimators that did not go through it. */
json_t *ts_estimator_rounds_json(const struct ts_estimator *estimator);
int ts_estimator_save(const struct ts_estimator *estimator, const char *path,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_estimator_load(const char *path, struct ts_estimator *out, struct ts_why *why) TS_MUST_CHECK;
void ts_estimator_free(struct ts_estimator *estimator);

#endif
