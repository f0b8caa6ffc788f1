/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plans as YAML. */
#ifndef TS_STORE_PLAN_FILE_H
#define TS_STORE_PLAN_FILE_H

#include "base/buf.h"
#include "model/plan.h"

/* Reads, fills defaults and checks. *text (may be NULL) receives the file's bytes, owned by the
 * caller. Errors name the file, the key and, where known, the line. */
int ts_plan_load(const char *path, struct ts_plan *plan, char **text,
                 struct ts_why *why) TS_MUST_CHECK;
int ts_plan_parse(const char *yaml, size_t size, struct ts_plan *plan,
                  struct ts_why *why) TS_MUST_CHECK;

#endif
