/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/improvement.h"

#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>
#include <stdlib.h>

struct place {
    double median, sd;
};

static int place_of(const double *values, size_t count, struct place *out)
{
    double *sorted = ts_sorted_copy(values, count);
    if (!sorted)
        return TS_ENOMEM;
    *out = (struct place){ts_median(sorted, count), ts_moments_of(sorted, count).sd};
    free(sorted);
    return TS_OK;
}

int ts_improvement_of(const double *a, size_t count_a, const double *b, size_t count_b,
                      struct ts_improvement *out)
{
    struct place before, after;
    int err = place_of(a, count_a, &before);
    if (!err)
        err = place_of(b, count_b, &after);
    if (err)
        return err;
    out->performance = before.median - after.median;
    out->precision = before.sd - after.sd;
    out->performance_share = before.median > 0 ? out->performance / before.median : (double)NAN;
    out->precision_share = before.sd > 0 ? out->precision / before.sd : (double)NAN;
    return TS_OK;
}
