/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Android's time to initial display ends when an app first drew its window; what it loads after
 * that, a person still waits for. So it is a lower bound of what the rig measures, and how far it
 * falls short tells apps that load lazily (Bissig et al., "Towards Measuring Real-World Performance
 * of Android Devices", figure 3: Calculator close, Spotify and Gmail apart). */
#ifndef TS_AGREEMENT_BOUND_H
#define TS_AGREEMENT_BOUND_H

#include "base/err.h"
#include "stats/interval.h"

#include <stdbool.h>

/* A launch is above the bound when the bound exceeds it by more than 2 u, u its own standard
 * uncertainty: by chance one in 44 would be where both are equal. The bound is broken when so many
 * or more would be, with that chance each, in less than one app of 20. */
#define TS_BOUND_CHANCE 0.02275
#define TS_BOUND_LEVEL  0.05

struct ts_bound {
    size_t count, above; /* launches; those whose bound is above them by more than 2 u */
    double p;            /* of so many or more, by chance alone */
    bool broken;
    double offset; /* median of value - bound */
    struct ts_interval interval;
};
/* TS_ENOMEM; count 0: offset is NAN. */
int ts_bound_of(const double *values, const double *u, const double *bounds, size_t count,
                struct ts_bound *out) TS_MUST_CHECK;

/* Of apps on one phone, those whose offset is more than the least by this much, and by this share
 * of their own bound, even at the lower end of its interval (so from 6 launches on) [decision: what
 * every launch has on top of the bound, from touch to intent and the opening animation, is in the
 * least offset; the paper gives no number]. */
#define TS_LAZY_MS    100
#define TS_LAZY_SHARE 0.2
bool ts_bound_lazy(const struct ts_bound *app, double median_bound, double least_offset);

#endif
