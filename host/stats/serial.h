/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches that follow each other resemble each other (heat, caches, clocks), so that n of them say
 * less than n independent ones would; and they drift as a session goes on. */
#ifndef TS_STATS_SERIAL_H
#define TS_STATS_SERIAL_H

#include <stddef.h>

/* Sums over values in time order, about their mean, and over their places, 0 .. count - 1, about
 * theirs; [k]: of products of what lies k places apart. Those of several series can be added. Give
 * ranks, as shares of their number, in place of times where single extreme launches shall not
 * decide. */
struct ts_serial {
    size_t count, series;
    double values[3], mixed[3], places[3]; /* mixed: value by place and place by value */
};
struct ts_serial ts_serial_of(const double *values, size_t count);
struct ts_serial ts_serial_both(const struct ts_serial *one, const struct ts_serial *other);

/* What resembles its neighbours: values k places apart correlate by share * keep^k, as a
 * first-order autoregression does that something else in each launch (a garbage collection) lies
 * over: C. Granger, M. Morris, "Time series modelling and interpretation", J. Royal Statistical
 * Society A 139 (1976) 246-257.
 *
 * First a running trend that all series have is taken out, from TS_SERIAL_DRIFTS values a series
 * on: one slope by least squares over the places (analysis of covariance of ranks, the place being
 * the concomitant: D. Quade, "Rank analysis of covariance", J. American Statistical Association 62
 * (1967) 1187-1200). Else a drift, which both sides of a comparison have and which leaves their
 * difference alone, would pass for spread and for resemblance.
 *
 * Then the correlations c1 and c2 of what lies one and two places apart, each within -0.95 .. 0.95.
 * The sample's own are low. N values in m series lack m products at each lag, every mean and the
 * slope, f = m + 1 in all, take (1 + c) / (1 - c) values' worth of squares, and each series'
 * quotient errs by 2 k c^k / n; for one mean that is (1 + 4 c) / n (M. Kendall, "Note on bias in
 * the estimation of autocorrelation", Biometrika 41 (1954) 403-404) and ((1 + c)^2 + 6 c^2) / n (F.
 * Marriott, J. Pope, "Bias in the estimation of autocorrelations", the same 390-402), here
 *     c1 = (N r1 + f) / (N - 3 m - f),    c2 = r2 + (f (1 + c1)^2 + 6 m c1^2) / N.
 * keep = c2 / c1 and share = c1 / keep where c1 is more than chance gives (2 / sqrt(N)) and c2
 * above its square; else keep = c1, share = 1. What chance made negative is taken as it is: to hold
 * only positive ones would widen every interval of independent launches by what chance puts above
 * 0.
 *
 * All 0 but share = 1 below 6 values a series, or when all are equal: not looked at. */
#define TS_SERIAL_DRIFTS 10
struct ts_lasting {
    double first, share, keep;
    double slope; /* of the running trend, a place; 0: none was taken out */
    double doubt; /* half the variance of the logarithm of what ts_lasting_factor() gives, times N;
                     0: nothing was looked at */
    double keep_variance; /* of keep, times N; 0: nothing was looked at */
};
struct ts_lasting ts_serial_lasting(const struct ts_serial *of);
/* The same where something else was taken out of the values, which takes so much from c1 and c2. */
struct ts_lasting ts_serial_lasting_less(const struct ts_serial *of, const double taken[2]);

/* How many times the variance of a mean of `count` such values is that of independent ones (G.
 * Bayley, J. Hammersley, "The 'effective' number of independent observations in an autocorrelated
 * time series", Supplement to the J. Royal Statistical Society 8 (1946) 184-197):
 *     1 + 2 sum over k of (1 - k / count) share keep^k. */
double ts_lasting_factor(const struct ts_lasting *of, size_t count);

#endif
