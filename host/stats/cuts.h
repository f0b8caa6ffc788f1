/* SPDX-License-Identifier: GPL-3.0-or-later */
/* At which height to cut a dendrogram of timings so that what noise made stands apart.
 *
 * Paper O: Rehn, Holdsworth, Lee, "Automated Outlier Removal for Mobile Microbenchmarking
 * Datasets". After a cut, a cluster is an outlier iff it has less than 1 % of all values AND lies
 * right of the median (section IV; of the equalities the prose is followed, not line 9 of
 * algorithm 1). The least size is max(2, ceil(count / 100)) [decision: 1 % of fewer than 101 values
 * would be 1, which nothing is below].
 *
 * Cut candidates are the distinct heights (definition 5), 0 among them if values repeat; the i-th
 * of m, counted from 1, has the level i / m (definition 6). A cluster once kept is kept at every
 * greater height, so the number of outliers falls from candidate to candidate, and one pass over
 * the merges judges all of them in O(u log u), where cutting anew for each costs O(u^2). */
#ifndef TS_STATS_CUTS_H
#define TS_STATS_CUTS_H

#include "stats/linkage.h"

#include <stdbool.h>

struct ts_cut {
    double height;
    size_t outliers;    /* values, not distinct ones */
    size_t lonely;      /* of the outliers, those with LOF > 1: a diagnostic of paper O's prose */
    double cleaned_lof; /* mean LOF of what is kept (algorithm 1, line 14); NAN without LOF */
};

struct ts_cuts {
    size_t count;
    struct ts_cut *cuts; /* owned; heights rise */
    size_t visits;       /* clusters looked at: what the pass costs */
};

/* lof: [distinct->count] from stats/lof.h, or NULL when only heights and counts are asked for.
 * count is 0 for a sample of one value. Means are summed along a tree of fixed shape over the
 * sorted values, so that equal sets have bit-equal means. TS_ENOMEM. */
int ts_cuts_of(const struct ts_distinct *distinct, const struct ts_linkage *linkage,
               const double *lof, struct ts_cuts *out) TS_MUST_CHECK;
void ts_cuts_free(struct ts_cuts *of);

/* Algorithm 1: of the candidates with the least mean LOF the greatest (definition 4). Needs LOF and
 * at least one candidate. */
size_t ts_cuts_ideal(const struct ts_cuts *cuts);

/* marked[distinct->count]: true for the values that a cut at `height` makes outliers. TS_ENOMEM. */
int ts_cuts_mark(const struct ts_distinct *distinct, const struct ts_linkage *linkage,
                 double height, bool *marked) TS_MUST_CHECK;

#endif
