/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/chances.h"

#include <math.h>

#define STEPS    500
#define HALVINGS 100
#define TINY     1e-300
#define DOF_MOST 1e7 /* with more, Student's t is the normal distribution */

/* The continued fraction of the beta function, for x below its mean. */
static double fraction(double x, double a, double b)
{
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < TINY ? TINY : d);
    double product = d;
    for (int m = 1; m < STEPS; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double factor = 1;
        for (int half = 0; half < 2; half++) {
            const double numerator = half ? odd : even;
            d = 1 + numerator * d;
            d = 1 / (fabs(d) < TINY ? TINY : d);
            c = 1 + numerator / c;
            c = fabs(c) < TINY ? TINY : c;
            factor *= c * d;
        }
        product *= factor;
        if (fabs(factor - 1) < 1e-15)
            break;
    }
    return product;
}

double ts_chance_beta(double x, double a, double b)
{
    if (!(x > 0))
        return 0;
    if (x >= 1)
        return 1;
    const double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2))
        return front * fraction(x, a, b) / a;
    return 1 - front * fraction(1 - x, b, a) / b;
}

double ts_chance_binomial(int k, int n, double p)
{
    if (k < 0)
        return 0;
    return k >= n ? 1 : 1 - ts_chance_beta(p, k + 1.0, (double)n - k);
}

double ts_chance_f(double level, double over, double under)
{
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (ts_chance_beta(middle, over / 2, under / 2) < level)
            low = middle;
        else
            high = middle;
    }
    return under * low / (over * (1 - low));
}

/* T squared is F of 1 and dof. */
double ts_chance_t(double level, double dof)
{
    const double under = dof < DOF_MOST ? dof : DOF_MOST;
    return dof > 0 ? sqrt(ts_chance_f(level, 1, under)) : (double)NAN;
}
