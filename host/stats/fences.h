/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where values stop being ordinary. Tukey's own fences are in stats/order.h: (1) and (2) of the
 * numbering below.
 *
 * Paper N: Rehn, Hamilton, Holdsworth, "Towards an Adaptive OS Noise Mitigation Technique for
 * Microbenchmarking on Apple iPad Devices", ICEB 2014, section "Outlier removal". Q0 is the
 * smallest value; quantiles are of type 7 (the paper does not say which):
 *     (1) Q1 - 1.5 (Q3 - Q1)    (2) Q3 + 1.5 (Q3 - Q1)
 *     (3) Q3 + 1.5 (Q3 - Q0)    (4) P95 + 3 (P95 - Q0)
 * (3) and (4) are for times that have a hard lower bound: what lies left of the median is never
 * beyond. Both are one formula with two parameters, which the paper found by trying many on
 * exemplars; ts_fence_search() does that. */
#ifndef TS_STATS_FENCES_H
#define TS_STATS_FENCES_H

#include "base/err.h"
#include "stats/order.h"

/* Q + ratio (Q - Q0), Q being the quantile `part`. */
struct ts_right_fence {
    double part, ratio;
};
#define TS_FENCE_QUARTILE ((struct ts_right_fence){0.75, 1.5}) /* (3) */
#define TS_FENCE_RECORDED ((struct ts_right_fence){0.95, 3.0}) /* (4): where the search ended */

/* The greatest value that is still an inlier; at least the median. NAN for an empty sample. */
double ts_right_fence_at(struct ts_right_fence fence, const double *sorted, size_t count);

/* The boxplot adjusted to skewed samples: M. Hubert, E. Vandervieren, "An adjusted boxplot for
 * skewed distributions", Computational Statistics & Data Analysis 52 (2008) 5186-5201, section 3:
 *     Q1 - 1.5 exp(-4 MC) (Q3 - Q1) .. Q3 + 1.5 exp(3 MC) (Q3 - Q1)    for MC >= 0,
 *     Q1 - 1.5 exp(-3 MC) (Q3 - Q1) .. Q3 + 1.5 exp(4 MC) (Q3 - Q1)    for MC < 0,
 * MC the medcouple. Their model holds for |MC| <= 0.6: beyond, TS_ENOTSUP, *why says so.
 * *medcouple is filled in either case. TS_EINVAL: empty sample. TS_ENOMEM. */
#define TS_ADJUSTED_MEDCOUPLE_MOST 0.6
int ts_adjusted_fences(const double *sorted, size_t count, struct ts_fences *out, double *medcouple,
                       struct ts_why *why) TS_MUST_CHECK;

/* ---- The search over (part, ratio) ---- */

/* The grid that is searched when there is no reason for another. */
#define TS_FENCE_GRID 36
void ts_fence_grid(struct ts_right_fence grid[TS_FENCE_GRID]);

/* A sample to try fences on. outlier_from: the smallest value that somebody judged an outlier
 * (INFINITY: there is none), NAN when nobody looked. */
struct ts_exemplar {
    const double *sorted;
    size_t count; /* at least 1 */
    double outlier_from;
};

/* One fence on one exemplar. */
struct ts_fence_trial {
    double cut;
    size_t removed;            /* values beyond it */
    double skewness, kurtosis; /* of the rest */
    double misjudged;          /* share of values on the wrong side; NAN where nobody looked */
    /* Share of values that would change sides if the cut's distance from the median were half, or
     * one and a half times, as large (all beyond it, if that distance is 0); and of those that it
     * keeps although they lie beyond P90 + 5 (P90 - Q0): then its own percentile is an outlier. In
     * place of P90 - Q0 the first step above Q0 is taken if that is larger: coarse clocks. */
    double border;
};
struct ts_fence_trial ts_fence_try(struct ts_right_fence fence, const struct ts_exemplar *exemplar);

/* A fence is acceptable when it misjudges at most one value in a thousand of every exemplar that
 * somebody looked at, and has at most as many at its border in the others (a cut through empty
 * space is one that a person would make too). The paper's criterion was the eye; this stands in for
 * it [decision]. Gives the index of the acceptable one nearest to the recorded (least |ln((1 -
 * part) / 0.05)| + |ln(ratio / 3)|), so the paper's result stands until exemplars speak against it;
 * when none is acceptable, of the one whose worst share is least. fence_count >= 1. */
#define TS_FENCE_ACCEPTABLE 0.001
size_t ts_fence_search(const struct ts_right_fence *fences, size_t fence_count,
                       const struct ts_exemplar *exemplars, size_t exemplar_count);

#endif
