/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the display is to show. */
#include "picture.h"

#include <assert.h>
#include <stdlib.h>

#define TWO_PI       6.283185307179586
#define SLIDE_MS     300 /* of a carousel, once in its period */
#define LOOP_FRAMES  60
#define LOOP_KEYS    12 /* frames from one key picture of a video to the next */
#define AROUND_LEVEL 70
#define AROUND_SEED  77

static double hash(uint64_t seed, uint64_t a, uint64_t b)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + a * 0xbf58476d1ce4e5b9u + b * 0x94d049bb133111ebu;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

void picture_init(struct picture *picture, uint64_t seed, int width_px, int height_px)
{
    *picture = (struct picture){.seed = seed,
                                .screen_w = width_px,
                                .screen_h = height_px,
                                .period_ms = 8,
                                .exposure_ms = 5,
                                .readout_ms = 6.5,
                                .gamma = 2.2,
                                .noise_codes = 2,
                                .start_u_ms = 0.2,
                                .exposure_u_ms = 0.1,
                                .readout_u_ms = 0.1,
                                .refresh_ms = 1000.0 / 60,
                                .scan_ms = 15,
                                .from_ms = -500,
                                .until_ms = 3000,
                                .stylus_from_ms = NAN,
                                .light_factor = 1,
                                .gain = 1,
                                .gain_tau_ms = 1,
                                .drift_per_s = 0.001};
    picture->camera = (struct ts_camera_geometry){width_px, height_px, width_px / TS_BLOCK_PX,
                                                  height_px / TS_BLOCK_PX, 8000000};
    struct picture_element *home = picture_add(picture, -1e9, 0);
    home->contrast = 60;
}

struct picture_element *picture_add(struct picture *picture, double from_ms, double fade_ms)
{
    assert(picture->count < PICTURE_ELEMENTS);
    struct picture_element *element = &picture->element[picture->count++];
    *element = (struct picture_element){.w = picture->screen_w,
                                        .h = picture->screen_h,
                                        .level = 128,
                                        .from_ms = from_ms,
                                        .fade_ms = fade_ms,
                                        .period_ms = 1000,
                                        .seed = picture->seed * 31 + picture->count};
    return element;
}

static double overlap(double a, double a_size, double b, double b_size)
{
    const double low = fmax(a, b), high = fmin(a + a_size, b + b_size);
    return high > low ? high - low : 0;
}

/* 0 when the element begins to appear, 1 when it is all there. */
static double arrival(const struct picture_element *element, double ms)
{
    if (ms < element->from_ms)
        return 0;
    if (element->fade_ms <= 0 || ms >= element->from_ms + element->fade_ms)
        return 1;
    const double x = (ms - element->from_ms) / element->fade_ms;
    return element->eased ? 1 - (1 - x) * (1 - x) : x;
}

static double cell_code(const struct picture_element *element, double x, double y, uint64_t n)
{
    const uint64_t column = (uint64_t)(x + 2048), row = (uint64_t)(y + 2048);
    const double code =
        element->level + element->contrast * hash(element->seed, row << 12 | column, n);
    return fmin(250, fmax(5, code));
}

/* The n-th texture of an element, made of cells of a block's size, over the block at x, y. */
static double texture(const struct picture_element *element, double x, double y, uint64_t n)
{
    const double column = floor(x / TS_BLOCK_PX + 1e-9), row = floor(y / TS_BLOCK_PX + 1e-9);
    const double right = fmax(0, x / TS_BLOCK_PX - column), down = fmax(0, y / TS_BLOCK_PX - row);
    double code = (1 - right) * (1 - down) * cell_code(element, column, row, n);
    if (right > 1e-9)
        code += right * (1 - down) * cell_code(element, column + 1, row, n);
    if (down > 1e-9)
        code += (1 - right) * down * cell_code(element, column, row + 1, n);
    if (right > 1e-9 && down > 1e-9)
        code += right * down * cell_code(element, column + 1, row + 1, n);
    return code;
}

static double spinner_code(const struct picture_element *e, double x, double y, double turn)
{
    const double dx = x + 2.5 - e->x - e->w / 2, dy = y + 2.5 - e->y - e->h / 2;
    const double r = sqrt(dx * dx + dy * dy) / (e->w / 2);
    const double angle = atan2(dy, dx) / TWO_PI + 1 - turn;
    const bool gap = angle - floor(angle) < 0.3;
    const bool drawn = r > 0.45 && r < 1.05 && !gap;
    if (e->swing > 0)
        return drawn ? e->level - e->swing : e->level;
    return drawn ? 60 : 230;
}

static double loop_code(const struct picture_element *e, double x, double y, double turns)
{
    const uint64_t frame = (uint64_t)fmax(0, turns) % LOOP_FRAMES, key = frame / LOOP_KEYS;
    const double part = (double)(frame % LOOP_KEYS) / LOOP_KEYS;
    return (1 - part) * texture(e, x, y, key) + part * texture(e, x, y, key + 1);
}

