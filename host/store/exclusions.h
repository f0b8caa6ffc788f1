/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exclusions.jsonl: what people said about launches after the fact, only ever appended to.
 *   {"launch":7,"excluded":true,"why":"somebody leaned on the table"} */
#ifndef TS_STORE_EXCLUSIONS_H
#define TS_STORE_EXCLUSIONS_H

#include "base/err.h"

/* reasons[launch] is NULL or an owned text, why the launch is excluded; launches up to `count`. */
int ts_exclusions_read(const char *dir, char **reasons, int count,
                       struct ts_why *why) TS_MUST_CHECK;

#endif
