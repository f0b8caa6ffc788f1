/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well pairs lie on the line of equality, and how well their orders agree. */
#ifndef TS_AGREEMENT_CONCORDANCE_H
#define TS_AGREEMENT_CONCORDANCE_H

#include "agreement/agreement.h"

/* L. Lin, "A concordance correlation coefficient to evaluate reproducibility", Biometrics 45 (1989)
 * 255-268: 2 s_xy / (s_x^2 + s_y^2 + (mean x - mean y)^2), moments divided by count. It is below
 * Pearson's r by what bias and unequal spread cost. Interval (95 %): his section 3, on Fisher's
 * scale, tanh(atanh c -+ 1.96 s), with the variance as corrected in Biometrics 56 (2000) 324-325:
 *     (n - 2) s^2 = (1 - r^2) c^2 / ((1 - c^2) r^2) + 2 c^3 (1 - c) v / (r (1 - c^2)^2)
 *                   - c^4 v^2 / (2 r^2 (1 - c^2)^2),    v = (mean x - mean y)^2 / (s_x s_y). NAN
 * below 3 pairs, or when both sides are constant. */
struct ts_concordance {
    double coefficient;
    struct ts_range interval;
};
struct ts_concordance ts_concordance_of(const double *x, const double *y, size_t count);

/* C. Spearman, "The proof and measurement of association between two things", American J.
 * Psychology 15 (1904) 72-101: Pearson's r of the ranks, equal values sharing the mean of theirs.
 * *out is NAN where that is (stats/relation.h). TS_ENOMEM. */
int ts_spearman(const double *x, const double *y, size_t count, double *out) TS_MUST_CHECK;

#endif
