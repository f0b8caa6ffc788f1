/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/segments.h"

#include "stats/order.h"

#include <stdlib.h>

static size_t collect(const struct ts_milestones *launches, size_t count, enum ts_milestone at,
                      double *values)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(launches[i].ms[at]))
            values[known++] = launches[i].ms[at];
    }
    return known;
}

int ts_milestones_sort(const struct ts_milestones *a, size_t count_a, const struct ts_milestones *b,
                       size_t count_b, struct ts_milestone_order *out)
{
    double medians[TS_MILESTONE_COUNT];
    double *values = calloc(count_a + count_b + 1, sizeof *values);
    *out = (struct ts_milestone_order){.count = 0};
    if (!values)
        return TS_ENOMEM;
    for (int at = 0; at < TS_MILESTONE_COUNT; at++) {
        const size_t in_a = collect(a, count_a, (enum ts_milestone)at, values);
        const size_t in_b = collect(b, count_b, (enum ts_milestone)at, values + in_a);
        out->missing[at] = in_a + in_b == 0 || 2 * in_a < count_a || 2 * in_b < count_b;
        if (out->missing[at])
            continue;
        ts_sort(values, in_a + in_b);
        medians[at] = at == TS_MILESTONE_LIFT ? -INFINITY : ts_median(values, in_a + in_b);
        size_t place = out->count++;
        for (; place > 0 && medians[out->order[place - 1]] > medians[at]; place--)
            out->order[place] = out->order[place - 1];
        out->order[place] = (enum ts_milestone)at;
    }
    free(values);
    return TS_OK;
}

static size_t stretch(const struct ts_milestones *launches, size_t count, enum ts_milestone from,
                      enum ts_milestone to, double *values)
{
    size_t known = 0;
    for (size_t i = 0; i < count; i++) {
        const double ms = launches[i].ms[to] - launches[i].ms[from];
        if (isfinite(ms))
            values[known++] = ms;
    }
    return known;
}

int ts_segment_compare(const struct ts_milestones *a, size_t count_a, const struct ts_milestones *b,
                       size_t count_b, enum ts_milestone from, enum ts_milestone to,
                       struct ts_segment_difference *out)
{
    struct ts_ranked ranked_a = {0}, ranked_b = {0};
    double *values = calloc(count_a + count_b + 1, sizeof *values);
    int err = TS_OK;
    *out = (struct ts_segment_difference){
        .median_a = NAN, .median_b = NAN, .difference = NAN, .interval = {NAN, NAN, 0}};
    if (!values)
        return TS_ENOMEM;
    const size_t in_a = out->count_a = stretch(a, count_a, from, to, values);
    const size_t in_b = out->count_b = stretch(b, count_b, from, to, values + in_a);
    if (in_a >= 2 && in_b >= 2) {
        err = ts_ranked_of((struct ts_sample){values, in_a}, false, &ranked_a);
        if (!err)
            err = ts_ranked_of((struct ts_sample){values + in_a, in_b}, false, &ranked_b);
        if (!err) {
            const struct ts_hodges_lehmann shift =
                ts_hodges_lehmann_of(&ranked_a, &ranked_b, TS_INTERVAL_LEVEL);
            out->difference = shift.estimate;
            if (in_a >= TS_SEGMENT_LEAST && in_b >= TS_SEGMENT_LEAST)
                out->interval = shift.interval;
        }
    }
    if (in_a) {
        ts_sort(values, in_a);
        out->median_a = ts_median(values, in_a);
    }
    if (in_b) {
        ts_sort(values + in_a, in_b);
        out->median_b = ts_median(values + in_a, in_b);
    }
    ts_ranked_free(&ranked_a);
    ts_ranked_free(&ranked_b);
    free(values);
    return err;
}
