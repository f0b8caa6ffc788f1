/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Since when launches take another time: change.h compares two periods that somebody names, this
 * finds them in dated launches. */
#ifndef TS_ESTIMATORS_SINCE_H
#define TS_ESTIMATORS_SINCE_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

#define TS_SINCE_ALPHA 0.05 /* stats/change_points.h */
#define TS_SINCE_LEAST 12   /* launches */
#define TS_SINCE_DRAWS 999

struct ts_since {
    size_t launches;      /* before it, of all that count */
    double at_s;          /* of the first launch on the new level */
    double low_s, high_s; /* 95 %: from a launch that is still of the old level to one of the new */
    double before, after; /* medians of the levels on both sides */
    double p;             /* share of random orders that do as well; stats/change_points.h */
};

/* values[count] of launches at at_s[count] (seconds, in any order); where either is not finite the
 * launch does not count. The interval: the change is looked for again in TS_SINCE_DRAWS series,
 * each drawn with replacement from the launches on both sides (B. Efron, R. Tibshirani, "An
 * Introduction to the Bootstrap", 1993, on two samples); 2.5 % and 97.5 % of where it is found.
 *
 * *out is the caller's, to be freed with free(); in order of time. Gives how many. TS_EPROTO: fewer
 * than TS_SINCE_LEAST launches count. TS_ENOMEM. */
long ts_since_find(const double *values, const double *at_s, size_t count, uint64_t seed,
                   struct ts_since **out, struct ts_why *why) TS_MUST_CHECK;

#endif
