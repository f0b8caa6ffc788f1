/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/blocks_kernels.h"

#include <string.h>

#define STRIP_BLOCKS 128
#define STRIP_PX     (STRIP_BLOCKS * TS_BLOCK_PX)

static size_t shorter(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* First down, then across: adding whole rows is a loop that compilers vectorise, and 5 * 255 fits
 * 16 bits, as does the block's 25 * 255. Adding each block by itself is eight times slower. */
static void sum_strip(const uint8_t *pixels, size_t stride, size_t count, uint16_t *sums)
{
    uint16_t column[STRIP_PX];
    const size_t width = count * TS_BLOCK_PX;
    for (size_t x = 0; x < width; x++)
        column[x] = pixels[x];
    for (size_t row = 1; row < TS_BLOCK_PX; row++) {
        const uint8_t *line = pixels + row * stride;
        for (size_t x = 0; x < width; x++)
            column[x] = (uint16_t)(column[x] + line[x]);
    }
    for (size_t block = 0; block < count; block++) {
        const uint16_t *c = column + block * TS_BLOCK_PX;
        sums[block] = (uint16_t)(c[0] + c[1] + c[2] + c[3] + c[4]);
    }
}

void ts_blocks_sum_some(const uint8_t *pixels, size_t stride, size_t count, uint16_t *blocks)
{
    for (size_t x = 0; x < count; x += STRIP_BLOCKS) {
        const size_t some = shorter(count - x, STRIP_BLOCKS);
        ts_blocks_fetch(pixels + x * TS_BLOCKS_BYTES, some * TS_BLOCKS_BYTES);
        sum_strip(pixels + x * TS_BLOCK_PX, stride, some, blocks + x);
    }
}

static struct ts_blocks_changed compare(const uint16_t *blocks, const uint16_t *before,
                                        size_t count, const struct ts_blocks_bounds *bounds)
{
    struct ts_blocks_changed changed = {0, 0};
    for (size_t n = 0; n < count; n++) {
        const int step = blocks[n] > before[n] ? blocks[n] - before[n] : before[n] - blocks[n];
        changed.previous += step >= bounds->step;
        changed.reference += (blocks[n] < bounds->low[n]) | (blocks[n] > bounds->high[n]);
    }
    return changed;
}

void ts_blocks_watch_some(const uint8_t *pixels, size_t stride, size_t count,
                          const struct ts_blocks_bounds *bounds, uint16_t *blocks,
                          struct ts_blocks_changed *changed)
{
    uint16_t sums[STRIP_BLOCKS];
    for (size_t x = 0; x < count; x += STRIP_BLOCKS) {
        const size_t some = shorter(count - x, STRIP_BLOCKS);
        const struct ts_blocks_bounds here = ts_blocks_bounds_from(bounds, x);
        ts_blocks_fetch(pixels + x * TS_BLOCKS_BYTES, some * TS_BLOCKS_BYTES);
        sum_strip(pixels + x * TS_BLOCK_PX, stride, some, sums);
        const struct ts_blocks_changed more = compare(sums, blocks + x, some, &here);
        memcpy(blocks + x, sums, some * sizeof *sums);
        changed->previous += more.previous;
        changed->reference += more.reference;
    }
}

static void sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    for (size_t y = 0; y < down; y++)
        ts_blocks_sum_some(pixels + y * TS_BLOCK_PX * stride, stride, across, blocks + y * across);
}

static struct ts_blocks_changed watch(const uint8_t *pixels, size_t stride,
                                      const struct ts_camera_geometry *camera,
                                      const struct ts_blocks_bounds *bounds, uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    struct ts_blocks_changed changed = {0, 0};
    for (size_t y = 0; y < down; y++) {
        const struct ts_blocks_bounds here = ts_blocks_bounds_from(bounds, y * across);
        ts_blocks_watch_some(pixels + y * TS_BLOCK_PX * stride, stride, across, &here,
                             blocks + y * across, &changed);
    }
    return changed;
}

const struct ts_blocks_kernels ts_blocks_portable = {sum, watch, compare};
