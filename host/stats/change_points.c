/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/change_points.h"

#include "base/buf.h"
#include "base/rng.h"
#include "stats/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LEVELS_MOST 20 /* of cutting */

struct search {
    const double *values;
    double *ranks;  /* owned; of the part that is looked at */
    double *sorted; /* owned; work space */
    struct ts_change_point *found;
    size_t count, capacity;
    struct ts_rng rng;
};

/* Mid-ranks of count values. */
static void rank(const double *values, size_t count, double *ranks)
{
    for (size_t i = 0; i < count; i++) {
        double below = 0, equal = 0;
        for (size_t j = 0; j < count; j++) {
            below += values[j] < values[i];
            equal += !(values[j] < values[i]) && !(values[j] > values[i]);
        }
        ranks[i] = below + (equal + 1) / 2;
    }
}

/* The greatest deviation of a rank sum from what is expected, over its standard deviation (but for
 * a constant of the series); *first: where the second part begins. */
static double best_cut(const double *ranks, size_t count, size_t *first)
{
    const double n = (double)count;
    double sum = 0, best = -1;
    for (size_t i = 1; i < count; i++) {
        const double k = (double)i;
        sum += ranks[i - 1] - (n + 1) / 2;
        if (i < TS_CHANGE_LEAST || count - i < TS_CHANGE_LEAST)
            continue;
        const double away = fabs(sum) / sqrt(k * (n - k));
        if (away > best + 1e-12) {
            best = away;
            *first = i;
        }
    }
    return best;
}

static double chance(struct search *search, size_t count, double seen)
{
    size_t as_good = 1, first;
    for (int draw = 0; draw < TS_CHANGE_DRAWS; draw++) {
        for (size_t i = count - 1; i > 0; i--) {
            const size_t other = ts_rng_below(&search->rng, (uint32_t)(i + 1));
            const double kept = search->ranks[i];
            search->ranks[i] = search->ranks[other];
            search->ranks[other] = kept;
        }
        as_good += best_cut(search->ranks, count, &first) >= seen - 1e-9;
    }
    return (double)as_good / (TS_CHANGE_DRAWS + 1);
}

static int cut(struct search *search, size_t from, size_t to, double alpha, int level)
{
    const size_t count = to - from;
    size_t first = 0;
    if (count < 2 * TS_CHANGE_LEAST || level >= LEVELS_MOST)
        return TS_OK;
    rank(search->values + from, count, search->ranks);
    const double seen = best_cut(search->ranks, count, &first);
    const double p = chance(search, count, seen);
    if (p > alpha / 2)
        return TS_OK;
    void *found = search->found;
    struct ts_change_point *point =
        ts_grow(&found, &search->count, &search->capacity, sizeof *point);
    search->found = found;
    if (!point)
        return TS_ENOMEM;
    *point = (struct ts_change_point){.first = from + first, .p = p};
    const int err = cut(search, from, from + first, alpha / 2, level + 1);
    return err ? err : cut(search, from + first, to, alpha / 2, level + 1);
}

static int by_place(const void *a, const void *b)
{
    const struct ts_change_point *x = a, *y = b;
    return (x->first > y->first) - (x->first < y->first);
}

static double level_of(const struct search *search, size_t from, size_t to)
{
    memcpy(search->sorted, search->values + from, (to - from) * sizeof *search->sorted);
    ts_sort(search->sorted, to - from);
    return ts_median(search->sorted, to - from);
}

long ts_change_points(const double *values, size_t count, double alpha, uint64_t seed,
                      struct ts_change_point **out)
{
    struct search search = {.values = values,
                            .ranks = calloc(count + 1, sizeof *search.ranks),
                            .sorted = calloc(count + 1, sizeof *search.sorted)};
    ts_rng_seed(&search.rng, seed, 1);
    *out = NULL;
    const int err = search.ranks && search.sorted ? cut(&search, 0, count, alpha, 0) : TS_ENOMEM;
    if (!err && search.count)
        qsort(search.found, search.count, sizeof *search.found, by_place);
    for (size_t i = 0; i < search.count && !err; i++) {
        struct ts_change_point *point = &search.found[i];
        const size_t from = i ? point[-1].first : 0;
        const size_t to = i + 1 < search.count ? point[1].first : count;
        point->before = level_of(&search, from, point->first);
        point->after = level_of(&search, point->first, to);
    }
    free(search.ranks);
    free(search.sorted);
    if (err) {
        free(search.found);
        return err;
    }
    *out = search.found;
    return (long)search.count;
}
