/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the latest frames, kept in a ring, and what makes their brightness
 * comparable: a gain for each frame and row of blocks, by which codes are divided. */
#ifndef TS_VISION_WINDOW_H
#define TS_VISION_WINDOW_H

#include "vision/detector.h"

struct ts_window {
    const struct ts_vision_view *view; /* borrowed */
    size_t across, down, blocks;
    size_t capacity, count; /* frames */
    size_t seen;            /* in all; the oldest one kept is number seen - count */
    uint16_t *sums;         /* [capacity][blocks] */
    double *start_ms;       /* [capacity] */
    float *gain;            /* [capacity] of the exposure, which scale divides out */
    bool *saturated;        /* [capacity] parts of the picture are cut off at full scale */
    float *scale;           /* [capacity][down]: mean code = sum * scale; made by ts_window_level */
};

/* Room for span_ms of frames, at least 64. */
int ts_window_open(struct ts_window *window, const struct ts_vision_view *view,
                   double span_ms) TS_MUST_CHECK;
void ts_window_close(struct ts_window *window);
void ts_window_add(struct ts_window *window, double start_ms, const uint16_t *sums);

/* Frames are counted from the oldest one kept: 0 .. count - 1. */
static inline size_t ts_window_slot(const struct ts_window *window, size_t frame)
{
    return (window->seen - window->count + frame) % window->capacity;
}

static inline double ts_window_start_ms(const struct ts_window *window, size_t frame)
{
    return window->start_ms[ts_window_slot(window, frame)];
}

static inline const uint16_t *ts_window_sums(const struct ts_window *window, size_t frame)
{
    return window->sums + ts_window_slot(window, frame) * window->blocks;
}

static inline float ts_window_code(const struct ts_window *window, size_t frame, size_t block)
{
    const size_t slot = ts_window_slot(window, frame);
    return (float)window->sums[slot * window->blocks + block] *
           window->scale[slot * window->down + block / window->across];
}

/* When the exposure of the block's middle row began. */
double ts_window_begin_ms(const struct ts_window *window, size_t frame, size_t block);
/* The first frame that starts at ms or later; count when there is none. */
size_t ts_window_find(const struct ts_window *window, double ms);
/* The end of the latest frame's exposure in its first row. */
double ts_window_end_ms(const struct ts_window *window);

/* Fills scale: no correction. */
void ts_window_level(struct ts_window *window);

#endif
