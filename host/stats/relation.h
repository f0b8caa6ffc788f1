/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How two paired samples go together. It says nothing about agreement: a constant offset leaves it
 * at 1, so it is shown beside the median difference, never instead of it. */
#ifndef TS_STATS_RELATION_H
#define TS_STATS_RELATION_H

#include <stddef.h>

/* Product-moment correlation (K. Pearson, "Notes on regression and inheritance in the case of two
 * parents", Proc. Royal Society of London 58 (1895) 240-242), two passes over the deviations from
 * the means: sum (x - X) (y - Y) / sqrt(sum (x - X)^2 sum (y - Y)^2), X and Y the means. NAN below
 * 2 pairs or when one sample does not vary. */
double ts_pearson(const double *x, const double *y, size_t count);

#endif
