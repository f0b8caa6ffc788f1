/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/points.h"

#include "base/time.h"

#include <stdlib.h>
#include <string.h>

#define FARTHEST_NS (INT64_C(1) << 50) /* 13 days: nobody fits a line over that */
#define ROUNDING_NS 1000.0

static bool near(int64_t distance_ns)
{
    return distance_ns > -FARTHEST_NS && distance_ns < FARTHEST_NS;
}

bool ts_clock_plausible(const struct ts_reading *reading, const struct ts_reading *origin)
{
    const int64_t here = ts_ns_between(reading->t4_ns, reading->t1_ns);
    const int64_t there = ts_ns_between(reading->t3_ns, reading->t2_ns);
    /* t2 and t3 of one stamp that is cut off may be the wrong way round by its grain. */
    if (!near(here) || !near(there) || here < 0 || there < -TS_CLOCK_GRAIN_MOST_NS ||
        !near(ts_ns_between(reading->t1_ns, origin->t1_ns)) ||
        !near(ts_ns_between(reading->t2_ns, origin->t2_ns)))
        return false;
    return (double)there * (1 - TS_CLOCK_SLOPE_MOST) <= (double)here + ROUNDING_NS;
}

/* Exact, since differences are taken in integers and stay far below 2^53. */
int ts_clock_points_load(struct ts_clock_points *points, const struct ts_reading *readings,
                         size_t count)
{
    *points = (struct ts_clock_points){0};
    points->memory = malloc((6 * count + 1) * sizeof *points->memory);
    if (!points->memory)
        return TS_ENOMEM;
    points->out_x = points->memory;
    points->out_y = points->out_x + count;
    points->back_x = points->out_y + count;
    points->back_y = points->back_x + count;
    points->scratch = points->back_y + count;
    points->spare = points->scratch + count;
    points->origin_ns = count ? readings[count / 2].t2_ns : 0;
    points->host_origin_ns = count ? readings[count / 2].t1_ns : 0;
    for (size_t i = 0; i < count; i++) {
        if (!ts_clock_plausible(&readings[i], &readings[count / 2]))
            continue;
        const size_t n = points->count++;
        const int64_t t2 = ts_ns_between(readings[i].t2_ns, points->origin_ns);
        const int64_t t3 = ts_ns_between(readings[i].t3_ns, points->origin_ns);
        points->out_x[n] = (double)t2;
        points->back_x[n] = (double)t3;
        points->out_y[n] = (double)(ts_ns_between(readings[i].t1_ns, points->host_origin_ns) - t2);
        points->back_y[n] = (double)(ts_ns_between(readings[i].t4_ns, points->host_origin_ns) - t3);
    }
    return TS_OK;
}

void ts_clock_points_free(struct ts_clock_points *points)
{
    free(points->memory);
    *points = (struct ts_clock_points){0};
}

void ts_clock_points_drop(struct ts_clock_points *points, size_t at)
{
    double *arrays[] = {points->out_x, points->out_y, points->back_x, points->back_y};
    points->count--;
    for (int i = 0; i < 4; i++)
        memmove(arrays[i] + at, arrays[i] + at + 1, (points->count - at) * sizeof(double));
}

struct ts_points ts_clock_points_view(const struct ts_clock_points *points, size_t from, size_t to)
{
    return (struct ts_points){.count = to - from,
                              .out_x = points->out_x + from,
                              .out_y = points->out_y + from,
                              .back_x = points->back_x + from,
                              .back_y = points->back_y + from,
                              .scratch = points->scratch};
}

bool ts_clock_points_agree(const struct ts_clock_points *points, size_t from, size_t to)
{
    const struct ts_points view = ts_clock_points_view(points, from, to);
    const double slope = ts_envelope_widest(&view, TS_CLOCK_SLOPE_MOST);
    const struct ts_edges edges = ts_edges_at(&view, slope);
    return edges.high - edges.low >= -TS_CLOCK_BEND_NS;
}
