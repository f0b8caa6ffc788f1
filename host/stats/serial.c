/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/serial.h"

#include "stats/order.h"

#include <math.h>

#define LEAST 6 /* below that the correction would be greater than what it corrects */
#define MOST  0.95

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
    const double found = (n * products / squares + 1) / (n - 4);
    return fmin(fmax(found, -MOST), MOST);
}

double ts_serial_effective(double correlation, size_t count)
{
    return (double)count * (1 - correlation) / (1 + correlation);
}
