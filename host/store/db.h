/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results database: one row a session, one a launch. It repeats what the session's own files
 * say, for those who ask in SQL; schema.sql is plain SQL that any engine takes. */
#ifndef TS_STORE_DB_H
#define TS_STORE_DB_H

#include "store/session.h"

struct ts_db;

/* Opens or creates. */
int ts_db_open(const char *path, struct ts_db **out, struct ts_why *why) TS_MUST_CHECK;
/* Adds a session, to which the launches put later belong. */
int ts_db_put_session(struct ts_db *db, const struct ts_session_info *info,
                      const struct ts_plan *plan, struct ts_why *why) TS_MUST_CHECK;
/* Adds a launch or writes it anew, in one transaction. */
int ts_db_put_launch(struct ts_db *db, const struct ts_session_info *info,
                     const struct ts_result *result, struct ts_why *why) TS_MUST_CHECK;
/* reason NULL: the launch is not excluded. */
int ts_db_put_exclusion(struct ts_db *db, int launch, const char *reason,
                        struct ts_why *why) TS_MUST_CHECK;
void ts_db_close(struct ts_db *db);

#endif
