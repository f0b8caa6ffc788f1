/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `estimate evaluate --study`: the tables II, III and IV of paper E, its figures beside those of
 * the study at hand. A start counts as cold here when ActivityManager reported a time of it, as
 * there. */
#ifndef TS_CLI_ESTIMATE_STUDY_H
#define TS_CLI_ESTIMATE_STUDY_H

#include "cli/estimate.h"
#include "estimators/change.h"

#define TS_STUDY_DEVICES_MOST 64
#define TS_STUDY_APPS_KEPT    4 /* of daily use: those with the most launches, as there */

enum ts_study_row { TS_STUDY_INTERNAL, TS_STUDY_EXTERNAL, TS_STUDY_ROWS };
/* The forest of paper E, and the best that this program has. */
enum ts_study_model { TS_STUDY_PLAIN, TS_STUDY_BEST, TS_STUDY_MODELS };

/* Means over devices, or pairs of them, weighed by launches. */
struct ts_study_mean {
    double sum, weight;
};
double ts_study_value(struct ts_study_mean mean); /* NAN: of nothing */

struct ts_study_scores {
    struct ts_study_mean error, pearson, spearman, concordance, type_error;
};

/* Heavy less light periods, of one app; also two heavy periods, which are alike. */
struct ts_study_shift {
    const char *app; /* borrowed */
    struct ts_change predicted, interval, control;
};

struct ts_study_run {
    const struct ts_estimate_request *request;
    struct ts_feature_table table;
    const char *devices[TS_STUDY_DEVICES_MOST]; /* borrowed from the table */
    size_t device_count;
    bool *use, *test;                /* owned; per row: of training, of the test */
    double *all, *estimate, *actual; /* owned; per row */
    struct ts_study_scores scores[TS_STUDY_ROWS][TS_STUDY_MODELS];
    struct ts_study_shift shifts[TS_STUDY_APPS_KEPT];
    size_t shift_count; /* 0: there are no such periods */
};

/* Table II. */
int ts_study_judge(struct ts_study_run *run, struct ts_why *why) TS_MUST_CHECK;
/* Tables III and IV. */
int ts_study_find_shifts(struct ts_study_run *run, struct ts_why *why) TS_MUST_CHECK;

#endif
