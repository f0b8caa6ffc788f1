/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is around the phone keeps its proportions, whatever the screen shows; where it moves and the
 * screen rests, the screen goes with it if it was the exposure, and stays if it was the room's
 * light. Where nothing around tells, the picture does: drift_picture.c. */
#include "vision/drift_parts.h"
#include "vision/memory.h"
#include "vision/saturated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAIN_LEAST   0.5f /* a fade begins in the dark; an exposure does not go so far */
#define GAIN_MOST    2.0f
#define KNOWN_LEAST  0.9 /* of the frames */
#define SHAKE        0.01f
#define STEP         0.03
#define REST_SHARE   0.15
#define STEP_FRAMES  3     /* at 120 frames a second, exposures that straddle a lamp's step */
#define CAUSE_MS     150.0 /* exposures follow what they see within that */
#define MOVES_LEAST  0.01  /* a gain that matters */
#define NEAR         25.0f /* a block's sum must move so far to be seen to follow or stay, ... */
#define NEAR_PART    0.33f /* ... and be nearer than this part of the way */
#define SURE_TIMES   3     /* so many more that follow than that stay: no lamp does that */
#define CUT_NEAR     75.0f /* of a block's sum, and ... */
#define CUT_PART     0.05f /* ... of what it is: more is another picture, ... */
#define CUT_SHARE    0.3f  /* ... in so much of the screen, ... */
#define CUT_MS       25.0  /* ... which a display and a camera take so long to show */
#define CUT_FRAMES   6     /* at most, of that time */
#define FULL_SUM     (248 * TS_BLOCK_PX * TS_BLOCK_PX)
#define FULL_LEAST   4     /* blocks at full scale: more than an LED */
#define FOLLOW_NEAR  25.0f /* of a block's sum, and ... */
#define FOLLOW_PART  0.01f /* ... of what the gain makes of it: so near, it follows, ... */
#define FOLLOW_SHARE 0.85f /* ... as so many of the others do, ... */
#define LAG_TIMES    1.5f  /* ... and farther by so much, it lags */
#define LAG_BRIGHT   (TS_BRIGHT_CODES * TS_BLOCK_PX * TS_BLOCK_PX)
#define FOLLOW_LEAST 100 /* blocks: fewer tell by chance */

int ts_drift_open(struct ts_drift *drift, const struct ts_window *window)
{
    *drift =
        (struct ts_drift){.gain = ts_memory_zeroed(window->capacity, sizeof *drift->gain),
                          .contrast = ts_memory_zeroed(window->capacity, sizeof *drift->contrast),
                          .off = ts_memory_zeroed(window->capacity, sizeof *drift->off),
                          .left = ts_memory_zeroed(window->capacity, sizeof *drift->left),
                          .level = ts_memory_zeroed(window->blocks, sizeof *drift->level),
                          .before = ts_memory_zeroed(window->blocks, sizeof *drift->before),
                          .calm = ts_memory_zeroed(window->blocks, sizeof *drift->calm)};
    if (drift->gain && drift->contrast && drift->off && drift->left && drift->level &&
        drift->before && drift->calm)
        return TS_OK;
    ts_drift_close(drift);
    return TS_ENOMEM;
}

void ts_drift_close(struct ts_drift *drift)
{
    free(drift->gain);
    free(drift->contrast);
    free(drift->off);
    free(drift->left);
    free(drift->level);
    free(drift->before);
    free(drift->calm);
    *drift = (struct ts_drift){0};
}

/* A frame's sums without flicker, until the next call. */
static const uint16_t *calm(struct ts_drift *drift, const struct ts_window *window, size_t frame)
{
    if (!window->flickers)
        return ts_window_sums(window, frame);
    ts_window_calm(window, frame, drift->calm);
    return drift->calm;
}

static void find_final(struct ts_drift *drift, const struct ts_window *window)
{
    for (size_t block = 0; block < window->blocks; block++)
        drift->level[block] = 0;
    for (size_t n = window->count - TS_DRIFT_FINAL_FRAMES; n < window->count; n++) {
        const uint16_t *sums = calm(drift, window, n);
        for (size_t block = 0; block < window->blocks; block++)
            drift->level[block] += (float)sums[block] / TS_DRIFT_FINAL_FRAMES;
    }
}

/* Where the gain is not known it stays what it is later. Lamps that flicker shake it. */
static bool follow_surroundings(struct ts_drift *drift, const struct ts_window *window)
{
    size_t known = 0, shakes = 0;
    float later = 1;
    for (size_t n = window->count; n-- > 0;) {
        const float gain = ts_samples_gain(&drift->around, drift->level, calm(drift, window, n));
        known += gain > GAIN_LEAST && gain < GAIN_MOST;
        shakes += gain > 0 && fabsf(gain - later) > SHAKE;
        drift->gain[n] = later = gain > 0 ? gain : later;
    }
    return (double)known >= KNOWN_LEAST * (double)window->count && shakes * 4 < window->count;
}

