/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well an estimator does, on launches that it was not trained on. */
#ifndef TS_ESTIMATORS_EVALUATION_H
#define TS_ESTIMATORS_EVALUATION_H

#include "base/err.h"
#include "estimators/table.h"

#include <stdbool.h>
#include <stdint.h>

/* Durations. Paper E's "correlation" is read as Pearson's r; beside it Spearman's, and the
 * concordance probability (tau + 1) / 2: of two launches, that the one estimated longer is longer
 * (M. Kendall, "A new measure of rank correlation", Biometrika 30 (1938) 81-93; ties count half).
 * NAN: there is none. O(count^2). */
struct ts_duration_scores {
    size_t count;
    double relative_error; /* mean |estimate - actual| / actual */
    double mean_absolute_ms;
    double pearson, spearman, concordance;
    double lin; /* agreement/concordance.h: below Pearson's r by bias and unequal spread */
};
int ts_duration_scores_of(const double *estimate, const double *actual, size_t count,
                          struct ts_duration_scores *out) TS_MUST_CHECK;

/* Start types: cold against the others. counts[actual][estimated], 1: cold, at probability 1/2.
 * brier: mean square of probability - actual (G. Brier, "Verification of forecasts expressed in
 * terms of probability", Monthly Weather Review 78 (1950) 1-3). bins: of probability 0-0.2, ...,
 * 0.8-1: how many, their mean probability and the share that was cold. */
#define TS_TYPE_BINS 5
struct ts_type_bin {
    size_t count;
    double probability, share;
};
struct ts_type_scores {
    size_t count, counts[2][2];
    double error, brier;
    struct ts_type_bin bins[TS_TYPE_BINS];
};
void ts_type_scores_of(const double *probability, const double *cold, size_t count,
                       struct ts_type_scores *out);

/* Several types. p: of each launch one probability a type; actual: its type's number. The most
 * probable is said. brier: mean over launches of the sum of squares over the types. bins: over all
 * probabilities that were given, of whichever type. */
#define TS_CLASSES 3
struct ts_class_scores {
    size_t count, counts[TS_CLASSES][TS_CLASSES]; /* [actual][said] */
    double error, brier;
    struct ts_type_bin bins[TS_TYPE_BINS];
};
void ts_class_scores_of(const double *p, const double *actual, size_t count,
                        struct ts_class_scores *out);

/* Votes into a probability: 1 / (1 + exp(-(slopes . votes + offset))), fitted to votes on launches
 * that the voters were not trained on (J. Platt, "Probabilistic outputs for support vector
 * machines", 1999, with his targets; of several voters D. Wolpert, "Stacked generalization", Neural
 * Networks 5 (1992) 241-259; by Newton's method). A slope is positive where its votes are worth
 * something; 0: there are none. */
#define TS_VOTERS_MOST 2
struct ts_platt {
    double slopes[TS_VOTERS_MOST], offset;
};
/* votes: count rows of `voters`. */
struct ts_platt ts_platt_fit(const double *votes, size_t voters, const double *cold, size_t count);
double ts_platt_probability(const struct ts_platt *platt, const double *votes, size_t voters);

/* Marks `share` of each device's launches for the test, drawn by `seed`; at least one, and one is
 * left, of a device with two or more. Paper E's internal evaluation: 0.1. part: the tests of parts
 * 0, 1, ... have no launch in common while there are others left. */
int ts_split_internal(const struct ts_feature_table *table, double share, uint64_t seed,
                      size_t part, bool *test) TS_MUST_CHECK;

/* TS_EPROTO when a launch of the test is in the training as well (same numbers in every column,
 * whatever it is called): *why names both lines. */
int ts_split_check(const struct ts_feature_table *table, const bool *test,
                   struct ts_why *why) TS_MUST_CHECK;

/* order[count]: 0..count-1 shuffled. */
void ts_shuffle(size_t *order, size_t count, uint64_t seed, uint64_t stream);

#endif
