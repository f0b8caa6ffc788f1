/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/interval.h"

#include <math.h>

/* How far to go from the d-th value to the next so that P is TS_INTERVAL_LEVEL. wide, narrow: P of
 * d and of d + 1. */
static double share_of_way(double n, double d, double wide, double narrow)
{
    const double part = (wide - TS_INTERVAL_LEVEL) / (wide - narrow);
    return (n - d) * part / (d + (n - 2 * d) * part);
}

struct ts_interval ts_median_interval(const double *sorted, size_t count)
{
    if (!count)
        return (struct ts_interval){NAN, NAN, 0};
    /* P(B = k) by its logarithm: 2^-count itself underflows from 1075 values on. */
    const double n = (double)count;
    double log_term = -n * log(2.0);             /* of P(B = 0) */
    double below = exp(log_term);                /* P(B < 1) */
    double wide = count > 1 ? 1 - 2 * below : 0; /* one value is an interval of no width */
    if (wide < TS_INTERVAL_LEVEL)
        return (struct ts_interval){sorted[0], sorted[count - 1], wide};
    for (size_t d = 1;; d++) {
        log_term += log((n - (double)d + 1) / (double)d);
        below += exp(log_term);
        const double narrow = 1 - 2 * below;
        if (narrow < TS_INTERVAL_LEVEL) {
            const double share = share_of_way(n, (double)d, wide, narrow);
            const double *low = sorted + d - 1, *high = sorted + count - d;
            return (struct ts_interval){low[0] + share * (low[1] - low[0]),
                                        high[0] - share * (high[0] - high[-1]), TS_INTERVAL_LEVEL};
        }
        wide = narrow;
    }
}
