/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries of one sample. Values are finite; NAN is the answer where a summary does not exist
 * (an empty sample, the spread of one value). What is called `sorted` is in ascending order:
 * ts_sort() once, then ask everything. Nothing here allocates, apart from ts_sorted_copy() and the
 * C library's qsort. */
#ifndef TS_STATS_ORDER_H
#define TS_STATS_ORDER_H

#include <stdbool.h>
#include <stddef.h>

void ts_sort(double *values, size_t count);
/* For the caller to free(), also of no values; NULL: out of memory. */
double *ts_sorted_copy(const double *values, size_t count);

/* Quantile of type 7 (Hyndman and Fan, "Sample quantiles in statistical packages", The American
 * Statistician 50, 1996): linear between the order statistics at rank 1 + (count - 1) * p.
 * p is in 0..1. */
double ts_quantile(const double *sorted, size_t count, double p);
double ts_median(const double *sorted, size_t count);
double ts_iqr(const double *sorted, size_t count); /* quantile 3/4 minus quantile 1/4 */

/* Median of |value - median| (F. Hampel, "The influence curve and its role in robust estimation",
 * J. American Statistical Association 69 (1974) 383-393), without the factor 1.4826 that
 * would make it estimate a normal standard deviation. */
double ts_mad(const double *sorted, size_t count);

double ts_mean(const double *values, size_t count);

/* Tukey's inner fences (Exploratory Data Analysis, 1977, chapter 2), with type 7 quartiles for his
 * hinges, Q1 - 1.5 (Q3 - Q1) .. Q3 + 1.5 (Q3 - Q1): a value beyond them is marked for a person to
 * look at, never removed. */
struct ts_fences {
    double low, high;
};
struct ts_fences ts_tukey_fences(const double *sorted, size_t count);
static inline bool ts_beyond(struct ts_fences fences, double value)
{
    return value < fences.low || value > fences.high;
}

#endif
