/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cameras send -> grey, 8 bits, rows packed, at full resolution. Codes are kept as they are
 * stored: what is measured is when a step passes a share of itself, which no linear stretch
 * changes, and a stretch would clip. */
#ifndef TS_LIVE_CAMERA_GREY_H
#define TS_LIVE_CAMERA_GREY_H

#include <stddef.h>
#include <stdint.h>

/* Every `step`th byte of each row from `offset` on: GREY (1, 0), YUYV (2, 0), UYVY (2, 1). */
void ts_camera_from_bytes(const uint8_t *from, size_t stride, int step, int offset, int width_px,
                          int height_px, uint8_t *to);

/* Luma of each 2 x 2 window, which holds one red, two green and one blue pixel wherever it lies:
 * (77 R + 75 G + 75 G' + 29 B + 128) / 256, ITU-R BT.601. `red`: where red is in the first two
 * rows, 2 * row + column. The window reaches one pixel right and down, so the picture is moved by
 * half a pixel (a row is seen half a row time late, some 15 us, which is part of the camera's
 * constant latency) and an edge is one pixel softer, of the five of a block. A pixel's noise goes
 * down to 0.53 of the sensor's (sqrt(.30^2 + 2 * .29^2 + .11^2)) and is shared with its neighbours;
 * a block's mean is as noisy as that of any interpolation. The last row and column, which have no
 * neighbour, are those beside them. */
void ts_camera_from_bayer(const uint8_t *from, size_t stride, unsigned red, int width_px,
                          int height_px, uint8_t *to);

#endif
