/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Block sums of a raw Bayer picture: a camera that sends one spends no time on colours, and nor do
 * we. */
#ifndef TS_VISION_BAYER_H
#define TS_VISION_BAYER_H

#include "model/frame.h"

#include <stddef.h>

/* The picture's first two pixels, and the two below them. The value is 2 * row + column of red. */
enum ts_bayer { TS_BAYER_RGGB, TS_BAYER_GRBG, TS_BAYER_GBRG, TS_BAYER_BGGR };

/* As ts_blocks_sum(), of the luma: 25 * (0.299 R + 0.587 G + 0.114 B) (ITU-R BT.601), rounded,
 * where R, G and B are the means of the block's own pixels of that colour. Blocks have an odd side,
 * so each holds another share of each colour than its neighbour; a uniform colour still gives the
 * same sum in all. No error either where a colour changes evenly over the block: rows and columns
 * 0 2 4 have the same middle as 1 3. */
void ts_blocks_sum_bayer(const uint8_t *pixels, size_t stride,
                         const struct ts_camera_geometry *camera, enum ts_bayer pattern,
                         uint16_t *blocks);

#endif
