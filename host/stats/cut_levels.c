/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/cut_levels.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

const struct ts_level_curve ts_level_polynomial_known = {
    .centre = NAN,
    .legendre = {0.462690, -0.661145, -0.036342, 0.389956, -0.048163, -0.184964, 0.013279}};

struct ts_level_range ts_ideal_range(const struct ts_cuts *cuts)
{
    const size_t ideal = ts_cuts_ideal(cuts);
    size_t first = ideal, last = ideal;
    while (first && cuts->cuts[first - 1].outliers == cuts->cuts[ideal].outliers)
        first--;
    while (last + 1 < cuts->count && cuts->cuts[last + 1].outliers == cuts->cuts[ideal].outliers)
        last++;
    const double n = (double)cuts->count;
    return (struct ts_level_range){(double)first / n, (double)(last + 1) / n};
}

/* How many of the ascending values are at most `limit`, from a place below it on. */
static size_t advance(const double *values, size_t count, size_t from, double limit)
{
    while (from < count && values[from] <= limit)
        from++;
    return from;
}

long ts_overlaps(const struct ts_level_range *ranges, size_t count, struct ts_overlap *out)
{
    double *lows = malloc((4 * count + 1) * sizeof *lows);
    if (!lows)
        return TS_ENOMEM;
    double *highs = lows + count, *ends = highs + count;
    for (size_t i = 0; i < count; i++) {
        lows[i] = ends[2 * i] = ranges[i].low;
        highs[i] = ends[2 * i + 1] = ranges[i].high;
    }
    ts_sort(lows, count);
    ts_sort(highs, count);
    ts_sort(ends, 2 * count);
    long filled = 0;
    size_t begun = 0, ended = 0;
    for (size_t i = 0; i + 1 < 2 * count; i++) {
        if (!(ends[i + 1] > ends[i]))
            continue;
        begun = advance(lows, count, begun, ends[i]);
        ended = advance(highs, count, ended, ends[i]);
        out[filled++] = (struct ts_overlap){ends[i], ends[i + 1], begun - ended};
    }
    free(lows);
    return filled;
}

/* P_0 .. P_(TS_LEVEL_DEGREE + 1) at x, by Bonnet's recursion. */
static void legendre_at(double x, double p[TS_LEVEL_DEGREE + 2])
{
    p[0] = 1;
    p[1] = x;
    for (int k = 1; k <= TS_LEVEL_DEGREE; k++)
        p[k + 1] = ((2 * k + 1) * x * p[k] - k * p[k - 1]) / (k + 1);
}

struct ts_level_curve ts_level_polynomial(const struct ts_overlap *overlaps, size_t overlap_count,
                                          size_t range_count)
{
    struct ts_level_curve out = {.centre = NAN};
    for (size_t i = 0; i < overlap_count; i++) {
        double low[TS_LEVEL_DEGREE + 2], high[TS_LEVEL_DEGREE + 2];
        legendre_at(2 * overlaps[i].low - 1, low);
        legendre_at(2 * overlaps[i].high - 1, high);
        const double share = (double)overlaps[i].count / (double)range_count;
        /* The coefficient is (2 k + 1) / 2 times the integral of share * P_k, and the integral of
         * P_k is (P_(k+1) - P_(k-1)) / (2 k + 1). */
        for (int k = 0; k <= TS_LEVEL_DEGREE; k++) {
            const double below = k ? high[k - 1] - low[k - 1] : 0;
            out.legendre[k] += share / 2 * (high[k + 1] - low[k + 1] - below);
        }
    }
    return out;
}

double ts_level_rank(const struct ts_level_curve *curve, double level)
{
    if (!isnan(curve->centre))
        return exp(-(level - curve->centre) * (level - curve->centre) / 2);
    double p[TS_LEVEL_DEGREE + 2], sum = 0;
    legendre_at(2 * level - 1, p);
    for (int k = 0; k <= TS_LEVEL_DEGREE; k++)
        sum += curve->legendre[k] * p[k];
    return sum;
}

size_t ts_level_best(const struct ts_level_curve *curve, size_t count)
{
    size_t best = 0;
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        const double rank = ts_level_rank(curve, (double)(i + 1) / (double)count);
        if (rank >= most) {
            best = i;
            most = rank;
        }
    }
    return best;
}
