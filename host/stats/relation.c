/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/relation.h"

#include "stats/order.h"

#include <math.h>

double ts_pearson(const double *x, const double *y, size_t count)
{
    if (count < 2)
        return NAN;
    const double mean_x = ts_mean(x, count), mean_y = ts_mean(y, count);
    double xx = 0, yy = 0, xy = 0;
    for (size_t i = 0; i < count; i++) {
        const double dx = x[i] - mean_x, dy = y[i] - mean_y;
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    if (!(xx > 0 && yy > 0))
        return NAN;
    return fmax(-1, fmin(1, xy / (sqrt(xx) * sqrt(yy))));
}
