/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A straight line through pairs whose two sides both err: y = intercept + slope x. Two ways of
 * measuring that agree have intercept 0 and slope 1. */
#ifndef TS_AGREEMENT_REGRESSION_H
#define TS_AGREEMENT_REGRESSION_H

#include "agreement/agreement.h"

struct ts_line {
    double slope, intercept;
    struct ts_range slope_interval, intercept_interval; /* 95 % */
};

/* W. E. Deming, Statistical Adjustment of Data, 1943, chapter XI; in the form of K. Linnet,
 * "Performance of Deming regression analysis in case of misspecified analytical error ratio in
 * method comparison studies", Clinical Chemistry 44 (1998) 1024-1031, equations 1 and 2: the errors
 * of y have `ratio` times the variance of those of x (1: alike); of sums about the means
 *     slope = (d + sqrt(d^2 + 4 ratio S_xy^2)) / (2 S_xy),    d = S_yy - ratio S_xx. Intervals by
 * the jackknife, as there, Student's t with count - 2 degrees of freedom. NAN: below 3 pairs, or no
 * covariance. TS_EINVAL: ratio is not above 0. O(count). */
int ts_deming(const double *x, const double *y, size_t count, double ratio,
              struct ts_line *out) TS_MUST_CHECK;

/* H. Passing, W. Bablok, "A new biometrical procedure for testing the equality of measurements from
 * two different analytical methods", J. Clinical Chemistry and Clinical Biochemistry 21 (1983)
 * 709-720: the median of all slopes between two pairs, moved by as many as are below -1 (sections
 * 2 and 3), so that it is the same line with x and y exchanged, and outliers do not move it.
 * Intervals: section 4. It supposes a positive relation. NAN below 3 pairs. TS_ENOTSUP: more pairs
 * than TS_PASSING_BABLOK_MOST (all slopes are held). TS_ENOMEM. */
#define TS_PASSING_BABLOK_MOST 5000
int ts_passing_bablok(const double *x, const double *y, size_t count,
                      struct ts_line *out) TS_MUST_CHECK;

#endif
