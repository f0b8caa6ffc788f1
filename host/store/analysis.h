/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results computed again: analysis/DETECTOR/NNNN.json, beside the kept ones and never over them. */
#ifndef TS_STORE_ANALYSIS_H
#define TS_STORE_ANALYSIS_H

#include "base/buf.h"

/* The bytes of launches/NNNN/result.json as they were written. */
int ts_analysis_read_kept(const char *dir, int launch, struct ts_buf *out,
                          struct ts_why *why) TS_MUST_CHECK;
int ts_analysis_write(const char *dir, const char *detector, int launch, const struct ts_buf *text,
                      struct ts_why *why) TS_MUST_CHECK;

#endif
