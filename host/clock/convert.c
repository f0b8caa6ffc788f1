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
    double outside_ns = 0;
    if (other_ns < fit->from_ns)
        outside_ns = (double)((uint64_t)fit->from_ns - (uint64_t)other_ns);
    else if (other_ns > fit->to_ns)
        outside_ns = (double)((uint64_t)other_ns - (uint64_t)fit->to_ns);
    return hypot(fit->u_ns, hypot(fit->rate_u, TS_CLOCK_WANDER_U) * outside_ns);
}

int64_t ts_ticks_unwrap(uint32_t ticks, int64_t near)
{
    const int32_t step = (int32_t)(ticks - (uint32_t)(uint64_t)near);
    return (int64_t)((uint64_t)near + (uint64_t)(int64_t)step);
}
