/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/linkage.h"

#include <stdbool.h>
#include <stdlib.h>

struct work {
    const double *values;
    size_t count;
    uint32_t *last_of, *first_of; /* of the cluster that begins, that ends, at an index */
};

/* Unions in the order in which they come: by height, equal ones from left to right. What holds
 * another one, rounded to the same height, ends with it or behind it, and is later. */
static int compare(const void *a, const void *b)
{
    const struct ts_merge *x = a, *y = b;
    if (x->height < y->height || x->height > y->height)
        return x->height < y->height ? -1 : 1;
    if (x->last != y->last)
        return x->last < y->last ? -1 : 1;
    return (y->first > x->first) - (y->first < x->first);
}

/* The cluster that begins at `first` is nearer to its neighbour on the left; of equals, the left.
 */
static bool leans_left(const struct work *work, size_t first)
{
    const double *x = work->values;
    const size_t last = work->last_of[first];
    if (!first || last + 1 == work->count)
        return first > 0;
    const double left = x[last] - x[work->first_of[first - 1]];
    return left <= x[work->last_of[last + 1]] - x[first];
}

/* Each cluster up to `first` has its nearest neighbour on the right, so that the first one whose
 * nearest is on the left is the nearest of that one too. What they become stands farther from all
 * others than they did, and the same holds for those before it. */
static void merge_all(struct work *work, struct ts_linkage *out)
{
    for (size_t i = 0; i < work->count; i++)
        work->last_of[i] = work->first_of[i] = (uint32_t)i;
    for (size_t first = 0; out->count + 1 < work->count;) {
        const size_t last = work->last_of[first];
        if (!leans_left(work, first)) {
            first = last + 1;
            continue;
        }
        const size_t before = work->first_of[first - 1];
        out->merges[out->count++] =
            (struct ts_merge){work->values[last] - work->values[before], (uint32_t)before,
                              (uint32_t)first, (uint32_t)last};
        work->last_of[before] = (uint32_t)last;
        work->first_of[last] = (uint32_t)before;
        first = before ? work->first_of[before - 1] : before;
    }
}

int ts_linkage_of(const struct ts_distinct *distinct, struct ts_linkage *out)
{
    const size_t count = distinct->count;
    *out = (struct ts_linkage){0};
    if (count >= UINT32_MAX)
        return TS_EINVAL;
    struct work work = {.values = distinct->values,
                        .count = count,
                        .last_of = calloc(count + 1, sizeof *work.last_of),
                        .first_of = calloc(count + 1, sizeof *work.first_of)};
    out->merges = malloc((count + 1) * sizeof *out->merges);
    int err = TS_OK;
    if (work.last_of && work.first_of && out->merges) {
        merge_all(&work, out);
        qsort(out->merges, out->count, sizeof *out->merges, compare);
    } else {
        err = TS_ENOMEM;
    }
    free(work.last_of);
    free(work.first_of);
    if (err)
        ts_linkage_free(out);
    return err;
}

void ts_linkage_free(struct ts_linkage *of)
{
    free(of->merges);
    *of = (struct ts_linkage){0};
}
