/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/emit_parts.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One node of all trees, in one array. */
struct node {
    long feature; /* -1: a leaf */
    float value;  /* of the leaf, or where it splits: below goes to `yes` */
    size_t yes, no, missing;
};

struct nodes {
    struct node *items; /* owned */
    size_t count, capacity;
    size_t *roots; /* owned */
    size_t root_count, root_capacity;
    size_t columns;
};

#define DEPTH_MOST 128

static int bad_dump(struct ts_why *why)
{
    return ts_fail(why, TS_EPROTO, "this is no forest's dump");
}

static int new_node(struct nodes *nodes, size_t *out)
{
    void *items = nodes->items;
    struct node *to = ts_grow(&items, &nodes->count, &nodes->capacity, sizeof *to);
    nodes->items = items;
    *out = nodes->count - 1;
    return to ? TS_OK : TS_ENOMEM;
}

static int read_split(const json_t *from, struct node *to, size_t columns)
{
    const char *split = json_string_value(json_object_get(from, "split"));
    const json_t *at = json_object_get(from, "split_condition");
    char *end;
    if (!split || *split != 'f' || !json_is_number(at))
        return TS_EPROTO;
    to->feature = strtol(split + 1, &end, 10);
    to->value = (float)json_number_value(at);
    return *end || to->feature < 0 || (size_t)to->feature >= columns ? TS_EPROTO : TS_OK;
}

/* The recursion is as deep as the tree, which DEPTH_MOST bounds. */
static int read_node(struct nodes *nodes, const json_t *from, int depth, size_t *out)
{
    const json_t *leaf = json_object_get(from, "leaf");
    int err = depth > DEPTH_MOST ? TS_EPROTO : new_node(nodes, out);
    if (err)
        return err;
    struct node node = {.feature = -1, .value = (float)json_number_value(leaf)};
    if (json_is_number(leaf)) {
        nodes->items[*out] = node;
        return TS_OK;
    }
    err = read_split(from, &node, nodes->columns);
    static const char *const names[] = {"yes", "no", "missing"};
    size_t *const to[] = {&node.yes, &node.no, &node.missing};
    size_t i, found = 0;
    const json_t *child;
    json_array_foreach(json_object_get(from, "children"), i, child)
    {
        const json_int_t id = json_integer_value(json_object_get(child, "nodeid"));
        size_t at = 0;
        if (!err)
            err = read_node(nodes, child, depth + 1, &at);
        for (int k = 0; k < 3; k++) {
            if (json_integer_value(json_object_get(from, names[k])) != id)
                continue;
            *to[k] = at;
            found++;
        }
    }
    nodes->items[*out] = node;
    return err ? err : found == 3 ? TS_OK : TS_EPROTO;
}

static int read_dump(const char *dump, size_t size, size_t columns, struct nodes *out,
                     struct ts_why *why)
{
    json_t *root = json_loadb(dump, size, 0, NULL);
    const json_t *tree;
    size_t i;
    int err = json_is_array(root) ? TS_OK : TS_EPROTO;
    *out = (struct nodes){.columns = columns};
    json_array_foreach(root, i, tree)
    {
        void *roots = out->roots;
        size_t *to =
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

static void free_nodes(struct nodes *nodes)
{
    free(nodes->items);
    free(nodes->roots);
}

int ts_emit_forest_uses(const char *dump, size_t size, size_t count, bool *used, struct ts_why *why)
{
    struct nodes nodes;
    const int err = read_dump(dump, size, count, &nodes, why);
    for (size_t i = 0; i < count; i++)
        used[i] = false;
    for (size_t i = 0; i < nodes.count && !err; i++) {
        if (nodes.items[i].feature >= 0)
            used[nodes.items[i].feature] = true;
    }
    free_nodes(&nodes);
    return err;
}

static int put_trees(const struct nodes *nodes, double base, struct ts_buf *out)
{
    int err = ts_buf_printf(out,
                            "struct node {\n    float value; /* of a leaf, or the split */\n"
                            "    int feature; /* -1: a leaf */\n"
                            "    int yes, no, missing;\n};\n\n"
                            "static const struct node nodes[%zu] = {\n",
                            nodes->count);
    for (size_t i = 0; i < nodes->count && !err; i++) {
        const struct node *node = &nodes->items[i];
        err = ts_buf_printf(out, "{%af,%ld,%zu,%zu,%zu},\n", (double)node->value, node->feature,
                            node->yes, node->no, node->missing);
    }
    if (!err)
        err = ts_buf_printf(out, "};\n\nstatic const int roots[%zu] = {", nodes->root_count);
    for (size_t i = 0; i < nodes->root_count && !err; i++)
        err = ts_buf_printf(out, "%s%zu", i % 16 ? "," : i ? ",\n" : "\n", nodes->roots[i]);
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
        "    return (double)sum;\n}\n",
        base, nodes->root_count);
}

int ts_emit_forest(const char *dump, size_t size, double base,
                   const struct ts_emit_columns *columns, struct ts_buf *out, struct ts_why *why)
{
    struct nodes nodes = {0};
    bool *used = calloc(columns->count + 1, sizeof *used);
    if (!used)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    int err = ts_emit_forest_uses(dump, size, columns->count, used, why);
    if (!err)
        err = read_dump(dump, size, columns->count, &nodes, why);
    if (!err && (ts_emit_head(columns, used, out) || put_trees(&nodes, base, out)))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    free_nodes(&nodes);
    free(used);
    return err;
}
