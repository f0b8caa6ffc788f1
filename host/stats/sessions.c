/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/sessions.h"

#include "stats/distribution.h"
#include "stats/shape.h"

#include <math.h>

struct ts_session_effect ts_session_effect_of(const double *a, size_t count_a, const double *b,
                                              size_t count_b, double margin, double level)
{
    const struct ts_moments of_a = ts_moments_of(a, count_a), of_b = ts_moments_of(b, count_b);
    const double square_a = of_a.sd * of_a.sd, square_b = of_b.sd * of_b.sd;
    const double part_a = square_a / (double)count_a, part_b = square_b / (double)count_b;
    const double nan = (double)NAN;
    struct ts_session_effect out = {.estimate = of_b.mean - of_a.mean,
                                    .interval = {nan, nan, 0},
                                    .u = nan,
                                    .freedom = nan,
                                    .p_two_sided = nan,
                                    .p_above = nan,
                                    .p_below = nan,
                                    .spread = nan};
    if (count_a < TS_SESSIONS_LEAST || count_b < TS_SESSIONS_LEAST || !(part_a + part_b > 0))
        return out;
    const double freedom_a = (double)count_a - 1, freedom_b = (double)count_b - 1;
    out.u = sqrt(part_a + part_b);
    out.freedom = (part_a + part_b) * (part_a + part_b) /
                  (part_a * part_a / freedom_a + part_b * part_b / freedom_b);
    out.spread = sqrt((square_a * freedom_a + square_b * freedom_b) / (freedom_a + freedom_b));
    const double reach = out.u * ts_student_at((1 + level) / 2, out.freedom);
    out.interval = (struct ts_interval){out.estimate - reach, out.estimate + reach, level};
    const double statistic = (out.estimate - margin) / out.u;
    out.p_below = ts_student_below(statistic, out.freedom);
    out.p_above = ts_student_below(-statistic, out.freedom);
    out.p_two_sided = 2 * fmin(out.p_below, out.p_above);
    return out;
}
