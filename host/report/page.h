/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report page in the making: its sections, and what they are written with. */
#ifndef TS_REPORT_PAGE_H
#define TS_REPORT_PAGE_H

#include "report/base.h"
#include "report/data.h"
#include "report/out.h"
#include "report/summary.h"

struct ts_page {
    const struct ts_report_data *data;
    const struct ts_summary *summary;
    const struct ts_base *base; /* NULL: none */
    bool figures;               /* false: without, as when gnuplot is missing */
};

extern const char ts_report_style[]; /* the page's style sheet */

/* A section writes a whole <section>, or nothing. Their order on the page is a table in html.c. */
typedef void ts_section(const struct ts_page *page, struct ts_out *out);
ts_section ts_section_answer;   /* each app's time, how sure, and Android's number */
ts_section ts_section_apps;     /* the same with every metric */
ts_section ts_section_costs;    /* energy, processor, memory, network */
ts_section ts_section_strips;   /* pictures of a typical and of the slowest launch */
ts_section ts_section_launches; /* how they spread, and each one */
ts_section ts_section_android;  /* line and limits of agreement */
ts_section ts_section_people;   /* the same, where people marked launches by eye */
ts_section ts_section_campaign; /* running median, temperature, why it ended */
ts_section ts_section_budget;   /* of a typical launch and of one of each app (budget.c) */
ts_section ts_section_left_out; /* what did not count, and why */
ts_section ts_section_glossary;
ts_section ts_section_instrument; /* certificate and check standard (standing.h) */
ts_section ts_section_conditions; /* phone, calibration, versions */

/* How much was measured and on what: a line in the page's head. */
void ts_page_facts(const struct ts_page *page, struct ts_out *out);

/* Figures beside each other where there is room. err: what drawing gave; one that has nothing to
 * show is left out, one that could not be drawn is spoken of. */
void ts_page_figures_begin(struct ts_out *out);
void ts_page_figure(int err, const char *title, const char *caption, struct ts_out *drawing,
                    struct ts_out *out); /* frees the drawing */
void ts_page_figures_end(struct ts_out *out);

/* "Medians, in milliseconds after lift", or after Android's start. */
struct ts_page_words {
    char text[80];
};
struct ts_page_words ts_page_after_zero(const struct ts_page *page, const char *what);

/* <td class="number">; NAN as an en dash. */
void ts_html_number(struct ts_out *out, double value, int decimals);
/* A name from outside, escaped, in <bdi> so that its direction stays its own. */
void ts_html_name(struct ts_out *out, const char *name);
/* Our own words: what stands between two ` is typed as it is, in <code>. */
void ts_html_words(struct ts_out *out, const char *text);
/* Its lines of such words, each on a line of its own; empty ones are left out. */
void ts_html_lines(struct ts_out *out, const char *text);
/* Table in a box that scrolls by itself. headings: one string, '|' between columns; a leading '#'
 * marks a column of numbers; "" none. */
void ts_html_table_begin(struct ts_out *out, const char *caption, const char *headings);
void ts_html_table_end(struct ts_out *out);

#endif
