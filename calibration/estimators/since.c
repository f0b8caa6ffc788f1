/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/since.h"

#include "base/rng.h"
#include "stats/change_points.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

#define STREAM_DRAWS 0x73696e63

struct launch {
    double at_s, value;
};

struct placed {
    double value;
    size_t place;
};

static int by_time(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    return (x->at_s > y->at_s) - (x->at_s < y->at_s);
}

static int by_value(const void *a, const void *b)
{
    const struct placed *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Where two levels are told apart best: as in stats/change_points.c, of scores. */
static size_t best_cut(const double *scores, size_t count)
{
    const double mean = ts_mean(scores, count);
    double sum = 0, best = -1;
    size_t first = 1;
    for (size_t i = 1; i < count; i++) {
        sum += scores[i - 1] - mean;
        if (i < TS_CHANGE_LEAST || count - i < TS_CHANGE_LEAST)
            continue;
        const double away = fabs(sum) / sqrt((double)i * (double)(count - i));
        if (away > best) {
            best = away;
            first = i;
        }
    }
    return first;
}

/* Ranks of count launches, in their own order. */
static int rank(const struct launch *launches, size_t count, double *ranks)
{
    struct placed *order = calloc(count + 1, sizeof *order);
    if (!order)
        return TS_ENOMEM;
    for (size_t i = 0; i < count; i++)
        order[i] = (struct placed){launches[i].value, i};
    qsort(order, count, sizeof *order, by_value);
    for (size_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && order[next].value <= order[i].value;)
            next++;
        for (size_t j = i; j < next; j++)
            ranks[order[j].place] = (double)(i + next + 1) / 2;
    }
    free(order);
    return TS_OK;
}

/* The interval of one change among count launches, `first` of which lie before it. */
static int find_interval(const struct launch *launches, size_t count, size_t first,
                         struct ts_rng *rng, struct ts_since *out)
{
    double *ranks = calloc(count + 1, sizeof *ranks), *drawn = calloc(count + 1, sizeof *drawn);
    double places[TS_SINCE_DRAWS];
    const int err = ranks && drawn ? rank(launches, count, ranks) : TS_ENOMEM;
    for (size_t draw = 0; draw < TS_SINCE_DRAWS && !err; draw++) {
        for (size_t i = 0; i < count; i++)
            drawn[i] = i < first ? ranks[ts_rng_below(rng, (uint32_t)first)]
                                 : ranks[first + ts_rng_below(rng, (uint32_t)(count - first))];
        places[draw] = (double)best_cut(drawn, count);
    }
    free(ranks);
    free(drawn);
    if (err)
        return err;
    ts_sort(places, TS_SINCE_DRAWS);
    const size_t low = (size_t)floor(ts_quantile(places, TS_SINCE_DRAWS, 0.025));
    const size_t high = (size_t)ceil(ts_quantile(places, TS_SINCE_DRAWS, 0.975));
    out->low_s = launches[low - 1].at_s;
    out->high_s = launches[high < count ? high : count - 1].at_s;
    return TS_OK;
}

static int describe(const struct launch *launches, size_t count,
                    const struct ts_change_point *points, size_t point_count, uint64_t seed,
                    struct ts_since *out)
{
    struct ts_rng rng;
    int err = TS_OK;
    ts_rng_seed(&rng, seed, STREAM_DRAWS);
    for (size_t i = 0; i < point_count && !err; i++) {
        const size_t from = i ? points[i - 1].first : 0;
        const size_t to = i + 1 < point_count ? points[i + 1].first : count;
        const size_t first = points[i].first;
        out[i] = (struct ts_since){.launches = first,
                                   .at_s = launches[first].at_s,
                                   .before = points[i].before,
                                   .after = points[i].after,
                                   .p = points[i].p};
        err = find_interval(launches + from, to - from, first - from, &rng, &out[i]);
    }
    return err;
}

long ts_since_find(const double *values, const double *at_s, size_t count, uint64_t seed,
                   struct ts_since **out, struct ts_why *why)
{
    struct launch *launches = calloc(count + 1, sizeof *launches);
    double *series = calloc(count + 1, sizeof *series);
    struct ts_change_point *points = NULL;
    size_t used = 0;
    long found = launches && series ? TS_OK : TS_ENOMEM;
    *out = NULL;
    for (size_t i = 0; i < count && !found; i++) {
        if (isfinite(values[i]) && isfinite(at_s[i]))
            launches[used++] = (struct launch){at_s[i], values[i]};
    }
    if (!found && used < TS_SINCE_LEAST)
        found = ts_fail(why, TS_EPROTO, "%zu dated launches; it takes %d", used, TS_SINCE_LEAST);
    if (!found) {
        qsort(launches, used, sizeof *launches, by_time);
        for (size_t i = 0; i < used; i++)
            series[i] = launches[i].value;
        found = ts_change_points(series, used, TS_SINCE_ALPHA, seed, &points);
    }
    if (found > 0) {
        *out = calloc((size_t)found, sizeof **out);
        const int err =
            *out ? describe(launches, used, points, (size_t)found, seed, *out) : TS_ENOMEM;
        found = err ? err : found;
    }
    if (found == TS_ENOMEM)
        ts_fail(why, TS_ENOMEM, "out of memory");
    if (found < 0) {
        free(*out);
        *out = NULL;
    }
    free(points);
    free(series);
    free(launches);
    return found;
}
