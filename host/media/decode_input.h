/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An opened film before anything of it is decoded. */
#ifndef TS_MEDIA_DECODE_INPUT_H
#define TS_MEDIA_DECODE_INPUT_H

#include "media/decode.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>

struct ts_decode_input {
    AVFormatContext *format; /* owned */
    AVStream *stream;        /* the film's picture; all others are dropped while reading */
    const AVCodec *codec;    /* its decoder */
    bool once;
};

int ts_decode_input_open(const char *path, struct ts_decode_input *input,
                         struct ts_why *why) TS_MUST_CHECK;
void ts_decode_input_close(struct ts_decode_input *input); /* zeroed is fine */
/* A decoder of the film's picture, on all processors. *out: avcodec_free_context(). */
int ts_decode_input_codec(const struct ts_decode_input *input, AVCodecContext **out,
                          struct ts_why *why) TS_MUST_CHECK;
/* INT64_MIN: too far off to be a time. */
int64_t ts_decode_input_ns(const struct ts_decode_input *input, int64_t pts);
/* Fills *why with "WHAT: libav's reason"; returns err. */
int ts_decode_fail(struct ts_why *why, int err, const char *what, int av);

#endif
