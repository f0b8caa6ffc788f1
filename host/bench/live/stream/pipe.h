/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes of a video pipe -> grey pictures: Y4M (as ffmpeg and GStreamer write it), of which the luma
 * is taken as it is stored, or bare grey pictures one after another. Pure: whoever reads the pipe
 * gives the bytes. */
#ifndef TS_LIVE_STREAM_PIPE_H
#define TS_LIVE_STREAM_PIPE_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_PIPE_LINE_MAX 256
#define TS_PIPE_SIDE_MAX 8192

enum ts_pipe_state { TS_PIPE_HEADER, TS_PIPE_MARK, TS_PIPE_LUMA, TS_PIPE_CHROMA };

struct ts_pipe {
    bool raw;
    enum ts_pipe_state state;
    int width_px, height_px; /* 0: not known yet */
    double rate_hz;          /* 0: the pipe does not say */
    uint8_t *to;             /* where luma goes, for the caller to set; NULL: nowhere */
    char line[TS_PIPE_LINE_MAX];
    size_t used;         /* of line */
    size_t luma, chroma; /* bytes of a picture */
    size_t left;         /* of luma or chroma */
};

enum ts_pipe_event { TS_PIPE_MORE, TS_PIPE_OPENED, TS_PIPE_PICTURE };

void ts_pipe_open_y4m(struct ts_pipe *pipe);
void ts_pipe_open_raw(struct ts_pipe *pipe, int width_px, int height_px);

/* Takes bytes up to the next event; *used says how many. TS_PIPE_MORE: all; TS_PIPE_OPENED: size
 * and rate are known; TS_PIPE_PICTURE: a picture's luma is whole. TS_EPROTO, TS_ENOTSUP: with *why.
 */
int ts_pipe_feed(struct ts_pipe *pipe, const uint8_t *bytes, size_t size, size_t *used,
                 struct ts_why *why) TS_MUST_CHECK;

#endif
