/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures: gnuplot draws them, the page colours and labels them. A script never holds a name from
 * outside: it says TS_FIGURE_NAME with a number and the escaped name is put in afterwards, so that
 * nothing an app is called can reach gnuplot's command language. Colours likewise: rgb(n,n,n) with
 * n from 1 to 9 becomes the page's colour --fn, and so follows light and dark. */
#ifndef TS_REPORT_FIGURE_H
#define TS_REPORT_FIGURE_H

#include "report/out.h"
#include "report/summary.h"

#define TS_FIGURE_NAME "ts-name-"

struct ts_figure {
    const char *id;    /* letters; prefix of the ids inside, unique in the page */
    const char *label; /* what a screen reader says; plain text */
    int width, height;
    int name_columns; /* a name is cut to this many columns */
    int seconds;      /* gnuplot is stopped after this long */
};

/* Draws the script as inline SVG without a reference to anything outside. names: what the numbered
 * labels stand for. TS_ENOTSUP when there is no gnuplot, TS_ETIMEOUT when it did not finish in
 * time, TS_EIO when it failed. */
int ts_figure_draw(const struct ts_figure *figure, const struct ts_buf *script,
                   const char *const *names, size_t name_count, struct ts_out *out) TS_MUST_CHECK;
/* The second half of it, for gnuplot's own output (apart so that it can be tested without). */
int ts_figure_adopt(const struct ts_figure *figure, const char *svg, size_t size,
                    const char *const *names, size_t name_count, struct ts_out *out) TS_MUST_CHECK;

/* The report's figures, here and in android.h and running.h. TS_ENOTSUP, TS_ETIMEOUT, TS_EIO as
 * above; TS_EOF when there is nothing to show, and then nothing is written. */
int ts_figure_distribution(const struct ts_summary *summary, struct ts_out *out) TS_MUST_CHECK;

#endif
