/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Samples as papers O and N describe them, drawn from a seed. The papers print figures, not data:
 * these generators were tuned to the figures' size, so they test the code and not the papers. */
#ifndef TESTS_STATS_CORPUS_H
#define TESTS_STATS_CORPUS_H

#include "base/rng.h"

#include <stddef.h>

#define CORPUS_TICK_NS (125.0 / 3)

/* Queries of the system time on a clock of 24 MHz (paper O): 2 to 7 ticks of inliers with skewed
 * weights, 0.2 to 1 % standalone outliers with a heavy log-normal tail, 0 to 3 clusters of outliers
 * of 0.1 to 0.7 % each. Nanoseconds. */
void corpus_queries(struct ts_rng *rng, double *values, size_t count);

/* A fixed-work-quantum trace (paper N): inliers 44 + 17 t (5 degrees of freedom, unit sd) and for
 * 5 % of them 10 |z| more, whole ticks from 0 up; with probability 0.0069 a log-normal (9.08, 0.80)
 * on top. Gives the smallest outlier, INFINITY when there is none. */
double corpus_trace(struct ts_rng *rng, double *values, size_t count);

#endif
