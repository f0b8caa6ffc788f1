/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/blocks.h"

#include "vision/blocks_kernels.h"

/* Asked for on every call: a cached answer would be a global that changes, and the question costs
 * one load. */
static const struct ts_blocks_kernels *best(void)
{
    const struct ts_blocks_kernels *avx2 = ts_blocks_avx2();
    return avx2 ? avx2 : &ts_blocks_portable;
}

void ts_blocks_sum(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                   uint16_t *blocks)
{
    best()->sum(pixels, stride, camera, blocks);
}

struct ts_blocks_changed ts_blocks_watch(const uint8_t *pixels, size_t stride,
                                         const struct ts_camera_geometry *camera,
                                         const struct ts_blocks_bounds *bounds, uint16_t *blocks)
{
    return best()->watch(pixels, stride, camera, bounds, blocks);
}

struct ts_blocks_changed ts_blocks_compare(const uint16_t *blocks, const uint16_t *before,
                                           size_t count, const struct ts_blocks_bounds *bounds)
{
    return best()->compare(blocks, before, count, bounds);
}
