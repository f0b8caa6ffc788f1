/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/chances.h"

#include "stats/distribution.h"

#include <math.h>

#define HALVINGS 100
#define DOF_MOST 1e7 /* with more, Student's t is the normal distribution */

double ts_chance_binomial(int k, int n, double p)
{
    if (k < 0)
        return 0;
    return k >= n ? 1 : 1 - ts_beta_below(p, k + 1.0, (double)n - k);
}

double ts_chance_f(double level, double over, double under)
{
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (ts_beta_below(middle, over / 2, under / 2) < level)
            low = middle;
        else
            high = middle;
    }
    return under * low / (over * (1 - low));
}

double ts_chance_t(double level, double dof)
{
    if (!(dof > 0))
        return (double)NAN;
    return ts_student_at((1 + level) / 2, dof < DOF_MOST ? dof : (double)INFINITY);
}
