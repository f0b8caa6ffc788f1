/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/bound.h"

#include "stats/distribution.h"
#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

int ts_bound_of(const double *values, const double *u, const double *bounds, size_t count,
                struct ts_bound *out)
{
    double *offsets = calloc(count + 1, sizeof *offsets);
    *out = (struct ts_bound){.count = count, .p = 1, .offset = (double)NAN};
    if (!offsets)
        return TS_ENOMEM;
    for (size_t i = 0; i < count; i++) {
        offsets[i] = values[i] - bounds[i];
        out->above += bounds[i] - values[i] > 2 * u[i];
    }
    if (out->above) /* P(B >= k) of n trials is I(chance; k, n - k + 1) */
        out->p =
            ts_beta_below(TS_BOUND_CHANCE, (double)out->above, (double)(count - out->above) + 1);
    out->broken = out->p < TS_BOUND_LEVEL;
    ts_sort(offsets, count);
    out->offset = ts_median(offsets, count);
    out->interval = ts_median_interval(offsets, count);
    free(offsets);
    return TS_OK;
}

bool ts_bound_lazy(const struct ts_bound *app, double median_bound, double least_offset)
{
    const double more = app->interval.low - least_offset;
    return ts_interval_reached(app->interval) && more > TS_LAZY_MS &&
           more > TS_LAZY_SHARE * median_bound;
}
