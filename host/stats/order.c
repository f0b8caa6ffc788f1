/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void ts_sort(double *values, size_t count)
{
    if (count > 1)
        qsort(values, count, sizeof *values, compare);
}

double *ts_sorted_copy(const double *values, size_t count)
{
    double *sorted = calloc(count + 1, sizeof *sorted);
    if (!sorted)
        return NULL;
    for (size_t i = 0; i < count; i++)
        sorted[i] = values[i];
    ts_sort(sorted, count);
    return sorted;
}

double ts_quantile(const double *sorted, size_t count, double p)
{
    if (!count)
        return NAN;
    const double at = (double)(count - 1) * p;
    const size_t below = (size_t)at;
    if (below + 1 >= count)
        return sorted[count - 1];
    return sorted[below] + (at - (double)below) * (sorted[below + 1] - sorted[below]);
}

double ts_median(const double *sorted, size_t count)
{
    return ts_quantile(sorted, count, 0.5);
}

double ts_iqr(const double *sorted, size_t count)
{
    return ts_quantile(sorted, count, 0.75) - ts_quantile(sorted, count, 0.25);
}

double ts_mad(const double *sorted, size_t count)
{
    if (!count)
        return NAN;
    const double median = ts_median(sorted, count);
    size_t right = 0;
    while (right < count && sorted[right] < median)
        right++;
    size_t left = right;
    /* Away from the median the deviations grow on either side: two sorted runs, merged up to the
     * middle, so neither a copy nor a second sort is needed. */
    double previous = 0, deviation = 0;
    for (size_t taken = 0; taken <= count / 2; taken++) {
        previous = deviation;
        const double down = left > 0 ? median - sorted[left - 1] : INFINITY;
        const double up = right < count ? sorted[right] - median : INFINITY;
        if (down < up) {
            deviation = down;
            left--;
        } else {
            deviation = up;
            right++;
        }
    }
    return count % 2 ? deviation : (previous + deviation) / 2;
}

double ts_mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return count ? sum / (double)count : NAN;
}

struct ts_fences ts_tukey_fences(const double *sorted, size_t count)
{
    const double reach = 1.5 * ts_iqr(sorted, count);
    return (struct ts_fences){ts_quantile(sorted, count, 0.25) - reach,
                              ts_quantile(sorted, count, 0.75) + reach};
}
