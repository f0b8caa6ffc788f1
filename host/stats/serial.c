/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/serial.h"

#include "stats/order.h"

#include <math.h>
#include <stdbool.h>

#define LEAST 6 /* below that the correction would be greater than what it corrects */
#define MOST  0.95
#define SURE  2 /* standard errors of a correlation that is 0 */

static double within(double correlation)
{
    return fmin(fmax(correlation, -MOST), MOST);
}

struct ts_serial ts_serial_of(const double *values, size_t count)
{
    const double n = (double)count, mean = ts_mean(values, count);
    double squares = 0, products[2] = {0, 0};
    for (size_t i = 0; i < count; i++) {
        const double from = values[i] - mean;
        squares += from * from;
        products[0] += i > 0 ? from * (values[i - 1] - mean) : 0;
        products[1] += i > 1 ? from * (values[i - 2] - mean) : 0;
    }
    if (count < LEAST || !(squares > 0))
        return (struct ts_serial){0, 0};
    const double first = within((n * products[0] / squares + 1) / (n - 4));
    const double low = (1 + first) * (1 + first) + 6 * first * first;
    return (struct ts_serial){first, within(products[1] / squares + low / n)};
}

double ts_serial_lasting(struct ts_serial of, size_t count)
{
    const bool sure = of.first * sqrt((double)count) > SURE;
    return sure && of.second > of.first * of.first ? within(sqrt(of.second)) : of.first;
}

double ts_serial_effective(double correlation, size_t count)
{
    return (double)count * (1 - correlation) / (1 + correlation);
}
