/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any video that libav opens, frame by frame as grey pictures. Memory is bounded: one frame at a
 * time. Damaged files give errors, never crashes. Not thread-safe per decoder. */
#ifndef TS_MEDIA_DECODE_H
#define TS_MEDIA_DECODE_H

#include "base/err.h"

#include <stdint.h>

#define TS_DECODE_WIDTH_MAX  4096
#define TS_DECODE_HEIGHT_MAX 4096

struct ts_decode;

struct ts_decode_frame {
    const uint8_t *grey; /* width x height, rows packed; valid until the next call */
    int width_px, height_px;
    int64_t pts_ns; /* on the container's time axis */
};

/* TS_EIO: no such file, or not to be read. TS_EPROTO: no video that can be decoded. */
int ts_decode_open(const char *path, struct ts_decode **out, struct ts_why *why) TS_MUST_CHECK;
void ts_decode_close(struct ts_decode *decode);
/* 1: *frame is filled; 0: the video has ended. TS_EPROTO: the data is damaged, the frame size
 * changes, or a frame has no time. Grey is 8-bit luma as stored for YUV and grey formats (deeper
 * ones keep their upper 8 bits), ITU-R BT.601 luma of RGB ones. */
int ts_decode_next(struct ts_decode *decode, struct ts_decode_frame *frame,
                   struct ts_why *why) TS_MUST_CHECK;

#endif
