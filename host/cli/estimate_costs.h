/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Columns of the feature table for what launches cost beside time: outcomes, which an estimator may
 * have for its target and never for a predictor, since an unrooted phone does not tell them before
 * it is asked, and a rig measured some of them. */
#ifndef TS_CLI_ESTIMATE_COSTS_H
#define TS_CLI_ESTIMATE_COSTS_H

#include "estimators/table.h"

#define TS_COST_COLUMNS 7

/* A row of costs for each row of a table. */
struct ts_cost_rows {
    double (*values)[TS_COST_COLUMNS]; /* owned; NAN unknown */
    size_t count, capacity;
    bool any; /* one of them was asked for */
};

/* The costs of row number `row`; rows passed over have none. */
int ts_cost_rows_put(struct ts_cost_rows *rows, size_t row,
                     const struct ts_costs *costs) TS_MUST_CHECK;
/* Puts them behind the table's features, where there are any. */
int ts_cost_rows_join(const struct ts_cost_rows *rows,
                      struct ts_feature_table *table) TS_MUST_CHECK;
void ts_cost_rows_free(struct ts_cost_rows *rows);

bool ts_cost_is_column(const char *name);

#endif
