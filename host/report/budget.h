/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the uncertainty of a launch's instants and durations comes from: its budgets, as tables and
 * as bars. */
#ifndef TS_REPORT_BUDGET_H
#define TS_REPORT_BUDGET_H

#include "model/budget.h"
#include "report/data.h"
#include "report/table.h"

/* False: the session is of a version that stated no such budget, or it did not happen. */
bool ts_budget_stated(const struct ts_result *result, enum ts_budget_name of);

/* What the terms add up to, ms; NAN: not stated. */
struct ts_budget_sum {
    const char *words; /* "Settled" */
    double value_ms;   /* after time zero; NAN of an instant, which is on the host's clock */
    double u_ms, u_common_ms, half_95_ms;
};
struct ts_budget_sum ts_budget_sum(const struct ts_result *result, enum ts_budget_name of);

/* A term as people read it. */
struct ts_budget_row {
    const struct ts_term_kind *kind;
    double u;           /* in `unit` */
    const char *unit;   /* "ms" or "ppm"; static storage */
    double sensitivity; /* ms per unit */
    double share_ms;    /* u * |sensitivity| */
    double part;        /* of the variance, 0 to 1 */
    double dof;         /* INFINITY: known otherwise */
};
/* The terms that play a part, greatest first; rows: [TS_TERM_COUNT]. Returns their number. */
size_t ts_budget_rows(const struct ts_budget *budget, struct ts_budget_row *rows);

/* The launch that counts and whose u of settled is the (lower) median of those that state it; of
 * this app alone, NULL: of the session. *out NULL: there is none. TS_ENOMEM. */
int ts_budget_typical(const struct ts_report_data *data, const char *app,
                      const struct ts_launch **out) TS_MUST_CHECK;

/* Within 80 columns; and as JSON, by the names of ts_budget_names[], where "terms" is null when
 * there is no budget. */
void ts_text_budget(const struct ts_result *result, struct ts_text_style style, struct ts_out *out);
void ts_json_budget(const struct ts_result *result, struct ts_out *out);

#endif
