/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How often one sample is above another: what rank tests of two samples rest on.
 *
 *     p = P(b > a) + P(b = a) / 2,    Cliff's delta = 2 p - 1.
 *
 * E. Brunner, U. Munzel, "The nonparametric Behrens-Fisher problem: asymptotic theory and a
 * small-sample approximation", Biometrical J. 42 (2000) 17-25: the samples may differ in spread and
 * shape, and have ties. statistic = (p - 1/2) / u, and its degrees of freedom by Satterthwaite's
 * formula (their section 4): with placement Y_j, the share of a below b_j (of equal ones half), X_i
 * that of b below a_i, and v = s^2 / n of the placements of each sample
 *     p = mean Y,  u = sqrt(v_a + v_b),  (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)).
 *
 * Values that resemble their neighbours in time say less, and a running trend that both samples
 * have leaves their difference alone. Both samples are taken to do so alike (stats/serial.h, of
 * ranks in time order, pooled, which halves what chance adds to the estimate): each sample's part
 * of the variance is that of its placements less the samples' common slope, times the factor of
 * what lasts, over the share of squares that means and slope left. Where samples differ in length,
 * what a common trend makes of that, slope * (n_b - n_a) / 2, is added to u as if it could have
 * either sign: the estimate is not moved. The degrees of freedom are less by how unsure the factor
 * is. */
#ifndef TS_STATS_RELATIVE_H
#define TS_STATS_RELATIVE_H

#include "base/err.h"
#include "stats/interval.h"
#include "stats/serial.h"

#include <stdbool.h>
#include <stdint.h>

/* Values in the order in which they were measured; all finite. Borrowed. */
struct ts_sample {
    const double *values;
    size_t count;
};

/* A sample sorted once, for many questions. */
struct ts_ranked {
    size_t count;
    double *sorted; /* owned */
    double *places; /* owned; of each sorted value in time, about their mean; 0: independent */
    struct ts_serial serial; /* of the ranks as shares of count, in time order; 0: independent */
    double correlation;      /* of neighbours, by this sample alone, its running trend taken out */
    double effective; /* by this sample alone: independent values that say as much; <= count */
};
/* independent: no look at the order. TS_ENOMEM; TS_EINVAL: fewer than 2 values. */
int ts_ranked_of(struct ts_sample sample, bool independent, struct ts_ranked *out) TS_MUST_CHECK;
/* Their logarithms, which have the same ranks; values > 0. TS_ENOMEM. */
int ts_ranked_logs(const struct ts_ranked *of, struct ts_ranked *out) TS_MUST_CHECK;
void ts_ranked_free(struct ts_ranked *of);

struct ts_relative {
    double p, u;
    double statistic; /* -INFINITY or INFINITY when the samples do not overlap */
    double freedom;
    double p_two_sided;
    double p_above, p_below; /* one-sided: small when b is above a; when b is below a */
};

/* b's values are taken as b + shift. */
struct ts_relative ts_relative_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                  double shift);

/* Cliff's delta with its interval (N. Cliff, "Dominance statistics: ordinal analyses to answer
 * ordinal questions", Psychological Bulletin 114 (1993) 494-509). The interval is that of p on the
 * logistic scale, with Student's t, so that it stays within -1 .. 1 (E. Brunner, A. Bathke, F.
 * Konietschke, Rank and Pseudo-Rank Procedures, 2018, section 3.7):
 * log(p / (1 - p)) -+ t u / (p (1 - p)). coverage is the level asked
 * for. When the samples do not overlap, p is taken for half a pair short of 0 or 1. */
struct ts_delta {
    double delta;
    struct ts_interval interval;
};
struct ts_delta ts_cliffs_delta(const struct ts_ranked *a, const struct ts_ranked *b, double level);

/* The same test with its distribution from `draws` random relabellings of all values (every one of
 * them when there are no more than that): K. Neubert, E. Brunner, "A studentized permutation test
 * for the non-parametric Behrens-Fisher problem", Computational Statistics & Data Analysis 51
 * (2007) 5192-5204. It keeps its level for samples of 7 and more of unequal spread, and of any size
 * for equal distributions; it supposes independent values. p of relabellings is
 * (1 + as extreme) / (1 + draws) where they are drawn. TS_ENOMEM. */
struct ts_permuted {
    double p_two_sided, p_above, p_below;
    bool exact; /* all relabellings */
};
int ts_relative_permuted(struct ts_sample a, struct ts_sample b, size_t draws, uint64_t seed,
                         struct ts_permuted *out) TS_MUST_CHECK;

#endif
