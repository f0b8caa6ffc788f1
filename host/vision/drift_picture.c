/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the latest frame back as long as all is the same picture but for a gain: was that an
 * exposure, or a page that fades in? A gain keeps the picture's proportions, it stays within a
 * factor of two, where a fade begins in the dark, and it takes its time. */
#include "vision/drift_parts.h"

#include <math.h>

#define DARK_CODES     20.0f
#define AGREE_CODES    2.5f /* of a block with the common gain */
#define AGREE_SHARE    0.025f
#define AGREE_LEAST    0.85
#define GAIN_STEEPER   1.5
#define GAIN_JUMP      0.015 /* from frame to frame; more is no drift, at 120 frames a second */
#define CONTRAST_LEAST 0.12  /* a picture of one colour has no proportions */
#define LEFT_MOST      0.02  /* of the squared difference from the final picture is no gain */
#define QUICK_MS       60.0  /* what is so short must be a gain and nothing else: */
#define LEFT_LEAST     0.01
#define SLOW_GAIN      0.004 /* what still moves after TS_DRIFT_SLOW_MS is a drift */
#define FADE_CODES     16.0  /* a page over which another fades in: no camera lifts black so far */
#define FADE_SURE      3.0   /* standard uncertainties */
#define FADE_FRAMES    3
#define CLEAN_TIMES    2.0 /* what is left in the end, ... */
#define CLEAN_LEAST    0.1 /* ... and so many squared codes: no more is left of a gain */

/* Spread over the picture; false when it is too dark, too bright or of one colour. */
static bool choose(struct ts_drift *drift, const struct ts_window *window, const uint8_t *skip)
{
    const size_t stride = window->blocks / TS_DRIFT_SAMPLES + 1;
    float low = 255, high = 0, sum = 0;
    drift->count = 0;
    for (size_t block = stride / 2; block < window->blocks && drift->count < TS_DRIFT_SAMPLES;
         block += stride) {
        const float final = drift->level[block] / (TS_BLOCK_PX * TS_BLOCK_PX);
        if (skip[block] || final < DARK_CODES || final > TS_DRIFT_BRIGHT_CODES)
            continue;
        drift->block[drift->count] = block;
        drift->final[drift->count++] = final;
        low = fminf(low, final);
        high = fmaxf(high, final);
        sum += final;
    }
    return drift->count >= TS_DRIFT_SAMPLES_LEAST &&
           (double)(high - low) > CONTRAST_LEAST * (double)sum / (double)drift->count;
}

/* The common gain of one frame; 0: it is too bright to tell. */
static float gain_of(const struct ts_drift *drift, const struct ts_window *window, size_t frame)
{
    float now = 0, final = 0;
    size_t used = 0;
    for (size_t i = 0; i < drift->count; i++) {
        const float code = ts_window_code(window, frame, drift->block[i]);
        const bool counts = code < TS_DRIFT_BRIGHT_CODES;
        now += counts ? code : 0;
        final += counts ? drift->final[i] : 0;
        used += counts;
    }
    return used < TS_DRIFT_SAMPLES_LEAST ? 0 : now / final;
}

/* Of a frame's codes against the final ones: the slope of the line through them. */
struct line {
    double n, x, y, xx, xy;
};

static void add_point(struct line *line, double x, double y)
{
    line->n++;
    line->x += x;
    line->y += y;
    line->xx += x * x;
    line->xy += x * y;
}

static double slope_of(const struct line *line)
{
    const double xx = line->xx - line->x * line->x / line->n;
    return xx > 0 ? (line->xy - line->x * line->y / line->n) / xx : 0;
}

/* False when the frame is another picture than the final one with a gain. */
static bool compare(struct ts_drift *drift, const struct ts_window *window, size_t frame)
{
    const float gain = gain_of(drift, window, frame);
    struct line line = {0};
    size_t agree = 0, used = 0;
    double off = 0, left = 0;
    if (gain <= 0)
        return false;
    for (size_t i = 0; i < drift->count; i++) {
        const float code = ts_window_code(window, frame, drift->block[i]), final = drift->final[i];
        const float expected = final * gain;
        if (code >= TS_DRIFT_BRIGHT_CODES) {
            agree += expected > TS_DRIFT_BRIGHT_CODES - AGREE_SHARE * expected;
            continue;
        }
        used++;
        const double residual = (double)(code - expected), change = (double)(code - final);
        if (fabs(residual) >= (double)(AGREE_CODES + AGREE_SHARE * expected))
            continue; /* it changed; what agrees must agree closely */
        agree++;
        left += residual * residual;
        off += change * change;
        add_point(&line, (double) final, (double)code);
    }
    drift->gain[frame] = gain;
    drift->contrast[frame] = (float)slope_of(&line);
    drift->left[frame] = (float)(left / (double)used);
    drift->off[frame] = (float)(off / (double)used);
    return (double)agree >= AGREE_LEAST * (double)drift->count;
}

