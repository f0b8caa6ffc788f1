/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/power.h"

#include "stats/distribution.h"
#include "stats/shift.h"

#include <math.h>

/* How many times as many launches are needed as if they were independent. */
static double inflation(const struct ts_ranked *sample)
{
    return (double)sample->count / sample->effective;
}

double ts_power_deviates(void)
{
    return ts_normal_at(1 - TS_POWER_ALPHA / 2) + ts_normal_at(TS_POWER);
}

double ts_launches_needed(const struct ts_ranked *sample, double shift)
{
    const double away = fabs(ts_relative_of(sample, sample, shift).p - 0.5);
    return away > 0 ? inflation(sample) * pow(ts_power_deviates() / away, 2) / 6 : INFINITY;
}

/* The formula for n, solved for p: the shift is the difference that so many of all pairs of values
 * do not exceed. */
double ts_detectable(const struct ts_ranked *sample, double per_side)
{
    const double away = ts_power_deviates() * sqrt(inflation(sample) / (6 * per_side));
    const double pairs = (double)sample->count * (double)sample->count;
    return away < 0.5 ? ts_kth_difference(sample, sample, ceil((0.5 + away) * pairs)) : INFINITY;
}
