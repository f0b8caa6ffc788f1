/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is wrong with readings that a straight line passes between: a small step, unlike delays. */
#include "clock/points.h"

#include <math.h>
#include <stdlib.h>

#define STEP_WINDOW 12
#define STEP_EDGE   5 /* fewer readings on one side say nothing */
#define ALIKE_LEAST 12
#define ALIKE_LEVEL 1.63 /* one pair of like rows in 100 is farther apart */
#define OVERLAP     1.2  /* neighbours' differences are not independent */
#define PAIRINGS    8
#define PI          3.14159265358979323846

static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, ts_envelope_by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double window_median(const double *x, const double *y, double slope, size_t from,
                            size_t count)
{
    double values[STEP_WINDOW] = {0};
    for (size_t i = 0; i < count; i++)
        values[i] = y[from + i] - slope * x[from + i];
    return median_of(values, count);
}

/* Typical distance of one delay from the next, as a standard deviation. */
static double scatter(const struct ts_clock_points *points, const double *x, const double *y,
                      double slope)
{
    for (size_t i = 0; i + 1 < points->count; i++)
        points->scratch[i] = fabs(y[i + 1] - y[i] - slope * (x[i + 1] - x[i]));
    return 1.4826 / sqrt(2) * median_of(points->scratch, points->count - 1);
}

bool ts_clock_find_step(const struct ts_clock_points *points, double slope, size_t *found)
{
    if (points->count < 2 * STEP_EDGE)
        return false;
    const double out_noise = scatter(points, points->out_x, points->out_y, slope);
    const double back_noise = scatter(points, points->back_x, points->back_y, slope);
    double clearest = 0;
    for (size_t at = STEP_EDGE; at + STEP_EDGE <= points->count; at++) {
        size_t window = at < STEP_WINDOW ? at : STEP_WINDOW;
        if (points->count - at < window)
            window = points->count - at;
        const double out = window_median(points->out_x, points->out_y, slope, at, window) -
                           window_median(points->out_x, points->out_y, slope, at - window, window);
        const double back =
            window_median(points->back_x, points->back_y, slope, at, window) -
            window_median(points->back_x, points->back_y, slope, at - window, window);
        const double run = points->out_x[at + window - 1] - points->out_x[at - window];
        const double wander = 1000 + TS_CLOCK_WANDER_MOST * run;
        const double sigmas = 6 * sqrt(PI / (double)window); /* of a difference of medians */
        const double over = fmin(fabs(out) / (wander + sigmas * out_noise),
                                 fabs(back) / (wander + sigmas * back_noise));
        if (out * back > 0 && over > 1 && over > clearest) {
            clearest = over;
            *found = at;
        }
    }
    return clearest > 0;
}

/* The share of sorted values that are at most `limit`, going on from *at. */
static double share_until(const double *values, size_t count, double limit, size_t *at)
{
    while (*at < count && values[*at] <= limit)
        ++*at;
    return (double)*at / (double)count;
}

/* How far the distribution of `left` runs ahead of that of `right`, moved by slack. */
static double ahead(const double *left, const double *right, size_t count, double slack)
{
    size_t at = 0;
    double most = 0;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, (double)(i + 1) / (double)count -
                              share_until(right, count, left[i] + slack, &at));
    return most;
}

/* Delays of both directions beyond the quickest, in order of time, into scratch and spare. */
static void find_excess(const struct ts_clock_points *points, double slope)
{
    const struct ts_points view = ts_clock_points_view(points, 0, points->count);
    const struct ts_edges edges = ts_edges_at(&view, slope);
    for (size_t i = 0; i < points->count; i++) {
        points->scratch[i] = edges.low - (points->out_y[i] - slope * points->out_x[i]);
        points->spare[i] = points->back_y[i] - slope * points->back_x[i] - edges.high;
    }
}

/* The least of both delays together when each out has met the way back `shift` readings later. */
static double least_sum(const struct ts_clock_points *points, size_t shift)
{
    double least = INFINITY;
    for (size_t i = 0; i < points->count; i++)
        least = fmin(least, points->scratch[i] + points->spare[(i + shift) % points->count]);
    return least;
}

/* Chance alone lets no reading be the quickest both ways: how far it goes is seen where delays
 * that do not belong together are paired. */
double ts_clock_bend(const struct ts_clock_points *points, double slope)
{
    double chance = 0;
    find_excess(points, slope);
    for (size_t pair = 1; pair < PAIRINGS; pair++)
        chance += least_sum(points, points->count * pair / PAIRINGS) / (PAIRINGS - 1);
    return fmax(0, least_sum(points, 0) - chance);
}

/* Kolmogorov and Smirnov's test of two samples (W. Press et al., "Numerical Recipes", 14.3), those
 * in scratch and spare; they get sorted. */
static bool same_distribution(const struct ts_clock_points *points, size_t count, double level,
                              double slack)
{
    double *out = points->scratch, *back = points->spare;
    qsort(out, count, sizeof *out, ts_envelope_by_value);
    qsort(back, count, sizeof *back, ts_envelope_by_value);
    if (out[count - 1] <= slack && back[count - 1] <= slack)
        return true;
    const double apart = fmax(ahead(out, back, count, slack), ahead(back, out, count, slack));
    return count >= ALIKE_LEAST && apart <= level * sqrt(2.0 / (double)count);
}

/* How delays spread beyond the quickest, and how they differ from one reading to the next: the
 * first knows skewness, the second is not misled by a quickest one that is an accident. */
bool ts_clock_delays_alike(const struct ts_clock_points *points, double slope, double bend_ns)
{
    const size_t count = points->count;
    const double run = points->back_x[count - 1] - points->out_x[0];
    const double slack = TS_CLOCK_BEND_NS + fmin(bend_ns, TS_CLOCK_WANDER_MOST * run / 2);
    find_excess(points, slope);
    if (!same_distribution(points, count, ALIKE_LEVEL, slack))
        return false;
    find_excess(points, slope);
    for (size_t i = 0; i + 1 < count; i++) {
        points->scratch[i] = fabs(points->scratch[i + 1] - points->scratch[i]);
        points->spare[i] = fabs(points->spare[i + 1] - points->spare[i]);
    }
    return same_distribution(points, count - 1, OVERLAP * ALIKE_LEVEL, TS_CLOCK_BEND_NS);
}
