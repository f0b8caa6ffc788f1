/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* lgamma_r */
#include "stats/distribution.h"

#include <math.h>

#define TERMS    1000
#define HALVINGS 100
#define TINY     1e-300

double ts_normal_below(double z)
{
    return erfc(-z / sqrt(2)) / 2;
}

/* Of x > 0. lgamma() leaves the sign in a variable that all threads share. */
static double log_gamma(double x)
{
    int sign;
    return lgamma_r(x, &sign);
}

/* x left of the mean; the fraction by Lentz's method. */
static double beta_left(double x, double a, double b)
{
    const double log_front =
        a * log(x) + b * log1p(-x) + log_gamma(a + b) - log_gamma(a) - log_gamma(b) - log(a);
    double value = 1, above = 1, below = 0;
    for (int m = 1; m < TERMS; m++) {
        const int half = m / 2;
        const double k = half;
        const double term = m % 2 ? -(a + k) * (a + b + k) * x / ((a + 2 * k) * (a + 2 * k + 1))
                                  : k * (b - k) * x / ((a + 2 * k - 1) * (a + 2 * k));
        above = 1 + term / above;
        below = 1 + term * below;
        above = fabs(above) < TINY ? TINY : above;
        below = 1 / (fabs(below) < TINY ? TINY : below);
        value *= above * below;
        if (fabs(above * below - 1) < 1e-15)
            break;
    }
    return exp(log_front) / value;
}

double ts_beta_below(double x, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    return x < (a + 1) / (a + b + 2) ? beta_left(x, a, b) : 1 - beta_left(1 - x, b, a);
}

double ts_student_below(double t, double freedom)
{
    if (isinf(freedom) || isinf(t))
        return ts_normal_below(t);
    const double outside = ts_beta_below(freedom / (freedom + t * t), freedom / 2, 0.5);
    return t > 0 ? 1 - outside / 2 : outside / 2;
}

double ts_student_at(double p, double freedom)
{
    if (!(p > 0 && p < 1))
        return p >= 1 ? INFINITY : -INFINITY;
    if (p > 0.5)
        return -ts_student_at(1 - p, freedom);
    double low = -1, high = 0;
    while (ts_student_below(low, freedom) > p && low > -1e15)
        low *= 2;
    for (int i = 0; i < HALVINGS && high - low > 1e-15 * -low; i++) {
        const double middle = (low + high) / 2;
        if (ts_student_below(middle, freedom) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

double ts_normal_at(double p)
{
    return ts_student_at(p, INFINITY);
}
