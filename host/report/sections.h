/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of the report page, in the order in which they stand on it. */
#ifndef TS_REPORT_SECTIONS_H
#define TS_REPORT_SECTIONS_H

#include "report/data.h"
#include "report/out.h"
#include "report/summary.h"

extern const char ts_report_style[]; /* the page's style sheet */

/* How much was measured and on what bench. */
void ts_section_facts(const struct ts_report_data *data, struct ts_out *out);
void ts_section_answer(const struct ts_report_data *data, const struct ts_summary *summary,
                       struct ts_out *out);
void ts_section_apps(const struct ts_summary *summary, struct ts_out *out);
/* The tables behind the two figures. */
void ts_section_distribution_table(const struct ts_summary *summary, struct ts_out *out);
void ts_section_launches(const struct ts_report_data *data, struct ts_out *out);
/* The budget of a typical launch and of one of each app: tables with bars (budget.c). */
void ts_section_budget(const struct ts_report_data *data, const struct ts_summary *summary,
                       struct ts_out *out);
void ts_section_left_out(const struct ts_report_data *data, struct ts_out *out);
void ts_section_glossary(struct ts_out *out);
void ts_section_conditions(const struct ts_report_data *data, const struct ts_summary *summary,
                           struct ts_out *out);

/* <td class="number">; NAN as an en dash. */
void ts_html_number(struct ts_out *out, double value, int decimals);
/* A name from outside, escaped, in <bdi> so that its direction stays its own. */
void ts_html_name(struct ts_out *out, const char *name);
/* Its lines, each on a line of its own; empty ones are left out. */
void ts_html_lines(struct ts_out *out, const char *text);
/* Table in a box that scrolls by itself. headings: one string, '|' between columns; a leading '#'
 * marks a column of numbers; "" none. */
void ts_html_table_begin(struct ts_out *out, const char *caption, const char *headings);
void ts_html_table_end(struct ts_out *out);

#endif
