/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Clock readings t1..t4 -> an affine map from another clock to the host's, with its uncertainty
 * and, beside the estimate, a hard bound that assumes nothing about symmetry.
 *
 * Delays only ever make a reading late, so the truth is an edge, not a mean: t1 - rate * t2 has an
 * upper edge and t4 - rate * t3 a lower one, and the map runs between them. The rate is the one
 * that holds the readings closest to both edges, each direction weighted by how sharp its edge is
 * (the maximum likelihood line under one-sided delays; S. Moon, P. Skelly, D. Towsley, "Estimation
 * and removal of clock skew from network delay measurements", INFOCOM 1999, section IV, has the one
 * direction case). The offset is the middle of the two edges: quickest way there, quickest way
 * back, each found on its own. The hard bounds are those of WALT (Google's latency timer; its clock
 * synchronisation calls them minE <= E <= maxE): of every reading
 *     t1 - t2 <= host time - other time <= t4 - t3,
 * since no message arrives before it was sent. */
#ifndef TS_CLOCK_FIT_H
#define TS_CLOCK_FIT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much the rate of a clock may wander about its mean within the span of one fit: hard bounds
 * allow for the first, the uncertainty outside the span for the second. */
#define TS_CLOCK_WANDER_MOST 20e-6
#define TS_CLOCK_WANDER_U    2e-6

/* One reading in nanoseconds: host sends t1, other side receives t2, answers t3, host receives
 * t4. t2, t3 are the other clock's nanoseconds (MCU ticks are unwrapped and multiplied first): t2
 * the latest and t3 the earliest that the stamps can mean, or the bounds are not hard. */
struct ts_reading {
    int64_t t1_ns, t2_ns, t3_ns, t4_ns;
};

/* A clock that counts in whole grains shows t2, t3: a stamp s was taken between s and s + grain. */
#define TS_CLOCK_GRAIN_MOST_NS (20 * INT64_C(1000000))
static inline struct ts_reading ts_reading_of(int64_t t1_ns, int64_t t2_ns, int64_t t3_ns,
                                              int64_t t4_ns, int64_t grain_ns)
{
    return (struct ts_reading){t1_ns, (int64_t)((uint64_t)t2_ns + (uint64_t)grain_ns), t3_ns,
                               t4_ns};
}

/* What one reading says for certain: at this place the true host time lies above (or below) the
 * line by at least (at most) so much. */
struct ts_clock_limit {
    double x_ns; /* other clock, from origin_ns */
    double ns;   /* host, from the line */
};
#define TS_CLOCK_LIMITS 128

struct ts_clock_fit {
    int64_t from_ns, to_ns; /* other clock: span of the readings */
    int64_t origin_ns;      /* other clock */
    int64_t host_at_origin_ns;
    double host_fraction_ns; /* -0.5..0.5, belongs to host_at_origin_ns */
    double rate;             /* host ns per other ns, about 1 */
    double u_ns; /* standard uncertainty of the map at the ends of the span, its largest inside */
    double rate_u;
    double rtt_min_ns;
    double bound_low_ns, bound_high_ns; /* hard: true host time - estimate lies in here, within
                                           the span, given the drift it shows */
    double drift_most;                  /* hard: the true rate is never farther from `rate` */
    struct ts_clock_limit low[TS_CLOCK_LIMITS], high[TS_CLOCK_LIMITS]; /* ts_clock_bounds_at() */
    size_t low_count, high_count;
    size_t used, offered; /* used: the readings that agree with the line */
    bool suspicious;      /* readings contradict one straight line: a step, a stall, a reset */
};

/* Readings in order of time, at least TS_CLOCK_READINGS_MIN of them. A robust line through the
 * midpoints of the quickest round trips decides which readings can belong to it at all (+-5 robust
 * sigma); the edges of those give the fit. TS_EPROTO: too few, or no line agrees with half of
 * them. */
#define TS_CLOCK_READINGS_MIN 4
int ts_clock_fit(const struct ts_reading *readings, size_t count, struct ts_clock_fit *fit,
                 struct ts_why *why) TS_MUST_CHECK;

/* Other clock -> host and back; exact to the rounding of the result, however large the stamps. */
int64_t ts_clock_to_host(const struct ts_clock_fit *fit, int64_t other_ns);
int64_t ts_clock_from_host(const struct ts_clock_fit *fit, int64_t host_ns);
/* Standard uncertainty at an instant: smallest in the middle of the span, growing outside. */
double ts_clock_u_at(const struct ts_clock_fit *fit, int64_t other_ns);
/* Hard bounds at an instant, inside the span, between readings or beyond: *low <= true host time -
 * ts_clock_to_host() <= *high. No symmetry is assumed; the clock may drift by drift_most from the
 * fitted rate since each reading. So, for every reading used, high - low is at most its round trip
 * + 2 drift_most * its distance (and, where more than TS_CLOCK_LIMITS readings bound the clock
 * somewhere, some per cent of a round trip). */
void ts_clock_bounds_at(const struct ts_clock_fit *fit, int64_t other_ns, double *low,
                        double *high);

/* 32-bit tick counters wrap every 36 minutes: unwraps `ticks` next to `near`. */
int64_t ts_ticks_unwrap(uint32_t ticks, int64_t near);

#endif
