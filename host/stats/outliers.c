/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/outliers.h"

#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
    const struct ts_outlier_rules *rules;
    double *counted; /* the values, in ticks if there is one; in their order */
    double *sorted;
    double *lof;
    bool *marked; /* of distinct values */
    struct ts_distinct distinct;
    struct ts_linkage linkage;
    struct ts_cuts cuts;
};

static void work_free(struct work *work)
{
    free(work->counted);
    free(work->sorted);
    free(work->lof);
    free(work->marked);
    ts_distinct_free(&work->distinct);
    ts_linkage_free(&work->linkage);
    ts_cuts_free(&work->cuts);
}

static int prepare(struct work *work, const double *values, size_t count)
{
    work->counted = malloc((count + 1) * sizeof *work->counted);
    work->sorted = malloc((count + 1) * sizeof *work->sorted);
    if (!work->counted || !work->sorted)
        return TS_ENOMEM;
    const double tick = work->rules->tick;
    for (size_t i = 0; i < count; i++)
        work->counted[i] = tick > 0 ? rint(values[i] / tick) : values[i];
    memcpy(work->sorted, work->counted, count * sizeof *work->sorted);
    ts_sort(work->sorted, count);
    int err = ts_distinct_of(work->sorted, count, &work->distinct);
    if (!err)
        err = ts_linkage_of(&work->distinct, &work->linkage);
    work->marked = err ? NULL : malloc((work->distinct.count + 1) * sizeof *work->marked);
    return err ? err : work->marked ? TS_OK : TS_ENOMEM;
}

static int find_lof(struct work *work)
{
    const double tick = work->rules->tick;
    double floor = work->rules->floor / (tick > 0 ? tick : 1);
    if (isnan(floor))
        floor = tick > 0 ? 1 : ts_smallest_gap(work->distinct.values, work->distinct.count);
    work->lof = malloc((work->distinct.count + 1) * sizeof *work->lof);
    if (!work->lof)
        return TS_ENOMEM;
    const size_t neighbours = work->rules->neighbours ? work->rules->neighbours : TS_LOF_NEIGHBOURS;
    return ts_lof_of(&work->distinct, neighbours, floor, work->lof);
}

static size_t count_heights(const struct work *work, size_t count)
{
    size_t heights = count > work->distinct.count;
    for (size_t i = 0; i < work->linkage.count; i++)
        heights += !i || work->linkage.merges[i].height > work->linkage.merges[i - 1].height;
    return heights;
}

static int check(const struct work *work, size_t count, size_t heights, struct ts_why *why)
{
    if (work->rules->force || (double)heights <= TS_OUTLIERS_HEIGHTS_MOST * (double)count)
        return TS_OK;
    return ts_fail(why, TS_ENOTSUP,
                   "%zu values have %zu cut heights, %zu at most make sense: say the clock's tick, "
                   "or use a fence",
                   count, heights, (size_t)(TS_OUTLIERS_HEIGHTS_MOST * (double)count));
}

static int choose(struct work *work, struct ts_outliers *out)
{
    static const struct ts_level_curve bell = TS_LEVEL_BELL;
    int err = work->rules->full ? find_lof(work) : TS_OK;
    if (!err)
        err = ts_cuts_of(&work->distinct, &work->linkage, work->lof, &work->cuts);
    if (err || !work->linkage.count)
        return err;
    const struct ts_level_curve *curve = work->rules->curve ? work->rules->curve : &bell;
    const size_t at =
        work->rules->full ? ts_cuts_ideal(&work->cuts) : ts_level_best(curve, work->cuts.count);
    const double height = work->cuts.cuts[at].height;
    out->cut_height = work->rules->tick > 0 ? height * work->rules->tick : height;
    out->cut_level = (double)(at + 1) / (double)work->cuts.count;
    if (work->rules->full)
        out->ideal = ts_ideal_range(&work->cuts);
    return ts_cuts_mark(&work->distinct, &work->linkage, height, work->marked);
}

static void mark(const struct work *work, size_t count, struct ts_outliers *out)
{
    for (size_t i = 0; i < count && work->linkage.count; i++) {
        out->marked[i] = work->marked[ts_distinct_find(&work->distinct, work->counted[i])];
        out->count += out->marked[i];
    }
}

int ts_outliers_of(const double *values, size_t count, const struct ts_outlier_rules *rules,
                   struct ts_outliers *out, struct ts_why *why)
{
    *out = (struct ts_outliers){
        .tick = rules->tick, .cut_height = NAN, .cut_level = NAN, .ideal = {NAN, NAN}};
    const size_t neighbours = rules->neighbours ? rules->neighbours : TS_LOF_NEIGHBOURS;
    if (count < TS_OUTLIERS_LEAST && !rules->force)
        return ts_fail(why, TS_ENOTSUP,
                       "%zu values are too few, it takes %d: 1 %% of them is no cluster; use tukey",
                       count, TS_OUTLIERS_LEAST);
    if (!count || (rules->full && count <= neighbours))
        return ts_fail(why, TS_ENOTSUP, "%zu values have no %zu neighbours each", count,
                       neighbours);
    struct work work = {.rules = rules};
    int err = prepare(&work, values, count);
    if (!err) {
        out->distinct = work.distinct.count;
        out->heights = count_heights(&work, count);
        err = check(&work, count, out->heights, why);
    }
    if (!err)
        err = choose(&work, out);
    if (!err && !(out->marked = calloc(count, sizeof *out->marked)))
        err = TS_ENOMEM;
    if (!err)
        mark(&work, count, out);
    work_free(&work);
    return err;
}

void ts_outliers_free(struct ts_outliers *of)
{
    free(of->marked);
    *of = (struct ts_outliers){0};
}