/* The first frame of the final picture; false when before it there is the same one still, but much
 * darker or brighter: it was faded in. */
static bool follow_back(struct ts_drift *drift, const struct ts_window *window, size_t *first)
{
    size_t n = window->count;
    const double jump = GAIN_JUMP * fmax(1, window->view->period_ms / 8.3);
    for (; n > 0; n--) {
        if (!compare(drift, window, n - 1))
            break;
        const double gain = (double)drift->gain[n - 1];
        if (gain < 0.55 || gain > 1.8)
            return false;
        /* Going back it grows steeper, but not all at once: that would be a lamp. */
        const double later =
            n + 1 < window->count ? fabs((double)drift->gain[n] - (double)drift->gain[n + 1]) : 0;
        if (n < window->count && fabs(gain - (double)drift->gain[n]) > jump + GAIN_STEEPER * later)
            break;
    }
    *first = n;
    return true;
}

/* Does it still move a while after the picture was the final one, or before the end, and is all
 * that differs a gain? The end of a fade over the whole screen is one only in part. */
static bool is_drift(const struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    const double began = ts_window_start_ms(window, first);
    const double end = ts_window_start_ms(window, window->count - 1);
    const double noise =
        ts_drift_mean(drift->left, window->count - TS_DRIFT_FINAL_FRAMES, TS_DRIFT_FINAL_FRAMES);
    double off = 0, left = 0;
    bool slow = false, quick = false;
    for (size_t n = first; n < window->count; n++) {
        const double ms = ts_window_start_ms(window, n);
        if (fabs((double)drift->gain[n] - 1) < SLOW_GAIN)
            continue;
        const bool before_end = ms < end - TS_DRIFT_SLOW_MS / 4;
        slow = slow || ((ms > began + TS_DRIFT_SLOW_MS || first == 0) && before_end);
        quick = quick || (ms > began + QUICK_MS && before_end);
        off += fmax(0, (double)drift->off[n] - noise);
        left += fmax(0, (double)drift->left[n] - noise);
    }
    return (slow && left < LEFT_MOST * off) || (quick && left < LEFT_LEAST * off);
}

/* A page that fades in over another one of brightness d, while a share r of that is left of it, is
 * short of r of its contrast but only of r (1 - d / mean) of its light. With a gain d is 0: it
 * takes as much of both. */
static bool is_fade(const struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    double xx = 0, xy = 0, yy = 0, mean = 0, n = 0;
    for (size_t frame = first; frame < window->count; frame++) {
        const double x = 1 - (double)drift->gain[frame];
        const double y = (double)(drift->gain[frame] - drift->contrast[frame]);
        if (fabs(x) < SLOW_GAIN)
            continue;
        n++;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if (n < FADE_FRAMES)
        return false;
    for (size_t i = 0; i < drift->count; i++)
        mean += (double)drift->final[i] / (double)drift->count;
    const double part = xy / xx, u = sqrt(fmax(0, yy - part * xy) / ((n - 1) * xx));
    const double least = part - FADE_SURE * u; /* of d / (mean - d) */
    return least > 0 && mean * least / (1 + least) > FADE_CODES;
}

/* Of the end of a fade something else than a gain is left until it is over; since then no more than
 * in the end, when noise and flicker leave some. */
static size_t past_fade(const struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    const double slow = fmax(TS_DRIFT_FINAL_FRAMES, TS_DRIFT_SLOW_MS / window->view->period_ms);
    const size_t end = (size_t)fmin(slow, (double)(window->count - first));
    const double left = ts_drift_mean(drift->left, window->count - end, end);
    const double most = CLEAN_TIMES * left + CLEAN_LEAST;
    size_t n = window->count - TS_DRIFT_FINAL_FRAMES;
    while (n > first && ts_drift_mean(drift->left, n - 1, TS_DRIFT_FINAL_FRAMES) < most)
        n--;
    return n;
}

static bool moves_since(const struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    return is_drift(drift, window, first) && !is_fade(drift, window, first);
}

bool ts_drift_by_picture(struct ts_drift *drift, const struct ts_window *window,
                         const uint8_t *skip, size_t *first)
{
    if (!choose(drift, window, skip) || !follow_back(drift, window, first))
        return false;
    const size_t back = *first;
    if (back + TS_DRIFT_FINAL_FRAMES > window->count)
        return false;
    if (moves_since(drift, window, back))
        return true;
    *first = past_fade(drift, window, back);
    return *first > back && moves_since(drift, window, *first);
}
