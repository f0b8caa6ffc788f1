/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Films of the usual kinds, frame by frame as grey pictures. Memory is bounded: one picture here,
 * and what libav's decoder and its threads keep. Damaged files give errors, never crashes. Only the
 * demuxers and decoders named in decode_input.c are let in, and nothing but the file itself is
 * opened: a film cannot make libav follow a playlist or fetch an address. The same file gives the
 * same pictures however many processors there are. Not thread-safe per decoder. */
#ifndef TS_MEDIA_DECODE_H
#define TS_MEDIA_DECODE_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

#define TS_DECODE_WIDTH_MAX  4096
#define TS_DECODE_HEIGHT_MAX 4096
#define TS_DECODE_PIXELS_MAX (4096L * 2304)

struct ts_decode;

struct ts_decode_frame {
    const uint8_t *grey; /* width x height, rows packed; valid until the next call */
    int width_px, height_px;
    int64_t pts_ns; /* on the container's time axis */
};

/* What is known of a film before its first frame. */
struct ts_decode_about {
    double grain_ms; /* its time stamps are whole multiples of this: the container's rounding */
    bool counted;    /* they are no times: picture n is stamped n * grain_ms (Y4M has but a rate) */
    bool once;       /* a pipe: what was read is gone */
};

/* path "-": standard input. TS_EIO: no such file, or not to be read. TS_EPROTO: no film that can be
 * decoded. TS_ENOTSUP: a kind that is not let in. */
int ts_decode_open(const char *path, struct ts_decode **out, struct ts_why *why) TS_MUST_CHECK;
void ts_decode_close(struct ts_decode *decode); /* NULL is fine */
struct ts_decode_about ts_decode_about(const struct ts_decode *decode);
/* 1: *frame is filled; 0: the video has ended. TS_EPROTO: the data is damaged, the frame size
 * changes, or a frame has no time.
 *
 * Grey is light's code on the scale 0 (black) to 255 (white). Luma of limited range (16 black, 235
 * white) is stretched to it, and cut off at its ends: 2 % of full scale then is the same step of
 * light in every film. Limited are films that say so, and those that say nothing in a format whose
 * standard takes that for limited (H.264, HEVC, MPEG-1, 2 and 4, VP8, VP9, AV1, Theora); raw and
 * losslessly coded luma that says nothing is taken as stored, since a wrong stretch would hide what
 * happens near black and white. RGB and palettes give ITU-R BT.601 luma. Deeper and shallower
 * formats are scaled to 8 bits, to the nearest. */
int ts_decode_next(struct ts_decode *decode, struct ts_decode_frame *frame,
                   struct ts_why *why) TS_MUST_CHECK;

/* The time stamps of a film's pictures in rising order, without decoding it: what ts_decode_next()
 * would give of a sound film. take() says false to stop. Returns 0 or what ts_decode_open() does.
 * A film whose packets are damaged or not stamped gives fewer. */
int ts_decode_stamps(const char *path, bool (*take)(void *user, int64_t pts_ns), void *user,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
