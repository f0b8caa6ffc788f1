/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distributions that intervals and tests are made of. `at` is the inverse of `below`. */
#ifndef TS_STATS_DISTRIBUTION_H
#define TS_STATS_DISTRIBUTION_H

/* P(Z <= z) of the standard normal distribution: erfc(-z / sqrt(2)) / 2 (M. Abramowitz, I. Stegun,
 * Handbook of Mathematical Functions, 1964, 26.2.29). */
double ts_normal_below(double z);
double ts_normal_at(double p); /* 0 < p < 1, else -INFINITY or INFINITY */

/* P(X <= x) of the beta distribution, a and b > 0: its continued fraction (NIST Digital Library of
 * Mathematical Functions, 8.17.22), on the side of the mean where that converges. */
double ts_beta_below(double x, double a, double b);

/* P(T <= t) of Student's t (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.1 with
 * 26.5.27). Degrees of freedom are any positive number; INFINITY: the normal distribution. */
double ts_student_below(double t, double freedom);
double ts_student_at(double p, double freedom);

#endif
