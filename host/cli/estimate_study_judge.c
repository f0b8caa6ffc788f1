/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/estimate_study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TEST_SHARE 0.1 /* paper E, section V */
#define TESTS      10  /* of each device: every launch is in one of them */
/* A time there is of cold starts alone, and its error has a long tail; a type every launch has. */
#define TESTS_OF_TYPES 3

double ts_study_value(struct ts_study_mean mean)
{
    return mean.weight > 0 ? mean.sum / mean.weight : NAN;
}

static void add(struct ts_study_mean *mean, double value, size_t weight)
{
    if (!isfinite(value))
        return;
    mean->sum += value * (double)weight;
    mean->weight += (double)weight;
}

static struct ts_estimator_settings settings_of(const struct ts_study_run *run,
                                                enum ts_estimator_kind kind)
{
    struct ts_estimator_settings settings = run->request->settings;
    settings.kind = kind;
    snprintf(settings.target, sizeof settings.target, "%s", TS_TARGET_ANDROID);
    return settings;
}

/* Trains on run->use and judges on run->test. */
static int judge(struct ts_study_run *run, enum ts_study_row row, enum ts_study_model model,
                 enum ts_estimator_kind kind, struct ts_why *why)
{
    const struct ts_estimator_settings settings = settings_of(run, kind);
    struct ts_estimator estimator = {0};
    size_t count = 0, classes = 1;
    int err = ts_estimator_train(&run->table, run->use, &settings, &estimator, why);
    if (!err)
        err = ts_estimator_predict(&estimator, &run->table, run->all, why);
    if (!err)
        classes = ts_estimator_classes(&estimator);
    ts_estimator_free(&estimator);
    for (size_t i = 0; i < run->table.row_count && !err; i++) {
        const double target = ts_estimator_target(&settings, &run->table, i);
        if (!run->test[i] || isnan(target))
            continue;
        run->estimate[count] = run->all[i * classes];
        run->actual[count++] = kind == TS_ESTIMATOR_TYPE ? target == 0 : target;
    }
    if (!err && (kind == TS_ESTIMATOR_START || kind == TS_ESTIMATOR_TYPE)) {
        struct ts_type_scores types;
        ts_type_scores_of(run->estimate, run->actual, count, &types);
        add(&run->scores[row][model].type_error, types.error, count);
    } else if (!err) {
        struct ts_duration_scores scores;
        err = ts_duration_scores_of(run->estimate, run->actual, count, &scores);
        if (err)
            return ts_fail(why, err, "out of memory");
        add(&run->scores[row][model].error, scores.relative_error, count);
        add(&run->scores[row][model].pearson, scores.pearson, count);
        add(&run->scores[row][model].spearman, scores.spearman, count);
        add(&run->scores[row][model].concordance, scores.concordance, count);
    }
    return err;
}

static int judge_times(struct ts_study_run *run, enum ts_study_row row, struct ts_why *why)
{
    const int err = judge(run, row, TS_STUDY_PLAIN, TS_ESTIMATOR_FOREST, why);
    return err ? err : judge(run, row, TS_STUDY_BEST, TS_ESTIMATOR_RATIO, why);
}

static int judge_types(struct ts_study_run *run, enum ts_study_row row, struct ts_why *why)
{
    const int err = judge(run, row, TS_STUDY_PLAIN, TS_ESTIMATOR_START, why);
    return err ? err : judge(run, row, TS_STUDY_BEST, TS_ESTIMATOR_TYPE, why);
}

/* A launch of the test is in no training, under whatever name. */
static int judge_internal(struct ts_study_run *run, const char *device, struct ts_why *why)
{
    int err = TS_OK;
    for (size_t part = 0; part < TESTS && !err; part++) {
        err = ts_split_internal(&run->table, TEST_SHARE, run->request->settings.seed, part,
                                run->test);
        for (size_t i = 0; i < run->table.row_count && !err; i++) {
            const bool own = strcmp(run->table.rows[i].device, device) == 0;
            run->use[i] = own && !run->test[i];
            run->test[i] &= own;
        }
        if (!err)
            err = ts_split_check(&run->table, run->test, why);
        if (!err)
            err = judge_times(run, TS_STUDY_INTERNAL, why);
        if (!err && part < TESTS_OF_TYPES)
            err = judge_types(run, TS_STUDY_INTERNAL, why);
    }
    return err;
}

static int judge_external(struct ts_study_run *run, const char *trained, const char *tested,
                          struct ts_why *why)
{
    for (size_t i = 0; i < run->table.row_count; i++) {
        run->use[i] = strcmp(run->table.rows[i].device, trained) == 0;
        run->test[i] = strcmp(run->table.rows[i].device, tested) == 0;
    }
    int err = ts_split_check(&run->table, run->test, why);
    if (!err)
        err = judge_times(run, TS_STUDY_EXTERNAL, why);
    return err ? err : judge_types(run, TS_STUDY_EXTERNAL, why);
}

int ts_study_judge(struct ts_study_run *run, struct ts_why *why)
{
    int err = TS_OK;
    for (size_t a = 0; a < run->device_count && !err; a++) {
        err = judge_internal(run, run->devices[a], why);
        for (size_t b = 0; b < run->device_count && !err; b++) {
            if (a != b)
                err = judge_external(run, run->devices[a], run->devices[b], why);
        }
    }
    return err;
}
