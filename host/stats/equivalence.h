/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether b is no slower than a by more than a margin, or as fast as a within one. */
#ifndef TS_STATS_EQUIVALENCE_H
#define TS_STATS_EQUIVALENCE_H

#include "stats/relative.h"

/* p of Brunner and Munzel's test of b, taken `margin` lower or higher, against a. For a margin as a
 * factor give logarithms of times and the logarithm of it.
 *
 * Not inferior: a small p says that b is slower by less than the margin (ICH E9, Statistical
 * Principles for Clinical Trials, section 3.3.2). Inferior: a small p says that it is slower by
 * more. Equivalent: both one-sided questions at once, b within -margin .. margin of a, the greater
 * p of the two (D. Schuirmann, "A comparison of the two one-sided tests procedure and the power
 * approach", J. Pharmacokinetics and Biopharmaceutics 15 (1987) 657-680). */
struct ts_equivalence {
    double p_not_inferior, p_inferior, p_equivalent;
};
struct ts_equivalence ts_equivalence_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                        double margin);

#endif
