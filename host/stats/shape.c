/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/shape.h"

#include "stats/order.h"

#include <math.h>

struct ts_moments ts_moments_of(const double *values, size_t count)
{
    const double n = (double)count, mean = ts_mean(values, count);
    double m2 = 0, m3 = 0, m4 = 0;
    for (size_t i = 0; i < count; i++) {
        const double d = values[i] - mean, d2 = d * d;
        m2 += d2;
        m3 += d2 * d;
        m4 += d2 * d2;
    }
    struct ts_moments out = {mean, NAN, NAN, NAN};
    if (count > 1)
        out.sd = sqrt(m2 / (n - 1));
    if (m2 > 0) {
        out.skewness = (m3 / n) / pow(m2 / n, 1.5);
        out.kurtosis = (m4 / n) / (m2 / n * (m2 / n));
    }
    return out;
}

size_t ts_histogram_bins(const double *sorted, size_t count, size_t most)
{
    if (!count)
        return 0;
    const double span = sorted[count - 1] - sorted[0];
    if (!(span > 0))
        return 1;
    const double bins = ceil(span / (2 * ts_iqr(sorted, count) / cbrt((double)count)));
    return bins < (double)most ? (size_t)bins : most;
}

void ts_histogram_fill(const double *sorted, size_t count, size_t *counts, size_t bin_count)
{
    for (size_t bin = 0; bin < bin_count; bin++)
        counts[bin] = 0;
    if (!count || !bin_count)
        return;
    const double span = sorted[count - 1] - sorted[0];
    for (size_t i = 0; i < count; i++) {
        const double at = span > 0 ? (sorted[i] - sorted[0]) / span * (double)bin_count : 0;
        const size_t bin = (size_t)at;
        counts[bin < bin_count ? bin : bin_count - 1]++;
    }
}

double ts_smallest_gap(const double *sorted, size_t count)
{
    double gap = INFINITY;
    for (size_t i = 1; i < count; i++) {
        if (sorted[i] > sorted[i - 1])
            gap = fmin(gap, sorted[i] - sorted[i - 1]);
    }
    return isfinite(gap) ? gap : 0;
}

double ts_tick_of(const double *sorted, size_t count)
{
    const double gap = ts_smallest_gap(sorted, count);
    for (size_t i = 0; gap > 0 && i < count; i++) {
        const double steps = (sorted[i] - sorted[0]) / gap;
        if (!(steps < 0x1p53) || fabs(steps - rint(steps)) > 1e-3)
            return 0;
    }
    return gap;
}
