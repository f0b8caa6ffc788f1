/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outliers of a large sample of timings by paper O's heuristics: the whole way from values to
 * marks. They are marked, never deleted. For some tens of launches use Tukey's fences
 * (stats/order.h): 1 % of 30 values is no cluster. */
#ifndef TS_STATS_OUTLIERS_H
#define TS_STATS_OUTLIERS_H

#include "stats/cut_levels.h"
#include "stats/lof.h"

#define TS_OUTLIERS_LEAST        100 /* values */
#define TS_OUTLIERS_HEIGHTS_MOST 0.1 /* distinct heights, as a share of the values */

struct ts_outlier_rules {
    bool full; /* algorithm 1 (with LOF), else algorithm 2 (with a curve) */
    const struct ts_level_curve *curve; /* of algorithm 2; borrowed; NULL: TS_LEVEL_BELL */
    size_t neighbours;                  /* of LOF; 0: TS_LOF_NEIGHBOURS */
    double tick;                        /* values are counted in it; 0: as they are */
    double floor;                       /* of reach distances; NAN: one tick, or the smallest gap */
    bool force; /* also where the method does not apply (too few values, too many heights) */
};

struct ts_outliers {
    size_t count;
    bool *marked;      /* owned; [count of values], in the order they were given */
    double tick;       /* that was counted in, 0: none */
    double cut_height; /* in the values' unit; NAN when all values are equal */
    double cut_level;
    size_t heights, distinct;
    struct ts_level_range ideal; /* of algorithm 1; NAN else */
};

/* TS_ENOTSUP: the method does not apply, *why says how; TS_EINVAL: a rule is out of range;
 * TS_ENOMEM. O(n log n) time and O(n) memory for either algorithm. */
int ts_outliers_of(const double *values, size_t count, const struct ts_outlier_rules *rules,
                   struct ts_outliers *out, struct ts_why *why) TS_MUST_CHECK;
void ts_outliers_free(struct ts_outliers *of);

#endif
