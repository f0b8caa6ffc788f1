/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/concordance.h"

#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_95 1.959963984540054

struct ts_concordance ts_concordance_of(const double *x, const double *y, size_t count)
{
    const double n = (double)count, mean_x = ts_mean(x, count), mean_y = ts_mean(y, count);
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x) / n;
        yy += (y[i] - mean_y) * (y[i] - mean_y) / n;
        xy += (x[i] - mean_x) * (y[i] - mean_y) / n;
    }
    const double away = mean_x - mean_y, all = xx + yy + away * away;
    struct ts_concordance out = {NAN, {NAN, NAN}};
    if (count < 3 || !(all > 0))
        return out;
    const double c = 2 * xy / all, r = ts_pearson(x, y, count);
    out.coefficient = c;
    if (!(fabs(c) < 1) || !(fabs(r) > 0) || isnan(r))
        return out;
    const double u2 = away * away / sqrt(xx * yy), c2 = c * c, r2 = r * r;
    const double variance =
        ((1 - r2) * c2 / ((1 - c2) * r2) + 2 * c2 * c * (1 - c) * u2 / (r * (1 - c2) * (1 - c2)) -
         c2 * c2 * u2 * u2 / (2 * r2 * (1 - c2) * (1 - c2))) /
        (n - 2);
    const double reach = NORMAL_95 * sqrt(fmax(0, variance));
    out.interval = (struct ts_range){tanh(atanh(c) - reach), tanh(atanh(c) + reach)};
    return out;
}

struct indexed {
    double value;
    size_t index;
};

static int compare(const void *a, const void *b)
{
    const struct indexed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

static void rank(const double *values, size_t count, struct indexed *work, double *ranks)
{
    for (size_t i = 0; i < count; i++)
        work[i] = (struct indexed){values[i], i};
    qsort(work, count, sizeof *work, compare);
    for (size_t first = 0, next; first < count; first = next) {
        for (next = first + 1; next < count && work[next].value <= work[first].value;)
            next++;
        for (size_t i = first; i < next; i++)
            ranks[work[i].index] = (double)(first + next - 1) / 2;
    }
}

int ts_spearman(const double *x, const double *y, size_t count, double *out)
{
    struct indexed *work = calloc(count + 1, sizeof *work);
    double *ranks = calloc(2 * count + 1, sizeof *ranks);
    const int err = work && ranks ? TS_OK : TS_ENOMEM;
    if (!err) {
        rank(x, count, work, ranks);
        rank(y, count, work, ranks + count);
        *out = ts_pearson(ranks, ranks + count, count);
    }
    free(work);
    free(ranks);
    return err;
}
