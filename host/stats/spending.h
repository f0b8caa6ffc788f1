/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looking at a comparison while it is still measured, without being wrong more often for it. */
#ifndef TS_STATS_SPENDING_H
#define TS_STATS_SPENDING_H

#include "base/err.h"

#include <stddef.h>

#define TS_LOOKS_MAX 32

/* By the share t of the planned information, so much of a one-sided alpha may be spent:
 *     2 - 2 Phi(z_(1 - alpha / 2) / sqrt(t)),
 * the O'Brien-Fleming-like function of K. Lan, D. DeMets, "Discrete sequential boundaries for
 * clinical trials", Biometrika 70 (1983) 659-663, equation for alpha_1*: early looks decide only
 * what is plain, the last is nearly a test of its own. */
double ts_spent(double alpha, double t);

/* bounds[count]: at look i, with information[i] of what is planned (rising, in 0 .. 1), a one-sided
 * p below bounds[i] decides. Their joint distribution (increments of Brownian motion) is integrated
 * on a grid: P. Armitage, C. McPherson, B. Rowe, "Repeated significance tests on accumulating
 * data", J. Royal Statistical Society A 132 (1969) 235-244. TS_EINVAL: information does not rise,
 * or more than TS_LOOKS_MAX looks. TS_ENOMEM. */
int ts_spending_bounds(double alpha, const double *information, size_t count,
                       double *bounds) TS_MUST_CHECK;

#endif
