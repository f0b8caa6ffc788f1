/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture's border is the table on which the phone lies, or its case. As long as that keeps
 * its proportions, its brightness is the exposure times the room's light. A gain common to most of
 * the picture was rejected: a screen of one colour that fades to another has one too, and the
 * exposure follows it. */
#include "vision/surroundings.h"

#include <math.h>

#define PIXELS         (TS_BLOCK_PX * TS_BLOCK_PX)
#define BORDER         24 /* one part in so many of the width, on each side */
#define DARK           (20.0f * PIXELS)
#define BRIGHT         (215.0f * PIXELS) /* some pixels may be cut off */
#define CONTRAST_LEAST 0.12f
#define BINS           512
#define BIN_SHARE      (1 / 128.0f)    /* of a ratio */
#define AGREE          (1.5f * PIXELS) /* of a block with the common gain ... */
#define AGREE_SHARE    0.01f           /* ... and this share of its code */
#define AGREE_LEAST    0.7f

static bool is_around(const struct ts_vision_view *view, size_t block)
{
    const size_t across = (size_t)view->camera->blocks_x, down = (size_t)view->camera->blocks_y;
    const size_t border = across / BORDER, x = block % across, y = block / across;
    return x < border || y < border || x + border >= across || y + border >= down ||
           (view->ignore && view->ignore[block]);
}

void ts_samples_choose(const struct ts_vision_view *view, const float *level, bool around,
                       const uint8_t *skip, struct ts_samples *samples)
{
    const size_t blocks = (size_t)view->camera->blocks_x * (size_t)view->camera->blocks_y;
    size_t usable = 0;
    for (int pass = 0; pass < 2; pass++) {
        const size_t stride = usable / TS_SAMPLES_MOST + 1;
        size_t seen = 0;
        samples->count = 0;
        for (size_t block = 0; block < blocks; block++) {
            if (level[block] < DARK || level[block] > BRIGHT || (skip && skip[block]) ||
                is_around(view, block) != around)
                continue;
            usable += pass == 0;
            if (pass == 1 && seen++ % stride == 0)
                samples->block[samples->count++] = (uint32_t)block;
        }
    }
}

bool ts_samples_tell(const struct ts_samples *samples, const float *level)
{
    float low = INFINITY, high = 0, sum = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const float here = level[samples->block[i]];
        low = fminf(low, here);
        high = fmaxf(high, here);
        sum += here;
    }
    return samples->count >= TS_SAMPLES_LEAST &&
           (high - low) * (float)samples->count > CONTRAST_LEAST * sum;
}

static float median_ratio(const struct ts_samples *samples, const float *level,
                          const uint16_t *sums)
{
    uint16_t bins[BINS] = {0};
    for (size_t i = 0; i < samples->count; i++) {
        const size_t block = samples->block[i];
        const float ratio = (float)sums[block] / (level[block] * BIN_SHARE);
        bins[ratio < BINS - 1 ? (size_t)ratio : BINS - 1]++;
    }
    size_t bin = 0;
    for (size_t below = bins[0]; 2 * below < samples->count; below += bins[bin])
        bin++;
    return ((float)bin + 0.5f) * BIN_SHARE;
}

float ts_samples_gain(const struct ts_samples *samples, const float *level, const uint16_t *sums)
{
    const float rough = median_ratio(samples, level, sums);
    float now = 0, then = 0;
    size_t agree = 0;
    for (size_t i = 0; i < samples->count; i++) {
        const size_t block = samples->block[i];
        const float value = (float)sums[block], expected = level[block] * rough;
        const bool agrees = fabsf(value - expected) < AGREE + AGREE_SHARE * expected;
        now += agrees ? value : 0;
        then += agrees ? level[block] : 0;
        agree += agrees;
    }
    return (float)agree < AGREE_LEAST * (float)samples->count ? 0 : now / then;
}
