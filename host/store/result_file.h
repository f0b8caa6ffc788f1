/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.json: the shape that other tools rely on. */
#ifndef TS_STORE_RESULT_FILE_H
#define TS_STORE_RESULT_FILE_H

#include "base/buf.h"
#include "model/result.h"
#include "store/session.h"

/* The whole object, indented, with a final newline. The same result gives the same bytes. */
int ts_result_print(const struct ts_result *result, const struct ts_session_info *info,
                    struct ts_buf *out) TS_MUST_CHECK;
int ts_result_parse(const char *text, size_t size, struct ts_result *out,
                    struct ts_why *why) TS_MUST_CHECK;

#endif
