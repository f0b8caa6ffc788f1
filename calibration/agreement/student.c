/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/student.h"

#include "stats/distribution.h"

#include <math.h>

double ts_student_within(double t, size_t freedom)
{
    return 2 * ts_student_below(t, (double)freedom) - 1;
}

double ts_student_quantile(double level, size_t freedom)
{
    if (freedom < 1 || !(level > 0 && level < 1))
        return (double)NAN;
    return ts_student_at((1 + level) / 2, (double)freedom);
}
