/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session in a terminal, within 80 columns. */
#ifndef TS_REPORT_TEXT_H
#define TS_REPORT_TEXT_H

#include "report/summary.h"
#include "report/table.h"

#include <stdio.h>

/* Colours when it is a terminal and NO_COLOR is not set, UTF-8 when the locale's variables say so;
 * 80 columns. */
struct ts_text_style ts_text_style_for(FILE *stream);

/* One line an app, then what did not count and why. The table at the end of a campaign. */
void ts_text_summary(const struct ts_report_data *data, const struct ts_summary *summary,
                     struct ts_text_style style, struct ts_out *out);

/* Everything about one launch: instants, numbers with their uncertainty, Android's numbers, flags
 * in words and a timeline. */
void ts_text_launch(const struct ts_launch *launch, struct ts_text_style style, struct ts_out *out);

/* The same as JSON: the session, its sums and one object an app. */
void ts_json_summary(const struct ts_report_data *data, const struct ts_summary *summary,
                     struct ts_out *out);

/* Reads the session and prints its table, or the JSON. TS_EIO when the stream takes no more. */
int ts_report_print_session(const char *dir, bool json, FILE *stream,
                            struct ts_why *why) TS_MUST_CHECK;

#endif
