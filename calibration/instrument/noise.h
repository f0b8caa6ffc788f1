/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Deltas of a fixed-work-quantum probe (host/probe, or the MCU's) -> how much the system holds up
 * what is stamped. Paper N: Rehn, Hamilton, Holdsworth, "Towards an Adaptive OS Noise Mitigation
 * Technique for Microbenchmarking on Apple iPad Devices", ICEB 2014. */
#ifndef TS_INSTRUMENT_NOISE_H
#define TS_INSTRUMENT_NOISE_H

#include "base/err.h"
#include "stats/fences.h"
#include "stats/shape.h"

#include <stddef.h>

#define TS_NOISE_DELTAS_MIN 1000 /* below, there is no P99.9 */

struct ts_noise {
    size_t count;
    double smallest_ns, median_ns, largest_ns;
    double p999_ns; /* quantile 0.999 of all deltas: 999 of 1000 stamps are late by less */
    /* What lies beyond cut_ns is an interruption: the fence of (part, ratio) that
     * ts_fence_search() settles on for these deltas, the recorded P95 + 3 (P95 - Q0) unless its
     * border is crowded; but at least twice the median [decision: what takes less time than one
     * reading of the clock interrupts nothing; coarse clocks have deltas of one step or two]. */
    struct ts_right_fence fence;
    double cut_ns;
    size_t interruptions;
    /* Share of all time that interruptions took: the sum of (delta - median) over them, by the sum
     * of all deltas. 0..1. */
    double lost;
    double medcouple;            /* of all deltas */
    struct ts_moments raw, rest; /* of all; of those up to cut_ns (paper N, table 1) */
};

/* deltas_ns: in any order, finite, not negative. TS_EPROTO: too few, or not such; *why says so.
 * TS_ENOMEM. */
int ts_noise_of(const double *deltas_ns, size_t count, struct ts_noise *out,
                struct ts_why *why) TS_MUST_CHECK;

#endif
