/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/regression.h"

#include "agreement/student.h"
#include "stats/order.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#define NORMAL_95 1.959963984540054

static struct ts_line no_line(void)
{
    const double nan = (double)NAN;
    return (struct ts_line){nan, nan, {nan, nan}, {nan, nan}};
}

/* Sums about a fixed point near the middle, so that leaving a pair out is a subtraction. */
struct sums {
    double n, x, y, xx, yy, xy;
};

static void add(struct sums *sums, double x, double y, double times)
{
    sums->n += times;
    sums->x += times * x;
    sums->y += times * y;
    sums->xx += times * x * x;
    sums->yy += times * y * y;
    sums->xy += times * x * y;
}

static void line_of(const struct sums *sums, double ratio, double *slope, double *intercept)
{
    const double xx = sums->xx - sums->x * sums->x / sums->n;
    const double yy = sums->yy - sums->y * sums->y / sums->n;
    const double xy = sums->xy - sums->x * sums->y / sums->n;
    const double away = yy - ratio * xx;
    *slope = (away + sqrt(away * away + 4 * ratio * xy * xy)) / (2 * xy);
    *intercept = sums->y / sums->n - *slope * (sums->x / sums->n);
}

/* Mean and standard error of jackknife pseudo-values, one at a time (Welford). */
struct running {
    double count, mean, squares;
};

static void put(struct running *running, double value)
{
    const double away = value - running->mean;
    running->mean += away / ++running->count;
    running->squares += away * (value - running->mean);
}

static struct ts_range around(double value, const struct running *running, double t)
{
    const double reach = t * sqrt(running->squares / (running->count - 1) / running->count);
    return (struct ts_range){value - reach, value + reach};
}

int ts_deming(const double *x, const double *y, size_t count, double ratio, struct ts_line *out)
{
    struct sums all = {0};
    struct running slopes = {0}, intercepts = {0};
    const double n = (double)count, x0 = ts_mean(x, count), y0 = ts_mean(y, count);
    *out = no_line();
    if (!(ratio > 0))
        return TS_EINVAL;
    for (size_t i = 0; i < count; i++)
        add(&all, x[i] - x0, y[i] - y0, 1);
    if (count < 3 || !(fabs(all.xy) > 0))
        return TS_OK;
    double slope, shift;
    line_of(&all, ratio, &slope, &shift);
    out->slope = slope;
    out->intercept = shift + y0 - slope * x0;
    for (size_t i = 0; i < count; i++) {
        struct sums without = all;
        double slope_without, shift_without;
        add(&without, x[i] - x0, y[i] - y0, -1);
        line_of(&without, ratio, &slope_without, &shift_without);
        const double intercept_without = shift_without + y0 - slope_without * x0;
        put(&slopes, n * slope - (n - 1) * slope_without);
        put(&intercepts, n * out->intercept - (n - 1) * intercept_without);
    }
    const double t = ts_student_quantile(TS_AGREEMENT_LEVEL, count - 2);
    out->slope_interval = around(slope, &slopes, t);
    out->intercept_interval = around(out->intercept, &intercepts, t);
    return TS_OK;
}

/* All slopes between two pairs but those of equal pairs and those of exactly -1. */
static size_t all_slopes(const double *x, const double *y, size_t count, double *slopes)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count; j++) {
            const double dx = x[j] - x[i], dy = y[j] - y[i];
            const bool flat = !(fabs(dx) > 0), level = !(fabs(dy) > 0);
            if (flat && level)
                continue;
            const double slope = flat ? copysign(INFINITY, dy) : dy / dx;
            if (slope < -1 || slope > -1)
                slopes[found++] = slope;
        }
    }
    return found;
}

/* The median of y - slope x. */
static double intercept_of(const double *x, const double *y, size_t count, double slope,
                           double *work)
{
    for (size_t i = 0; i < count; i++)
        work[i] = y[i] - slope * x[i];
    ts_sort(work, count);
    return ts_median(work, count);
}

/* The slope of a rank, from 1; past an end there is no bound. */
static double ranked(const double *slopes, double count, double rank)
{
    if (rank < 1)
        return -INFINITY;
    return rank > count ? INFINITY : slopes[(size_t)rank - 1];
}

int ts_passing_bablok(const double *x, const double *y, size_t count, struct ts_line *out)
{
    *out = no_line();
    if (count > TS_PASSING_BABLOK_MOST)
        return TS_ENOTSUP;
    double *slopes = calloc(count * count / 2 + 1, sizeof *slopes);
    double *work = calloc(count + 1, sizeof *work);
    int err = slopes && work ? TS_OK : TS_ENOMEM;
    const size_t found = !err && count >= 3 ? all_slopes(x, y, count, slopes) : 0;
    if (found) {
        const double n = (double)count, all = (double)found;
        size_t below = 0;
        ts_sort(slopes, found);
        while (below < found && slopes[below] < -1)
            below++;
        const double lower = ranked(slopes, all, floor((all + 1) / 2) + (double)below);
        const double upper = ranked(slopes, all, floor(all / 2) + 1 + (double)below);
        out->slope = lower < upper ? (lower + upper) / 2 : lower;
        const double reach = NORMAL_95 * sqrt(n * (n - 1) * (2 * n + 5) / 18);
        const double first = round((all - reach) / 2);
        out->slope_interval.low = ranked(slopes, all, first + (double)below);
        out->slope_interval.high = ranked(slopes, all, all - first + 1 + (double)below);
        out->intercept = intercept_of(x, y, count, out->slope, work);
        out->intercept_interval.low = intercept_of(x, y, count, out->slope_interval.high, work);
        out->intercept_interval.high = intercept_of(x, y, count, out->slope_interval.low, work);
    }
    free(slopes);
    free(work);
    return err;
}