/* Hardly any of such a step is made in these frames. */
static bool rests(const struct ts_drift *drift, size_t from, double step)
{
    const size_t half = TS_DRIFT_FINAL_FRAMES / 2;
    const double moved =
        ts_drift_mean(drift->gain, from + half, half) - ts_drift_mean(drift->gain, from, half);
    return fabs(moved) < REST_SHARE * fabs(step);
}

/* Lamps that flicker move it too, but not on average. */
static bool moves(const struct ts_drift *drift, const struct ts_window *window)
{
    const size_t frames = (size_t)(TS_DRIFT_SLOW_MS / 2 / window->view->period_ms) + 2;
    for (size_t n = 0; n + frames <= window->count; n++) {
        if (fabs(ts_drift_mean(drift->gain, n, frames) - 1) > MOVES_LEAST)
            return true;
    }
    return false;
}

/* In both frames most of the screen shows the same picture, the final one or any other: a lamp may
 * be switched before the app appears. */
static bool screen_rests(struct ts_drift *drift, const struct ts_window *window, size_t from,
                         size_t to)
{
    const uint16_t *sums = calm(drift, window, from);
    for (size_t block = 0; block < window->blocks; block++)
        drift->before[block] = (float)sums[block];
    struct ts_samples shown;
    ts_samples_choose(window->view, drift->before, false, NULL, &shown);
    return shown.count >= TS_DRIFT_SAMPLES_LEAST &&
           ts_samples_gain(&shown, drift->before, calm(drift, window, to)) > 0;
}

/* All at once while the picture is and was the same: a lamp was switched. Exposure moves because
 * the picture has changed, which may be a while ago. */
static bool is_lamp(struct ts_drift *drift, const struct ts_window *window)
{
    const size_t reach = TS_DRIFT_FINAL_FRAMES + STEP_FRAMES;
    const size_t ago = TS_DRIFT_FINAL_FRAMES + (size_t)(CAUSE_MS / window->view->period_ms);
    for (size_t n = 0; n + TS_DRIFT_FINAL_FRAMES + reach <= window->count; n++) {
        const double before = ts_drift_mean(drift->gain, n, TS_DRIFT_FINAL_FRAMES);
        const double step = ts_drift_mean(drift->gain, n + reach, TS_DRIFT_FINAL_FRAMES) - before;
        if (fabs(step) > STEP && rests(drift, n, step) && rests(drift, n + reach, step) &&
            screen_rests(drift, window,
                         n + TS_DRIFT_FINAL_FRAMES > ago ? n + TS_DRIFT_FINAL_FRAMES - ago : 0,
                         n + reach))
            return true;
    }
    return false;
}

/* The samples some frames later. */
struct later {
    size_t frames, frame; /* so many, and which of them is next to be compared with */
    float sums[CUT_FRAMES][TS_SAMPLES_MOST];
};

static void begin_later(struct later *later, const struct ts_drift *drift, double period_ms)
{
    *later = (struct later){.frames = (size_t)fmax(1, fmin(CUT_FRAMES, ceil(CUT_MS / period_ms)))};
    for (size_t n = 0; n < later->frames; n++) {
        for (size_t i = 0; i < drift->screen.count; i++)
            later->sums[n][i] = drift->level[drift->screen.block[i]];
    }
}

/* Much of the screen shows another picture than as long later as a display and a camera take to
 * show one change of it. */
static bool is_cut(const struct ts_samples *screen, const uint16_t *sums, struct later *later)
{
    size_t other = 0;
    float *then = later->sums[later->frame];
    for (size_t i = 0; i < screen->count; i++) {
        const float value = (float)sums[screen->block[i]];
        other += fabsf(value - then[i]) > CUT_NEAR + CUT_PART * then[i];
        then[i] = value;
    }
    later->frame = (later->frame + 1) % later->frames;
    return (float)other > CUT_SHARE * (float)screen->count;
}

/* Since the picture is the final one: an earlier one may look like it by chance. */
static void ask_screen(struct ts_drift *drift, const struct ts_window *window, size_t *follow,
                       size_t *stay)
{
    struct later later;
    begin_later(&later, drift, window->view->period_ms);
    for (size_t n = window->count; n-- > 0;) {
        const float gain = drift->gain[n];
        const uint16_t *sums = calm(drift, window, n);
        if (is_cut(&drift->screen, sums, &later))
            break;
        if (fabs((double)gain - 1) < MOVES_LEAST)
            continue;
        for (size_t i = 0; i < drift->screen.count; i++) {
            const size_t block = drift->screen.block[i];
            const float value = (float)sums[block], final = drift->level[block];
            const float way = final * fabsf(gain - 1), near = NEAR_PART * way;
            if (value > TS_DRIFT_BRIGHT_CODES * TS_BLOCK_PX * TS_BLOCK_PX || way < NEAR)
                continue;
            *follow += fabsf(value - final * gain) < near;
            *stay += fabsf(value - final) < near;
        }
    }
}

