/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture's border is the table on which the phone lies, or its case. As long as that keeps
 * its proportions, its brightness is the exposure times the room's light; and it was the exposure
 * if the screen, where it rests, goes with it. A gain common to most of the picture was rejected: a
 * screen of one colour that fades to another has one too, and the exposure follows it. */
#include "vision/surroundings.h"

#include <math.h>

#define FINAL_FRAMES   8
#define BORDER         24 /* one part in so many of the width, on each side */
#define DARK_CODES     20.0f
#define BRIGHT_CODES   215.0f
#define SAMPLES_LEAST  30
#define CONTRAST_LEAST 0.12f /* what is of one colour has no proportions */
#define BINS           512
#define BIN_SHARE      (1 / 128.0f) /* of a ratio */
#define AGREE_CODES    2.5f         /* of a block with the common gain ... */
#define AGREE_SHARE    0.025f       /* ... and this share of its code */
#define AGREE_LEAST    0.7f
#define KNOWN_LEAST    0.9  /* of the frames */
#define MOVES_LEAST    0.01 /* a gain that matters */
#define NEAR_CODES     1.0f
#define NEAR_PART      0.33f /* of the way between staying and following */
#define FOLLOW_LEAST   100   /* samples, all frames taken together */

static float raw_code(const struct ts_window *window, size_t frame, size_t block)
{
    return (float)ts_window_sums(window, frame)[block] / (TS_BLOCK_PX * TS_BLOCK_PX);
}

static float final_code(const struct ts_window *window, size_t block)
{
    float sum = 0;
    for (size_t n = window->count - FINAL_FRAMES; n < window->count; n++)
        sum += raw_code(window, n, block);
    return sum / FINAL_FRAMES;
}

static bool is_around(const struct ts_window *window, size_t block)
{
    const size_t border = window->across / BORDER;
    const size_t x = block % window->across, y = block / window->across;
    const uint8_t *ignore = window->view->ignore;
    return x < border || y < border || x + border >= window->across || y + border >= window->down ||
           (ignore && ignore[block]);
}

/* Spread over the blocks that are around or not, neither too dark nor too bright. */
static void choose(const struct ts_window *window, bool around, const uint8_t *skip,
                   struct ts_samples *samples)
{
    size_t usable = 0;
    for (int pass = 0; pass < 2; pass++) {
        const size_t stride = usable / TS_SURROUNDINGS_SAMPLES + 1;
        size_t seen = 0;
        samples->count = 0;
        for (size_t block = 0; block < window->blocks; block++) {
            if (is_around(window, block) != around || (!around && skip[block]))
                continue;
            const float final = final_code(window, block);
            if (final < DARK_CODES || final > BRIGHT_CODES)
                continue;
            usable += pass == 0;
            if (pass == 0 || seen++ % stride)
                continue;
            samples->block[samples->count] = block;
            samples->final[samples->count++] = final;
        }
    }
}

static bool has_contrast(const struct ts_samples *samples)
{
    float low = 255, high = 0, sum = 0;
    for (size_t i = 0; i < samples->count; i++) {
        low = fminf(low, samples->final[i]);
        high = fmaxf(high, samples->final[i]);
        sum += samples->final[i];
    }
    return (high - low) * (float)samples->count > CONTRAST_LEAST * sum;
}

static float median_ratio(const struct ts_samples *samples, const struct ts_window *window,
                          size_t frame)
{
    uint16_t bins[BINS] = {0};
    for (size_t i = 0; i < samples->count; i++) {
        const float ratio = raw_code(window, frame, samples->block[i]) / samples->final[i];
        bins[(size_t)fminf(BINS - 1, ratio / BIN_SHARE)]++;
    }
    size_t bin = 0;
    for (size_t below = bins[0]; 2 * below < samples->count; below += bins[bin])
        bin++;
    return ((float)bin + 0.5f) * BIN_SHARE;
}

/* The gain that most of what is around has in common; 0: most have none. */
static float common_gain(const struct ts_samples *around, const struct ts_window *window,
                         size_t frame)
{
    const float rough = median_ratio(around, window, frame);
    float now = 0, final = 0;
    size_t agree = 0;
    for (size_t i = 0; i < around->count; i++) {
        const float code = raw_code(window, frame, around->block[i]);
        const float expected = around->final[i] * rough;
        if (fabsf(code - expected) > AGREE_CODES + AGREE_SHARE * expected)
            continue;
        now += code;
        final += around->final[i];
        agree++;
    }
    return (float)agree < AGREE_LEAST * (float)around->count ? 0 : now / final;
}

/* Where the gain is not known it stays what it is later. */
static bool follow(const struct ts_samples *around, const struct ts_window *window, float *gain)
{
    size_t known = 0;
    float later = 1;
    for (size_t n = window->count; n-- > 0;) {
        const float common = common_gain(around, window, n);
        known += common > 0;
        gain[n] = later = common > 0 ? common : later;
    }
    return (double)known >= KNOWN_LEAST * (double)window->count;
}

/* The screen's blocks, as far as they rest, follow an exposure, and stay when it was the room's
 * light. */
static bool screen_follows(const struct ts_samples *screen, const struct ts_window *window,
                           const float *gain)
{
    size_t follow = 0, stay = 0;
    for (size_t n = 0; n < window->count; n++) {
        if (fabs((double)gain[n] - 1) < MOVES_LEAST)
            continue;
        for (size_t i = 0; i < screen->count; i++) {
            const float code = raw_code(window, n, screen->block[i]), final = screen->final[i];
            const float way = final * fabsf(gain[n] - 1), near = NEAR_PART * way;
            if (code > BRIGHT_CODES || way < NEAR_CODES)
                continue;
            follow += fabsf(code - final * gain[n]) < near;
            stay += fabsf(code - final) < near;
        }
    }
    return follow >= FOLLOW_LEAST && follow > stay;
}

static void smooth(float *gain, size_t count)
{
    float before = gain[0];
    for (size_t n = 1; n + 1 < count; n++) {
        const float here = gain[n];
        gain[n] = (before + 2 * here + gain[n + 1]) / 4;
        before = here;
    }
}

bool ts_surroundings_gain(struct ts_surroundings *surroundings, const struct ts_window *window,
                          const uint8_t *skip, float *gain)
{
    struct ts_samples *around = &surroundings->around, *screen = &surroundings->screen;
    if (window->count < 2 * FINAL_FRAMES)
        return false;
    choose(window, true, skip, around);
    if (around->count < SAMPLES_LEAST || !has_contrast(around) || !follow(around, window, gain))
        return false;
    choose(window, false, skip, screen);
    if (!screen_follows(screen, window, gain))
        return false;
    smooth(gain, window->count);
    return true;
}
