/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/agreement.h"

#include "agreement/student.h"
#include "stats/order.h"
#include "stats/relation.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_95 1.959963984540054 /* two-sided */

static struct ts_range around(double middle, double half)
{
    return (struct ts_range){middle - half, middle + half};
}

static double deviation(const double *difference, size_t count, double bias)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        squares += (difference[i] - bias) * (difference[i] - bias);
    return count < 2 ? (double)NAN : sqrt(squares / (double)(count - 1));
}

int ts_agreement_of(const double *a, const double *b, size_t count, struct ts_agreement *out)
{
    double *difference = calloc(count + 1, sizeof *difference);
    if (!difference)
        return TS_ENOMEM;
    for (size_t i = 0; i < count; i++)
        difference[i] = a[i] - b[i];
    const double bias = ts_mean(difference, count);
    const double sd = deviation(difference, count, bias);
    const double t = count < 2 ? (double)NAN : ts_student_quantile(TS_AGREEMENT_LEVEL, count - 1);
    const double root = sqrt((double)count);
    *out = (struct ts_agreement){.count = count,
                                 .bias = bias,
                                 .sd = sd,
                                 .limits = around(bias, NORMAL_95 * sd),
                                 .bias_interval = around(bias, t * sd / root),
                                 .pearson = ts_pearson(a, b, count)};
    out->low_interval = around(out->limits.low, t * sqrt(3) * sd / root);
    out->high_interval = around(out->limits.high, t * sqrt(3) * sd / root);
    for (size_t i = 0; i < count; i++)
        difference[i] = fabs(difference[i]);
    ts_sort(difference, count);
    out->mean_absolute = ts_mean(difference, count);
    out->p95_absolute = ts_quantile(difference, count, 0.95);
    out->worst_absolute = count ? difference[count - 1] : (double)NAN;
    free(difference);
    return TS_OK;
}

struct ts_repeatability ts_repeatability_of(const double *difference, size_t count)
{
    double squares = 0, absolute = 0;
    for (size_t i = 0; i < count; i++) {
        squares += difference[i] * difference[i];
        absolute += fabs(difference[i]);
    }
    if (!count)
        return (struct ts_repeatability){0, NAN, NAN, NAN};
    const double sd = sqrt(squares / (2 * (double)count));
    return (struct ts_repeatability){count, absolute / (double)count, sd, NORMAL_95 * sqrt(2) * sd};
}
