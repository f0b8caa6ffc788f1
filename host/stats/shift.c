/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/shift.h"

#include "stats/distribution.h"

#include <math.h>

#define HALVINGS 70

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
    const double lower = kth_difference(a, b, floor((pairs + 1) / 2));
    const double upper = kth_difference(a, b, floor(pairs / 2) + 1);
    return lower + (upper - lower) / 2;
}

/* Whether the test takes b - shift to be above a. side 1: above, -1: below. */
static bool rejects(const struct ts_ranked *a, const struct ts_ranked *b, double shift, double side,
                    double level)
{
    const struct ts_relative at = ts_relative_of(a, b, -shift);
    return (side > 0 ? at.p_above : at.p_below) < (1 - level) / 2;
}

/* From `inside` outwards to where the test begins to reject. */
static double end_of(const struct ts_ranked *a, const struct ts_ranked *b, double inside,
                     double outside, double side, double level)
{
    if (!rejects(a, b, outside, side, level))
        return outside;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = inside + (outside - inside) / 2;
        if (rejects(a, b, middle, side, level))
            outside = middle;
        else
            inside = middle;
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
