/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Single pictures for people to look at: colour from a Bayer mosaic, the display seen upright, PNG,
 * JPEG. Nothing here is on the way of a measurement, which maps blocks and never warps pixels. */
#ifndef TS_MEDIA_PICTURE_H
#define TS_MEDIA_PICTURE_H

#include "base/buf.h"

#define TS_PICTURE_SIDE_MAX 4096 /* px */

struct ts_picture {
    int width_px, height_px;
    int channels;    /* 1: grey, 3: red, green, blue */
    uint8_t *pixels; /* rows packed; whose it is, the giver says */
};

/* Frees the pixels of a picture that a function below made. */
void ts_picture_free(struct ts_picture *picture);

/* What lies inside the quadrilateral, as if seen from straight above: a homography, bilinear.
 * corners_px: clockwise from what shall be the top left, x and y of pixel corners (pixel i reaches
 * from i to i + 1). The sides of *out are as long as the longer of each two opposite ones.
 * TS_EINVAL: no convex quadrilateral, or too small or large a one. */
int ts_picture_rectify(const struct ts_picture *picture, const double corners_px[4][2],
                       struct ts_picture *out, struct ts_why *why) TS_MUST_CHECK;

/* Named by the first two pixels of the first two rows. */
enum ts_bayer { TS_BAYER_RGGB, TS_BAYER_GRBG, TS_BAYER_GBRG, TS_BAYER_BGGR };
/* 8-bit mosaic, rows packed -> RGB of the same size. TS_EINVAL: a side below 4 or above the most.
 */
int ts_picture_from_bayer(const uint8_t *mosaic, int width_px, int height_px, enum ts_bayer pattern,
                          struct ts_picture *out) TS_MUST_CHECK;

/* A whole PNG file, appended; the same picture gives the same bytes. */
int ts_picture_png(const struct ts_picture *picture, struct ts_buf *out,
                   struct ts_why *why) TS_MUST_CHECK;
/* A whole JPEG file of a grey picture, appended; small, for pages. The same picture gives the same
 * bytes. */
int ts_picture_jpeg(const struct ts_picture *picture, struct ts_buf *out,
                    struct ts_why *why) TS_MUST_CHECK;

/* The same with its longer side at most side_px, by areas. TS_EINVAL, TS_ENOMEM. */
int ts_picture_shrink(const struct ts_picture *picture, int side_px,
                      struct ts_picture *out) TS_MUST_CHECK;

#endif
