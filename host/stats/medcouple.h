/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Medcouple: skewness that outliers cannot move (up to a quarter of the values). */
#ifndef TS_STATS_MEDCOUPLE_H
#define TS_STATS_MEDCOUPLE_H

#include "base/err.h"

#include <stddef.h>

/* -1 (left) .. 1 (right); 0 for a symmetric sample. The median of
 *     h(a, b) = (a + b) / (a - b)
 * over all a >= 0 >= b of the values less their median; where a = b = 0, with t values equal to the
 * median, h is -1, 0 or 1 by the position among them, so that as many are 1 as are -1. Of an even
 * number of h the mean of the middle two is taken, so that the medcouple of -x is exactly minus
 * that of x. G. Brys, M. Hubert, A. Struyf, "A robust measure of skewness", J. Computational and
 * Graphical Statistics 13 (2004) 996-1017, sections 2 and 3.
 *
 * O(n log n) expected, O(n) memory: h falls along rows and columns, so that a value's rank is
 * counted along a staircase; the search halves around elements drawn with a fixed seed (the value
 * found does not depend on them). *out is NAN for an empty sample. TS_ENOMEM. */
int ts_medcouple(const double *sorted, size_t count, double *out) TS_MUST_CHECK;

#endif
