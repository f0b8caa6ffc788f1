/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the figures of `touchstone agreement` have in common: two panels side by side in an SVG file
 * of its own, drawn by a script for gnuplot (report/figure.h). */
#ifndef TS_CLI_AGREEMENT_FIGURE_H
#define TS_CLI_AGREEMENT_FIGURE_H

#include "agreement/agreement.h"
#include "report/figure.h"

#include <math.h>

static inline void ts_range_include(struct ts_range *range, double value)
{
    range->low = fmin(range->low, value); /* pass over NAN */
    range->high = fmax(range->high, value);
}
struct ts_range ts_range_widened(struct ts_range range);

/* Looks of lines and points, and that two panels follow. */
void ts_panels_begin(struct ts_out *script);
/* The axis 'x' or 'y': its range, and ticks that do not run into each other. */
void ts_panel_axis(struct ts_out *script, char axis, struct ts_range range);
/* Both axes with one range, widened, and a line from corner to corner. */
void ts_panel_square(struct ts_out *script, struct ts_range range);
/* The finished script as a file. TS_ENOTSUP, TS_ETIMEOUT, TS_EIO: gnuplot. */
int ts_panels_draw(const struct ts_figure *figure, struct ts_out *script, const char *const *names,
                   size_t name_count, struct ts_out *out) TS_MUST_CHECK;

#endif
