/* SPDX-License-Identifier: GPL-3.0-or-later */
/* By how much the values of one sample are above those of another. */
#ifndef TS_STATS_SHIFT_H
#define TS_STATS_SHIFT_H

#include "stats/relative.h"

/* The k-th smallest of all differences b - a, k from 1 to the number of pairs. Exact: a search by
 * value ends on a difference that is there (D. Johnson, T. Mizoguchi, "Selecting the Kth element in
 * X + Y and X_1 + X_2 + ... + X_m", SIAM J. Computing 7 (1978) 147-153, count in the same way).
 * Each step costs O(n_a + n_b); the pairs are never written down. */
double ts_kth_difference(const struct ts_ranked *a, const struct ts_ranked *b, double k);

/* The median of all differences b - a: J. Hodges, E. Lehmann, "Estimates of location based on rank
 * tests", Annals of Mathematical Statistics 34 (1963) 598-611, section 4. Of the logarithms of
 * times it is the logarithm of the ratio.
 *
 * The interval holds every shift that Brunner and Munzel's test (stats/relative.h) does not reject:
 * its ends are where the statistic of a against b - shift passes Student's quantile, so interval
 * and test never disagree, and unequal spreads and values that resemble their neighbours widen it
 * (Lehmann's own interval, from Wilcoxon's test, holds for neither). Measured coverage:
 * stats/comparison.h; `coverage` is the level asked for. */
struct ts_hodges_lehmann {
    double estimate;
    struct ts_interval interval;
};
struct ts_hodges_lehmann ts_hodges_lehmann_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                              double level);
/* The same by another test of b + shift against a, of which rank sums decide too. */
typedef struct ts_relative ts_shift_test(const void *context, double shift);
struct ts_hodges_lehmann ts_hodges_lehmann_by(const struct ts_ranked *a, const struct ts_ranked *b,
                                              double level, ts_shift_test *test,
                                              const void *context);

#endif
