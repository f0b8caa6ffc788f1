/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which cut level (stats/cuts.h) to take without looking at LOF: paper O, section V. */
#ifndef TS_STATS_CUT_LEVELS_H
#define TS_STATS_CUT_LEVELS_H

#include "stats/cuts.h"

/* Levels low .. high, both in 0..1. A candidate stands for the levels from its predecessor's to its
 * own [decision: so that no range is empty]. */
struct ts_level_range {
    double low, high;
};
/* The candidates that mark as many outliers as the ideal one. */
struct ts_level_range ts_ideal_range(const struct ts_cuts *cuts);

/* Between two neighbouring ends of the ideal ranges of several samples: how many of these cover it
 * (figure 3). */
struct ts_overlap {
    double low, high;
    size_t count;
};
/* out[2 * count - 1]; gives how many are filled: from the lowest end to the highest, without gaps.
 * negative: TS_ENOMEM. */
long ts_overlaps(const struct ts_level_range *ranges, size_t count,
                 struct ts_overlap *out) TS_MUST_CHECK;

/* A curve over levels 0..1 that ranks them (figure 4). */
#define TS_LEVEL_DEGREE 6
struct ts_level_curve {
    double centre;                        /* of a bell; NAN: the polynomial */
    double legendre[TS_LEVEL_DEGREE + 1]; /* sum of legendre[k] P_k(2 level - 1) */
};
/* The bell is exp(-(level - centre)^2 / 2); which level ranks highest depends on its centre alone,
 * whatever its width. Paper O states none; 0.45 is the middle of its peak, 0.3 to 0.6. */
#define TS_LEVEL_BELL ((struct ts_level_curve){.centre = 0.45})
/* The polynomial of degree 6 that is nearest (least squares over 0..1) to the overlap counts, as
 * shares of `ranges`. It is found by projection on Legendre polynomials. */
struct ts_level_curve ts_level_polynomial(const struct ts_overlap *overlaps, size_t overlap_count,
                                          size_t range_count);
/* One such, for a person without samples of their own: paper O does not print its coefficients, so
 * these come from 400 samples of the generator in tests/unit/stats/corpus.h. */
extern const struct ts_level_curve ts_level_polynomial_known;

double ts_level_rank(const struct ts_level_curve *curve, double level);
/* Algorithm 2: the best ranked of count candidates (at least 1), of equal ones the greatest height.
 * Gives its index. */
size_t ts_level_best(const struct ts_level_curve *curve, size_t count);

#endif
