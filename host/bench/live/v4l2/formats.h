/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pixel formats of V4L2 that are taken, and how each becomes grey. */
#ifndef TS_LIVE_V4L2_FORMATS_H
#define TS_LIVE_V4L2_FORMATS_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum ts_v4l2_kind { TS_V4L2_BYTES, TS_V4L2_BAYER, TS_V4L2_JPEG };

struct ts_v4l2_format {
    uint32_t fourcc;
    enum ts_v4l2_kind kind;
    int step, offset; /* TS_V4L2_BYTES: as ts_camera_from_bytes() */
    unsigned red;     /* TS_V4L2_BAYER: as ts_camera_from_bayer() */
};

/* The preferred first: less to convert, nothing lost by compression. Ends with fourcc 0. */
extern const struct ts_v4l2_format ts_v4l2_formats[];

const struct ts_v4l2_format *ts_v4l2_format_of(uint32_t fourcc); /* NULL: not taken */
/* "YUYV"; text has room for 5. */
void ts_v4l2_format_name(uint32_t fourcc, char *text);

struct ts_jpeg;

struct ts_jpeg *ts_jpeg_create(void); /* NULL: no memory */
void ts_jpeg_destroy(struct ts_jpeg *jpeg);
/* The luma of a JPEG picture. TS_EPROTO: damaged, cut off, or of another size; *to may have been
 * written to. */
int ts_jpeg_grey(struct ts_jpeg *jpeg, const uint8_t *from, size_t size, int width_px,
                 int height_px, uint8_t *to) TS_MUST_CHECK;

#endif
