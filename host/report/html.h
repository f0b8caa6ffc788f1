/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.html: one file that opens offline, on a desk or on a phone, and prints. The same session
 * gives the same bytes (with the same gnuplot). */
#ifndef TS_REPORT_HTML_H
#define TS_REPORT_HTML_H

#include "report/data.h"
#include "report/out.h"

/* Reads the session folder and writes the page to `path`, whole or not at all. base_dir: a session
 * to set it against; NULL: none. */
int ts_report_write(const char *session_dir, const char *base_dir, const char *path,
                    struct ts_why *why) TS_MUST_CHECK;

/* The page itself. base: NULL: none. figures: false leaves them out, as when gnuplot is missing. */
struct ts_base;
int ts_report_page(const struct ts_report_data *data, const struct ts_base *base, bool figures,
                   struct ts_out *out) TS_MUST_CHECK;

#endif
