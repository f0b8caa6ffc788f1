/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the median of a sample may lie from the median of what it was drawn from. */
#ifndef TS_STATS_INTERVAL_H
#define TS_STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#define TS_INTERVAL_LEVEL 0.95

/* From the r-th smallest to the r-th largest value. It holds the median with probability
 *     coverage = 1 - 2 * P(B < r),  B binomial(count, 1/2),
 * whatever the (continuous) distribution: David and Nagaraja, Order Statistics, 3rd edition,
 * section 7.1. r is the greatest with coverage >= TS_INTERVAL_LEVEL. Below 6 values there is none:
 * then r = 1, the interval is smallest..largest and coverage, which falls short of the level, says
 * how much that is worth. An empty sample gives NAN and coverage 0. */
struct ts_interval {
    double low, high;
    double coverage; /* 0..1 */
};
struct ts_interval ts_median_interval(const double *sorted, size_t count);

static inline bool ts_interval_reached(struct ts_interval interval)
{
    return interval.coverage >= TS_INTERVAL_LEVEL;
}

#endif
