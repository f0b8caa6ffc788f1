/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "clock/fit.h"

#include "base/time.h"

#include <math.h>

/* The distance to the origin stays an integer and only the correction, rate - 1 times it, is a
 * double: a product of rate and a stamp of days would lose the nanoseconds. */
int64_t ts_clock_to_host(const struct ts_clock_fit *fit, int64_t other_ns)
{
    const int64_t distance = ts_ns_between(other_ns, fit->origin_ns);
    const double correction = (fit->rate - 1.0) * (double)distance + fit->host_fraction_ns;
    return ts_ns_after(fit->host_at_origin_ns, ts_ns_after(distance, llround(correction)));
}

int64_t ts_clock_from_host(const struct ts_clock_fit *fit, int64_t host_ns)
{
    const int64_t distance = ts_ns_between(host_ns, fit->host_at_origin_ns);
    const double correction =
        ((fit->rate - 1.0) * (double)distance + fit->host_fraction_ns) / fit->rate;
    return ts_ns_after(fit->origin_ns, ts_ns_between(distance, llround(correction)));
}

double ts_clock_u_at(const struct ts_clock_fit *fit, int64_t other_ns)
{
    const double half_ns = (double)((uint64_t)fit->to_ns - (uint64_t)fit->from_ns) / 2;
    const double beyond_from_ns = (double)fit->from_ns - (double)other_ns;
    const double beyond_to_ns = (double)other_ns - (double)fit->to_ns;
    const double outside_ns = fmax(beyond_from_ns, beyond_to_ns);
    if (outside_ns > 0)
        return hypot(fit->u_ns, hypot(fit->rate_u, TS_CLOCK_WANDER_U) * outside_ns);
    const double at_end_ns = fit->rate_u * half_ns;
    const double here_ns = fit->rate_u * (half_ns + outside_ns);
    return sqrt(fmax(0, fit->u_ns * fit->u_ns - at_end_ns * at_end_ns + here_ns * here_ns));
}

void ts_clock_bounds_at(const struct ts_clock_fit *fit, int64_t other_ns, double *low, double *high)
{
    const double x_ns = (double)ts_ns_between(other_ns, fit->origin_ns);
    double above = -INFINITY, below = INFINITY;
    for (size_t i = 0; i < fit->low_count; i++)
        above = fmax(above, fit->low[i].ns - fit->drift_most * fabs(x_ns - fit->low[i].x_ns));
    for (size_t i = 0; i < fit->high_count; i++)
        below = fmin(below, fit->high[i].ns + fit->drift_most * fabs(x_ns - fit->high[i].x_ns));
    /* They can only cross by what a line is allowed to bend. */
    *low = fmin(above, below);
    *high = fmax(above, below);
}

int64_t ts_ticks_unwrap(uint32_t ticks, int64_t near)
{
    const int32_t step = (int32_t)(ticks - (uint32_t)(uint64_t)near);
    return (int64_t)((uint64_t)near + (uint64_t)(int64_t)step);
}
