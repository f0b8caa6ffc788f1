/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How two paired samples go together. Both say nothing about agreement: a constant offset leaves
 * them at 1, so they are shown beside the median difference, never instead of it. */
#ifndef TS_STATS_RELATION_H
#define TS_STATS_RELATION_H

#include "base/err.h"

#include <stddef.h>

/* Product-moment correlation, two passes over the deviations from the means. NAN below 2 pairs or
 * when one sample does not vary. */
double ts_pearson(const double *x, const double *y, size_t count);

/* Pearson's correlation of the ranks, equal values sharing their mean rank (Kendall, Rank
 * Correlation Methods, chapter 3). *rho is NAN where Pearson's would be. TS_ENOMEM. */
int ts_spearman(const double *x, const double *y, size_t count, double *rho) TS_MUST_CHECK;

#endif