/* What is around the phone tells the gain of all frames. */
static bool ask_surroundings(struct ts_drift *drift, const struct ts_window *window,
                             const uint8_t *skip)
{
    const struct ts_vision_view *view = window->view;
    ts_samples_choose(view, drift->level, true, NULL, &drift->around);
    if (!ts_samples_tell(&drift->around, drift->level) || !follow_surroundings(drift, window) ||
        !moves(drift, window))
        return false;
    ts_samples_choose(view, drift->level, false, skip, &drift->screen);
    size_t follow = 0, stay = 0;
    ask_screen(drift, window, &follow, &stay);
    return follow >= FOLLOW_LEAST &&
           (follow > SURE_TIMES * stay || (follow > stay && !is_lamp(drift, window)));
}

/* What is around the phone goes another way: it was a fade. */
static bool surroundings_deny(struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    size_t follow = 0, stay = 0;
    if (!ts_samples_tell(&drift->around, drift->level))
        return false;
    for (size_t n = first; n < window->count; n++) {
        if (fabsf(drift->gain[n] - 1) < SHAKE)
            continue;
        const float gain = ts_samples_gain(&drift->around, drift->level, calm(drift, window, n));
        const bool near = fabsf(gain - drift->gain[n]) < fabsf(gain - 1);
        follow += gain > 0 && near;
        stay += gain > 0 && !near;
    }
    return stay > follow;
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

static bool is_saturated(const struct ts_window *window, size_t frame)
{
    const uint16_t *sums = ts_window_sums(window, frame);
    size_t full = 0;
    for (size_t block = 0; block < window->blocks; block++)
        full += sums[block] >= FULL_SUM;
    return full >= FULL_LEAST;
}

/* What a frame's blocks do when they are compared with the final picture and the gain. */
struct followers {
    size_t tell, follow; /* not bright, and their way is long enough to tell; they go it */
    size_t lag;          /* bright, and go part of the way only */
};

static void ask_frame(struct ts_drift *drift, const struct ts_window *window, size_t frame,
                      struct followers *f)
{
    const uint16_t *sums = calm(drift, window, frame);
    const float gain = drift->gain[frame];
    for (size_t block = 0; block < window->blocks; block++) {
        const float final = drift->level[block], expected = final * gain;
        const float more = (float)sums[block] - expected;
        const float near = FOLLOW_NEAR + FOLLOW_PART * expected;
        const bool tells = final < LAG_BRIGHT && fabsf(final - expected) > 2 * near;
        f->tell += tells;
        f->follow += tells && fabsf(more) < near;
        f->lag += final >= LAG_BRIGHT && (gain < 1 ? more : -more) > LAG_TIMES * near;
    }
}

static bool do_follow(const struct followers *f)
{
    return (float)f->follow >= FOLLOW_SHARE * (float)f->tell;
}

/* Bright blocks follow the gain in part only, while all others follow it: of the fine lines in them
 * some are cut off. What fades does so in the dark, too. Since which frame that is so of the final
 * picture; count: it is not. */
static size_t only_bright_lag(struct ts_drift *drift, const struct ts_window *window, size_t first)
{
    struct followers all = {0};
    size_t n = window->count;
    for (; n > first; n--) {
        struct followers here = {0};
        ask_frame(drift, window, n - 1, &here);
        if (here.tell >= FOLLOW_LEAST && !do_follow(&here))
            break;
        all.tell += here.tell;
        all.follow += here.follow;
        all.lag += here.lag;
    }
    return all.lag > 0 && all.tell >= FOLLOW_LEAST && do_follow(&all) ? n : window->count;
}

static void divide(struct ts_drift *drift, struct ts_window *window, size_t first)
{
    const size_t cut_off = only_bright_lag(drift, window, first);
    for (size_t n = 0; n < window->count; n++) {
        const float gain = drift->gain[n < first ? first : n]; /* it does not move before */
        const size_t slot = ts_window_slot(window, n);
        window->gain[slot] = gain;
        window->saturated[slot] = n >= cut_off || is_saturated(window, n);
    }
}

bool ts_drift_remove(struct ts_drift *drift, struct ts_window *window, const uint8_t *skip)
{
    size_t first = 0;
    if (window->count < 3 * TS_DRIFT_FINAL_FRAMES)
        return false;
    find_final(drift, window);
    if (!ask_surroundings(drift, window, skip) &&
        (!ts_drift_by_picture(drift, window, skip, &first) ||
         surroundings_deny(drift, window, first)))
        return false;
    smooth(drift, first, window->count);
    divide(drift, window, first);
    return true;
}
