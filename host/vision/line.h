/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the straight line through any stretch of a block's values, by least squares,
 * in a time that does not depend on how long the stretch is. */
#ifndef TS_VISION_LINE_H
#define TS_VISION_LINE_H

#include <stddef.h>

struct ts_line_sums { /* [frames + 1]: of the frames before each */
    double *value, *moment;
};

/* Of the frames low .. high - 1. */
static inline void ts_line_sum_up(const struct ts_line_sums *sums, const float *values, size_t low,
                                  size_t high)
{
    double sum = 0, moment = 0;
    sums->value[low] = sums->moment[low] = 0;
    for (size_t n = low; n < high; n++) {
        const double value = (double)values[n];
        sums->value[n + 1] = sum += value;
        sums->moment[n + 1] = moment += value * (double)n;
    }
}

/* Sum of the squared distances of so many frames from the middle of them. */
static inline double ts_line_spread(size_t width)
{
    const double w = (double)width;
    return w * (w * w - 1) / 12;
}

/* Codes a frame, through the frames from .. from + width - 1; and their mean. */
static inline double ts_line_slope(const struct ts_line_sums *sums, size_t from, size_t width,
                                   double *mean)
{
    const double sum = sums->value[from + width] - sums->value[from];
    const double moment = sums->moment[from + width] - sums->moment[from];
    const double middle = (double)from + ((double)width - 1) / 2;
    *mean = sum / (double)width;
    return (moment - middle * sum) / ts_line_spread(width);
}

#endif
