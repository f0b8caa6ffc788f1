/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/blocks.h"

#define STRIP_BLOCKS 128
#define STRIP_PX     (STRIP_BLOCKS * TS_BLOCK_PX)

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

void ts_blocks_sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                   uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    for (size_t y = 0; y < down; y++) {
        const uint8_t *row = pixels + y * TS_BLOCK_PX * stride;
        for (size_t x = 0; x < across; x += STRIP_BLOCKS) {
            const size_t count = across - x < STRIP_BLOCKS ? across - x : STRIP_BLOCKS;
            sum_strip(row + x * TS_BLOCK_PX, stride, count, blocks + y * across + x);
        }
    }
}
