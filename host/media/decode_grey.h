/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoded picture -> grey, as decode.h says. */
#ifndef TS_MEDIA_DECODE_GREY_H
#define TS_MEDIA_DECODE_GREY_H

#include "base/err.h"

#include <libavcodec/avcodec.h>

#include <stdbool.h>

/* Scales a component of `depth` bits; built anew only when a picture differs in these from the one
 * before. */
struct ts_grey_scale {
    uint8_t *of; /* owned; [1 << depth] */
    int depth;
    bool limited;
};

struct ts_grey {
    uint8_t *pixels; /* owned; [width * height] */
    int width, height;
    uint8_t *rows;  /* owned; three rows of 8 bits ... */
    uint16_t *wide; /* owned; ... and one of 16 */
    struct ts_grey_scale scale[3];
};

int ts_grey_open(struct ts_grey *grey, int width, int height) TS_MUST_CHECK;
void ts_grey_close(struct ts_grey *grey); /* zeroed is fine */
/* frame has the size that grey was opened with. TS_ENOTSUP: a pixel format that is not taken. */
int ts_grey_take(struct ts_grey *grey, const AVFrame *frame, enum AVCodecID codec,
                 struct ts_why *why) TS_MUST_CHECK;

#endif
