/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What became faster and what became steadier: J. Afonso, P. Almeida, "Rancid: Reliable
 * Benchmarking on Android Platforms", section V: the performance improvement is the reduction of
 * the median, the precision improvement the reduction of the sample standard deviation, each also
 * as a share of what was there before. Its table 2 has them of the repetitions of one campaign
 * each, its table 3 of the medians of several campaigns. */
#ifndef TS_STATS_IMPROVEMENT_H
#define TS_STATS_IMPROVEMENT_H

#include <stddef.h>

struct ts_improvement {
    double performance, precision;             /* in the values' unit; below 0: it became worse */
    double performance_share, precision_share; /* of a's median, of a's standard deviation */
};

/* From sorted a to sorted b. NAN: precision below 2 values, a share of 0. */
struct ts_improvement ts_improvement_of(const double *a, size_t count_a, const double *b,
                                        size_t count_b);

#endif
