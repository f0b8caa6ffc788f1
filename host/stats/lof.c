/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/lof.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The distinct values first .. last hold a value's neighbours, and the value itself. */
struct near {
    size_t first, last;
    double k_distance;
};

static struct near find_near(const struct ts_distinct *of, size_t at, size_t k)
{
    const double *x = of->values;
    struct near near = {at, at, 0};
    size_t found = ts_distinct_copies(of, at) - 1;
    while (found < k) {
        const double down = near.first ? x[at] - x[near.first - 1] : INFINITY;
        const double up = near.last + 1 < of->count ? x[near.last + 1] - x[at] : INFINITY;
        near.k_distance = fmin(down, up);
        found += ts_distinct_copies(of, down <= up ? --near.first : ++near.last);
    }
    /* What is as far away as the k-th on the other side. */
    if (near.first && x[at] - x[near.first - 1] <= near.k_distance)
        near.first--;
    if (near.last + 1 < of->count && x[near.last + 1] - x[at] <= near.k_distance)
        near.last++;
    return near;
}

/* The neighbours that have the value i. */
static double neighbours_with(const struct ts_distinct *of, size_t at, size_t i)
{
    return (double)(ts_distinct_copies(of, i) - (i == at));
}

int ts_lof_of(const struct ts_distinct *distinct, size_t k, double floor, double *out)
{
    if (!k || ts_distinct_total(distinct) <= k)
        return TS_EINVAL;
    struct near *near = calloc(distinct->count, sizeof *near);
    double *mean_reach = calloc(distinct->count, sizeof *mean_reach);
    if (!near || !mean_reach) {
        free(near);
        free(mean_reach);
        return TS_ENOMEM;
    }
    for (size_t at = 0; at < distinct->count; at++)
        near[at] = find_near(distinct, at, k);
    for (size_t at = 0; at < distinct->count; at++) {
        double sum = 0, count = 0;
        for (size_t i = near[at].first; i <= near[at].last; i++) {
            const double distance = fabs(distinct->values[i] - distinct->values[at]);
            const double weight = neighbours_with(distinct, at, i);
            sum += weight * fmax(fmax(near[i].k_distance, distance), floor);
            count += weight;
        }
        mean_reach[at] = sum / count;
    }
    for (size_t at = 0; at < distinct->count; at++) {
        double sum = 0, count = 0;
        for (size_t i = near[at].first; i <= near[at].last; i++) {
            const double weight = neighbours_with(distinct, at, i);
            const bool both_zero = mean_reach[at] <= 0 && mean_reach[i] <= 0;
            if (weight > 0)
                sum += weight * (both_zero ? 1 : mean_reach[at] / mean_reach[i]);
            count += weight;
        }
        out[at] = sum / count;
    }
    free(near);
    free(mean_reach);
    return TS_OK;
}
