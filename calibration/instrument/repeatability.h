/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far results spread under one rig, and from rig to rig (or operator to operator, or phone unit
 * to phone unit: whatever the groups are): ISO 5725-2:2019, 7.4, one-way random effects.
 *
 *   s_r^2 = sum (n_i - 1) s_i^2 / sum (n_i - 1)              repeatability, within a group
 *   s_d^2 = sum n_i (mean_i - mean)^2 / (p - 1)
 *   s_L^2 = (s_d^2 - s_r^2) / n',  not below 0               between groups
 *   n'    = (sum n_i - sum n_i^2 / sum n_i) / (p - 1)
 *   s_R^2 = s_r^2 + s_L^2                                    reproducibility
 *
 * Two results of one rig differ by less than r = 2.8 s_r in 95 of 100 cases, two of different rigs
 * by less than R = 2.8 s_R (ISO 5725-6:1994, 4.1).
 *
 * Outlying groups (ISO 5725-2, 7.3.3 and 7.3.4): Cochran's C, the largest group variance over the
 * sum of all; Grubbs' G, the mean farthest from the mean of means over their standard deviation.
 * Beyond the 5 % critical value a group is a straggler, beyond the 1 % one an outlier. Both are
 * reported and none is left out by itself. */
#ifndef TS_INSTRUMENT_REPEATABILITY_H
#define TS_INSTRUMENT_REPEATABILITY_H

#include "base/err.h"

#include <stddef.h>

struct ts_group {
    const double *values; /* finite */
    size_t count;         /* 2 or more */
};

enum ts_outlying { TS_OUTLYING_NO, TS_OUTLYING_STRAGGLER, TS_OUTLYING_OUTLIER };
extern const char *const ts_outlying_names[]; /* "no", "straggler", "outlier"; NULL ends the row */

struct ts_group_test {
    size_t group;                             /* the one in question */
    double statistic, critical_5, critical_1; /* NAN: too few groups to say */
    enum ts_outlying outlying;
};

struct ts_repeatability {
    size_t groups, values;
    double mean;
    double s_r, s_L, s_R;
    double r, R; /* limits: 2.8 times */
    struct ts_group_test cochran, grubbs;
};

/* TS_EINVAL: fewer than 2 groups, or one of fewer than 2 values. */
int ts_repeatability(const struct ts_group *groups, size_t count, struct ts_repeatability *out,
                     struct ts_why *why) TS_MUST_CHECK;

/* Critical values, from F and t: for p groups of n values each,
 * C = 1 / (1 + (p - 1) / F(1 - level / p; n - 1, (p - 1)(n - 1)));
 * G = (p - 1) / sqrt(p) * sqrt(t^2 / (p - 2 + t^2)), t two-sided at level / p of p - 2 dof (both
 * sides are looked at: F. Grubbs, Technometrics 11 (1969) 1-21). NAN for p below 2 and 3. */
double ts_cochran_critical(double level, size_t groups, double values_each);
double ts_grubbs_critical(double level, size_t groups);

#endif
