/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Paired launches -> what an observer costs. Two launches of a pair differ by the observer alone,
 * and follow each other off, on, on, off, off, ..., so that what changes steadily cancels.
 *
 * The estimate is that of J. Hodges, E. Lehmann, "Estimates of location based on rank tests",
 * Annals of Mathematical Statistics 34 (1963) 598-611: the median of the means of all pairs of
 * differences (each with itself too). Its interval is made of the same means by Wilcoxon's
 * signed-rank distribution (M. Hollander, D. Wolfe, "Nonparametric Statistical Methods", 2nd
 * ed., 3.3), so that a launch that went astray costs width, not truth. The same of log(on / off)
 * gives the ratio. */
#ifndef TS_INSTRUMENT_OBSERVERS_H
#define TS_INSTRUMENT_OBSERVERS_H

#include "base/err.h"

#include <stddef.h>

#define TS_OBSERVER_PAIRS_LEAST 6 /* fewer have no 95 % interval: 2 / 2^6 = 0.03 */
#define TS_OBSERVER_PAIRS_MOST  1000

struct ts_shift {
    double value, low, high; /* at least 95 % */
    double u;                /* what a normal interval of that width would have */
};

struct ts_observer_cost {
    size_t pairs;
    struct ts_shift ms;    /* on - off */
    struct ts_shift share; /* on / off - 1 */
};

/* The shift of a sample from 0. TS_EPROTO: too few or too many values; TS_ENOMEM. */
int ts_shift_of(const double *differences, size_t count, struct ts_shift *out,
                struct ts_why *why) TS_MUST_CHECK;
/* off_ms, on_ms: [pairs], more than 0. Pairs of which either is NAN are left out. */
int ts_observer_cost(const double *off_ms, const double *on_ms, size_t pairs,
                     struct ts_observer_cost *out, struct ts_why *why) TS_MUST_CHECK;

#endif