/* Over the block at x, y of the screen. */
static double element_code(const struct picture_element *e, double x, double y, double ms)
{
    const double turns = (ms - e->from_ms) / e->period_ms, whole = floor(turns);
    switch (e->paint) {
    case PAINT_SPINNER:
        return spinner_code(e, x, y, turns - whole);
    case PAINT_CARET:
        return turns - whole < 0.5 ? 20 : 240;
    case PAINT_VIDEO:
        return texture(e, x, y, (uint64_t)fmax(0, whole));
    case PAINT_LOOP:
        return loop_code(e, x, y, turns);
    case PAINT_CAROUSEL: {
        const double slide = fmin(1, (turns - whole) * e->period_ms / SLIDE_MS);
        const uint64_t page = (uint64_t)fmax(0, whole);
        const double edge = e->x + e->w * (1 - slide);
        return texture(e, x, y, page && x + 2.5 < edge ? page - 1 : page);
    }
    default:
        return texture(e, x, y - (1 - arrival(e, ms)) * e->slide_px, 0);
    }
}

static double element_alpha(const struct picture_element *e, double x, double y, double ms)
{
    const double here = arrival(e, ms);
    if (ms < e->from_ms)
        return 0;
    const double top = e->y + (1 - here) * e->slide_px;
    const double cover =
        overlap(x, TS_BLOCK_PX, e->x, e->w) * overlap(y, TS_BLOCK_PX, top, e->h) / 25;
    return e->slide_px > 0 ? cover : cover * here;
}

static double surroundings_code(double x, double y)
{
    const struct picture_element around = {
        .level = AROUND_LEVEL, .contrast = 40, .seed = AROUND_SEED};
    return texture(&around, x, y, 0);
}

double picture_code(const struct picture *picture, size_t block, double ms)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const double view_x = (double)(block % across) * TS_BLOCK_PX;
    const double view_y = (double)(block / across) * TS_BLOCK_PX;
    const double x = view_x - picture->screen_x, y = view_y - picture->screen_y;
    const double on_screen = overlap(x, TS_BLOCK_PX, 0, picture->screen_w) *
                             overlap(y, TS_BLOCK_PX, 0, picture->screen_h) / 25;
    if (on_screen <= 0)
        return surroundings_code(view_x, view_y);
    size_t lowest = picture->count;
    while (--lowest > 0) { /* what something opaque hides need not be drawn */
        if (element_alpha(&picture->element[lowest], x, y, ms) >= 1)
            break;
    }
    /* the edge of an element is not the edge of the screen: what covers the screen's part of a
     * block covers all that is lit of it */
    double code = element_code(&picture->element[lowest], x, y, ms);
    for (size_t i = lowest + 1; i < picture->count; i++) {
        const double alpha = fmin(1, element_alpha(&picture->element[i], x, y, ms) / on_screen);
        if (alpha > 0)
            code += alpha * (element_code(&picture->element[i], x, y, ms) - code);
    }
    if (on_screen >= 1)
        return code;
    return on_screen * code + (1 - on_screen) * surroundings_code(view_x, view_y);
}

bool picture_touches(const struct picture *picture, const struct picture_element *e, size_t block)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const double x = (double)(block % across) * TS_BLOCK_PX - picture->screen_x;
    const double y = (double)(block / across) * TS_BLOCK_PX - picture->screen_y;
    return overlap(x, TS_BLOCK_PX, e->x, e->w) > 0 &&
           overlap(y, TS_BLOCK_PX, e->y, e->h + e->slide_px) > 0;
}

static uint8_t *new_mask(const struct picture *picture)
{
    uint8_t *mask = calloc((size_t)(picture->camera.blocks_x * picture->camera.blocks_y), 1);
    assert(mask);
    return mask;
}

void picture_ignore_surroundings(struct picture *picture)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const size_t blocks = across * (size_t)picture->camera.blocks_y;
    if (!picture->ignore)
        picture->ignore = new_mask(picture);
    for (size_t i = 0; i < blocks; i++) {
        const double x = (double)(i % across) * TS_BLOCK_PX - picture->screen_x;
        const double y = (double)(i / across) * TS_BLOCK_PX - picture->screen_y;
        const double on_screen = overlap(x, TS_BLOCK_PX, 0, picture->screen_w) *
                                 overlap(y, TS_BLOCK_PX, 0, picture->screen_h);
        if (on_screen < 25 - 1e-6)
            picture->ignore[i] = 1;
    }
}

void picture_mask_status_bar(struct picture *picture, double high)
{
    const struct picture_element bar = {.w = picture->screen_w, .h = high};
    picture->status_bar = new_mask(picture);
    for (int i = 0; i < picture->camera.blocks_x * picture->camera.blocks_y; i++)
        picture->status_bar[i] = picture_touches(picture, &bar, (size_t)i);
}
