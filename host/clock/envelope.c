/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/envelope.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ticks are 500 ns: delays cannot be told apart more finely than this. */
#define SHARPEST_NS 250.0
/* Slopes this much less likely (natural logarithm) than the best are left out of the mean. */
#define UNLIKELY 12.0
#define GRID     64
#define SECTIONS 64

struct ts_edges ts_edges_at(const struct ts_points *points, double slope)
{
    struct ts_edges edges = {-INFINITY, INFINITY, 0, 0};
    for (size_t i = 0; i < points->count; i++) {
        const double low = points->out_y[i] - slope * points->out_x[i];
        const double high = points->back_y[i] - slope * points->back_x[i];
        if (low > edges.low) {
            edges.low = low;
            edges.low_by = i;
        }
        if (high < edges.high) {
            edges.high = high;
            edges.high_by = i;
        }
    }
    return edges;
}

/* What a slope is worth. Both edges are convex functions of the slope, so this is concave. */
struct worth {
    const struct ts_points *points;
    double out_weight, back_weight;
    double out_centre, back_centre; /* where the edge has to be close to its points */
};

static double worth_at(const struct worth *worth, double slope)
{
    const struct ts_edges edges = ts_edges_at(worth->points, slope);
    return worth->back_weight * (edges.high + slope * worth->back_centre) -
           worth->out_weight * (edges.low + slope * worth->out_centre);
}

static double best_slope(const struct worth *worth, double from, double to)
{
    const double golden = 0.6180339887498949;
    double left = to - golden * (to - from), right = from + golden * (to - from);
    double at_left = worth_at(worth, left), at_right = worth_at(worth, right);
    for (int i = 0; i < SECTIONS; i++) {
        if (at_left < at_right) {
            from = left;
            left = right;
            at_left = at_right;
            right = from + golden * (to - from);
            at_right = worth_at(worth, right);
        } else {
            to = right;
            right = left;
            at_right = at_left;
            left = to - golden * (to - from);
            at_left = worth_at(worth, left);
        }
    }
    return (from + to) / 2;
}

/* Between `inside`, worth at least `level`, and `outside`: where the worth falls below it. */
static double slope_at_level(const struct worth *worth, double inside, double outside, double level)
{
    if (worth_at(worth, outside) >= level)
        return outside;
    for (int i = 0; i < SECTIONS; i++) {
        const double middle = (inside + outside) / 2;
        if (worth_at(worth, middle) >= level)
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

double ts_envelope_widest(const struct ts_points *points, double slope_most)
{
    const struct worth width = {points, 1, 1, 0, 0};
    return best_slope(&width, -slope_most, slope_most);
}

double ts_envelope_slope_reach(const struct ts_points *points, double slope, double slope_most)
{
    const struct worth width = {points, 1, 1, 0, 0};
    const double up = slope_at_level(&width, slope, slope_most, 0) - slope;
    const double down = slope - slope_at_level(&width, slope, -slope_most, 0);
    return fmax(up, down);
}

int ts_envelope_by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* How far apart delays come near their edge, times their count: for delays spread evenly over a
 * range it is that range, for exponential ones their mean. Read off the quickest quarter, so that
 * tails do not enter. */
static double edge_scale(const struct ts_points *points, const double *x, const double *y,
                         double slope, double edge)
{
    const size_t count = points->count;
    for (size_t i = 0; i < count; i++)
        points->scratch[i] = fabs(y[i] - slope * x[i] - edge);
    qsort(points->scratch, count, sizeof *points->scratch, ts_envelope_by_value);
    const size_t rank = count / 4 > 2 ? count / 4 : 2;
    const double scale = points->scratch[rank] * (double)count / (double)rank;
    return scale > SHARPEST_NS ? scale : SHARPEST_NS;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* The mean over all likely slopes instead of the best one alone: it has less spread, it is defined
 * where the best is a whole range (t2 == t3, one reading the quickest both ways), and the spread
 * of the likely ones is the uncertainty. */
void ts_envelope_fit(const struct ts_points *points, double slope_most, struct ts_envelope *out)
{
    const double count = (double)points->count;
    const double widest = ts_envelope_widest(points, slope_most);
    const struct ts_edges edges = ts_edges_at(points, widest);
    out->out_scale = edge_scale(points, points->out_x, points->out_y, widest, edges.low);
    out->back_scale = edge_scale(points, points->back_x, points->back_y, widest, edges.high);
    const struct worth likely = {points, count / out->out_scale, count / out->back_scale,
                                 mean(points->out_x, points->count),
                                 mean(points->back_x, points->count)};
    const double best = best_slope(&likely, -slope_most, slope_most);
    const double most = worth_at(&likely, best);
    const double from = slope_at_level(&likely, best, -slope_most, most - UNLIKELY);
    const double to = slope_at_level(&likely, best, slope_most, most - UNLIKELY);
    double sum = 0, slopes = 0, squares = 0, heights = 0, height_squares = 0;
    const double base = ts_edges_at(points, best).low;
    for (int i = 0; i <= GRID; i++) {
        const double step = (from - best) + (to - from) * i / GRID;
        const struct ts_edges at = ts_edges_at(points, best + step);
        const double weight = exp(fmin(0, worth_at(&likely, best + step) - most));
        /* The quickest of n delays is still scale / n above the edge; as far as there is room. */
        const double room = fmax(0, at.high - at.low) / 4;
        const double excess = (out->out_scale - out->back_scale) / (2 * count);
        const double middle = (at.low + at.high) / 2 - base + fmax(-room, fmin(room, excess));
        sum += weight;
        slopes += weight * step;
        squares += weight * step * step;
        heights += weight * middle;
        height_squares += weight * middle * middle;
    }
    const double edge_u = hypot(out->out_scale, out->back_scale) / (2 * count);
    out->slope = best + slopes / sum;
    out->slope_u = sqrt(fmax(0, squares / sum - slopes * slopes / (sum * sum)));
    out->height = base + heights / sum;
    out->height_u =
        sqrt(fmax(0, height_squares / sum - heights * heights / (sum * sum)) + edge_u * edge_u);
}
