/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/bounds.h"

#include "vision/edge.h"

#include <math.h>
#include <stdbool.h>

#define OUT_MS       100.0 /* before it arrives a change may be slow to do so */
#define OUT_LEAST    4     /* frames */
#define FAR_OUT      2.0   /* times what is visible, ... */
#define FAR_NOISE    3.0   /* ... and so many standard deviations */
#define MARGIN       0.05  /* of what is visible: codes are not known better than that */
#define MARGIN_U     2.0   /* standard deviations of a mean, besides: it is one of many */
#define LOOK_MS      40.0  /* on each side of a frame: of so many the mean is taken */
#define LEVEL        4     /* frames before a change is over, and after it: then ... */
#define THERE        0.25  /* ... so much is left, of what is visible */
#define QUIET        0.2   /* of what is visible: noise up to that leaves single frames to tell */
#define SURELY       2.0   /* times what is visible, and ... */
#define SURELY_NOISE 4.0   /* ... so many standard deviations: one frame by itself is enough */

static double away(const struct ts_slow *slow, size_t frame)
{
    return fabs((double)slow->values[frame] - slow->final);
}

size_t ts_bounds_last_outside(const struct ts_slow *slow)
{
    for (size_t n = slow->high - 1; n > slow->low; n--) {
        const double out = away(slow, n);
        if (out > TS_VISIBLE_CODES + SURELY_NOISE * slow->noise ||
            (out > TS_VISIBLE_CODES && away(slow, n - 1) > TS_VISIBLE_CODES))
            return n;
    }
    return slow->low;
}

double ts_bounds_out_before(const struct ts_slow *slow, size_t out)
{
    const size_t reach = (size_t)(OUT_MS / slow->period_ms);
    const size_t first = slow->low + reach > out ? slow->low : out - reach;
    const double far = FAR_OUT * TS_VISIBLE_CODES + FAR_NOISE * slow->noise;
    double sum = 0;
    size_t near = 0;
    for (size_t n = first; n <= out; n++) {
        const double here = away(slow, n);
        near += here < far;
        sum += here < far ? here : 0;
    }
    return near < OUT_LEAST ? 0 : sum / (double)near / TS_VISIBLE_CODES;
}

/* The last frame that is surely out of bounds of such a width; `low` when none is. */
static size_t last_beyond(const struct ts_slow *slow, const float *calm, double limit)
{
    const double surely = SURELY * TS_VISIBLE_CODES + SURELY_NOISE * slow->noise;
    for (size_t n = slow->high - 1; n > slow->low; n--) {
        if (fabs((double)calm[n] - slow->final) > limit || away(slow, n) > surely)
            return n;
    }
    return slow->low;
}

/* This frame is near the end, and those that follow are at it. */
static bool arrives(const struct ts_slow *slow, size_t frame)
{
    double level = 0;
    size_t frames = 0;
    for (; frames < LEVEL && frame + frames + 1 < slow->high; frames++)
        level += away(slow, frame + frames + 1);
    return away(slow, frame) <= TS_VISIBLE_CODES / 2 &&
           level <= THERE * TS_VISIBLE_CODES * (double)frames;
}

/* Means of frames tell that there is a change of such a size, not to a frame when it is over, which
 * is at most `far` frames after *frame. False where it goes by and by, not from there in one step;
 * or where noise hides it. */
static bool find_end(const struct ts_slow *slow, size_t far, double limit, size_t *frame)
{
    const size_t most = *frame + far < slow->high ? *frame + far : slow->high - 1;
    size_t end = *frame, n = *frame, frames = 0;
    double level = 0;
    while (end < most && !arrives(slow, end))
        end++;
    for (; frames < LEVEL && end > *frame + frames + 1; frames++)
        level += away(slow, end - frames - 2); /* the latest may show some of the step */
    const bool calm = slow->noise < QUIET * TS_VISIBLE_CODES;
    if (calm && end < most && frames && level > (limit - slow->noise) * (double)frames) {
        *frame = end - 1;
        return true;
    }
    while (n > slow->low && away(slow, n) <= limit)
        n--;
    *frame = n;
    return false;
}

static void take(float *known_ms, size_t frame, const struct ts_slow *slow,
                 const struct ts_window *window)
{
    const float begin_ms = (float)ts_window_start_ms(window, slow->low);
    if (frame > slow->low)
        *known_ms = (float)ts_window_start_ms(window, frame);
    else if (*known_ms >= begin_ms)
        *known_ms = 0;
}

void ts_barely_tell(const struct ts_slow *slow, const struct ts_window *window, float *calm,
                    struct ts_barely *barely)
{
    const size_t reach = (size_t)(LOOK_MS / slow->period_ms);
    const double u = slow->noise / sqrt(2 * (double)reach + 1);
    const double margin = MARGIN * TS_VISIBLE_CODES + MARGIN_U * u;
    ts_slow_calm(slow, reach, calm);
    const double narrow = TS_VISIBLE_CODES - margin, wide = TS_VISIBLE_CODES + margin;
    size_t most = last_beyond(slow, calm, narrow), least = last_beyond(slow, calm, wide);
    const bool hardly = least == slow->low; /* slow or not, wide bounds it never left */
    const bool quick = find_end(slow, slow->high, narrow, &most) || hardly;
    find_end(slow, reach + 2, wide, &least);
    take(&barely->most_ms, quick ? most : least, slow, window);
    take(&barely->least_ms, quick ? least : most, slow, window);
}

void ts_barely_forget(struct ts_barely *barely, double from_ms)
{
    if ((double)barely->most_ms > from_ms)
        barely->most_ms = 0;
    if ((double)barely->least_ms > from_ms)
        barely->least_ms = 0;
}
