/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/limits.h"

#include "base/time.h"

#include <math.h>
#include <stdlib.h>

#define FIRST_SLACK_NS 20.0
#define PLACES         64

/* The tightest first. `ns` is measured so that more is tighter. */
static int by_tightness(const void *left, const void *right)
{
    const struct ts_clock_limit *a = left, *b = right;
    if (a->ns != b->ns)
        return a->ns < b->ns ? 1 : -1;
    return (a->x_ns > b->x_ns) - (a->x_ns < b->x_ns);
}

/* Those that no tighter one makes superfluous, to within slack; SIZE_MAX: there are too many. */
static size_t choose(const struct ts_clock_limit *all, size_t count, double drift, double slack,
                     struct ts_clock_limit *kept)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        bool needed = true;
        for (size_t k = 0; k < n && needed; k++)
            needed = all[i].ns - slack > kept[k].ns - drift * fabs(all[i].x_ns - kept[k].x_ns);
        if (!needed)
            continue;
        if (n == TS_CLOCK_LIMITS)
            return SIZE_MAX;
        kept[n++] = all[i];
    }
    return n;
}

static size_t keep(struct ts_clock_limit *all, size_t count, double drift,
                   struct ts_clock_limit *kept)
{
    qsort(all, count, sizeof *all, by_tightness);
    size_t n = choose(all, count, drift, 0, kept);
    for (double slack = FIRST_SLACK_NS; n == SIZE_MAX; slack *= 1.25)
        n = choose(all, count, drift, slack, kept);
    return n;
}

/* Between two places the bounds widen by no more than the drift over half their distance. */
static void bound_span(struct ts_clock_fit *fit)
{
    const int64_t span = ts_ns_between(fit->to_ns, fit->from_ns);
    const double half_step = (double)span / PLACES / 2;
    fit->bound_low_ns = fit->bound_high_ns = 0;
    for (int64_t place = 0; place <= PLACES; place++) {
        double low, high;
        ts_clock_bounds_at(fit, ts_ns_after(fit->from_ns, span / PLACES * place), &low, &high);
        fit->bound_low_ns = fmin(fit->bound_low_ns, low - fit->drift_most * half_step);
        fit->bound_high_ns = fmax(fit->bound_high_ns, high + fit->drift_most * half_step);
    }
}

int ts_clock_limits_fill(const struct ts_clock_points *points, double slope, double height,
                         struct ts_clock_fit *fit)
{
    struct ts_clock_limit *all = malloc((points->count + 1) * sizeof *all);
    if (!all)
        return TS_ENOMEM;
    for (size_t i = 0; i < points->count; i++)
        all[i] = (struct ts_clock_limit){points->out_x[i],
                                         points->out_y[i] - slope * points->out_x[i] - height};
    fit->low_count = keep(all, points->count, fit->drift_most, fit->low);
    for (size_t i = 0; i < points->count; i++)
        all[i] = (struct ts_clock_limit){points->back_x[i],
                                         height + slope * points->back_x[i] - points->back_y[i]};
    fit->high_count = keep(all, points->count, fit->drift_most, fit->high);
    for (size_t i = 0; i < fit->high_count; i++)
        fit->high[i].ns = -fit->high[i].ns;
    free(all);
    bound_span(fit);
    return TS_OK;
}
