/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/linkage.h"

#include <stdbool.h>
#include <stdlib.h>

/* A union that may still come: first and last say which, for clusters only grow and so no two
 * pairs of neighbours ever have the same union. */
struct candidate {
    double height;
    uint32_t first, last;
};

struct work {
    const double *values;
    struct candidate *heap; /* [3 u]: u - 1 at first, and each merge adds two at most */
    size_t heap_count;
    uint32_t *last_of, *first_of; /* of the cluster that begins, that ends, at an index */
};

static bool before(const struct candidate *a, const struct candidate *b)
{
    return a->height < b->height || (a->height <= b->height && a->first < b->first);
}

static void push(struct work *work, size_t first, size_t last)
{
    const struct candidate item = {work->values[last] - work->values[first], (uint32_t)first,
                                   (uint32_t)last};
    size_t at = work->heap_count++;
    for (; at && before(&item, &work->heap[(at - 1) / 2]); at = (at - 1) / 2)
        work->heap[at] = work->heap[(at - 1) / 2];
    work->heap[at] = item;
}

static struct candidate pop(struct work *work)
{
    const struct candidate least = work->heap[0], item = work->heap[--work->heap_count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < work->heap_count; at = child) {
        if (child + 1 < work->heap_count && before(&work->heap[child + 1], &work->heap[child]))
            child++;
        if (!before(&work->heap[child], &item))
            break;
        work->heap[at] = work->heap[child];
    }
    work->heap[at] = item;
    return least;
}

/* Both halves are still clusters: one begins at first, its neighbour ends at last. */
static bool is_open(const struct work *work, struct candidate of)
{
    const uint32_t middle = work->last_of[of.first];
    return work->first_of[middle] == of.first && middle < of.last &&
           work->last_of[middle + 1] == of.last && work->first_of[of.last] == middle + 1;
}

static void merge_all(struct work *work, size_t count, struct ts_linkage *out)
{
    for (size_t i = 0; i < count; i++)
        work->last_of[i] = work->first_of[i] = (uint32_t)i;
    for (size_t i = 0; i + 1 < count; i++)
        push(work, i, i + 1);
    while (work->heap_count) {
        const struct candidate next = pop(work);
        if (!is_open(work, next))
            continue;
        out->merges[out->count++] =
            (struct ts_merge){next.height, next.first, work->last_of[next.first] + 1, next.last};
        work->last_of[next.first] = next.last;
        work->first_of[next.last] = next.first;
        if (next.first)
            push(work, work->first_of[next.first - 1], next.last);
        if ((size_t)next.last + 1 < count)
            push(work, next.first, work->last_of[next.last + 1]);
    }
}

int ts_linkage_of(const struct ts_distinct *distinct, struct ts_linkage *out)
{
    const size_t count = distinct->count;
    *out = (struct ts_linkage){0};
    if (count >= UINT32_MAX)
        return TS_EINVAL;
    struct work work = {.values = distinct->values,
                        .heap = malloc((3 * count + 1) * sizeof *work.heap),
                        .last_of = malloc((count + 1) * sizeof *work.last_of),
                        .first_of = malloc((count + 1) * sizeof *work.first_of)};
    out->merges = malloc((count + 1) * sizeof *out->merges);
    int err = TS_OK;
    if (work.heap && work.last_of && work.first_of && out->merges)
        merge_all(&work, count, out);
    else
        err = TS_ENOMEM;
    free(work.heap);
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
