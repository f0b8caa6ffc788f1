/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/region.h"

#include <stdbool.h>
#include <string.h>

#define SPARSE 0.3 /* of the box */

void ts_region_grow(struct ts_region_grid grid, const uint8_t *from, size_t by, uint8_t *to)
{
    memset(to, 0, grid.across * grid.down);
    for (size_t y = 0; y < grid.down; y++) {
        const uint8_t *row = from + y * grid.across;
        const size_t y0 = y > by ? y - by : 0;
        for (size_t x = 0; x < grid.across;) {
            if (!row[x]) {
                x++;
                continue;
            }
            const size_t x0 = x > by ? x - by : 0; /* blocks side by side grow together */
            while (x < grid.across && row[x])
                x++;
            const size_t x1 = x + by < grid.across ? x + by : grid.across;
            for (size_t j = y0; j <= y + by && j < grid.down; j++)
                memset(to + j * grid.across + x0, 1, x1 - x0);
        }
    }
}

/* Sweeps until nothing is added: regions are few and small. */
struct ts_region_box ts_region_connected(struct ts_region_grid grid, const uint8_t *mask,
                                         size_t seed, size_t near, uint8_t *part)
{
    memset(part, 0, grid.across * grid.down);
    part[seed] = 1;
    struct ts_region_box box = {seed % grid.across, seed / grid.across, seed % grid.across,
                                seed / grid.across};
    for (bool added = true; added;) {
        added = false;
        const size_t y0 = box.y0 > near ? box.y0 - near : 0;
        const size_t x0 = box.x0 > near ? box.x0 - near : 0;
        for (size_t y = y0; y <= box.y1 + near && y < grid.down; y++) {
            const size_t end = box.x1 + near < grid.across ? box.x1 + near + 1 : grid.across;
            const size_t row = y * grid.across + x0;
            if (memcmp(mask + row, part + row, end - x0) == 0)
                continue; /* all of this row is in it */
            for (size_t x = x0; x <= box.x1 + near && x < grid.across; x++) {
                const size_t block = y * grid.across + x;
                if (!mask[block] || part[block])
                    continue;
                part[block] = added = true;
                box.x0 = x < box.x0 ? x : box.x0;
                box.x1 = x > box.x1 ? x : box.x1;
                box.y0 = y < box.y0 ? y : box.y0;
                box.y1 = y > box.y1 ? y : box.y1;
            }
        }
    }
    return box;
}

/* From the first to the last of `count` blocks in a line of part, `step` apart. */
static void fill_line(const uint8_t *part, size_t from, size_t count, size_t step, uint8_t *mask)
{
    size_t first = count, last = 0;
    for (size_t i = 0; i < count; i++) {
        if (!part[from + i * step])
            continue;
        first = first < count ? first : i;
        last = i;
    }
    for (size_t i = first; i < count && i <= last; i++)
        mask[from + i * step] = 2;
}

static size_t count_line(const uint8_t *part, size_t from, size_t count, size_t step)
{
    size_t marked = 0;
    for (size_t i = 0; i < count; i++)
        marked += part[from + i * step];
    return marked;
}

/* The box without sparse rows and columns at its sides: what hangs on to a region is not it. */
static struct ts_region_box trim(struct ts_region_grid grid, const uint8_t *part,
                                 struct ts_region_box box)
{
    const size_t width = box.x1 - box.x0 + 1, height = box.y1 - box.y0 + 1;
    const double across = SPARSE * (double)width, down = SPARSE * (double)height;
    struct ts_region_box core = box;
#define ROW(y)    (double)count_line(part, (y)*grid.across + box.x0, width, 1)
#define COLUMN(x) (double)count_line(part, box.y0 *grid.across + (x), height, grid.across)
    while (core.y0 < core.y1 && ROW(core.y0) < across)
        core.y0++;
    while (core.y1 > core.y0 && ROW(core.y1) < across)
        core.y1--;
    while (core.x0 < core.x1 && COLUMN(core.x0) < down)
        core.x0++;
    while (core.x1 > core.x0 && COLUMN(core.x1) < down)
        core.x1--;
#undef ROW
#undef COLUMN
    return core;
}

uint8_t ts_region_number(struct ts_region_grid grid, const uint8_t *mask, size_t near,
                         uint8_t *number, uint8_t *part)
{
    const size_t blocks = grid.across * grid.down;
    uint8_t regions = 0;
    memset(number, 0, blocks);
    for (size_t seed = 0; seed < blocks && regions < UINT8_MAX; seed++) {
        if (!mask[seed] || number[seed])
            continue;
        regions++;
        ts_region_connected(grid, mask, seed, near, part);
        for (size_t block = 0; block < blocks; block++) {
            if (part[block] && !number[block])
                number[block] = regions;
        }
    }
    return regions;
}

static size_t count_box(struct ts_region_grid grid, const uint8_t *part, struct ts_region_box box)
{
    size_t count = 0;
    for (size_t y = box.y0; y <= box.y1; y++)
        count += count_line(part, y * grid.across + box.x0, box.x1 - box.x0 + 1, 1);
    return count;
}

void ts_region_fill(struct ts_region_grid grid, uint8_t *mask, size_t near, double full,
                    uint8_t *scratch)
{
    for (size_t block = 0; block < grid.across * grid.down; block++) {
        if (mask[block] != 1)
            continue;
        const struct ts_region_box box = ts_region_connected(grid, mask, block, near, scratch);
        const struct ts_region_box core = trim(grid, scratch, box);
        const size_t width = box.x1 - box.x0 + 1, height = box.y1 - box.y0 + 1;
        const bool is_full =
            (double)count_box(grid, scratch, core) >= full * (double)ts_region_area(core);
        for (size_t y = core.y0; is_full && y <= core.y1; y++)
            memset(mask + y * grid.across + core.x0, 2, core.x1 - core.x0 + 1);
        for (size_t y = box.y0; y <= box.y1; y++)
            fill_line(scratch, y * grid.across + box.x0, width, 1, mask);
        for (size_t x = box.x0; x <= box.x1; x++)
            fill_line(scratch, box.y0 * grid.across + x, height, grid.across, mask);
    }
    for (size_t block = 0; block < grid.across * grid.down; block++)
        mask[block] = mask[block] != 0;
}
