/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/medians.h"

#include "stats/distribution.h"
#include "stats/order.h"

#include <math.h>

/* Standard error of a median: of the values, and of their logarithms. */
struct error {
    double plain, logarithmic;
};

/* P(B < c), B binomial(count, 1/2). */
static double binomial_below(size_t count, size_t c)
{
    const double m = (double)c;
    return ts_beta_below(0.5, (double)count - m + 1, m);
}

static struct error error_of(const double *sorted, size_t count)
{
    const double n = (double)count, rank = round((n + 1) / 2 - sqrt(n));
    const size_t c = rank > 1 ? (size_t)rank : 1;
    if (count < 2)
        return (struct error){NAN, NAN};
    const double z = -ts_normal_at(binomial_below(count, c));
    const double low = sorted[c - 1], high = sorted[count - c];
    return (struct error){(high - low) / (2 * z),
                          low > 0 ? log(high / low) / (2 * z) : (double)NAN};
}

struct ts_medians ts_medians_of(const double *sorted_a, size_t count_a, const double *sorted_b,
                                size_t count_b, double level)
{
    const double a = ts_median(sorted_a, count_a), b = ts_median(sorted_b, count_b);
    const struct error of_a = error_of(sorted_a, count_a), of_b = error_of(sorted_b, count_b);
    const double z = ts_normal_at((1 + level) / 2);
    const double reach = z * hypot(of_a.plain, of_b.plain);
    const bool positive = count_a && count_b && sorted_a[0] > 0 && sorted_b[0] > 0;
    const double ratio = positive ? b / a : (double)NAN;
    const double factor = exp(z * hypot(of_a.logarithmic, of_b.logarithmic));
    return (struct ts_medians){b - a,
                               ratio,
                               {b - a - reach, b - a + reach, level},
                               {ratio / factor, ratio * factor, level}};
}
