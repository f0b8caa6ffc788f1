/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `touchstone analyze` says. */
#ifndef TS_CLI_ANALYZE_PRINT_H
#define TS_CLI_ANALYZE_PRINT_H

#include "cli/analyze_video.h"

#include <jansson.h>

/* The object that --json prints; NULL: not enough memory. The caller's. */
json_t *ts_analyze_json(const struct ts_analyze_options *options,
                        const struct ts_analyze_result *result, bool with_progress);
void ts_analyze_print(const struct ts_analyze_options *options,
                      const struct ts_analyze_result *result, bool with_progress);

#endif
