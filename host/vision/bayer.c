/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/bayer.h"

/* A block's pixels fall into four groups by the parities of their row and column in it: 9, 6, 6 or
 * 4 of them, two groups for green. All means are whole multiples of 1 / GRAIN of a pixel, so that
 * weights are whole numbers and no rounding depends on the parity. */
#define GRAIN      468 /* common multiple of 9, 6, 4, and of green's 13 and 12 */
#define RED        299
#define GREEN      587
#define BLUE       114
#define LUMA_SCALE (GRAIN * (RED + GREEN + BLUE) / (TS_BLOCK_PX * TS_BLOCK_PX))

_Static_assert(TS_BLOCK_PX == 5, "even and odd rows and columns are written out below");

struct weights {
    uint32_t group[2][2]; /* [row parity][column parity] */
};

static uint32_t pixels_in(unsigned row, unsigned column)
{
    return (3 - row) * (3 - column);
}

/* row, column: parity, in the block, of its red pixels */
static struct weights weigh(unsigned row, unsigned column)
{
    const unsigned r = row ^ 1, c = column ^ 1;
    const uint32_t green = GREEN * (GRAIN / (pixels_in(row, c) + pixels_in(r, column)));
    struct weights weights;
    weights.group[row][column] = RED * (GRAIN / pixels_in(row, column));
    weights.group[row][c] = weights.group[r][column] = green;
    weights.group[r][c] = BLUE * (GRAIN / pixels_in(r, c));
    return weights;
}

/* Of one block. Sums over whole rows first, as of grey pictures, were tried: 1.6 times as fast
 * where the compiler vectorises them, slower where it does not, and twice the code. */
static uint32_t luma_of(const uint8_t *pixels, size_t stride, const struct weights *weights)
{
    const uint8_t *a = pixels, *b = a + stride, *c = b + stride, *d = c + stride, *e = d + stride;
    const uint32_t even_even =
        (uint32_t)(a[0] + a[2] + a[4] + c[0] + c[2] + c[4] + e[0] + e[2] + e[4]);
    const uint32_t even_odd = (uint32_t)(a[1] + a[3] + c[1] + c[3] + e[1] + e[3]);
    const uint32_t odd_even = (uint32_t)(b[0] + b[2] + b[4] + d[0] + d[2] + d[4]);
    const uint32_t odd_odd = (uint32_t)(b[1] + b[3] + d[1] + d[3]);
    return weights->group[0][0] * even_even + weights->group[0][1] * even_odd +
           weights->group[1][0] * odd_even + weights->group[1][1] * odd_odd;
}

void ts_blocks_sum_bayer(const uint8_t *pixels, size_t stride,
                         const struct ts_camera_geometry *camera, enum ts_bayer pattern,
                         uint16_t *blocks)
{
    const size_t across = (size_t)camera->blocks_x, down = (size_t)camera->blocks_y;
    for (size_t y = 0; y < down; y++) {
        const unsigned row = (pattern >> 1 ^ (unsigned)y) & 1, column = pattern & 1;
        const struct weights weights[2] = {weigh(row, column), weigh(row, column ^ 1)};
        const uint8_t *line = pixels + y * TS_BLOCK_PX * stride;
        for (size_t x = 0; x < across; x++) {
            const uint32_t luma = luma_of(line + x * TS_BLOCK_PX, stride, &weights[x & 1]);
            blocks[y * across + x] = (uint16_t)((luma + LUMA_SCALE / 2) / LUMA_SCALE);
        }
    }
}
