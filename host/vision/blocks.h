/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block sums: what every detector here works on. Paper E groups 5x5 pixels. */
#ifndef TS_VISION_BLOCKS_H
#define TS_VISION_BLOCKS_H

#include "model/frame.h"

#include <stddef.h>

/* Sums of each TS_BLOCK_PX x TS_BLOCK_PX block of a grey picture (rows `stride` bytes apart) into
 * blocks[blocks_y][blocks_x]; pixels right of and below the last whole block are left out. */
void ts_blocks_sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                   uint16_t *blocks);

/* Picture row of a block's middle. */
static inline double ts_block_row_px(size_t block, size_t blocks_x)
{
    const size_t down = block / blocks_x;
    return ((double)down + 0.5) * TS_BLOCK_PX;
}

#endif
