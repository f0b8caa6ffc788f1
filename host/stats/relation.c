/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/relation.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

double ts_pearson(const double *x, const double *y, size_t count)
{
    if (count < 2)
        return NAN;
    const double mean_x = ts_mean(x, count), mean_y = ts_mean(y, count);
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (!(xx > 0 && yy > 0))
        return NAN;
    return fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
}

struct ranked {
    double value;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const double x = ((const struct ranked *)a)->value, y = ((const struct ranked *)b)->value;
    return (x > y) - (x < y);
}

static void rank(const double *values, size_t count, struct ranked *scratch, double *ranks)
{
    for (size_t i = 0; i < count; i++)
        scratch[i] = (struct ranked){values[i], i};
    qsort(scratch, count, sizeof *scratch, compare);
    for (size_t first = 0; first < count;) {
        size_t end = first + 1;
        while (end < count && !(scratch[end].value > scratch[first].value))
            end++;
        for (size_t i = first; i < end; i++)
            ranks[scratch[i].index] = (double)(first + end + 1) / 2;
        first = end;
    }
}

int ts_spearman(const double *x, const double *y, size_t count, double *rho)
{
    *rho = NAN;
    if (count < 2)
        return TS_OK;
    int err = TS_ENOMEM;
    struct ranked *scratch = calloc(count, sizeof *scratch);
    double *ranks_x = calloc(count, sizeof *ranks_x);
    double *ranks_y = calloc(count, sizeof *ranks_y);
    if (scratch && ranks_x && ranks_y) {
        rank(x, count, scratch, ranks_x);
        rank(y, count, scratch, ranks_y);
        *rho = ts_pearson(ranks_x, ranks_y, count);
        err = TS_OK;
    }
    free(ranks_y);
    free(ranks_x);
    free(scratch);
    return err;
}
