/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/spending.h"

#include "stats/distribution.h"

#include <math.h>
#include <stdlib.h>

#define LOWEST   (-8.0) /* of the grid, standard deviations; below, nothing is left */
#define POINTS   801    /* odd: Simpson's rule */
#define HALVINGS 60
#define ROOT_TAU 2.50662827463100050242 /* sqrt(2 pi) */

/* The part of the Brownian motion that has not crossed: its density at time t, from LOWEST sqrt(t)
 * up to the bound. */
struct density {
    double at[POINTS], value[POINTS];
    double time;
};

static double normal(double z)
{
    return exp(-z * z / 2) / ROOT_TAU;
}

static double weight(const struct density *density, size_t i)
{
    const double step = (density->at[POINTS - 1] - density->at[0]) / (POINTS - 1);
    if (i == 0 || i == POINTS - 1)
        return step / 3;
    return i % 2 ? 4 * step / 3 : 2 * step / 3;
}

/* P(not crossed so far, and above `bound` at `time`). */
static double crossing(const struct density *density, double time, double bound)
{
    const double sd = sqrt(time - density->time);
    double sum = 0;
    if (!(density->time > 0))
        return ts_normal_below(-bound / sqrt(time));
    for (size_t i = 0; i < POINTS; i++)
        sum +=
            weight(density, i) * density->value[i] * ts_normal_below((density->at[i] - bound) / sd);
    return sum;
}

static void go_on(const struct density *from, double time, double bound, struct density *to)
{
    const double low = LOWEST * sqrt(time), sd = sqrt(time - from->time);
    to->time = time;
    for (size_t j = 0; j < POINTS; j++) {
        to->at[j] = low + (bound - low) * (double)j / (POINTS - 1);
        to->value[j] = from->time > 0 ? 0 : normal(to->at[j] / sd) / sd;
        for (size_t i = 0; i < POINTS && from->time > 0; i++)
            to->value[j] +=
                weight(from, i) * from->value[i] * normal((to->at[j] - from->at[i]) / sd) / sd;
    }
}

double ts_spent(double alpha, double t)
{
    if (!(t > 0))
        return 0;
    return fmin(alpha, 2 * ts_normal_below(ts_normal_at(alpha / 2) / sqrt(fmin(t, 1))));
}

int ts_spending_bounds(double alpha, const double *information, size_t count, double *bounds)
{
    double spent = 0;
    if (count > TS_LOOKS_MAX || !(alpha > 0 && alpha < 1))
        return TS_EINVAL;
    for (size_t i = 0; i < count; i++) {
        if (!(information[i] > (i ? information[i - 1] : 0) && information[i] <= 1))
            return TS_EINVAL;
    }
    struct density *pair = calloc(2, sizeof *pair);
    if (!pair)
        return TS_ENOMEM;
    for (size_t look = 0; look < count; look++) {
        const double time = information[look], allowed = ts_spent(alpha, time) - spent;
        struct density *before = &pair[look % 2], *after = &pair[(look + 1) % 2];
        double low = 0, high = -LOWEST * sqrt(time);
        for (int i = 0; i < HALVINGS; i++) {
            const double middle = (low + high) / 2;
            if (crossing(before, time, middle) > allowed)
                low = middle;
            else
                high = middle;
        }
        bounds[look] = ts_normal_below(-high / sqrt(time));
        spent += crossing(before, time, high);
        go_on(before, time, high, after);
    }
    free(pair);
    return TS_OK;
}
