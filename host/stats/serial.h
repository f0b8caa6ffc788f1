/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that follow each other resemble each other (heat, caches, clocks), so that n of them say
 * less than n independent ones would. */
#ifndef TS_STATS_SERIAL_H
#define TS_STATS_SERIAL_H

#include <stddef.h>

/* Correlation of neighbours in time (lag 1), as a first-order autoregression would have it:
 * r + (1 + 3 r) / n, for r falls short by that much (F. Marriott, J. Pope, "Bias in the estimation
 * of autocorrelations", Biometrika 41 (1954) 390-402). 0 below 4 values, or when all are equal.
 * Give ranks in place of times where single extreme launches shall not decide. */
double ts_serial_correlation(const double *values, size_t count);

/* What is gone by, of an estimate from `count` values in all: 0 to 0.95. Below half of its standard
 * error, 0.5 / sqrt(count), it counts as 0, and launches that alternate are not taken for more than
 * they are. */
double ts_serial_held(double correlation, size_t count);

/* count (1 - c) / (1 + c): how many independent values have a mean that varies as much (G. Bayley,
 * J. Hammersley, "The 'effective' number of independent observations in an autocorrelated time
 * series", Supplement to the J. Royal Statistical Society 8 (1946) 184-197). */
double ts_serial_effective(double held, size_t count);

#endif
