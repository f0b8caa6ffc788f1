/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/first_step.h"

#include <math.h>

#define STEP_MS     50.0 /* before and after a block gets visibly away: its first step */
#define WHOLE_SHARE 0.95 /* of a change is all of it */
#define STAIR_MOST  0.7  /* of what changes in the frames around */

/* Mean code around an instant, a fraction of a frame index. */
static double smooth_code(const struct ts_passage *passage, const double *sum, double frame)
{
    const double period = passage->window->view->period_ms;
    const double half = floor(STEP_MS / 2 / period);
    const double low = (double)passage->low, high = (double)passage->high - 1;
    double code[2];
    for (int i = 0; i < 2; i++) {
        const double middle = fmin(fmax(floor(frame) + i, low), high);
        const double reach = fmin(half, fmin(middle - low, high - middle));
        code[i] =
            (sum[(size_t)(middle + reach) + 1] - sum[(size_t)(middle - reach)]) / (2 * reach + 1);
    }
    return code[0] + (frame - floor(frame)) * (code[1] - code[0]);
}

/* Of the whole passage, at that instant. */
static double gone(const struct ts_passage *passage, const double *sum, double frame)
{
    const double old = (double)passage->old_code, whole = (double)passage->new_code - old;
    return (smooth_code(passage, sum, frame) - old) / whole;
}

/* Half of what the block does of the passage within STEP_MS before and after it gets visibly away:
 * of all of a cut, of a part of a slow fade. */
static double first_share(const struct ts_passage *passage, const double *sum)
{
    const double visible =
        TS_VISIBLE_CODES / fabs((double)passage->new_code - (double)passage->old_code);
    const double reach = STEP_MS / passage->window->view->period_ms;
    double before = 0;
    for (size_t n = passage->from + 1; n <= passage->to; n++) {
        const double now = gone(passage, sum, (double)n);
        if (now < visible) {
            before = now;
            continue;
        }
        const double left = (double)n - fmin(1, (now - visible) / (now - before));
        const double begin = gone(passage, sum, left - reach);
        const double end = gone(passage, sum, left + reach);
        return (fmin(fmax(begin, 0), visible) + fmin(fmax(end, visible), 1)) / 2;
    }
    return 0.5;
}

/* Of a fade even what seems to happen at once is a stair, and others follow. */
struct ts_edge ts_passage_first(const struct ts_passage *passage, const double *sum)
{
    const double share = first_share(passage, sum);
    const struct ts_edge edge = ts_passage_edge(passage, share);
    if (edge.kind == TS_EDGE_FADE || share > WHOLE_SHARE / 2 || edge.frames < 2)
        return edge;
    const double around = fabs((double)edge.code[edge.frames - 1] - (double)edge.code[0]);
    if (fabs((double)edge.to_code - (double)edge.from_code) > STAIR_MOST * around)
        return edge;
    return ts_passage_fade(passage, share);
}
