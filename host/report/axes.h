/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the report's figures have in common: their look, their axes, the names in them. Colours: 1
 * ink, 2 quiet ink, 3 lines, 4 our number, 5 its box, 6 Android's number; 4, 6..9 tell apps apart.
 */
#ifndef TS_REPORT_AXES_H
#define TS_REPORT_AXES_H

#include "report/figure.h"

#define TS_FIGURE_WIDTH    480
#define TS_FIGURE_SECONDS  20 /* each takes a fraction of one */
#define TS_APPS_TOLD_APART 10

/* Of an axis. Logarithmic where the largest value is several times the smallest: on a linear scale
 * the spread of a fast app beside a slow one would be a sliver. */
struct ts_scale {
    double low, high; /* begin with INFINITY, -INFINITY */
    bool logarithmic;
};

void ts_axes_style(struct ts_out *script);
void ts_scale_over(struct ts_scale *scale, double value); /* NAN: nothing */
void ts_scale_choose(struct ts_scale *scale);
/* Linear whatever the values, with this margin at least. */
void ts_scale_linear(struct ts_scale *scale, double margin);
/* Range and ticks of an axis, 'x' or 'y': gnuplot's own choice runs their labels into each other.
 */
void ts_axes_put(struct ts_out *script, char axis, const struct ts_scale *scale);

/* How app number `index` of `count` is drawn: point type and colour of gnuplot's. */
struct ts_look {
    int colour, point;
};
struct ts_look ts_axes_look(size_t index, size_t count);
/* Room for a key of the apps below the figure, and what says so in the script. */
struct ts_key_room {
    size_t rows; /* 0: too many apps to be told apart */
    bool two_columns;
};
struct ts_key_room ts_axes_key(struct ts_out *script, size_t apps, int width);

int ts_axes_draw(const struct ts_figure *figure, const struct ts_out *script,
                 const struct ts_summary *summary, struct ts_out *out) TS_MUST_CHECK;

#endif
