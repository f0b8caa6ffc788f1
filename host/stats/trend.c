/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/trend.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Merges two sorted runs; gives how many pairs (left, right) have left > right. */
static double merge(const double *from, size_t middle, size_t count, double *to)
{
    double falls = 0;
    for (size_t left = 0, right = middle, at = 0; at < count; at++) {
        if (right >= count || (left < middle && from[left] <= from[right])) {
            to[at] = from[left++];
        } else {
            to[at] = from[right++];
            falls += (double)(middle - left);
        }
    }
    return falls;
}

/* Sorts values, with as much room behind them for scratch; gives the pairs that fall. */
static double sort_and_count(double *values, double *scratch, size_t count)
{
    double falls = 0;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            const size_t here = count - at < 2 * width ? count - at : 2 * width;
            falls += merge(values + at, here < width ? here : width, here, scratch + at);
        }
        memcpy(values, scratch, count * sizeof *values);
    }
    return falls;
}

static double third_median(const double *values, size_t count, double *scratch)
{
    memcpy(scratch, values, count * sizeof *scratch);
    ts_sort(scratch, count);
    return ts_median(scratch, count);
}

int ts_trend_of(const double *values, size_t count, struct ts_trend *out)
{
    *out = (struct ts_trend){NAN, NAN, NAN, NAN, NAN};
    if (count < 3)
        return TS_OK;
    double *sorted = malloc(2 * count * sizeof *sorted);
    if (!sorted)
        return TS_ENOMEM;
    double *scratch = sorted + count;
    const double n = (double)count;
    memcpy(sorted, values, count * sizeof *sorted);
    const double falls = sort_and_count(sorted, scratch, count);
    double tied_pairs = 0, tied_variance = 0;
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sorted[end] <= sorted[i];)
            end++;
        const double t = (double)(end - i);
        tied_pairs += t * (t - 1) / 2;
        tied_variance += t * (t - 1) * (2 * t + 5);
    }
    const double pairs = n * (n - 1) / 2;
    out->s = pairs - tied_pairs - 2 * falls;
    const double variance = (n * (n - 1) * (2 * n + 5) - tied_variance) / 18;
    if (variance > 0) {
        out->tau = out->s / sqrt(pairs * (pairs - tied_pairs));
        out->z = (out->s - (out->s > 0) + (out->s < 0)) / sqrt(variance);
        out->p = erfc(fabs(out->z) / sqrt(2.0));
    }
    const size_t third = count / 3;
    const double first = third_median(values, third, scratch);
    out->slope =
        (third_median(values + count - third, third, scratch) - first) / (n - (double)third);
    free(sorted);
    return TS_OK;
}
