/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/levels.h"

#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>

#define PARTS_MOST 20 /* each has 5 % */

struct parts {
    const double *sorted;
    size_t least, count;
    size_t begin[PARTS_MOST + 1]; /* of each part, and the end of the last */
};

/* Where the part is best cut, 0: it is not worth it. */
static size_t find_cut(const double *sorted, size_t count, size_t least)
{
    const double mean = ts_mean(sorted, count);
    double sum = 0, most = 0;
    size_t best = 0;
    for (size_t i = 1; i + least <= count; i++) {
        sum += sorted[i - 1] - mean;
        /* w1 w2 (m1 - m2)^2 of Otsu, times count^2 */
        const double between = sum * sum / ((double)i * (double)(count - i));
        if (i >= least && between > most) {
            most = between;
            best = i;
        }
    }
    return best;
}

static void cut_all(struct parts *parts)
{
    for (size_t i = 0; i < parts->count;) {
        const size_t first = parts->begin[i], here = parts->begin[i + 1] - first;
        const size_t cut = find_cut(parts->sorted + first, here, parts->least);
        if (!cut || parts->count == PARTS_MOST) {
            i++;
            continue;
        }
        parts->count++;
        for (size_t to = parts->count; to > i + 1; to--)
            parts->begin[to] = parts->begin[to - 1];
        parts->begin[i + 1] = first + cut;
    }
}

/* Ashman's D of part i and the next. */
static double apart(const struct parts *parts, size_t i)
{
    const size_t *begin = parts->begin + i;
    const struct ts_moments low = ts_moments_of(parts->sorted + begin[0], begin[1] - begin[0]);
    const struct ts_moments high = ts_moments_of(parts->sorted + begin[1], begin[2] - begin[1]);
    return sqrt(2.0) * (high.mean - low.mean) / hypot(low.sd, high.sd);
}

static void join_all(struct parts *parts)
{
    while (parts->count > 1) {
        size_t nearest = 0;
        for (size_t i = 1; i + 1 < parts->count; i++) {
            if (apart(parts, i) < apart(parts, nearest))
                nearest = i;
        }
        if (apart(parts, nearest) >= TS_LEVELS_APART && parts->count <= TS_LEVELS_MOST)
            return;
        for (size_t i = nearest + 1; i < parts->count; i++)
            parts->begin[i] = parts->begin[i + 1];
        parts->count--;
    }
}

struct ts_levels ts_levels_of(const double *sorted, size_t count)
{
    const size_t share = (count + PARTS_MOST - 1) / PARTS_MOST;
    struct parts parts = {.sorted = sorted,
                          .least = share > TS_LEVELS_LEAST ? share : TS_LEVELS_LEAST,
                          .count = count > 0,
                          .begin = {0, count}};
    struct ts_levels out = {0};
    cut_all(&parts);
    join_all(&parts);
    out.count = parts.count;
    for (size_t i = 0; i < parts.count; i++) {
        const size_t first = parts.begin[i], here = parts.begin[i + 1] - first;
        out.level[i].first = first;
        out.level[i].count = here;
        out.level[i].median = ts_median(sorted + first, here);
    }
    return out;
}
