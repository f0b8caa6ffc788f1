/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_display.h"

#include <assert.h>
#include <stdlib.h>

static double scan_delay(const struct picture *picture, size_t block)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const double x = (double)(block % across) * TS_BLOCK_PX + 2.5 - picture->screen_x;
    const double y = (double)(block / across) * TS_BLOCK_PX + 2.5 - picture->screen_y;
    const double at = picture->scan_across ? x / picture->screen_w : y / picture->screen_h;
    return picture->scan_ms * fmin(1, fmax(0, at));
}

double picture_display_composed_ms(const struct picture_display *display, long n)
{
    return (double)(n + display->first) * display->picture->refresh_ms +
           display->picture->refresh_phase_ms;
}

double picture_display_reaches_ms(const struct picture_display *display, long n, size_t block)
{
    return picture_display_composed_ms(display, n) + scan_delay(display->picture, block);
}

long picture_display_at(const struct picture_display *display, size_t block, double ms)
{
    const struct picture *picture = display->picture;
    const double since = ms - scan_delay(picture, block) - picture->refresh_phase_ms;
    const long n = (long)floor(since / picture->refresh_ms) - display->first;
    return n < 0 ? 0 : n >= display->count ? display->count - 1 : n;
}

/* Elements that look different in the refresh composed at `ms` than in the one before. */
static size_t changing(const struct picture *picture, double before_ms, double ms,
                       const struct picture_element *found[PICTURE_ELEMENTS])
{
    size_t count = 0;
    for (size_t i = 0; i < picture->count; i++) {
        const struct picture_element *e = &picture->element[i];
        if (ms >= e->from_ms && (e->paint != PAINT_STILL || before_ms < e->from_ms + e->fade_ms))
            found[count++] = e;
    }
    return count;
}

static void draw_row(struct picture_display *display, long n)
{
    const struct picture *picture = display->picture;
    const double ms = picture_display_composed_ms(display, n);
    const struct picture_element *found[PICTURE_ELEMENTS];
    const size_t count = changing(picture, ms - picture->refresh_ms, ms, found);
    if (n > 0 && count == 0) {
        display->codes[n] = display->codes[n - 1];
        return;
    }
    display->codes[n] = malloc(display->blocks * sizeof *display->codes[n]);
    assert(display->codes[n]);
    for (size_t block = 0; block < display->blocks; block++) {
        bool same = n > 0;
        for (size_t i = 0; i < count && same; i++)
            same = !picture_touches(picture, found[i], block);
        display->codes[n][block] =
            same ? display->codes[n - 1][block] : (float)picture_code(picture, block, ms);
    }
}

static double light_of(const struct picture *picture, double code)
{
    return pow(code / 255, picture->gamma);
}

static double code_of(const struct picture *picture, double light)
{
    return 255 * pow(light, 1 / picture->gamma);
}

static void respond(struct picture_display *display)
{
    const struct picture *picture = display->picture;
    const size_t all = (size_t)display->count * display->blocks;
    display->target = malloc(all * sizeof *display->target);
    display->state = malloc(all * sizeof *display->state);
    assert(display->target && display->state);
    const double left = exp(-picture->refresh_ms / picture->response_ms);
    for (size_t i = 0; i < all; i++) {
        const size_t n = i / display->blocks, block = i % display->blocks;
        const bool same = n > 0 && display->codes[n][block] == display->codes[n - 1][block];
        const float light = same ? display->target[i - display->blocks]
                                 : (float)light_of(picture, (double)display->codes[n][block]);
        display->target[i] = light;
        if (n == 0) {
            display->state[i] = light;
            continue;
        }
        const double goal = (double)display->target[i - display->blocks];
        const double was = (double)display->state[i - display->blocks];
        display->state[i] = (float)(goal + (was - goal) * left);
    }
}

void picture_display_open(struct picture_display *display, const struct picture *picture)
{
    *display = (struct picture_display){
        .picture = picture,
        .first = (long)floor((picture->from_ms - 60) / picture->refresh_ms),
        .blocks = (size_t)picture->camera.blocks_x * (size_t)picture->camera.blocks_y};
    display->count = (long)ceil((picture->until_ms + 60) / picture->refresh_ms) - display->first;
    display->codes = malloc((size_t)display->count * sizeof *display->codes);
    assert(display->codes);
    for (long n = 0; n < display->count; n++)
        draw_row(display, n);
    if (picture->response_ms > 0)
        respond(display);
}

void picture_display_close(struct picture_display *display)
{
    for (long n = 0; n < display->count; n++) {
        if (n + 1 == display->count || display->codes[n] != display->codes[n + 1])
            free(display->codes[n]);
    }
    free(display->codes);
    free(display->target);
    free(display->state);
}

static double code_at(const struct picture_display *display, long n, size_t block)
{
    return (double)display->codes[n][block];
}

/* With a response time: how far the block is from what refresh n drives it to, when n begins. */
static double unsettled(const struct picture_display *display, long n, size_t block)
{
    const size_t i = (size_t)n * display->blocks + block;
    return (double)display->state[i] - (double)display->target[i];
}

static bool steady(const struct picture_display *display, long from, long to, size_t block)
{
    for (long n = from; n <= to; n++) {
        if (display->codes[n][block] != display->codes[from][block])
            return false;
    }
    return !display->state ||
           fabs(unsettled(display, from, block)) <
               1e-3 * (double)display->target[(size_t)from * display->blocks + block];
}

double picture_display_exposed(const struct picture_display *display, size_t block, double begin_ms,
                               double end_ms)
{
    const struct picture *picture = display->picture;
    const long from = picture_display_at(display, block, begin_ms);
    const long to = picture_display_at(display, block, end_ms);
    if (end_ms <= begin_ms || steady(display, from, to, block))
        return code_at(display, from, block);
    double light = 0;
    for (long n = from; n <= to; n++) {
        const double reaches = picture_display_reaches_ms(display, n, block);
        const double a = n > from ? reaches : begin_ms;
        const double b = n < to ? reaches + picture->refresh_ms : end_ms;
        light += (b - a) * light_of(picture, code_at(display, n, block));
        if (display->state) {
            const double tau = picture->response_ms;
            light += unsettled(display, n, block) * tau *
                     (exp((reaches - a) / tau) - exp((reaches - b) / tau));
        }
    }
    return code_of(picture, light / (end_ms - begin_ms));
}

double picture_display_shows(const struct picture_display *display, long n, size_t block)
{
    if (!display->state)
        return code_at(display, n, block);
    const long next = n + 1 < display->count ? n + 1 : n;
    return code_of(display->picture,
                   (double)display->state[(size_t)next * display->blocks + block]);
}

double picture_display_reached(const struct picture_display *display, size_t block, long from,
                               double goal, double within)
{
    for (long n = from; n < display->count; n++) {
        if (fabs(picture_display_shows(display, n, block) - goal) > within)
            continue;
        const double reaches = picture_display_reaches_ms(display, n, block);
        if (!display->state)
            return reaches;
        const size_t i = (size_t)n * display->blocks + block;
        const double was = code_of(display->picture, (double)display->state[i]);
        if (fabs(was - goal) <= within)
            return reaches;
        const double edge = light_of(display->picture, goal + copysign(within, was - goal));
        const double left = (edge - (double)display->target[i]) / unsettled(display, n, block);
        return reaches - display->picture->response_ms * log(left);
    }
    return NAN;
}
