/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What light that flickers is looked for in: how bright each row of blocks is, from frame to frame,
 * by those of its blocks that do nothing else. */
#include "vision/flicker_parts.h"
#include "vision/wide.h"

#include <string.h>

#define STEADY_CODES 6.0f /* a block that ranges over less is steady */
#define STEADY_SHARE 0.25f
#define DARK_CODES   10.0f /* darker blocks say nothing about a gain */
#define BRIGHT_CODES 250.0f

/* Not to be inlined: see follow() in track.c. */
TS_WIDE static void widen(size_t blocks, const uint16_t *restrict sums, uint16_t *restrict low,
                          uint16_t *restrict high, uint32_t *restrict total)
{
    for (size_t i = 0; i < blocks; i++) {
        low[i] = sums[i] < low[i] ? sums[i] : low[i];
        high[i] = sums[i] > high[i] ? sums[i] : high[i];
        total[i] += sums[i];
    }
}

void ts_flicker_range(struct ts_flicker *flicker, const struct ts_window *window, size_t from,
                      size_t to, bool fresh)
{
    if (fresh) {
        memset(flicker->low, 0xff, window->blocks * sizeof *flicker->low);
        memset(flicker->high, 0, window->blocks * sizeof *flicker->high);
        memset(flicker->total, 0, window->blocks * sizeof *flicker->total);
    }
    for (size_t n = from; n < to; n++)
        widen(window->blocks, ts_window_sums(window, n), flicker->low, flicker->high,
              flicker->total);
}

size_t ts_flicker_find_steady(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const float area = TS_BLOCK_PX * TS_BLOCK_PX;
    size_t count = 0;
    for (size_t i = 0; i < stretch->window->blocks; i++) {
        const float mean = (float)flicker->total[i] / (area * (float)stretch->count);
        const float high = (float)flicker->high[i], low = (float)flicker->low[i];
        flicker->mean[i] = mean;
        flicker->steady[i] = mean > DARK_CODES && high < BRIGHT_CODES * area &&
                             high - low < (STEADY_CODES + STEADY_SHARE * mean) * area;
        count += flicker->steady[i];
    }
    return count;
}

TS_WIDE static uint32_t sum_steady(size_t count, const uint16_t *restrict sums,
                                   const uint8_t *restrict steady)
{
    uint32_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += steady[i] ? sums[i] : 0;
    return sum;
}

/* What the steady blocks of a row have on average, all of them together; their number. */
static float row_total(const struct ts_flicker *flicker, size_t from, size_t end, float *count)
{
    const float area = TS_BLOCK_PX * TS_BLOCK_PX;
    float total = 0;
    *count = 0;
    for (size_t i = from; i < end; i++) {
        total += flicker->steady[i] ? flicker->mean[i] * area : 0;
        *count += flicker->steady[i];
    }
    return total;
}

/* Frame by frame, as they lie in memory. */
void ts_flicker_fill(const struct ts_flicker_stretch *stretch)
{
    const struct ts_window *window = stretch->window;
    struct ts_flicker *flicker = stretch->flicker;
    const size_t across = window->across;
    float *total = flicker->totals;
    for (size_t row = 0; row < window->down; row++)
        total[row] = row_total(flicker, row * across, (row + 1) * across, &flicker->rows[row]);
    for (size_t n = 0; n < stretch->count; n++) {
        const uint16_t *sums = ts_window_sums(window, stretch->from + n);
        for (size_t row = 0; row < window->down; row++) {
            const size_t from = row * across;
            const uint32_t sum = sum_steady(across, sums + from, flicker->steady + from);
            ts_flicker_row(flicker->ratio, row)[n] =
                total[row] > 0 ? (float)sum / total[row] - 1 : 0;
        }
    }
}
