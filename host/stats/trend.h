/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether values drift in the order in which they were measured: heat, a filling disk. */
#ifndef TS_STATS_TREND_H
#define TS_STATS_TREND_H

#include "base/err.h"

#include <stddef.h>

/* The Mann-Kendall test (M. Kendall, Rank Correlation Methods, 4th edition, 1975, chapters 3 to 5):
 * S = pairs that rise less pairs that fall; with t equal values in a run of ties
 *     var S = (n (n - 1) (2 n + 5) - sum t (t - 1) (2 t + 5)) / 18,
 *     tau_b = S / sqrt(N (N - sum t (t - 1) / 2)),    N = n (n - 1) / 2,
 * z = (S -+ 1) / sqrt(var S), nearer to 0 for continuity, and its two-sided normal p. It holds for
 * independent values from 10 on; positive autocorrelation makes p too small. slope: how much a
 * value grows from one to the next: the median of the last third less that of the first, over the
 * distance of their middles (the resistant line, Tukey, Exploratory Data Analysis, 1977, chapter
 * 5). NAN where there are too few values (3), or all are equal (tau, z, p). */
struct ts_trend {
    double s, tau, z, p, slope;
};

/* O(n log n). TS_ENOMEM. */
int ts_trend_of(const double *values, size_t count, struct ts_trend *out) TS_MUST_CHECK;

#endif
