/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/cuts.h"

#include <math.h>
#include <stdlib.h>

/* The clusters between two cuts. Only the marks change as they merge, and each at most once. */
struct marks {
    const struct ts_distinct *distinct;
    const double *lof; /* NULL: not asked for */
    bool *marked;      /* borrowed; [distinct->count] */
    double *tree;      /* owned; sums of LOF over what is kept: node i adds 2 i and 2 i + 1 */
    size_t leaves;     /* a power of two */
    double median;
    size_t least; /* a cluster of fewer values is small */
    size_t outliers, lonely;
    size_t visits;
};

static bool is_outlier(const struct marks *marks, size_t first, size_t last)
{
    const size_t *at = marks->distinct->first;
    return at[last + 1] - at[first] < marks->least &&
           marks->distinct->values[first] > marks->median;
}

static void keep(struct marks *marks, size_t i)
{
    const size_t copies = ts_distinct_copies(marks->distinct, i);
    marks->marked[i] = false;
    marks->outliers -= copies;
    if (!marks->lof)
        return;
    if (marks->lof[i] > 1)
        marks->lonely -= copies;
    size_t node = marks->leaves + i;
    marks->tree[node] = (double)copies * marks->lof[i];
    for (node /= 2; node; node /= 2)
        marks->tree[node] = marks->tree[2 * node] + marks->tree[2 * node + 1];
}

static void keep_all(struct marks *marks, size_t first, size_t end)
{
    if (!marks->marked[first])
        return;
    for (size_t i = first; i < end; i++)
        keep(marks, i);
}

static double median_of(const struct ts_distinct *of)
{
    const size_t total = ts_distinct_total(of);
    size_t low = 0;
    while (of->first[low + 1] <= (total - 1) / 2)
        low++;
    const size_t high = of->first[low + 1] <= total / 2 ? low + 1 : low;
    return of->values[low] + (of->values[high] - of->values[low]) / 2;
}

/* Every distinct value a cluster of its own. */
static int begin(struct marks *marks, const struct ts_distinct *distinct, const double *lof,
                 bool *marked)
{
    const size_t total = ts_distinct_total(distinct), least = (total + 99) / 100;
    *marks = (struct marks){.distinct = distinct,
                            .lof = lof,
                            .marked = marked,
                            .leaves = 1,
                            .median = median_of(distinct),
                            .least = least > 2 ? least : 2};
    while (marks->leaves < distinct->count)
        marks->leaves *= 2;
    if (lof && !(marks->tree = calloc(2 * marks->leaves, sizeof *marks->tree)))
        return TS_ENOMEM;
    for (size_t i = 0; i < distinct->count; i++) {
        const size_t copies = ts_distinct_copies(distinct, i);
        marked[i] = is_outlier(marks, i, i);
        marks->visits++;
        if (marked[i]) {
            marks->outliers += copies;
            marks->lonely += lof && lof[i] > 1 ? copies : 0;
        } else if (lof) {
            marks->tree[marks->leaves + i] = (double)copies * lof[i];
        }
    }
    for (size_t node = marks->leaves - 1; lof && node; node--)
        marks->tree[node] = marks->tree[2 * node] + marks->tree[2 * node + 1];
    return TS_OK;
}

static void merge(struct marks *marks, const struct ts_merge *merge)
{
    marks->visits++;
    if (is_outlier(marks, merge->first, merge->last))
        return;
    keep_all(marks, merge->first, merge->right);
    keep_all(marks, merge->right, (size_t)merge->last + 1);
}

static void note(const struct marks *marks, double height, struct ts_cuts *out)
{
    const size_t kept = ts_distinct_total(marks->distinct) - marks->outliers;
    out->cuts[out->count++] =
        (struct ts_cut){height, marks->outliers, marks->lonely,
                        marks->lof ? marks->tree[1] / (double)kept : (double)NAN};
}

int ts_cuts_of(const struct ts_distinct *distinct, const struct ts_linkage *linkage,
               const double *lof, struct ts_cuts *out)
{
    *out = (struct ts_cuts){0};
    if (!distinct->count)
        return TS_OK;
    struct marks marks = {0};
    int err = TS_ENOMEM;
    bool *marked = malloc(distinct->count * sizeof *marked);
    out->cuts = malloc(distinct->count * sizeof *out->cuts);
    if (!marked || !out->cuts || (err = begin(&marks, distinct, lof, marked)))
        goto end;
    if (ts_distinct_total(distinct) > distinct->count)
        note(&marks, 0, out);
    for (size_t i = 0; i < linkage->count; i++) {
        const double height = linkage->merges[i].height;
        merge(&marks, &linkage->merges[i]);
        if (i + 1 == linkage->count || linkage->merges[i + 1].height > height)
            note(&marks, height, out);
    }
    out->visits = marks.visits;
end:
    free(marked);
    free(marks.tree);
    if (err)
        ts_cuts_free(out);
    return err;
}

void ts_cuts_free(struct ts_cuts *of)
{
    free(of->cuts);
    *of = (struct ts_cuts){0};
}

size_t ts_cuts_ideal(const struct ts_cuts *cuts)
{
    size_t best = 0;
    for (size_t i = 1; i < cuts->count; i++) {
        if (cuts->cuts[i].cleaned_lof <= cuts->cuts[best].cleaned_lof)
            best = i;
    }
    return best;
}

int ts_cuts_mark(const struct ts_distinct *distinct, const struct ts_linkage *linkage,
                 double height, bool *marked)
{
    struct marks marks;
    if (!distinct->count)
        return TS_OK;
    const int err = begin(&marks, distinct, NULL, marked);
    for (size_t i = 0; !err && i < linkage->count && linkage->merges[i].height <= height; i++)
        merge(&marks, &linkage->merges[i]);
    return err;
}
