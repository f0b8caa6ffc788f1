/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/running.h"

#include "stats/order.h"

#include <stdlib.h>
#include <string.h>

/* Counts by rank among all values; 1-based, as Fenwick trees are. */
struct counts {
    size_t *tree;
    const double *sorted;
    size_t size, top; /* top: the greatest power of two in size */
};

static void add(struct counts *counts, double value)
{
    size_t low = 0, high = counts->size;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (counts->sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t at = low + 1; at <= counts->size; at += at & (~at + 1))
        counts->tree[at]++;
}

/* The value with `rank` smaller or equal ones before it. */
static double at_rank(const struct counts *counts, size_t rank)
{
    size_t at = 0;
    for (size_t step = counts->top; step; step /= 2) {
        if (at + step <= counts->size && counts->tree[at + step] <= rank) {
            at += step;
            rank -= counts->tree[at];
        }
    }
    return counts->sorted[at];
}

static double quantile(const struct counts *counts, size_t count, double p)
{
    const double at = (double)(count - 1) * p;
    const size_t below = (size_t)at;
    const double low = at_rank(counts, below);
    if (below + 1 >= count)
        return low;
    return low + (at - (double)below) * (at_rank(counts, below + 1) - low);
}

int ts_running_median(const double *values, size_t count, double *medians, double *iqrs)
{
    double *sorted = malloc((count + 1) * sizeof *sorted);
    struct counts counts = {calloc(count + 1, sizeof *counts.tree), sorted, count, 1};
    const int err = sorted && counts.tree ? TS_OK : TS_ENOMEM;
    if (!err && count) {
        memcpy(sorted, values, count * sizeof *sorted);
        ts_sort(sorted, count);
        while (counts.top <= count / 2)
            counts.top *= 2;
    }
    for (size_t i = 0; !err && i < count; i++) {
        add(&counts, values[i]);
        medians[i] = quantile(&counts, i + 1, 0.5);
        iqrs[i] = quantile(&counts, i + 1, 0.75) - quantile(&counts, i + 1, 0.25);
    }
    free(sorted);
    free(counts.tree);
    return err;
}
