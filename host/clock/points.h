/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock readings as two rows of points, for the fit and for those who look for steps; for this room
 * alone. Coordinates: envelope.h. */
#ifndef TS_CLOCK_POINTS_H
#define TS_CLOCK_POINTS_H

#include "clock/envelope.h"
#include "clock/fit.h"

/* The worst ceramic resonator is 0.5 % off; twice that leaves room for a tilted first guess. */
#define TS_CLOCK_SLOPE_MOST 0.01
/* A launch long, from a straight line; direct links are that tight. */
#define TS_CLOCK_BEND_NS 3000

struct ts_clock_points {
    size_t count;
    int64_t origin_ns, host_origin_ns;
    double *memory; /* owns the arrays below, [count] each */
    double *out_x, *out_y, *back_x, *back_y, *scratch, *spare;
};

/* Could both readings be of one clock that was not set in between, and neither take less than no
 * time on the way? */
bool ts_clock_plausible(const struct ts_reading *reading, const struct ts_reading *origin);
/* Plausible readings only, about an origin in their middle. TS_ENOMEM. */
int ts_clock_points_load(struct ts_clock_points *points, const struct ts_reading *readings,
                         size_t count) TS_MUST_CHECK;
void ts_clock_points_free(struct ts_clock_points *points);
void ts_clock_points_drop(struct ts_clock_points *points, size_t at);
/* Readings from <= i < to, as the envelope wants them. */
struct ts_points ts_clock_points_view(const struct ts_clock_points *points, size_t from, size_t to);
/* A straight line passes between what each of them allows, but for the clock's own wander: nothing
 * need be dropped, however crooked a bridge made the midpoints. */
bool ts_clock_points_agree(const struct ts_clock_points *points, size_t from, size_t to);

/* Both directions move alike by more than their scatter: a step smaller than the round trip, which
 * contradicts nobody. True: *at is the first reading after the clearest one. */
bool ts_clock_find_step(const struct ts_clock_points *points, double slope, size_t *at);

/* How far from straight the clock ran, as far as delays do not explain it: equal delays leave a
 * channel as wide as the quickest round trip, a crooked line a narrower one. */
double ts_clock_bend(const struct ts_clock_points *points, double slope);
/* Are delays of the two directions draws from one distribution, but for the clock's bend? With few
 * readings nobody can tell: false. */
bool ts_clock_delays_alike(const struct ts_clock_points *points, double slope, double bend_ns);

#endif
