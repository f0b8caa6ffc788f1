/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The median of one sample against that of another. */
#ifndef TS_STATS_MEDIANS_H
#define TS_STATS_MEDIANS_H

#include "stats/interval.h"

/* difference: median of b - median of a; ratio: median of b / median of a (NAN, with its interval,
 * unless all values are > 0).
 *
 * Intervals: R. Price, D. Bonett, "Distribution-free confidence intervals for difference and ratio
 * of medians", J. Statistical Computation and Simulation 72 (2002) 119-124. A median's variance is
 * read off two order statistics of its own sample, the c-th smallest and largest with
 * c = (n + 1) / 2 - sqrt(n) (rounded, at least 1), which P(B < c), B binomial(n, 1/2), places at z:
 *     u = (x_(n - c + 1) - x_(c)) / (2 z),
 * so spreads and shapes may differ. For the ratio the same of logarithms. The bootstrap's
 * percentiles were tried: on launch-like times they cover 96 to 97 % where these cover 95.
 *
 * The intervals suppose independent values. Measured coverage: stats/comparison.h. Below 2 values
 * on a side they are NAN. */
struct ts_medians {
    double difference, ratio;
    struct ts_interval difference_interval, ratio_interval;
};
struct ts_medians ts_medians_of(const double *sorted_a, size_t count_a, const double *sorted_b,
                                size_t count_b, double level);

#endif
