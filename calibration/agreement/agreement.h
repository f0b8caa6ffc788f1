/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well two ways of measuring the same things agree: an automatic one against people, people
 * against each other, a person against themselves. Nothing is trimmed. */
#ifndef TS_AGREEMENT_AGREEMENT_H
#define TS_AGREEMENT_AGREEMENT_H

#include "base/err.h"

#include <stddef.h>

#define TS_AGREEMENT_LEVEL 0.95

struct ts_range {
    double low, high;
};

/* Of the differences a - b: J. M. Bland and D. G. Altman, "Statistical methods for assessing
 * agreement between two methods of clinical measurement", The Lancet 327 (1986) 307-310. The limits
 * bias -+ 1.96 sd hold 95 % of normal differences. Intervals (95 %, Student's t with count - 1
 * degrees of freedom) rest on the standard errors given there: sd / sqrt(count) of the bias,
 * sqrt(3 / count) sd of a limit. NAN is what a sample is too small for: means below 1 pair,
 * spreads, limits and intervals below 2. */
struct ts_agreement {
    size_t count;
    double mean_absolute; /* of the differences */
    double bias, sd;      /* mean, and standard deviation with count - 1 */
    struct ts_range limits;
    struct ts_range bias_interval, low_interval, high_interval; /* of bias, limits.low, .high */
    double p95_absolute;   /* quantile of type 7 (stats/order.h) */
    double worst_absolute; /* the largest */
    double pearson;        /* stats/relation.h: a relation, no agreement */
};

/* Values are finite. TS_ENOMEM. */
int ts_agreement_of(const double *a, const double *b, size_t count,
                    struct ts_agreement *out) TS_MUST_CHECK;

/* One person (or program) twice on the same things, `difference` apart: the standard deviation of
 * one marking, sqrt(sum of squares / (2 count)), and the coefficient of repeatability,
 * 1.96 sqrt(2) times as much, within which 95 % of repeated markings lie (the same paper,
 * "Repeatability"). NAN when there is none. */
struct ts_repeatability {
    size_t count;
    double mean_absolute, sd, coefficient;
};
struct ts_repeatability ts_repeatability_of(const double *difference, size_t count);

#endif
