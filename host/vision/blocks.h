/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block sums: what every detector here works on. Paper E groups 5x5 pixels. Each call makes one
 * pass over the pixels, at the speed at which memory delivers them where the CPU has AVX2; results
 * are the same bits everywhere. No call allocates, and none reads past the picture's last row. */
#ifndef TS_VISION_BLOCKS_H
#define TS_VISION_BLOCKS_H

#include "model/frame.h"

#include <stddef.h>

/* The most that a block's sum can be: white. */
#define TS_BLOCK_SUM_MOST (TS_BLOCK_PX * TS_BLOCK_PX * 255)

/* Sums of each TS_BLOCK_PX x TS_BLOCK_PX block of a grey picture (rows `stride` bytes apart) into
 * blocks[blocks_y][blocks_x]; pixels right of and below the last whole block are left out. */
void ts_blocks_sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                   uint16_t *blocks);

/* What counts as a change of a block. Paper E's rule, |difference of means| > 0.1 * 255 against
 * the frame before, is step 638 in sums. */
struct ts_blocks_bounds {
    uint16_t step; /* |sum - previous sum| >= step: changed against the previous frame */
    const uint16_t *low, *high; /* [blocks] sum < low or > high: changed against the reference */
};

struct ts_blocks_changed {
    size_t previous, reference; /* blocks that changed against each */
};

/* ts_blocks_sum() and ts_blocks_compare() in one pass. blocks: in: the sums of the frame before;
 * out: of this one. */
struct ts_blocks_changed ts_blocks_watch(const uint8_t *pixels, size_t stride,
                                         const struct ts_camera_geometry *camera,
                                         const struct ts_blocks_bounds *bounds, uint16_t *blocks);

/* The same on `count` sums that are there already. */
struct ts_blocks_changed ts_blocks_compare(const uint16_t *blocks, const uint16_t *before,
                                           size_t count, const struct ts_blocks_bounds *bounds);

/* Picture row of a block's middle. */
static inline double ts_block_row_px(size_t block, size_t blocks_x)
{
    const size_t down = block / blocks_x;
    return ((double)down + 0.5) * TS_BLOCK_PX;
}

#endif
