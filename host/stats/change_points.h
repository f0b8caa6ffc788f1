/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which build on launches take another time. */
#ifndef TS_STATS_CHANGE_POINTS_H
#define TS_STATS_CHANGE_POINTS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define TS_CHANGE_DRAWS 1999
#define TS_CHANGE_LEAST 2 /* builds on either side of a change */

/* values[first] .. belong to another level than those before. */
struct ts_change_point {
    size_t first;
    double before, after; /* medians of the levels on both sides */
    double p;
};

/* Binary segmentation (A. Scott, M. Knott, "A cluster analysis method for grouping means in the
 * analysis of variance", Biometrics 30 (1974) 507-512): a series is cut where Pettitt's statistic
 * over its standard deviation is greatest (A. Pettitt, "A non-parametric approach to the
 * change-point problem", Applied Statistics 28 (1979) 126-135; R_i the ranks of n
 * values, cut before the k-th: |sum over i < k of (R_i - (n + 1) / 2)| / sqrt(k (n - k)), k from
 * 0), if at most alpha of TS_CHANGE_DRAWS random orders of the same values do as well or better;
 * then both parts likewise. alpha is shared out over the levels of cutting, half each, so that a
 * series without any change is cut with probability alpha / 2 at most. Ranks: single odd builds do
 * not count for more than one.
 *
 * *out is the caller's, to be freed with free(); in order of builds. Gives how many. TS_ENOMEM. */
long ts_change_points(const double *values, size_t count, double alpha, uint64_t seed,
                      struct ts_change_point **out) TS_MUST_CHECK;

#endif
