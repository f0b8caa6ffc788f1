/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/equivalence.h"

#include <math.h>

struct ts_equivalence ts_equivalence_of(const struct ts_ranked *a, const struct ts_ranked *b,
                                        double margin)
{
    const struct ts_relative upper = ts_relative_of(a, b, -margin);
    const struct ts_relative lower = ts_relative_of(a, b, margin);
    return (struct ts_equivalence){upper.p_below, upper.p_above,
                                   fmax(upper.p_below, lower.p_above)};
}
