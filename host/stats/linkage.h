/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agglomerative clustering on the line with complete linkage (D. Muellner, "Modern hierarchical,
 * agglomerative clustering algorithms", arXiv:1109.2378, section 2; the clustering of paper O,
 * section IV): the two clusters whose union spans least become one, until one is left.
 *
 * On the line only neighbours ever merge and a union's span is its last value minus its first. Two
 * clusters that are each other's nearest may merge at once, whatever else is nearer elsewhere (the
 * chain of nearest neighbours: F. Murtagh, "A survey of recent advances in hierarchical clustering
 * algorithms", The Computer J. 26 (1983) 354-359); on the line the chain runs from left to right
 * and the dendrogram takes O(u), u distinct values, and O(u) memory; its heights are then sorted,
 * in O(u log u). Ties: the leftmost pair first. The heights are those of scipy and fastcluster for
 * the sorted sample (equal values merge at height 0 before all others and are not listed here); for
 * an unsorted one those break ties otherwise and give other heights.
 */
#ifndef TS_STATS_LINKAGE_H
#define TS_STATS_LINKAGE_H

#include "stats/distinct.h"

#include <stdint.h>

/* The distinct values first .. right - 1 and right .. last become one. */
struct ts_merge {
    double height;
    uint32_t first, right, last;
};

struct ts_linkage {
    size_t count;            /* distinct values less one */
    struct ts_merge *merges; /* owned; as they happen, so heights never fall */
};

/* TS_ENOMEM; TS_EINVAL: 2^32 distinct values or more. */
int ts_linkage_of(const struct ts_distinct *distinct, struct ts_linkage *out) TS_MUST_CHECK;
void ts_linkage_free(struct ts_linkage *of);

#endif
