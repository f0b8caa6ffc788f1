/* SPDX-License-Identifier: GPL-3.0-or-later */
/* session.json: what a session is about. It holds no time, host or path, so that the same seed and
 * plan give the same bytes. */
#ifndef TS_STORE_SESSION_JSON_H
#define TS_STORE_SESSION_JSON_H

#include "base/buf.h"
#include "store/session.h"

#define TS_SESSION_FORMAT 1

int ts_session_print(const struct ts_session_info *info, const struct ts_plan *plan,
                     const char *plan_text, struct ts_buf *out) TS_MUST_CHECK;
/* *plan is freed with ts_plan_free(). TS_ENOTSUP: written by a later version. */
int ts_session_parse(const char *text, size_t size, struct ts_session_info *info,
                     struct ts_plan *plan, struct ts_why *why) TS_MUST_CHECK;

#endif
