/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/trees.h"

#include "base/buf.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define BLOCK 256 /* rows that one tree is walked for, while it is in the cache */
#define LANES 8   /* of them at a time */

#define DEPTH_MOST 128

static int bad_dump(struct ts_why *why)
{
    return ts_fail(why, TS_EPROTO, "this is no forest's dump");
}

static int new_node(struct ts_trees *trees, int32_t *out)
{
    void *nodes = trees->nodes;
    struct ts_tree_node *to =
        ts_grow(&nodes, &trees->node_count, &trees->node_capacity, sizeof *to);
    trees->nodes = nodes;
    *out = (int32_t)trees->node_count - 1;
    return to ? TS_OK : TS_ENOMEM;
}

static int read_split(const json_t *from, struct ts_tree_node *to, size_t columns)
{
    const char *split = json_string_value(json_object_get(from, "split"));
    const json_t *at = json_object_get(from, "split_condition");
    char *end;
    if (!split || *split != 'f' || !json_is_number(at))
        return TS_EPROTO;
    const long feature = strtol(split + 1, &end, 10);
    if (*end || feature < 0 || (size_t)feature >= columns || feature > INT32_MAX)
        return TS_EPROTO;
    to->feature = (int32_t)feature;
    to->value = (float)json_number_value(at);
    return TS_OK;
}

/* The recursion is as deep as the tree, which DEPTH_MOST bounds. */
static int read_node(struct ts_trees *trees, const json_t *from, int depth, int32_t *out)
{
    const json_t *leaf = json_object_get(from, "leaf");
    int err =
        depth > DEPTH_MOST || trees->node_count >= INT32_MAX ? TS_EPROTO : new_node(trees, out);
    if (err)
        return err;
    struct ts_tree_node node = {.feature = -1, .value = (float)json_number_value(leaf)};
    if (json_is_number(leaf)) {
        node.next[0] = node.next[1] = node.missing = *out;
        trees->nodes[*out] = node;
        return TS_OK;
    }
    err = read_split(from, &node, trees->columns);
    static const char *const names[] = {"yes", "no", "missing"};
    int32_t *const to[] = {&node.next[0], &node.next[1], &node.missing};
    size_t i, found = 0;
    const json_t *child;
    json_array_foreach(json_object_get(from, "children"), i, child)
    {
        const json_int_t id = json_integer_value(json_object_get(child, "nodeid"));
        int32_t at = 0;
        if (!err)
            err = read_node(trees, child, depth + 1, &at);
        for (int k = 0; k < 3; k++) {
            if (json_integer_value(json_object_get(from, names[k])) != id)
                continue;
            *to[k] = at;
            found++;
        }
    }
    trees->nodes[*out] = node;
    return err ? err : found == 3 ? TS_OK : TS_EPROTO;
}

int ts_trees_parse(const char *dump, size_t size, size_t columns, struct ts_trees *out,
                   struct ts_why *why)
{
    json_t *root = json_loadb(dump, size, 0, NULL);
    const json_t *tree;
    size_t i;
    int err = json_is_array(root) ? TS_OK : TS_EPROTO;
    *out = (struct ts_trees){.columns = columns};
    json_array_foreach(root, i, tree)
    {
        void *roots = out->roots;
        int32_t *to =
            err ? NULL : ts_grow(&roots, &out->root_count, &out->root_capacity, sizeof *to);
        out->roots = err ? out->roots : roots;
        if (!err)
            err = to ? read_node(out, tree, 0, to) : TS_ENOMEM;
    }
    json_decref(root);
    return err == TS_EPROTO || (!err && !out->root_count) ? bad_dump(why)
           : err                                          ? ts_fail(why, err, "out of memory")
                                                          : TS_OK;
}

/* Some rows at a time go down one tree, so that the processor need not wait for each step of each;
 * who has come to a leaf steps in place. No branch on what nobody can predict. */
static void walk_tree(const struct ts_trees *trees, size_t tree, const float *rows, size_t count,
                      float *out)
{
    const struct ts_tree_node *nodes = trees->nodes;
    int32_t at[LANES];
    bool open = true;
    for (size_t i = 0; i < LANES; i++)
        at[i] = trees->roots[tree];
    while (open) {
        open = false;
        for (size_t i = 0; i < count; i++) {
            const struct ts_tree_node *node = &nodes[at[i]];
            const size_t feature = node->feature < 0 ? 0 : (size_t)node->feature;
            const float value = rows[i * trees->columns + feature];
            const int32_t next = node->next[!(value < node->value)];
            at[i] = isnan(value) ? node->missing : next;
            open |= node->feature >= 0;
        }
    }
    for (size_t i = 0; i < count; i++)
        out[i] += nodes[at[i]].value;
}

void ts_trees_sum(const struct ts_trees *trees, float base, const float *rows, size_t count,
                  float *out)
{
    for (size_t i = 0; i < count; i++)
        out[i] = base;
    for (size_t first = 0; first < count; first += BLOCK) {
        const size_t last = count - first < BLOCK ? count : first + BLOCK;
        for (size_t tree = 0; tree < trees->root_count; tree++) {
            for (size_t i = first; i < last; i += LANES)
                walk_tree(trees, tree, rows + i * trees->columns,
                          last - i < LANES ? last - i : LANES, out + i);
        }
    }
}

void ts_trees_free(struct ts_trees *trees)
{
    free(trees->nodes);
    free(trees->roots);
    *trees = (struct ts_trees){0};
}
