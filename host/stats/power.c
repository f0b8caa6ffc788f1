/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/power.h"

#include "stats/distribution.h"

#include <math.h>

#define HALVINGS 60

/* How many times as many launches are needed as if they were independent. */
static double inflation(const struct ts_ranked *sample)
{
    return (double)sample->count / sample->effective;
}

double ts_launches_needed(const struct ts_ranked *sample, double shift)
{
    const double z = ts_normal_at(1 - TS_POWER_ALPHA / 2) + ts_normal_at(TS_POWER);
    const double away = fabs(ts_relative_of(sample, sample, shift).p - 0.5);
    return away > 0 ? inflation(sample) * z * z / (6 * away * away) : INFINITY;
}

double ts_detectable(const struct ts_ranked *sample, double per_side)
{
    double low = 0, high = sample->sorted[sample->count - 1] - sample->sorted[0];
    high += high > 0 ? high * 1e-9 : 1e-9;
    if (ts_launches_needed(sample, high) > per_side)
        return INFINITY;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (ts_launches_needed(sample, middle) > per_side)
            low = middle;
        else
            high = middle;
    }
    return high;
}
