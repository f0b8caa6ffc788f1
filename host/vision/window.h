/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the latest frames, kept in a ring, and what makes their brightness
 * comparable: the camera's gain in each frame, and how lamp and display flicker in each row. */
#ifndef TS_VISION_WINDOW_H
#define TS_VISION_WINDOW_H

#include "vision/detector.h"

struct ts_window {
    const struct ts_vision_view *view; /* borrowed */
    size_t across, down, blocks;
    size_t stride;          /* sums from one frame to the next: see window.c */
    size_t capacity, count; /* frames */
    size_t seen;            /* in all; the oldest one kept is number seen - count, ... */
    size_t oldest;          /* ... in this place of the ring */
    uint16_t *sums;         /* [capacity][stride] */
    double *start_ms;       /* [capacity] */
    float *gain;            /* [capacity] of the exposure; codes are divided by it */
    bool *saturated;        /* [capacity] parts of the picture are cut off at full scale */
    float *lamp, *shine;    /* [capacity][down] relative brightness - 1 of the room's light and of
                               the screen's own */
    float *lit, *dark;      /* [blocks] squares of the codes that a block would have: by the room's
                               light alone, and where none of its light is the screen's own */
    bool flickers;          /* any of lamp and shine is not 0 */
};

/* Room for span_ms of frames, at least 64. */
int ts_window_open(struct ts_window *window, const struct ts_vision_view *view,
                   double span_ms) TS_MUST_CHECK;
void ts_window_close(struct ts_window *window);
void ts_window_add(struct ts_window *window, double start_ms, const uint16_t *sums);

/* Frames are counted from the oldest one kept: 0 .. count - 1. */
static inline size_t ts_window_slot(const struct ts_window *window, size_t frame)
{
    const size_t slot = window->oldest + frame; /* no division: this is asked for every code */
    return slot < window->capacity ? slot : slot - window->capacity;
}

static inline double ts_window_start_ms(const struct ts_window *window, size_t frame)
{
    return window->start_ms[ts_window_slot(window, frame)];
}

static inline const uint16_t *ts_window_sums(const struct ts_window *window, size_t frame)
{
    return window->sums + ts_window_slot(window, frame) * window->stride;
}

/* How much brighter flicker makes a block of this code. What it reflects makes up a part of its
 * light, (reflected / code)^gamma; with a gamma of 2, which is near, that takes a division. The
 * part is one of the code without flicker, which a first guess of it is near enough to. */
static inline float ts_window_flicker(float code, float lit, float dark, float lamp, float shine)
{
    float factor = 1;
    for (int pass = 0; pass < 2; pass++) {
        const float square = factor * factor / (code * code + 1);
        const float room = lit * square < 1 ? lit * square : 1;
        const float reflected = dark * square < 1 ? dark * square : 1;
        factor = 1 + room * lamp + (1 - reflected) * shine;
    }
    return factor;
}

/* Mean code, without flicker and drift. */
static inline float ts_window_code(const struct ts_window *window, size_t frame, size_t block)
{
    const size_t slot = ts_window_slot(window, frame), row = block / window->across;
    const float code =
        (float)window->sums[slot * window->stride + block] * (1.0f / (TS_BLOCK_PX * TS_BLOCK_PX));
    if (!window->flickers)
        return code / window->gain[slot];
    const size_t at = slot * window->down + row;
    return code /
           (window->gain[slot] * ts_window_flicker(code, window->lit[block], window->dark[block],
                                                   window->lamp[at], window->shine[at]));
}

/* The codes of frames from .. to - 1, each at its own place: codes[from] is the first. */
void ts_window_read(const struct ts_window *window, size_t block, size_t from, size_t to,
                    float *codes);
/* When the exposure of the block's middle row began. */
double ts_window_begin_ms(const struct ts_window *window, size_t frame, size_t block);
/* The first frame that starts at ms or later; count when there is none. */
size_t ts_window_find(const struct ts_window *window, double ms);
/* When something of frames from low on was last so: in this one, or, in `low` itself, in none of
 * them; what is known of frames before them stays known. 0: never. */
void ts_window_note_ms(const struct ts_window *window, size_t low, size_t frame, float *known_ms);
/* The end of the latest frame's exposure in its first row. */
double ts_window_end_ms(const struct ts_window *window);

/* A frame's sums without flicker; not of one whose gain drifts. */
void ts_window_calm(const struct ts_window *window, size_t frame, uint16_t *sums);
/* Nothing is known of what its blocks reflect. */
void ts_window_darken(struct ts_window *window);
/* No gain. */
void ts_window_level(struct ts_window *window);

#endif
