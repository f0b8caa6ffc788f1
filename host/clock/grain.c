/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/grain.h"

#include <math.h>
#include <stdlib.h>

#define CHANCE_MOST 1e-6

static const int64_t steps_ns[] = {10000000, 1000000, 1000, 1};
#define STEPS (sizeof steps_ns / sizeof *steps_ns)

static int by_time(const void *left, const void *right)
{
    const int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
    return (a > b) - (a < b);
}

/* How often a clock of the next finer step, read at random, would show nothing but these. One
 * digit or three lie between two steps; the stamps' own first one is given. */
static double chance(size_t step, size_t distinct)
{
    if (step + 1 == STEPS || distinct == 0)
        return 1.0 - (double)(distinct > 0);
    return pow((double)steps_ns[step + 1] / (double)steps_ns[step], (double)distinct);
}

struct ts_clock_grain ts_clock_grain(int64_t *stamps_ns, size_t count)
{
    size_t step = 0, distinct = 0;
    if (count)
        qsort(stamps_ns, count, sizeof *stamps_ns, by_time);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && stamps_ns[i] == stamps_ns[i - 1])
            continue;
        distinct++;
        while (step + 1 < STEPS && stamps_ns[i] % steps_ns[step] != 0)
            step++;
    }
    const double step_ns = (double)steps_ns[step];
    const bool sure = chance(step, distinct) <= CHANCE_MOST;
    return (struct ts_clock_grain){.step_ns = steps_ns[step],
                                   .sure = sure,
                                   .late_ns = sure ? step_ns / 2 : 0,
                                   .late_u_ns = sure ? step_ns / sqrt(12) : step_ns / sqrt(3)};
}
