/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fixed-work-quantum probe: what this computer does to a program that only reads the clock.
 * Paper N (Rehn, Hamilton, Holdsworth, ICEB 2014, section "Experimental methodology"): the quantum
 * is one reading of the clock, readings follow each other in unrolled code without a loop header
 * between them, nothing is filtered, and every delta is kept. calibration/instrument/noise.h makes
 * figures of them. */
#ifndef TS_PROBE_PROBE_H
#define TS_PROBE_PROBE_H

#include "base/err.h"

#include <stddef.h>

#define TS_PROBE_DELTAS 10000 /* the paper's */
#define TS_PROBE_CORES  1024

/* What the process holds while the probe runs: blocks of sizes that fit the allocator and the
 * pages, and such that do not. */
enum ts_probe_memory {
    TS_PROBE_PLAIN, /* nothing but the stamps */
    TS_PROBE_BY_16, /* multiples of 16 bytes */
    TS_PROBE_BY_4096,
    TS_PROBE_PRIMES, /* sizes that are prime, close to the multiples of 16 */
    TS_PROBE_MEMORY_COUNT
};
extern const char *const ts_probe_memory_names[TS_PROBE_MEMORY_COUNT];

/* The cores this thread may run on, ascending: cores[TS_PROBE_CORES] is filled. Gives how many.
 * TS_EIO. */
int ts_probe_cores(int *cores, struct ts_why *why) TS_MUST_CHECK;

/* Binds the calling thread to `core`, runs the probe once on CLOCK_MONOTONIC_RAW, and frees the
 * thread again. At 20 ns a reading that is 0.2 ms: the tick of a kernel at 250 Hz falls into one
 * run of twenty, so run it often to see what is rare. deltas_ns[TS_PROBE_DELTAS] is filled, in
 * their order. TS_EINVAL: no such core; TS_EIO, TS_ENOMEM. */
int ts_probe_run(int core, enum ts_probe_memory memory, double *deltas_ns,
                 struct ts_why *why) TS_MUST_CHECK;

#endif
