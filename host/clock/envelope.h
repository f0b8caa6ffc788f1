/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two edges between which a clock's line runs; for fit.c alone. Everything is in nanoseconds
 * from origins near the middle of the readings, and host times have the other clock's time
 * subtracted, so that all numbers are small and the slope sought is rate - 1. */
#ifndef TS_CLOCK_ENVELOPE_H
#define TS_CLOCK_ENVELOPE_H

#include <stddef.h>

struct ts_points {
    size_t count;
    const double *out_x, *out_y;   /* t2, t1 - t2: the line is above all of them */
    const double *back_x, *back_y; /* t3, t4 - t3: the line is below all of them */
    double *scratch;               /* [count] */
};

/* At a slope: the line's height at x = 0 is at least `low` and at most `high`; who says so. */
struct ts_edges {
    double low, high;
    size_t low_by, high_by;
};

struct ts_envelope {
    double slope, slope_u;
    double height, height_u;      /* at x = 0: the middle of both edges */
    double out_scale, back_scale; /* delays near the edge come this far apart, times count */
};

struct ts_edges ts_edges_at(const struct ts_points *points, double slope);

/* The slope that leaves the widest channel between the edges. */
double ts_envelope_widest(const struct ts_points *points, double slope_most);
/* Slopes with an open channel lie within +- this of `slope`. */
double ts_envelope_slope_reach(const struct ts_points *points, double slope, double slope_most);
void ts_envelope_fit(const struct ts_points *points, double slope_most, struct ts_envelope *out);

/* Order of doubles, for qsort(). */
int ts_envelope_by_value(const void *left, const void *right);

#endif
