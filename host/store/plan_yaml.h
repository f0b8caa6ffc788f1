/* SPDX-License-Identifier: GPL-3.0-or-later */
/* First look at a plan: its YAML grammar, and the one part whose keys are not known here. */
#ifndef TS_STORE_PLAN_YAML_H
#define TS_STORE_PLAN_YAML_H

#include "base/buf.h"

#include <stdbool.h>

/* Refuses, with the line, what is not YAML, text with a zero byte in it, aliases, a key given
 * twice, and a key of the plan that is not known(). The mapping `bench:` comes out as
 * "key=value,key=value" with a NUL. */
int ts_plan_yaml_scan(const char *yaml, size_t size, bool (*known)(const char *key),
                      struct ts_buf *bench, struct ts_why *why) TS_MUST_CHECK;

#endif
