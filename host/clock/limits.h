/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which readings' hard limits a fit keeps; for fit.c alone. */
#ifndef TS_CLOCK_LIMITS_H
#define TS_CLOCK_LIMITS_H

#include "clock/points.h"

/* Fills the limits (drift_most is given), and from them the bounds of the whole span. */
int ts_clock_limits_fill(const struct ts_clock_points *points, double slope, double height,
                         struct ts_clock_fit *fit) TS_MUST_CHECK;

#endif
