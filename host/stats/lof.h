/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Local outlier factor on the line: M. Breunig, H.-P. Kriegel, R. Ng, J. Sander, "LOF: identifying
 * density-based local outliers", SIGMOD 2000, definitions 3 to 7:
 *     reach(p, o) = max(k-distance(o), |p - o|),
 *     mean_reach(p) = mean of reach(p, o) over the neighbours o of p,
 *     LOF(p) = mean of mean_reach(p) / mean_reach(o) over the same.
 * About 1 inside a cluster, greater outside. On continuous data some 60 % of all points have
 * LOF > 1: it ranks, it does not divide.
 *
 * Ties: neighbours of p are all other points that are no further away than the k-th nearest, so
 * possibly more than k (definition 4). Without ties the values are scikit-learn's.
 * Duplicates: other copies of p's value are neighbours at distance 0. With more than k copies all
 * reaches are 0; 0 / 0 counts as 1, and a single rare value beside them gets an infinite factor
 * (the literal reading). `floor` > 0 is the least reach: one tick of the clock, below which nothing
 * is known about distances, and every factor is finite. */
#ifndef TS_STATS_LOF_H
#define TS_STATS_LOF_H

#include "stats/distinct.h"

#define TS_LOF_NEIGHBOURS 10 /* paper O's MinPts, the lowest that Breunig et al. recommend */

/* out[distinct->count]: copies of a value share their factor. O(u k) after sorting, u distinct
 * values. TS_EINVAL: k is 0, or there are no k other points. TS_ENOMEM. */
int ts_lof_of(const struct ts_distinct *distinct, size_t k, double floor,
              double *out) TS_MUST_CHECK;

#endif
