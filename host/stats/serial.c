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
    const double mean = ts_mean(values, count), middle = ((double)count - 1) / 2;
    struct ts_serial out = {.count = count, .series = 1};
    for (size_t i = 0; i < count; i++) {
        const double value = values[i] - mean, place = (double)i - middle;
        for (size_t k = 0; k < 3 && k <= i; k++) {
            const double earlier = values[i - k] - mean, lag = (double)k;
            out.values[k] += value * earlier;
            out.mixed[k] += value * (place - lag) + place * earlier;
            out.places[k] += place * (place - lag);
        }
    }
    return out;
}

struct ts_serial ts_serial_both(const struct ts_serial *one, const struct ts_serial *other)
{
    struct ts_serial out = {.count = one->count + other->count,
                            .series = one->series + other->series};
    for (int k = 0; k < 3; k++) {
        out.values[k] = one->values[k] + other->values[k];
        out.mixed[k] = one->mixed[k] + other->mixed[k];
        out.places[k] = one->places[k] + other->places[k];
    }
    return out;
}

/* How far what the correlations give can be trusted. c1 has the variance (1 - c1^2) / N (M.
 * Bartlett, "On the theoretical specification and sampling properties of autocorrelated
 * time-series", Supplement to the J. Royal Statistical Society 8 (1946) 27-41); keep as a quotient
 * of two correlations has 2 - keep^2 times that, by his covariances of c1 and c2, and the
 * correction of their bias magnifies it. */
static double keep_variance_of(const struct ts_lasting *of, bool sure, double magnified)
{
    const double left = 1 - of->keep * of->keep;
    return sure ? left * (1 + left) * magnified * magnified : left;
}

/* N / 2 times the variance of the logarithm of a mean's variance, by the delta method. Of an
 * autoregression's variance, that of its innovations over 1 - keep^2, the innovations' part is
 * counted elsewhere. */
static double doubt_of(const struct ts_lasting *of)
{
    const double rest = 1 - of->keep, left = 1 - of->keep * of->keep;
    const double factor = 1 + 2 * of->share * of->keep / rest;
    const double steep = 2 * of->share / (rest * rest * factor) + 2 * fmax(0, of->keep) / left;
    return steep * steep * of->keep_variance / 2;
}

struct ts_lasting ts_serial_lasting_less(const struct ts_serial *of, const double taken[2])
{
    const double n = (double)of->count, series = (double)of->series;
    const bool drifts = n >= TS_SERIAL_DRIFTS * series && of->places[0] > 0;
    struct ts_lasting out = {.share = 1, .slope = drifts ? of->mixed[0] / 2 / of->places[0] : 0};
    double sums[3];
    for (int k = 0; k < 3; k++)
        sums[k] = of->values[k] - out.slope * of->mixed[k] + out.slope * out.slope * of->places[k];
    if (n < LEAST * series || !(of->values[0] > 0) || !(sums[0] > 0))
        return out;
    const double fitted = series + drifts, left = n - 3 * series - fitted;
    const double first = within((n * sums[1] / sums[0] + fitted) / left);
    const double low = fitted * (1 + first) * (1 + first) + 6 * series * first * first;
    const double second = within(within(sums[2] / sums[0] + low / n) + taken[1]);
    const double c = out.first = out.keep = within(first + taken[0]);
    const bool sure = c * sqrt(n) > SURE && second > c * c;
    if (sure) {
        out.keep = within(second / c);
        out.share = c / out.keep;
    }
    out.keep_variance = keep_variance_of(&out, sure, n / left);
    out.doubt = doubt_of(&out);
    return out;
}

struct ts_lasting ts_serial_lasting(const struct ts_serial *of)
{
    return ts_serial_lasting_less(of, (const double[]){0, 0});
}

double ts_lasting_factor(const struct ts_lasting *of, size_t count)
{
    const double n = (double)count, rest = 1 - of->keep;
    const double ends = of->keep * (1 - pow(of->keep, n)) / (n * rest * rest);
    return 1 + 2 * of->share * (of->keep / rest - ends);
}
