/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: blocks that hang together. */
#ifndef TS_VISION_REGION_H
#define TS_VISION_REGION_H

#include <stddef.h>
#include <stdint.h>

struct ts_region_grid {
    size_t across, down;
};

struct ts_region_box { /* blocks, all inside */
    size_t x0, y0, x1, y1;
};

/* 1 wherever a block of `from` is at most `by` blocks away (in both directions). */
void ts_region_grow(struct ts_region_grid grid, const uint8_t *from, size_t by, uint8_t *to);
/* Marks, in `part`, the blocks of `mask` that hang together with `seed` when gaps of fewer than
 * `near` blocks are bridged. */
struct ts_region_box ts_region_connected(struct ts_region_grid grid, const uint8_t *mask,
                                         size_t seed, size_t near, uint8_t *part);
/* Gives each block of mask its region's number, from 1; 0 outside, and from the 256th on. Returns
 * how many there are, at most UINT8_MAX. part: [blocks] working memory. */
uint8_t ts_region_number(struct ts_region_grid grid, const uint8_t *mask, size_t near,
                         uint8_t *number, uint8_t *part);
static inline size_t ts_region_area(struct ts_region_box box)
{
    return (box.x1 - box.x0 + 1) * (box.y1 - box.y0 + 1);
}
/* The box and `by` blocks more on each side, as far as there are any. */
static inline struct ts_region_box ts_region_around(struct ts_region_grid grid,
                                                    struct ts_region_box box, size_t by)
{
    return (struct ts_region_box){box.x0 > by ? box.x0 - by : 0, box.y0 > by ? box.y0 - by : 0,
                                  box.x1 + by < grid.across ? box.x1 + by : grid.across - 1,
                                  box.y1 + by < grid.down ? box.y1 + by : grid.down - 1};
}
/* Closes the gaps in each region of mask != 0: between its blocks of one row, or one column; and
 * where they make `full` or more of its box, sparse rows and columns at the sides left out, all of
 * that. */
void ts_region_fill(struct ts_region_grid grid, uint8_t *mask, size_t near, double full,
                    uint8_t *scratch);

#endif
