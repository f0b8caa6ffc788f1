/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small parts of what commands print with --json. */
#ifndef TS_CLI_JSON_TEXT_H
#define TS_CLI_JSON_TEXT_H

#include "report/out.h"

#include <jansson.h>

/* null for what is not finite. */
json_t *ts_json_figure(double value);
json_t *ts_json_figures(double low, double high); /* [low, high] */
/* null for what is not UTF-8. */
json_t *ts_json_name(const char *text);

/* One line, and the end of `root`, which may be NULL: TS_ENOMEM. */
int ts_json_put_line(json_t *root, struct ts_out *out) TS_MUST_CHECK;

#endif
