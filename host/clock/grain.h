/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Some phones' log clocks count in steps of 10 ms or 1 ms, whatever the stamps print: the step cuts
 * every stamp, so that a line was written up to one step after it says, half a step on average. */
#ifndef TS_CLOCK_GRAIN_H
#define TS_CLOCK_GRAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_clock_grain {
    int64_t step_ns;  /* the coarsest of 10 ms, 1 ms, 1 us, 1 ns that divides all stamps */
    bool sure;        /* chance would not have it so; else the step may be finer */
    double late_ns;   /* add this to a stamp: half a step; 0 while unsure */
    double late_u_ns; /* standard uncertainty of that, uniform over the step (JCGM 100:2008,
                         4.3.7): step / sqrt(12); while unsure, about 0, step / sqrt(3) */
};

/* Stamps in any order; equal ones count once (lines come in bursts). Sure means that a finer clock
 * gives such stamps once in a million times. Without stamps: 10 ms, unsure. Sorts the stamps. */
struct ts_clock_grain ts_clock_grain(int64_t *stamps_ns, size_t count);

#endif
