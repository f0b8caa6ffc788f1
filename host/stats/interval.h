/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the median of a sample may lie from the median of what it was drawn from. */
#ifndef TS_STATS_INTERVAL_H
#define TS_STATS_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>

#define TS_INTERVAL_LEVEL 0.95

/* From the d-th smallest to the d-th largest value an interval holds the median with probability
 *     P(d) = 1 - 2 * P(B < d),  B binomial(count, 1/2),
 * whatever the (continuous) distribution: David and Nagaraja, Order Statistics, 3rd edition,
 * section 7.1. Two such intervals are around TS_INTERVAL_LEVEL; the ends lie between theirs, by T.
 * Hettmansperger and S. Sheather, "Confidence intervals based on interpolated order statistics",
 * Statistics & Probability Letters 4 (1986) 75-79, so that coverage is the level itself for nearly
 * any distribution: of the way from the d-th to the next value
 *     (n - d) I / (d + (n - 2 d) I),    I = (P(d) - level) / (P(d) - P(d + 1)).
 * The wider one alone holds 96.7 % for 50 values. Below 6 values there is none: then it is
 * smallest..largest, and coverage, P(1), which falls short of the level, says how much that is
 * worth. An empty sample gives NAN and coverage 0. */
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
