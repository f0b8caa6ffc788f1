/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/shift.h"

#include "stats/distribution.h"
#include "stats/order.h"

#include <math.h>

#define SURE       1e-12
#define LEAST_STEP 0.02
#define ROUGH      2 /* steps that come to lie anywhere */

/* Of a way between two ends, how much to go: where a straight line says, but never quite to an end.
 */
static double within_way(double line)
{
    return fmin(fmax(line, LEAST_STEP), 1 - LEAST_STEP);
}

/* How many of all pairs have b - a <= limit. Nothing here branches on which value is next, which no
 * processor could guess. */
static double count_up_to(const struct ts_ranked *a, const struct ts_ranked *b, double limit)
{
    size_t i = 0, j = 0, count = 0;
    while (i < a->count && j < b->count) {
        const bool within = b->sorted[j] - a->sorted[i] <= limit;
        count += within ? a->count - i : 0;
        j += within;
        i += !within;
    }
    return (double)count;
}

/* Also the greatest of these differences, and the smallest of the others; takes twice as long. */
struct split {
    double count, highest, lowest;
};

static struct split split_at(const struct ts_ranked *a, const struct ts_ranked *b, double limit)
{
    struct split out = {0, -INFINITY, INFINITY};
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        const double difference = b->sorted[j] - a->sorted[i];
        const bool within = difference <= limit;
        const double low = within ? difference : -INFINITY, high = within ? INFINITY : difference;
        out.highest = out.highest > low ? out.highest : low;
        out.lowest = out.lowest < high ? out.lowest : high;
        out.count += within ? (double)(a->count - i) : 0;
        j += within;
        i += !within;
    }
    return out;
}

double ts_kth_difference(const struct ts_ranked *a, const struct ts_ranked *b, double k)
{
    const double few = (double)(a->count + b->count);
    /* Fewer than k differences are below low, k or more are <= high. */
    double low = b->sorted[0] - a->sorted[a->count - 1], count_low = 0;
    double high = b->sorted[b->count - 1] - a->sorted[0];
    double count_high = (double)a->count * (double)b->count;
    for (int i = 0; low < high; i++) {
        /* A straight line can creep; every third time half is left. */
        const double between = count_high - count_low, line = (k - count_low) / between;
        const double to = low + (i % 3 == 2 ? 0.5 : within_way(line)) * (high - low);
        const double middle = to < high ? to : low;
        struct split at = {0, middle, middle};
        if (between > few && middle > low)
            at.count = count_up_to(a, b, middle);
        else
            at = split_at(a, b, middle);
        if (at.count >= k) {
            high = at.highest;
            count_high = at.count;
        } else {
            low = at.lowest;
            count_low = at.count;
        }
    }
    return high;
}

static double median_difference(const struct ts_ranked *a, const struct ts_ranked *b)
{
    const double pairs = (double)a->count * (double)b->count;
    const double middle = floor(pairs / 2) + 1;
    const double lower = ts_kth_difference(a, b, floor((pairs + 1) / 2));
    const struct split at = split_at(a, b, lower);
    const double upper = at.count >= middle ? lower : at.lowest;
    return lower + (upper - lower) / 2;
}

struct search {
    const struct ts_ranked *a, *b;
    ts_shift_test *test;
    const void *context;
    double level;
};

/* The test's one-sided p that b - shift is above a (side 1) or below it (-1), as the normal deviate
 * that it stands for: nearly a straight line in shift. Below SURE all are alike. */
static double deviate_at(const struct search *search, double shift, double side)
{
    const struct ts_relative at = search->test(search->context, -shift);
    return ts_normal_at(fmin(fmax(side > 0 ? at.p_above : at.p_below, SURE), 0.5));
}

/* A first guess of how far an end is from the estimate: what Wilcoxon's test would give for two
 * normal samples, whose sd is IQR / 1.35. */
static double first_step(const struct ts_ranked *a, const struct ts_ranked *b, double level)
{
    const double share = 1 / (double)a->count + 1 / (double)b->count;
    const double iqr = hypot(ts_iqr(a->sorted, a->count), ts_iqr(b->sorted, b->count));
    return ts_normal_at((1 + level) / 2) * iqr / 1.35 * sqrt(share / 2);
}

/* From the estimate to where the test begins to reject; side -1 below, 1 above it. No shift that
 * parts the samples, beyond `limit`, is tried. */
static double end_of(const struct search *search, double estimate, double limit, double side)
{
    const struct ts_ranked *a = search->a, *b = search->b;
    const double rejects = ts_normal_at((1 - search->level) / 2);
    double inside = estimate, at_inside = deviate_at(search, inside, -side), at_outside = NAN;
    double step = first_step(a, b, search->level), outside = estimate;
    step = step > 0 ? step : fabs(limit - estimate);
    for (; step > 0; step *= 2) {
        outside = side > 0 ? fmin(estimate + step, limit) : fmax(estimate - step, limit);
        at_outside = deviate_at(search, outside, -side);
        if (at_outside < rejects)
            break;
        if (side * (limit - outside) <= 0)
            return limit;
        inside = outside;
        at_inside = at_outside;
    }
    /* By straight lines; an end that stays twice counts half (the Illinois rule: M. Dowell, P.
     * Jarratt, "A modified regula falsi method for computing the root of an equation", BIT 11
     * (1971) 168-174), so that both ends close in. Between two differences of pairs the test says
     * the same: a step goes to the next difference. */
    bool last = true, before;
    for (int i = 0; side * (outside - inside) > 0; i++) {
        const double line = (at_inside - rejects) / (at_inside - at_outside);
        const double between = inside + within_way(line) * (outside - inside);
        struct split at = {0, between, between};
        if (i >= ROUGH)
            at = split_at(a, b, between);
        const double found = deviate_at(search, between, -side);
        before = last;
        last = found < rejects;
        if (last) {
            outside = side > 0 ? at.highest : at.lowest;
            at_outside = found;
            at_inside = rejects + (at_inside - rejects) / (last == before ? 2 : 1);
        } else {
            inside = side > 0 ? at.lowest : at.highest;
            at_inside = found;
            at_outside = rejects + (at_outside - rejects) / (last == before ? 2 : 1);
        }
    }
    return inside;
}

struct ts_hodges_lehmann ts_hodges_lehmann_by(const struct ts_ranked *a, const struct ts_ranked *b,
                                              double level, ts_shift_test *test,
                                              const void *context)
{
    const struct search search = {a, b, test, context, level};
    const double estimate = median_difference(a, b);
    const double least = b->sorted[0] - a->sorted[a->count - 1];
    const double most = b->sorted[b->count - 1] - a->sorted[0];
    return (struct ts_hodges_lehmann){
        estimate,
        {end_of(&search, estimate, least, -1), end_of(&search, estimate, most, 1), level}};
}

static struct ts_relative relative_of(const void *context, double shift)
{
    const struct ts_ranked *const *samples = context;
    return ts_relative_of(samples[0], samples[1], shift);
}

struct ts_hodges_lehmann ts_hodges_lehmann_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                              double level)
{
    const struct ts_ranked *const samples[] = {a, b};
    return ts_hodges_lehmann_by(a, b, level, relative_of, samples);
}
