/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/shift.h"

#include "stats/distribution.h"

#include <math.h>

#define SURE       1e-12
#define CLOSE      1e-10
#define LEAST_STEP 0.02

/* How many of all pairs have b - a <= limit, and the greatest and smallest difference on its sides.
 */
struct split {
    double count;           /* b - a <= limit */
    double highest, lowest; /* of those; of the others */
};

static struct split split_at(const struct ts_ranked *a, const struct ts_ranked *b, double limit)
{
    struct split out = {0, -INFINITY, INFINITY};
    size_t passed = 0; /* of b: those with b - a <= limit; grows with a */
    for (size_t i = 0; i < a->count; i++) {
        while (passed < b->count && b->sorted[passed] - a->sorted[i] <= limit)
            passed++;
        out.count += (double)passed;
        if (passed > 0)
            out.highest = fmax(out.highest, b->sorted[passed - 1] - a->sorted[i]);
        if (passed < b->count)
            out.lowest = fmin(out.lowest, b->sorted[passed] - a->sorted[i]);
    }
    return out;
}

/* The k-th smallest difference, k from 1: by halving, down to a difference that is there. */
static double kth_difference(const struct ts_ranked *a, const struct ts_ranked *b, double k)
{
    double low = b->sorted[0] - a->sorted[a->count - 1];
    double high = b->sorted[b->count - 1] - a->sorted[0];
    if (split_at(a, b, low).count >= k)
        return low;
    while (high > low) { /* fewer than k are <= low, k or more are <= high */
        const double middle = low + (high - low) / 2;
        if (!(middle > low && middle < high))
            return high;
        const struct split at = split_at(a, b, middle);
        if (at.count >= k)
            high = at.highest;
        else if (split_at(a, b, at.lowest).count >= k)
            return at.lowest;
        else
            low = at.lowest;
    }
    return high;
}

static double median_difference(const struct ts_ranked *a, const struct ts_ranked *b)
{
    const double pairs = (double)a->count * (double)b->count;
    const double middle = floor(pairs / 2) + 1;
    const double lower = kth_difference(a, b, floor((pairs + 1) / 2));
    const struct split at = split_at(a, b, lower);
    const double upper = at.count >= middle ? lower : at.lowest;
    return lower + (upper - lower) / 2;
}

/* The test's one-sided p that b - shift is above a (side 1) or below it (-1), as the normal deviate
 * that it stands for: nearly a straight line in shift. Below SURE all are alike. */
static double deviate_at(const struct ts_ranked *a, const struct ts_ranked *b, double shift,
                         double side)
{
    const struct ts_relative at = ts_relative_of(a, b, -shift);
    return ts_normal_at(fmin(fmax(side > 0 ? at.p_above : at.p_below, SURE), 0.5));
}

/* From `inside` outwards to where the test begins to reject, to CLOSE of the way. By straight lines
 * between the two ends, and every third time by halving, since a line can creep. */
static double end_of(const struct ts_ranked *a, const struct ts_ranked *b, double inside,
                     double outside, double side, double level)
{
    const double limit = ts_normal_at((1 - level) / 2), close = CLOSE * fabs(outside - inside);
    double at_inside = deviate_at(a, b, inside, side), at_outside = deviate_at(a, b, outside, side);
    if (at_outside >= limit)
        return outside;
    for (int i = 1; fabs(outside - inside) > close; i++) {
        const double line = (at_inside - limit) / (at_inside - at_outside);
        const double share = i % 3 ? fmin(fmax(line, LEAST_STEP), 1 - LEAST_STEP) : 0.5;
        const double between = inside + share * (outside - inside);
        const double found = deviate_at(a, b, between, side);
        if (found < limit) {
            outside = between;
            at_outside = found;
        } else {
            inside = between;
            at_inside = found;
        }
    }
    return inside;
}

struct ts_hodges_lehmann ts_hodges_lehmann_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                              double level)
{
    const double estimate = median_difference(a, b);
    const double least = b->sorted[0] - a->sorted[a->count - 1];
    const double most = b->sorted[b->count - 1] - a->sorted[0];
    return (struct ts_hodges_lehmann){
        estimate,
        {end_of(a, b, estimate, least, 1, level), end_of(a, b, estimate, most, -1, level), level}};
}
