/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "agreement/student.h"

#include <math.h>

#define HALF_TURN 3.14159265358979323846
#define HALVINGS  80
#define NORMAL    100000 /* degrees of freedom from which the sums are long and t is normal */

double ts_student_within(double t, size_t freedom)
{
    if (freedom > NORMAL)
        return erf(t / sqrt(2));
    const double n = (double)freedom;
    const double angle = atan(t / sqrt(n));
    const double squared = n / (n + t * t); /* of the cosine */
    const size_t odd = freedom % 2;
    /* Terms cos^k (2 4 .. k - 1) / (3 5 .. k) for odd freedom, cos^k (1 3 .. k - 1) / (2 4 .. k)
     * for even, k in steps of 2 up to freedom - 2. */
    double term = odd ? sqrt(squared) : 1, sum = freedom > 1 ? term : 0;
    for (size_t k = 2 + odd; k + 2 <= freedom; k += 2) {
        term *= squared * (double)(k - 1) / (double)k;
        sum += term;
    }
    return odd ? 2 / HALF_TURN * (angle + sin(angle) * sum) : sin(angle) * sum;
}

double ts_student_quantile(double level, size_t freedom)
{
    double low = 0, high = 1;
    if (freedom < 1 || !(level > 0 && level < 1))
        return (double)NAN;
    while (ts_student_within(high, freedom) < level && high < 1e12)
        high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = (low + high) / 2;
        if (ts_student_within(middle, freedom) < level)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
