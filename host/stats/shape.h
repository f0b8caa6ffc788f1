/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spread and shape of one sample. Values are finite; NAN is the answer where a figure does not
 * exist. */
#ifndef TS_STATS_SHAPE_H
#define TS_STATS_SHAPE_H

#include <stddef.h>

/* sd: divided by count - 1, NAN below 2 values.
 * skewness = m3 / m2^(3/2) and kurtosis = m4 / m2^2 of the central moments m_k, divided by count
 * (g1 and b2 of Joanes and Gill, "Comparing measures of sample skewness and kurtosis", The
 * Statistician 47 (1998) 183-189). This kurtosis is 3 for a normal sample ("raw"; ts_excess()
 * subtracts that) and never below skewness^2 + 1. NAN when all values are equal. */
struct ts_moments {
    double mean, sd, skewness, kurtosis;
};
struct ts_moments ts_moments_of(const double *values, size_t count);

static inline double ts_excess(struct ts_moments moments)
{
    return moments.kurtosis - 3;
}

/* Coefficient of variation, sd / mean. */
static inline double ts_variation(struct ts_moments moments)
{
    return moments.sd / moments.mean;
}

/* Bins of equal width over smallest..largest. The width asked for is Freedman and Diaconis's,
 * 2 iqr / cbrt(count) ("On the histogram as a density estimator: L2 theory", Z.
 * Wahrscheinlichkeitstheorie 57 (1981) 453-476); when that is 0, or gives more than `most`, there
 * are `most` bins. 0 for an empty sample, 1 when all values are equal. */
size_t ts_histogram_bins(const double *sorted, size_t count, size_t most);
/* counts[bin_count] is filled; the last bin holds the largest value too. */
void ts_histogram_fill(const double *sorted, size_t count, size_t *counts, size_t bin_count);

/* The smallest difference between neighbours, 0 when all values are equal: the step in which a
 * coarse clock counts. */
double ts_smallest_gap(const double *sorted, size_t count);
/* That gap, if every value is a whole number of such steps above the smallest (to a thousandth of a
 * step): then the sample counts ticks. Else 0. */
double ts_tick_of(const double *sorted, size_t count);

#endif
