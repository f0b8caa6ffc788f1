/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/window.h"

#include "vision/blocks.h"
#include "vision/memory.h"
#include "vision/wide.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_LEAST 64
#define LINE_SUMS    (64 / sizeof(uint16_t)) /* of one cache line */
#define BLACK_CODE   14.0f /* of a screen's black by the room's light, until it is measured */

/* One block is read frame after frame, then the next one. An odd number of cache lines from frame
 * to frame spreads what is read over the whole cache; an even one leaves half of it unused, 96 of
 * 320x240 all but two of its sets. */
static size_t stride_of(size_t blocks)
{
    const size_t lines = (blocks + LINE_SUMS - 1) / LINE_SUMS;
    return (lines | 1) * LINE_SUMS;
}

int ts_window_open(struct ts_window *window, const struct ts_vision_view *view, double span_ms)
{
    const size_t across = (size_t)view->camera->blocks_x, down = (size_t)view->camera->blocks_y;
    const double frames = ceil(span_ms / view->period_ms);
    *window = (struct ts_window){.view = view,
                                 .across = across,
                                 .down = down,
                                 .blocks = across * down,
                                 .stride = stride_of(across * down),
                                 .capacity = (size_t)fmax(FRAMES_LEAST, frames)};
    window->sums = ts_memory_zeroed(window->capacity, window->stride * sizeof *window->sums);
    window->start_ms = calloc(window->capacity, sizeof *window->start_ms);
    window->gain = calloc(window->capacity, sizeof *window->gain);
    window->saturated = calloc(window->capacity, sizeof *window->saturated);
    window->lamp = calloc(window->capacity * down, sizeof *window->lamp);
    window->shine = calloc(window->capacity * down, sizeof *window->shine);
    window->lit = calloc(window->blocks, sizeof *window->lit);
    window->dark = calloc(window->blocks, sizeof *window->dark);
    if (!window->sums || !window->start_ms || !window->gain || !window->saturated ||
        !window->lamp || !window->shine || !window->lit || !window->dark) {
        ts_window_close(window);
        return TS_ENOMEM;
    }
    ts_window_darken(window);
    ts_window_level(window);
    return TS_OK;
}

void ts_window_close(struct ts_window *window)
{
    free(window->sums);
    free(window->start_ms);
    free(window->gain);
    free(window->saturated);
    free(window->lamp);
    free(window->shine);
    free(window->lit);
    free(window->dark);
    *window = (struct ts_window){0};
}

void ts_window_add(struct ts_window *window, double start_ms, const uint16_t *sums)
{
    const size_t slot = window->seen++ % window->capacity;
    window->start_ms[slot] = start_ms;
    memcpy(window->sums + slot * window->stride, sums, window->blocks * sizeof *sums);
    if (window->count < window->capacity)
        window->count++;
    else
        window->oldest = (slot + 1) % window->capacity;
}

void ts_window_read(const struct ts_window *window, size_t block, size_t from, size_t to,
                    float *codes)
{
    if (window->flickers) {
        for (size_t n = from; n < to; n++)
            codes[n] = ts_window_code(window, n, block);
        return;
    }
    size_t slot = ts_window_slot(window, from);
    for (size_t n = from; n < to; n++) {
        const float sum = (float)window->sums[slot * window->stride + block];
        codes[n] = sum * (1.0f / (TS_BLOCK_PX * TS_BLOCK_PX)) / window->gain[slot];
        slot = slot + 1 < window->capacity ? slot + 1 : 0;
    }
}

double ts_window_begin_ms(const struct ts_window *window, size_t frame, size_t block)
{
    const struct ts_vision_view *view = window->view;
    return ts_window_start_ms(window, frame) +
           view->readout_ms * ts_block_row_px(block, window->across) / view->camera->height_px;
}

size_t ts_window_find(const struct ts_window *window, double ms)
{
    size_t low = 0, high = window->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (ts_window_start_ms(window, middle) < ms)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void ts_window_note_ms(const struct ts_window *window, size_t low, size_t frame, float *known_ms)
{
    if (frame > low)
        *known_ms = (float)ts_window_start_ms(window, frame);
    else if (*known_ms >= (float)ts_window_start_ms(window, low))
        *known_ms = 0;
}

double ts_window_end_ms(const struct ts_window *window)
{
    if (window->count == 0)
        return -INFINITY;
    return ts_window_start_ms(window, window->count - 1) + window->view->exposure_ms;
}

/* Without branches, to be vectorised. */
TS_WIDE static void calm_row(size_t blocks, const uint16_t *restrict raw, const float *restrict lit,
                             const float *restrict dark, float lamp, float shine,
                             uint16_t *restrict sums)
{
    const float area = TS_BLOCK_PX * TS_BLOCK_PX;
    for (size_t i = 0; i < blocks; i++) {
        const float sum = (float)raw[i];
        const float factor = ts_window_flicker(sum / area, lit[i], dark[i], lamp, shine);
        sums[i] = (uint16_t)(int)(sum / factor + 0.5f);
    }
}

void ts_window_calm(const struct ts_window *window, size_t frame, uint16_t *sums)
{
    const uint16_t *raw = ts_window_sums(window, frame);
    const size_t at = ts_window_slot(window, frame) * window->down;
    for (size_t row = 0; row < window->down; row++) {
        const size_t from = row * window->across;
        calm_row(window->across, raw + from, window->lit + from, window->dark + from,
                 window->lamp[at + row], window->shine[at + row], sums + from);
    }
}

void ts_window_darken(struct ts_window *window)
{
    for (size_t block = 0; block < window->blocks; block++)
        window->lit[block] = window->dark[block] = BLACK_CODE * BLACK_CODE;
}

void ts_window_level(struct ts_window *window)
{
    for (size_t i = 0; i < window->capacity; i++) {
        window->gain[i] = 1;
        window->saturated[i] = false;
    }
}
