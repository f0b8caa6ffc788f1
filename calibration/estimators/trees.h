/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trees of a forest as one array: what estimates walk through, and what the emitter writes. */
#ifndef TS_ESTIMATORS_TREES_H
#define TS_ESTIMATORS_TREES_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

struct ts_tree_node {
    float value;     /* of a leaf, or where it splits */
    int32_t feature; /* -1: a leaf */
    int32_t next[2]; /* below value; not below; a leaf: itself */
    int32_t missing;
};

struct ts_trees {
    struct ts_tree_node *nodes; /* owned */
    size_t node_count, node_capacity;
    int32_t *roots; /* owned; one a tree */
    size_t root_count, root_capacity;
    size_t columns;
};

/* dump: of ts_forest_dump(). TS_EPROTO: it is none, or splits by a feature beyond the columns. */
int ts_trees_parse(const char *dump, size_t size, size_t columns, struct ts_trees *out,
                   struct ts_why *why) TS_MUST_CHECK;
/* out[count]: base and a leaf of each tree, added up in the trees' order in single precision. rows:
 * count of `columns`, NAN where missing. */
void ts_trees_sum(const struct ts_trees *trees, float base, const float *rows, size_t count,
                  float *out);
void ts_trees_free(struct ts_trees *trees);

#endif
