/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels behind blocks.h, one set for each kind of CPU; all sets give the same bits. For
 * blocks.c, which chooses, and for tests and benchmarks, which call each. */
#ifndef TS_VISION_BLOCKS_KERNELS_H
#define TS_VISION_BLOCKS_KERNELS_H

#include "vision/blocks.h"

struct ts_blocks_kernels {
    void (*sum)(const uint8_t *pixels, size_t stride, const struct ts_camera_geometry *camera,
                uint16_t *blocks);
    struct ts_blocks_changed (*watch)(const uint8_t *pixels, size_t stride,
                                      const struct ts_camera_geometry *camera,
                                      const struct ts_blocks_bounds *bounds, uint16_t *blocks);
    struct ts_blocks_changed (*compare)(const uint16_t *blocks, const uint16_t *before,
                                        size_t count, const struct ts_blocks_bounds *bounds);
};

extern const struct ts_blocks_kernels ts_blocks_portable;
/* NULL: this CPU, or what this was compiled for, has no AVX2. */
const struct ts_blocks_kernels *ts_blocks_avx2(void);

/* The portable kernels on part of a row of blocks: for the few that fill no vector. pixels and all
 * arrays, those of bounds too, begin at the part's first block. */
void ts_blocks_sum_some(const uint8_t *pixels, size_t stride, size_t count, uint16_t *blocks);
void ts_blocks_watch_some(const uint8_t *pixels, size_t stride, size_t count,
                          const struct ts_blocks_bounds *bounds, uint16_t *blocks,
                          struct ts_blocks_changed *changed);

/* Memory is asked for this much before it is needed. Measured: best, or near it, from 320x240 to
 * 1280x720. */
#define TS_BLOCKS_AHEAD_BYTES 12288
#define TS_BLOCKS_FETCH_BYTES 64                          /* what one fetch brings at least */
#define TS_BLOCKS_BYTES       (TS_BLOCK_PX * TS_BLOCK_PX) /* of one block */

/* Asks for as many bytes as are read at `from` now. The hardware alone follows the five rows of a
 * block badly, and asking for each of them costs up to 1.6 times what it does in the order in which
 * they lie. What is asked for may lie past the picture: then it is no pointer of ours, hence the
 * integer, and a prefetch never faults. */
static inline void ts_blocks_fetch(const uint8_t *from, size_t bytes)
{
    for (size_t n = 0; n < bytes; n += TS_BLOCKS_FETCH_BYTES)
        __builtin_prefetch((const void *)((uintptr_t)from + TS_BLOCKS_AHEAD_BYTES + n));
}

/* bounds of the blocks from `first` on */
static inline struct ts_blocks_bounds ts_blocks_bounds_from(const struct ts_blocks_bounds *bounds,
                                                            size_t first)
{
    return (struct ts_blocks_bounds){bounds->step, bounds->low + first, bounds->high + first};
}

#endif
