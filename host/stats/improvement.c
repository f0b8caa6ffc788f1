/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/improvement.h"

#include "stats/order.h"
#include "stats/shape.h"

#include <math.h>

struct ts_improvement ts_improvement_of(const double *a, size_t count_a, const double *b,
                                        size_t count_b)
{
    const double median = ts_median(a, count_a), sd = ts_moments_of(a, count_a).sd;
    const double faster = median - ts_median(b, count_b);
    const double steadier = sd - ts_moments_of(b, count_b).sd;
    return (struct ts_improvement){.performance = faster,
                                   .precision = steadier,
                                   .performance_share = median > 0 ? faster / median : (double)NAN,
                                   .precision_share = sd > 0 ? steadier / sd : (double)NAN};
}
