/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Median and quartile range of the first 1, 2, ... n values: whether a campaign has come to rest
 * (paper R: Afonso, Almeida, "Rancid: Reliable Benchmarking on Android Platforms", section VI.B and
 * figure 16). */
#ifndef TS_STATS_RUNNING_H
#define TS_STATS_RUNNING_H

#include "base/err.h"

#include <stddef.h>

/* medians[count], iqrs[count]: element i of the values 0 .. i, quantiles of type 7, the same as
 * ts_median() and ts_iqr() give for each. O(n log n), by a Fenwick tree over the ranks (P. Fenwick,
 * "A new data structure for cumulative frequency tables", Software: Practice and Experience 24
 * (1994) 327-336). TS_ENOMEM. */
int ts_running_median(const double *values, size_t count, double *medians,
                      double *iqrs) TS_MUST_CHECK;

#endif
