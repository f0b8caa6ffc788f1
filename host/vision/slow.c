/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/slow.h"

#include "vision/edge.h"

#include <math.h>

#define LEVEL        12    /* frames, whose mean is ... */
#define LEVEL_U      3.0   /* ... further than its noise from that of the last ones ... */
#define LEVEL_LEAST  0.15  /* codes */
#define FADED        0.4   /* of what was left, in a third of the time */
#define LOOK_MS      100.0 /* on each side of the frame */
#define LOOK         6     /* frames, at least, ... */
#define AHEAD        3     /* ... of which so many after it */
#define SLOW         1.0   /* of the noise: the change from frame to frame is less */
#define UNLIKE       2.2 /* of the noise: residuals of a line are less, with what flicker is left */
#define SEEN         0.75  /* frames: so well it shall be seen when the change passes a code */
#define TAIL_MS      400.0 /* after it came within bounds ... */
#define TAIL_LEFT    0.3   /* ... so much of what is not visible is still to come, on average, */
#define LEAST_GONE   0.02  /* and so much is gone, at least */
#define LEVEL_UNSURE 0.15  /* codes: rounding, and what is left of flicker; ... */
#define LEVEL_NOISE  0.2   /* ... and of the noise */
#define OF_REST      0.5   /* of the change that is still to come is averaged, at most */

struct line {
    double middle, slope, residual; /* code at `frame`, codes per frame, rms */
};

static struct line line_through(const struct ts_slow *slow, size_t frame, size_t from, size_t to)
{
    double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = from; i < to; i++) {
        const double x = (double)i - (double)frame;
        const double y = (double)slow->values[i] - slow->final;
        n++, x1 += x, y1 += y, xx += x * x, xy += x * y, yy += y * y;
    }
    const double slope = (n * xy - x1 * y1) / (n * xx - x1 * x1), middle = (y1 - slope * x1) / n;
    const double squares = yy - middle * y1 - slope * xy;
    return (struct line){middle, slope, sqrt(fmax(0, squares) / (n - 2))};
}

size_t ts_slow_reach(const struct ts_slow *slow, size_t frame)
{
    const size_t look = (size_t)fmax(LOOK, LOOK_MS / slow->period_ms);
    if (frame < slow->low + look || frame + AHEAD >= slow->high)
        return 0;
    const size_t to = frame + look < slow->high ? frame + look + 1 : slow->high;
    const struct line line = line_through(slow, frame, frame - look, to);
    const double pace = line.middle > 0 ? -line.slope : line.slope; /* towards the final value */
    if (!(pace > 0) || pace > SLOW * slow->noise || line.residual > UNLIKE * slow->noise)
        return 0;
    const double frames = pow(slow->noise / (SEEN * pace), 2);
    const double most = fmin((double)look, OF_REST * TS_VISIBLE_CODES / pace);
    return (size_t)fmin(most, ceil(frames / 2));
}

void ts_slow_calm(const struct ts_slow *slow, size_t reach, float *calm)
{
    for (size_t n = slow->low; n < slow->high; n++) {
        const size_t from = n > slow->low + reach ? n - reach : slow->low;
        const size_t to = n + reach + 1 < slow->high ? n + reach + 1 : slow->high;
        calm[n] = (float)((slow->sum[to] - slow->sum[from]) / (double)(to - from));
    }
}

double ts_slow_level_u_ms(const struct ts_slow *slow, size_t out)
{
    const size_t tail = (size_t)(TAIL_MS / slow->period_ms), from = out + 1;
    const size_t to = from + tail < slow->high ? from + tail : slow->high;
    if (to < from + AHEAD)
        return 0;
    const double frames = (double)(to - from);
    const double left =
        fabs((slow->sum[to] - slow->sum[from]) / frames - slow->final) / TS_VISIBLE_CODES;
    if (left < TAIL_LEFT)
        return 0;
    const double pace =
        fmax(1 - left, LEAST_GONE) * TS_VISIBLE_CODES / (frames / 2 * slow->period_ms);
    return hypot(LEVEL_UNSURE, LEVEL_NOISE * slow->noise) / pace;
}

static double mean_of(const struct ts_window *window, size_t block, size_t from, size_t count)
{
    double sum = 0;
    for (size_t n = from; n < from + count; n++)
        sum += (double)ts_window_code(window, n, block);
    return sum / (double)count;
}

size_t ts_slow_rest(const struct ts_window *window, size_t block, size_t rest, double noise)
{
    const size_t last = (window->count - rest) / 3;
    if (last < LEVEL)
        return rest;
    const double begin = mean_of(window, block, rest, LEVEL);
    const double middle = mean_of(window, block, rest + last, last);
    const double final = mean_of(window, block, window->count - last, last);
    const double off = LEVEL_LEAST + LEVEL_U * noise * sqrt(1.0 / LEVEL + 1.0 / (double)last);
    /* The end of a change is no more than what may be seen, and over before it is so long. */
    if (fabs(begin - final) > TS_VISIBLE_CODES ||
        fabs(middle - final) > fmax(off, FADED * fabs(begin - final)))
        return rest;
    while (rest + LEVEL + last < window->count &&
           fabs(mean_of(window, block, rest, LEVEL) - final) > off)
        rest += LEVEL / 2;
    return rest;
}
