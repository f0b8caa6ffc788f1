/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/fences.h"

#include "stats/medcouple.h"
#include "stats/shape.h"

#include <math.h>

double ts_right_fence_at(struct ts_right_fence fence, const double *sorted, size_t count)
{
    if (!count)
        return NAN;
    const double q = ts_quantile(sorted, count, fence.part);
    return fmax(q + fence.ratio * (q - sorted[0]), ts_median(sorted, count));
}

int ts_adjusted_fences(const double *sorted, size_t count, struct ts_fences *out, double *medcouple,
                       struct ts_why *why)
{
    *medcouple = NAN;
    if (!count)
        return ts_fail(why, TS_EINVAL, "there is no value");
    const int err = ts_medcouple(sorted, count, medcouple);
    if (err)
        return err;
    const double mc = *medcouple;
    if (fabs(mc) > TS_ADJUSTED_MEDCOUPLE_MOST)
        return ts_fail(why, TS_ENOTSUP,
                       "the medcouple is %.3f: the adjusted boxplot holds for skewness of -%g to "
                       "%g only; use a right fence",
                       mc, TS_ADJUSTED_MEDCOUPLE_MOST, TS_ADJUSTED_MEDCOUPLE_MOST);
    const double reach = 1.5 * ts_iqr(sorted, count);
    const double left = mc >= 0 ? -4 : -3, right = mc >= 0 ? 3 : 4;
    *out = (struct ts_fences){ts_quantile(sorted, count, 0.25) - exp(left * mc) * reach,
                              ts_quantile(sorted, count, 0.75) + exp(right * mc) * reach};
    return TS_OK;
}

void ts_fence_grid(struct ts_right_fence grid[TS_FENCE_GRID])
{
    static const double parts[] = {0.50, 0.75, 0.90, 0.95, 0.98, 0.99};
    static const double ratios[] = {1, 1.5, 2, 3, 4, 5};
    for (size_t i = 0; i < TS_FENCE_GRID; i++)
        grid[i] = (struct ts_right_fence){parts[i / 6], ratios[i % 6]};
}

/* How many values are at most `limit`. */
static size_t count_to(const double *sorted, size_t count, double limit)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle] <= limit)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static double find_border(const double *sorted, size_t count, double cut, size_t kept)
{
    const double median = ts_median(sorted, count), away = cut - median;
    if (!(away > 0))
        return (double)(count - kept) / (double)count;
    size_t border =
        count_to(sorted, count, median + 1.5 * away) - count_to(sorted, count, median + 0.5 * away);
    const double p90 = ts_quantile(sorted, count, 0.90);
    const size_t lowest = count_to(sorted, count, sorted[0]);
    const double step = lowest < count ? sorted[lowest] - sorted[0] : 0;
    const size_t near = count_to(sorted, count, p90 + 5 * fmax(p90 - sorted[0], step));
    border += kept > near ? kept - near : 0;
    return (double)border / (double)count;
}

struct ts_fence_trial ts_fence_try(struct ts_right_fence fence, const struct ts_exemplar *exemplar)
{
    const double *sorted = exemplar->sorted, n = (double)exemplar->count;
    const double cut = ts_right_fence_at(fence, sorted, exemplar->count);
    const size_t kept = count_to(sorted, exemplar->count, cut);
    const struct ts_moments rest = ts_moments_of(sorted, kept);
    struct ts_fence_trial out = {.cut = cut,
                                 .removed = exemplar->count - kept,
                                 .skewness = rest.skewness,
                                 .kurtosis = rest.kurtosis,
                                 .misjudged = NAN,
                                 .border = find_border(sorted, exemplar->count, cut, kept)};
    if (!isnan(exemplar->outlier_from)) {
        const double before = nextafter(exemplar->outlier_from, -INFINITY);
        out.misjudged = fabs((double)count_to(sorted, exemplar->count, before) - (double)kept) / n;
    }
    return out;
}

/* The share of values that speaks against a fence in the exemplar where most do; 0: acceptable. */
static double find_worst(struct ts_right_fence fence, const struct ts_exemplar *exemplars,
                         size_t count)
{
    double worst = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ts_fence_trial trial = ts_fence_try(fence, &exemplars[i]);
        worst = fmax(worst, isnan(trial.misjudged) ? trial.border : trial.misjudged);
    }
    return worst > TS_FENCE_ACCEPTABLE ? worst : 0;
}

static double from_recorded(struct ts_right_fence fence)
{
    return fabs(log((1 - fence.part) / (1 - TS_FENCE_RECORDED.part))) +
           fabs(log(fence.ratio / TS_FENCE_RECORDED.ratio));
}

size_t ts_fence_search(const struct ts_right_fence *fences, size_t fence_count,
                       const struct ts_exemplar *exemplars, size_t exemplar_count)
{
    size_t best = 0;
    double best_worst = INFINITY, best_away = INFINITY;
    for (size_t i = 0; i < fence_count; i++) {
        const double worst = find_worst(fences[i], exemplars, exemplar_count);
        const double away = from_recorded(fences[i]);
        if (worst < best_worst || (worst <= best_worst && away < best_away)) {
            best = i;
            best_worst = worst;
            best_away = away;
        }
    }
    return best;
}
