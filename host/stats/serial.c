/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/serial.h"

#include "stats/order.h"

#include <math.h>

#define LEAST             4
#define MOST_CORRELATION  0.95
#define LEAST_CORRELATION 0.5 /* over sqrt(n) */

double ts_serial_correlation(const double *values, size_t count)
{
    const double n = (double)count, mean = ts_mean(values, count);
    double squares = 0, products = 0;
    for (size_t i = 0; i < count; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
        products += i ? (values[i] - mean) * (values[i - 1] - mean) : 0;
    }
    if (count < LEAST || !(squares > 0))
        return 0;
    const double raw = products / squares;
    return raw + (1 + 3 * raw) / n;
}

double ts_serial_held(double correlation, size_t count)
{
    if (correlation < LEAST_CORRELATION / sqrt((double)count))
        return 0;
    return fmin(correlation, MOST_CORRELATION);
}

double ts_serial_effective(double held, size_t count)
{
    return (double)count * (1 - held) / (1 + held);
}
