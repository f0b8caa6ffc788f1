/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/interval.h"

#include <math.h>

struct ts_interval ts_median_interval(const double *sorted, size_t count)
{
    if (!count)
        return (struct ts_interval){NAN, NAN, 0};
    /* P(B = k) by its logarithm: 2^-count itself underflows from 1075 values on. */
    const double n = (double)count;
    double log_term = -n * log(2.0); /* of P(B = 0) */
    double below = exp(log_term);    /* P(B < 1) */
    size_t r = 1;
    double coverage = 1 - 2 * below;
    for (size_t next = 2; 2 * next <= count + 1; next++) {
        const double k = (double)(next - 1);
        log_term += log((n - k + 1) / k);
        below += exp(log_term);
        if (1 - 2 * below < TS_INTERVAL_LEVEL)
            break;
        r = next;
        coverage = 1 - 2 * below;
    }
    if (count == 1)
        coverage = 0; /* one value is an interval of no width */
    return (struct ts_interval){sorted[r - 1], sorted[count - r], coverage};
}
