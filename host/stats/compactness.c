/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/compactness.h"

#include "stats/order.h"

#include <math.h>

struct ts_compactness ts_compactness_of(const double *sorted, size_t count)
{
    if (!count)
        return (struct ts_compactness){NAN, NAN, NAN, NAN};
    const double mean = ts_mean(sorted, count), n = (double)count;
    double pairs = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        /* The i-th is the larger of i pairs and the smaller of n - 1 - i; the mean may be taken
         * off, and keeps the sum small. */
        pairs += (2 * (double)i - n + 1) * (sorted[i] - mean);
        squares += (sorted[i] - mean) * (sorted[i] - mean);
    }
    return (struct ts_compactness){pairs, sorted[count - 1] - sorted[0], sqrt(squares / n),
                                   fabs(mean - sorted[(count - 1) / 2])};
}
