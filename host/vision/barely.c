/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/barely.h"

#include "vision/edge.h"

#include <math.h>
#include <stdbool.h>

#define MARGIN       0.05  /* of what is visible: codes are not known better than that */
#define MARGIN_U     2.0   /* standard deviations of a mean, besides; ... */
#define SURELY_U     3.0   /* ... of the largest of many so many, ... */
#define SINGLE_U     2.0   /* ... and of a single frame */
#define SURELY       2.0   /* times what is visible, and ... */
#define SURELY_NOISE 4.0   /* ... so many standard deviations: one frame by itself is enough */
#define LOOK_MS      40.0  /* on each side of a frame: of so many the mean is taken, ... */
#define LOOK_MOST_MS 200.0 /* ... up to so many until ... */
#define LOOK_U       0.12  /* ... its standard deviation is no more, codes */
#define LEVEL        4     /* frames before a change is over, and after it: then ... */
#define THERE        0.25  /* ... so much is left, of what is visible */
#define QUIET        0.2   /* of what is visible: noise up to that leaves single frames to tell */
#define CLIP         1.5   /* times the bound: what is further out is a change before */
#define FOLDED       0.8   /* of noise: so far from the end are frames that are at it */

/* Out of such bounds; and when a change of such a size is over. */
struct bound {
    const struct ts_slow *slow;
    const float *calm; /* means of `reach` frames on each side and the one between */
    size_t reach, far; /* frames; the end is at most `far` after the last mean out of bounds */
    double limit;      /* codes, of those means */
    double level;      /* codes, of the last frames before the end */
};

/* The last frame that is out as far as its mean tells; `low` when none is. */
static size_t last_beyond(const struct bound *bound)
{
    const struct ts_slow *slow = bound->slow;
    const double surely = SURELY * TS_VISIBLE_CODES + SURELY_NOISE * slow->noise;
    for (size_t n = slow->high - 1; n > slow->low; n--) {
        if (fabs((double)bound->calm[n] - slow->final) > bound->limit ||
            ts_slow_away(slow, n) > surely)
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
        level += ts_slow_away(slow, frame + frames + 1);
    return ts_slow_away(slow, frame) <= TS_VISIBLE_CODES / 2 &&
           level <= THERE * TS_VISIBLE_CODES * (double)frames;
}

/* Where single frames tell: the step after which the block is there, or else back to the last frame
 * that is out by itself. */
static bool end_by_frames(const struct bound *bound, size_t *frame)
{
    const struct ts_slow *slow = bound->slow;
    const size_t begin = *frame;
    const size_t most = begin + bound->far < slow->high ? begin + bound->far : slow->high - 1;
    size_t end = begin, frames = 0;
    double sum = 0;
    while (end < most && !arrives(slow, end))
        end++;
    for (; frames < LEVEL && end > begin + frames + 1; frames++)
        sum += ts_slow_away(slow, end - frames - 2); /* the latest may show some of the step */
    if (end < most && frames && sum > bound->level * (double)frames) {
        *frame = end - 1;
        return true;
    }
    while (*frame > slow->low &&
           ts_slow_away(slow, *frame) <= bound->limit + SINGLE_U * slow->noise)
        (*frame)--;
    return false;
}

/* How far out frames from .. to - 1 are on average. */
static double mean_away(const struct bound *bound, size_t from, size_t to)
{
    double sum = 0;
    for (size_t n = from; n < to; n++)
        sum += fmin(ts_slow_away(bound->slow, n), CLIP * bound->limit);
    return sum / (double)(to - from);
}

/* Where noise hides what single frames do: the one with the most change from those before it to
 * those after. */
static bool end_by_means(const struct bound *bound, size_t *frame)
{
    const struct ts_slow *slow = bound->slow;
    const size_t reach = bound->reach, begin = *frame, low = slow->low + LEVEL;
    double most = 0;
    for (size_t n = begin > low + reach ? begin - reach : low;
         n <= begin + bound->far && n + LEVEL < slow->high; n++) {
        const size_t from = n > slow->low + reach ? n - reach : slow->low;
        const size_t to = n + reach + 1 < slow->high ? n + reach + 1 : slow->high;
        const double step = mean_away(bound, from, n) - mean_away(bound, n + 1, to);
        if (step > most) {
            most = step;
            *frame = n;
        }
    }
    return most > bound->limit - THERE * TS_VISIBLE_CODES - FOLDED * slow->noise;
}

/* Means of frames tell that there is a change of such a size, not to a frame when it is over. False
 * where it goes by and by, not from there in one step. */
static bool find_end(const struct bound *bound, bool noisy, size_t *frame)
{
    *frame = last_beyond(bound);
    if (*frame == bound->slow->low)
        return false;
    return noisy ? end_by_means(bound, frame) : end_by_frames(bound, frame);
}

/* Of so many frames on each side the mean is taken. */
static size_t reach_of(const struct ts_slow *slow, bool noisy)
{
    const double look = LOOK_MS / slow->period_ms, most = LOOK_MOST_MS / slow->period_ms;
    return (size_t)(noisy ? fmax(look, fmin(pow(slow->noise / LOOK_U, 2) / 2, most)) : look);
}

void ts_barely_tell(const struct ts_slow *slow, const struct ts_window *window, float *calm,
                    struct ts_barely *barely)
{
    const bool noisy = slow->noise > QUIET * TS_VISIBLE_CODES;
    const size_t reach = reach_of(slow, noisy);
    const double u = slow->noise / sqrt(2 * (double)reach + 1);
    const double below = (1 - MARGIN) * TS_VISIBLE_CODES - MARGIN_U * u;
    const double above = (1 + MARGIN) * TS_VISIBLE_CODES;
    const struct bound narrow = {slow, calm, reach, slow->high, below, below - slow->noise};
    const struct bound wide = {slow, calm, reach, reach + 2, above + SURELY_U * u, above};
    ts_slow_calm(slow, reach, calm);
    size_t inner, outer;
    bool quick = find_end(&narrow, noisy, &inner);
    find_end(&wide, noisy, &outer);
    quick |= outer == slow->low; /* slow or not, wide bounds it never left */
    ts_window_note_ms(window, slow->low, quick ? inner : outer, &barely->most_ms);
    ts_window_note_ms(window, slow->low, quick ? outer : inner, &barely->least_ms);
}

void ts_barely_forget(struct ts_barely *barely, double from_ms)
{
    if ((double)barely->most_ms > from_ms)
        barely->most_ms = 0;
    if ((double)barely->least_ms > from_ms)
        barely->least_ms = 0;
}
