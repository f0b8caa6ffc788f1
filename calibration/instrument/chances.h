/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Probabilities that limits are made of, from those of stats/distribution.h. */
#ifndef TS_INSTRUMENT_CHANCES_H
#define TS_INSTRUMENT_CHANCES_H

/* P(B <= k), B binomial of n trials of probability p (Abramowitz and Stegun 26.5.24). */
double ts_chance_binomial(int k, int n, double p);
/* The value f below which F lies with probability `level`; dof m of the numerator, n of the
 * denominator: I_x(m / 2, n / 2) = level at x = m f / (n + m f) (Abramowitz and Stegun 26.6.2 with
 * 26.5). */
double ts_chance_f(double level, double over, double under);
/* The t within which |T| lies with probability `level`; dof INFINITY: of the normal distribution.
 */
double ts_chance_t(double level, double dof);

#endif
