/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/chart.h"

#include "instrument/certificate.h"
#include "instrument/chances.h"
#include "stats/order.h"

#include <math.h>

#define OF_MEDIAN 1.2533 /* sqrt(pi / 2): a median's standard uncertainty over a mean's */
#define MOST      16

static void place(const struct ts_control_limits *control, const struct ts_scene_pair *pairs,
                  int count, enum ts_measurand measurand, struct ts_check_point *point)
{
    double values[MOST], centre = 0;
    int n = 0;
    for (int i = 0; i < count && n < MOST; i++) {
        const int kind = pairs[i].kind;
        const double value = pairs[i].difference_ms[measurand] - control->mean_ms[kind];
        if (!TS_CONTROL_KIND(kind) || !pairs[i].usable || !isfinite(value))
            continue;
        values[n++] = value;
        centre += 1.0 / control->n[kind];
    }
    point->value_ms[measurand] = point->limit_ms[measurand] = NAN;
    if (n < TS_CHECK_LEAST || control->dof < 1)
        return;
    ts_sort(values, (size_t)n);
    point->value_ms[measurand] = ts_median(values, (size_t)n);
    point->limit_ms[measurand] = ts_chance_t(TS_CERTAINTY, control->dof) * control->spread_ms *
                                 OF_MEDIAN * sqrt(1.0 / n + centre / n / n);
}

struct ts_check_point ts_check_point(const struct ts_control_limits control[TS_MEASURAND_COUNT],
                                     const struct ts_scene_pair *pairs, int count)
{
    struct ts_check_point point;
    for (int m = 0; m < TS_MEASURAND_COUNT; m++)
        place(&control[m], pairs, count, (enum ts_measurand)m, &point);
    return point;
}

int ts_check_judge(const struct ts_check_point *point, struct ts_why *why)
{
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        const double value = point->value_ms[m], limit = point->limit_ms[m];
        if (!isfinite(value) || !isfinite(limit))
            return ts_fail(why, TS_EPROTO,
                           "the check standard: too few of its scenes could be used to say "
                           "anything of %s; clean the display, look at the photodiodes and at "
                           "`touchstone doctor`",
                           ts_measurand_names[m]);
        if (fabs(value) > limit)
            return ts_fail(why, TS_EPROTO,
                           "the check standard: %s is %+.2f ms from where the certificate has it, "
                           "more than %.2f ms: something has moved; run `touchstone verify`, and "
                           "`touchstone calibrate all` if that fails",
                           ts_measurand_names[m], value, limit);
    }
    return TS_OK;
}

int ts_chart_run(const double *values, int count)
{
    int run = 0;
    while (run < count && values[count - 1 - run] * values[count - 1] > 0)
        run++;
    return run;
}
