/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/budget.h"

#include <math.h>
#include <stddef.h>

const char *const ts_shape_names[] = {"normal", "student", "uniform", NULL};

const struct ts_term_kind ts_term_kinds[TS_TERM_COUNT] = {
#define TS_TERM_KIND(NAME, name, type, common, shape, words)                                       \
    {#name, words, type, common, TS_SHAPE_##shape},
    TS_TERM_LIST(TS_TERM_KIND)
#undef TS_TERM_KIND
};

double ts_term_share_ms(const struct ts_term *term)
{
    return fabs(term->sensitivity) * term->u;
}

static double combine(const struct ts_budget *budget, bool common_only)
{
    double sum = 0;
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const double u = ts_term_share_ms(&budget->terms[i]);
        sum += common_only && !ts_term_kinds[i].common ? 0 : u * u;
    }
    return sqrt(sum);
}

double ts_budget_u_ms(const struct ts_budget *budget)
{
    return combine(budget, false);
}

double ts_budget_common_ms(const struct ts_budget *budget)
{
    return combine(budget, true);
}

double ts_budget_dof(const struct ts_budget *budget)
{
    const double u = ts_budget_u_ms(budget);
    double sum = 0;
    for (int i = 0; i < TS_TERM_COUNT; i++) {
        const struct ts_term *term = &budget->terms[i];
        if (term->dof > 0 && isfinite(term->dof))
            sum += pow(ts_term_share_ms(term), 4) / term->dof;
    }
    return sum > 0 ? pow(u, 4) / sum : INFINITY;
}
