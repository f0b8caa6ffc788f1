/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/camera/grey.h"

#include <string.h>

#define RED   77u
#define GREEN 75u
#define BLUE  29u

void ts_camera_from_bytes(const uint8_t *from, size_t stride, int step, int offset, int width_px,
                          int height_px, uint8_t *to)
{
    for (int y = 0; y < height_px; y++, from += stride, to += width_px) {
        const uint8_t *at = from + offset;
        if (step == 1)
            memcpy(to, at, (size_t)width_px);
        else
            for (int x = 0; x < width_px; x++)
                to[x] = at[x * step];
    }
}

/* What a pixel of this row and column of the mosaic counts. */
static unsigned weight(unsigned red, unsigned row, unsigned column)
{
    const unsigned away = red ^ (2 * (row & 1) + (column & 1));
    return away == 0 ? RED : away == 3 ? BLUE : GREEN;
}

void ts_camera_from_bayer(const uint8_t *from, size_t stride, unsigned red, int width_px,
                          int height_px, uint8_t *to)
{
    for (int y = 0; y + 1 < height_px; y++, from += stride, to += width_px) {
        const unsigned row = (unsigned)y;
        const unsigned upper[2] = {weight(red, row, 0), weight(red, row, 1)};
        const unsigned lower[2] = {weight(red, row + 1, 0), weight(red, row + 1, 1)};
        const uint8_t *below = from + stride;
        unsigned left = upper[0] * from[0] + lower[0] * below[0];
        for (int x = 1; x < width_px; x++) {
            const unsigned right = upper[x & 1] * from[x] + lower[x & 1] * below[x];
            to[x - 1] = (uint8_t)((left + right + 128) >> 8);
            left = right;
        }
        to[width_px - 1] = to[width_px - 2];
    }
    memcpy(to, to - width_px, (size_t)width_px);
}
