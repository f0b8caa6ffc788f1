/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that follow each other resemble each other (heat, caches, clocks), so that n of them say
 * less than n independent ones would. */
#ifndef TS_STATS_SERIAL_H
#define TS_STATS_SERIAL_H

#include <stddef.h>

/* Correlation c of neighbours in time (lag 1) of a first-order autoregression, within -0.95 ..
 * 0.95. The sample's own is low by (1 + 4 c) / n (M. Kendall, "Note on bias in the estimation of
 * autocorrelation", Biometrika 41 (1954) 403-404), which is solved for c here. 0 below 6 values, or
 * when all are equal. Give ranks in place of times where single extreme launches shall not decide.
 *
 * A value that chance made negative is taken as it is: to hold only positive ones would widen every
 * interval of independent launches by what chance puts above 0 (Cliff's delta then held 96.4 % for
 * 95 % with 50 launches, now 95.7 %). */
double ts_serial_correlation(const double *values, size_t count);

/* count (1 - c) / (1 + c): how many independent values have a mean that varies as much (G. Bayley,
 * J. Hammersley, "The 'effective' number of independent observations in an autocorrelated time
 * series", Supplement to the J. Royal Statistical Society 8 (1946) 184-197). */
double ts_serial_effective(double correlation, size_t count);

#endif
