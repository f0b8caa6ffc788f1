/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small films for tests, made when they are needed: any encoder and container of libav. */
#ifndef TS_TESTS_FILM_H
#define TS_TESTS_FILM_H

#include <libavutil/pixfmt.h>
#include <stdint.h>

struct film_kind {
    const char *encoder; /* "ffv1"; "y4m": written by hand; with "libx264" and the like, lossless */
    enum AVPixelFormat format;
    enum AVColorRange range; /* said in the film */
    const char *extension;   /* names the container */
    int width, height, frames;
    int num, den;                  /* time base of the stamps */
    int64_t (*stamp)(int frame);   /* NULL: frame * step */
    int64_t step;                  /* 0: 1 */
    int (*code)(int frame, int x); /* grey of column x, 0..255, as stored; NULL: film_code */
};

/* Steps of grey from left to right that move on by one column of 16 px each 8 frames. */
int film_code(int frame, int x);
/* Returns 0, or -1 when this libav has no such encoder or container. */
int film_write(const struct film_kind *kind, const char *path);

#endif
