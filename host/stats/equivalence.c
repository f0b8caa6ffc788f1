/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stats/equivalence.h"

#include <math.h>

double ts_not_inferior_p(const struct ts_ranked *a, const struct ts_ranked *b, double margin)
{
    return ts_relative_of(a, b, -margin).p_below;
}

double ts_inferior_p(const struct ts_ranked *a, const struct ts_ranked *b, double margin)
{
    return ts_relative_of(a, b, -margin).p_above;
}

double ts_equivalent_p(const struct ts_ranked *a, const struct ts_ranked *b, double margin)
{
    return fmax(ts_not_inferior_p(a, b, margin), ts_relative_of(a, b, margin).p_above);
}
