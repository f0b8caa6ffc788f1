/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A gain is told from a fade by three things: it keeps the picture's proportions, in the phone's
 * surroundings too; it stays within a factor of two, where a fade begins in the dark; and it takes
 * its time. */
#include "vision/drift.h"

#include "vision/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FINAL_FRAMES   8
#define DARK_CODES     20.0f
#define BRIGHT_CODES   215.0f
#define SAMPLES_LEAST  30
#define AGREE_CODES    2.5f /* of a block with the common gain */
#define AGREE_SHARE    0.025f
#define AGREE_LEAST    0.85
#define GAIN_STEEPER   1.5
#define GAIN_JUMP      0.015 /* from frame to frame; more is no drift, at 120 frames a second */
#define GAIN_LEAST     0.55
#define GAIN_MOST      1.8
#define CONTRAST_LEAST 0.12 /* a picture of one colour has no proportions */
#define SLOW_MS        250.0
#define LEFT_MOST      0.02 /* of the squared difference from the final picture is no gain */
#define QUICK_MS       60.0 /* what is so short must be a gain and nothing else: */
#define LEFT_LEAST     0.01
#define SLOW_GAIN      0.004 /* what still moves after SLOW_MS is a drift */

int ts_drift_open(struct ts_drift *drift, const struct ts_window *window)
{
    *drift = (struct ts_drift){.gain = ts_memory_zeroed(window->capacity, sizeof *drift->gain),
                               .off = ts_memory_zeroed(window->capacity, sizeof *drift->off),
                               .left = ts_memory_zeroed(window->capacity, sizeof *drift->left)};
    if (drift->gain && drift->off && drift->left)
        return TS_OK;
    ts_drift_close(drift);
    return TS_ENOMEM;
}

void ts_drift_close(struct ts_drift *drift)
{
    free(drift->gain);
    free(drift->off);
    free(drift->left);
    *drift = (struct ts_drift){0};
}

static float final_code(const struct ts_window *window, size_t block)
{
    float sum = 0;
    for (size_t n = window->count - FINAL_FRAMES; n < window->count; n++)
        sum += ts_window_code(window, n, block);
    return sum / FINAL_FRAMES;
}

/* Spread over the picture; false when it is too dark, too bright or of one colour. */
static bool choose(struct ts_drift *drift, const struct ts_window *window, const uint8_t *skip)
{
    const size_t stride = window->blocks / TS_DRIFT_SAMPLES + 1;
    float low = 255, high = 0, sum = 0;
    drift->count = 0;
    for (size_t block = stride / 2; block < window->blocks && drift->count < TS_DRIFT_SAMPLES;
         block += stride) {
        const float final = final_code(window, block);
        if (skip[block] || final < DARK_CODES || final > BRIGHT_CODES)
            continue;
        drift->block[drift->count] = block;
        drift->final[drift->count++] = final;
        low = fminf(low, final);
        high = fmaxf(high, final);
        sum += final;
    }
    return drift->count >= SAMPLES_LEAST &&
           (double)(high - low) > CONTRAST_LEAST * (double)sum / (double)drift->count;
}

/* The common gain of one frame; false when it is another picture. */
static bool compare(struct ts_drift *drift, const struct ts_window *window, size_t frame)
{
    float now = 0, final = 0;
    size_t agree = 0, used = 0;
    for (size_t i = 0; i < drift->count; i++) {
        const float code = ts_window_code(window, frame, drift->block[i]);
        const bool counts = code < BRIGHT_CODES;
        now += counts ? code : 0;
        final += counts ? drift->final[i] : 0;
        used += counts;
    }
    if (used * 2 < drift->count)
        return false;
    const float gain = now / final;
    float *off = &drift->off[frame], *left = &drift->left[frame];
    drift->gain[frame] = gain;
    *off = *left = 0;
    for (size_t i = 0; i < drift->count; i++) {
        const float code = ts_window_code(window, frame, drift->block[i]);
        const float expected = drift->final[i] * gain;
        const float residual = code - expected, change = code - drift->final[i];
        if (code >= BRIGHT_CODES) {
            agree += expected > BRIGHT_CODES - AGREE_SHARE * expected;
            continue;
        }
        if (fabsf(residual) >= AGREE_CODES + AGREE_SHARE * expected)
            continue; /* it changed; what agrees must agree closely */
        agree++;
        *left += residual * residual;
        *off += change * change;
    }
    *left /= (float)used;
    *off /= (float)used;
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
        if (gain < GAIN_LEAST || gain > GAIN_MOST)
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
    double noise = 0, off = 0, left = 0;
    bool slow = false, quick = false;
    for (size_t n = window->count - FINAL_FRAMES; n < window->count; n++)
        noise += (double)drift->left[n] / FINAL_FRAMES;
    for (size_t n = first; n < window->count; n++) {
        const double ms = ts_window_start_ms(window, n);
        if (fabs((double)drift->gain[n] - 1) < SLOW_GAIN)
            continue;
        const bool before_end = ms < end - SLOW_MS / 4;
        slow = slow || ((ms > began + SLOW_MS || first == 0) && before_end);
        quick = quick || (ms > began + QUICK_MS && before_end);
        off += fmax(0, (double)drift->off[n] - noise);
        left += fmax(0, (double)drift->left[n] - noise);
    }
    return (slow && left < LEFT_MOST * off) || (quick && left < LEFT_LEAST * off);
}

static void smooth(struct ts_drift *drift, size_t first, size_t count)
{
    float before = drift->gain[first];
    for (size_t n = first + 1; n + 1 < count; n++) {
        const float here = drift->gain[n];
        drift->gain[n] = (before + 2 * here + drift->gain[n + 1]) / 4;
        before = here;
    }
}

bool ts_drift_remove(struct ts_drift *drift, struct ts_window *window, const uint8_t *skip)
{
    if (window->count < 3 * FINAL_FRAMES || !choose(drift, window, skip))
        return false;
    size_t first;
    if (!follow_back(drift, window, &first) || first + FINAL_FRAMES > window->count ||
        !is_drift(drift, window, first))
        return false;
    smooth(drift, first, window->count);
    for (size_t n = 0; n < window->count; n++) {
        const float gain = drift->gain[n < first ? first : n]; /* it does not move before */
        window->gain[ts_window_slot(window, n)] = gain;
    }
    return true;
}
