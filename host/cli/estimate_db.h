/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Feature tables in a database (store/db.h), beside a lab's results or alone: plain SQL, in two
 * tables that this makes when there are none.
 *
 *   feature_launch  one row a launch: added (from 1, in the order in which they came), device, app,
 *                   launch, start_type, settled_ms, time_to_initial_display_ms
 *   feature_value   one row a feature of a launch: added, place (of the column, from 1), name,
 *                   unit, value
 *
 * What is not known is NULL: it has its row, so that missing is told from never asked. */
#ifndef TS_CLI_ESTIMATE_DB_H
#define TS_CLI_ESTIMATE_DB_H

#include "base/err.h"
#include "estimators/table.h"

/* A launch of a device and name that is there already is written anew. All of it or nothing. */
int ts_feature_db_put(const char *where, const struct ts_feature_table *table,
                      struct ts_why *why) TS_MUST_CHECK;
/* TS_EPROTO: there are no such tables, or no launch in them. A feature that a launch was never
 * asked for is missing. */
int ts_feature_db_get(const char *where, struct ts_feature_table *out,
                      struct ts_why *why) TS_MUST_CHECK;

#endif
