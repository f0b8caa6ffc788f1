/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/emit_parts.h"
#include "estimators/trees.h"

#include <stdio.h>
#include <stdlib.h>

int ts_emit_forest_uses(const char *dump, size_t size, size_t count, bool *used, struct ts_why *why)
{
    struct ts_trees trees;
    const int err = ts_trees_parse(dump, size, count, &trees, why);
    for (size_t i = 0; i < count; i++)
        used[i] = false;
    for (size_t i = 0; i < trees.node_count && !err; i++) {
        if (trees.nodes[i].feature >= 0)
            used[trees.nodes[i].feature] = true;
    }
    ts_trees_free(&trees);
    return err;
}

static int put_trees(const struct ts_trees *trees, struct ts_emit_sum sum, struct ts_buf *out)
{
    char result[80] = "(double)sum";
    if (sum.logarithm)
        snprintf(result, sizeof result, "%a * exp((double)sum)", sum.factor);
    int err = ts_buf_printf(out,
                            "%sstruct node {\n    float value; /* of a leaf, or the split */\n"
                            "    int feature; /* -1: a leaf */\n"
                            "    int yes, no, missing;\n};\n\n"
                            "static const struct node nodes[%zu] = {\n",
                            sum.logarithm ? "#include <math.h>\n\n" : "", trees->node_count);
    for (size_t i = 0; i < trees->node_count && !err; i++) {
        const struct ts_tree_node *node = &trees->nodes[i];
        err = ts_buf_printf(out, "{%af,%d,%d,%d,%d},\n", (double)node->value, node->feature,
                            node->next[0], node->next[1], node->missing);
    }
    if (!err)
        err = ts_buf_printf(out, "};\n\nstatic const int roots[%zu] = {", trees->root_count);
    for (size_t i = 0; i < trees->root_count && !err; i++)
        err = ts_buf_printf(out, "%s%d", i % 16 ? "," : i ? ",\n" : "\n", trees->roots[i]);
    if (err)
        return err;
    return ts_buf_printf(
        out,
        "};\n\ndouble touchstone_estimate(const double *features)\n{\n"
        "    float sum = %af;\n"
        "    for (int tree = 0; tree < %zu; tree++) {\n"
        "        int at = roots[tree];\n"
        "        while (nodes[at].feature >= 0) {\n"
        "            const float value = (float)features[nodes[at].feature];\n"
        "            at = value != value ? nodes[at].missing\n"
        "                 : value < nodes[at].value ? nodes[at].yes : nodes[at].no;\n"
        "        }\n"
        "        sum += nodes[at].value;\n"
        "    }\n"
        "    return %s;\n}\n",
        sum.base, trees->root_count, result);
}

int ts_emit_forest(const char *dump, size_t size, struct ts_emit_sum sum,
                   const struct ts_emit_columns *columns, struct ts_buf *out, struct ts_why *why)
{
    struct ts_trees trees = {0};
    bool *used = calloc(columns->count + 1, sizeof *used);
    if (!used)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = ts_emit_forest_uses(dump, size, columns->count, used, why);
    if (!err)
        err = ts_trees_parse(dump, size, columns->count, &trees, why);
    if (!err && (ts_emit_head(columns, used, out) || put_trees(&trees, sum, out)))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_trees_free(&trees);
    free(used);
    return err;
}
