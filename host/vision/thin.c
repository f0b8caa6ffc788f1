/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Across the line the block and the two beside it show all of its light. A line two pixels wide,
 * blurred by 0.65 pixels (one standard deviation), that lies with a share t of it in the block
 * shows a share s there: 1/2 of 1/2, and 0.87 of all. In between s - 1/2 is nearly proportional to
 * t - 1/2; from the block's rim on, t is 1. */
#include "vision/thin.h"

#include <math.h>

#define STEEPER 1.35 /* t - 1/2 than s - 1/2 */
#define BEFORE  2    /* frames, and `from` */

static double change_of(const struct ts_finals *finals, const struct ts_thin_change *change,
                        size_t block)
{
    const size_t from = change->from > BEFORE ? change->from - BEFORE : 0;
    double sum = 0;
    for (size_t n = from; n <= change->from; n++)
        sum += (double)ts_window_code(finals->window, n, block);
    return ts_finals_code(finals, block, change->rest, change->until) -
           sum / (double)(change->from + 1 - from);
}

/* What a block beside it shows of a change. */
static double beside(const struct ts_finals *finals, const struct ts_thin_change *change,
                     size_t block, double own)
{
    const double here = change_of(finals, change, block) * (own < 0 ? -1 : 1);
    return fmin(fmax(here, 0), fabs(own));
}

/* Of a line across which the blocks' numbers differ by `step`. */
static double share_across(const struct ts_finals *finals, const struct ts_thin_change *change,
                           size_t step, double own)
{
    const double all = fabs(own) + beside(finals, change, change->block - step, own) +
                       beside(finals, change, change->block + step, own);
    const double shown = fabs(own) / all, more = shown - 0.5;
    return more > 0 ? shown / fmin(1, 0.5 + STEEPER * more) : 1;
}

double ts_thin_share(const struct ts_finals *finals, const struct ts_thin_change *change)
{
    const size_t x = change->block % finals->window->across,
                 y = change->block / finals->window->across;
    if (x == 0 || y == 0 || x + 1 == finals->window->across || y + 1 == finals->window->down)
        return 1;
    const double own = change_of(finals, change, change->block);
    const double share = share_across(finals, change, 1, own) *
                         share_across(finals, change, finals->window->across, own);
    return fmax(share, TS_THIN_LEAST);
}
