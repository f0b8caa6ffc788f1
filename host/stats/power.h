/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a comparison can see, before it is made: the smallest shift, and how many launches show it.
 *
 * G. Noether, "Sample size determination for some common nonparametric tests", J. American
 * Statistical Association 82 (1987) 645-647, section 3: with equal samples of n,
 *     n = (z_(1 - alpha / 2) + z_power)^2 / (6 (p - 1/2)^2).
 * p, the chance that a launch of b is above one of a, is read off the sample itself, set against a
 * shifted copy of itself: no shape is supposed. */
#ifndef TS_STATS_POWER_H
#define TS_STATS_POWER_H

#include "stats/relative.h"

#define TS_POWER_ALPHA 0.05 /* two-sided */
#define TS_POWER       0.8

/* z_(1 - alpha / 2) + z_power: so many standard errors show. */
double ts_power_deviates(void);

/* Launches on each side that show `shift` with TS_POWER; values that resemble their neighbours (the
 * sample's own correlation) take more. INFINITY for a shift of 0. */
double ts_launches_needed(const struct ts_ranked *sample, double shift);

/* The smallest shift > 0 that `per_side` launches on each side show with TS_POWER. INFINITY when
 * they are too few to show any. */
double ts_detectable(const struct ts_ranked *sample, double per_side);

#endif
