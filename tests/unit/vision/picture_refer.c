/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a perfect observer without a camera would report of the same content: the definitions of
 * the measurands applied to what each block of the display shows. */
#include "picture_display.h"

#define VISIBLE (0.02 * 255)
#define PHASES  96
#define STEP_MS 50.0
#define FAR     1000.0 /* codes */

/* Does the element make the block swing visibly, over and over? Corners of a spinner's box do not:
 * they are ordinary blocks. */
static bool swings(const struct picture *picture, const struct picture_element *e, size_t block)
{
    double low = 1e9, high = -1e9;
    for (int k = 0; k < PHASES; k++) { /* far beyond everything that happens once */
        const double at = e->from_ms + e->period_ms * (1000 + (double)k / PHASES);
        const double code = picture_code(picture, block, at);
        low = fmin(low, code);
        high = fmax(high, code);
    }
    return high - low > VISIBLE;
}

/* Of a video or carousel all blocks count as going on, also those that two pages happen to show
 * alike: it is the region that goes on. */
static bool in_endless(const struct picture *picture, size_t block)
{
    for (size_t i = 0; i < picture->count; i++) {
        const struct picture_element *e = &picture->element[i];
        if (e->paint == PAINT_STILL || !picture_touches(picture, e, block))
            continue;
        if ((e->paint != PAINT_SPINNER && e->paint != PAINT_CARET) || swings(picture, e, block))
            return true;
    }
    return false;
}

/* When the block is half through its first step after t0: that from STEP_MS before it is visibly
 * away from what it showed at t0, to the furthest that it gets until STEP_MS after. */
static double first_of(const struct picture_display *display, size_t block)
{
    long n = picture_display_at(display, block, 0);
    const double old = picture_display_shows(display, n, block);
    while (n < display->count && fabs(picture_display_shows(display, n, block) - old) < VISIBLE)
        n++;
    if (n == display->count)
        return NAN;
    const double sign = picture_display_shows(display, n, block) > old ? 1 : -1;
    const double left_ms =
        picture_display_reached(display, block, n, old + sign * FAR, FAR - VISIBLE);
    long k = picture_display_at(display, block, fmax(0, left_ms - STEP_MS));
    const double from = picture_display_shows(display, k, block);
    const long end = picture_display_at(display, block, left_ms + STEP_MS);
    double furthest = old + sign * VISIBLE;
    for (; n <= end; n++)
        furthest = sign * fmax(sign * furthest, sign * picture_display_shows(display, n, block));
    const double half = (from + furthest) / 2;
    while (sign * (picture_display_shows(display, k, block) - half) < 0)
        k++;
    return picture_display_reached(display, block, k, half + sign * FAR, FAR);
}

/* The instant from which on the block stays within 2 % of its final code; NAN: since before t0. */
static double settled_of(const struct picture_display *display, size_t block)
{
    const double final = picture_display_shows(display, display->count - 1, block);
    long n = display->count - 1;
    while (n >= 0 && fabs(picture_display_shows(display, n, block) - final) <= VISIBLE)
        n--;
    if (n < 0 || n + 1 >= display->count)
        return NAN;
    const double ms = picture_display_reached(display, block, n + 1, final, VISIBLE);
    return ms > 0 ? ms : NAN;
}

struct picture_reference picture_refer(const struct picture *picture)
{
    struct picture_reference reference = {NAN, NAN, false};
    struct picture_display display;
    picture_display_open(&display, picture);
    for (size_t block = 0; block < display.blocks; block++) {
        if (picture->ignore && picture->ignore[block])
            continue;
        const bool bar = picture->status_bar && picture->status_bar[block];
        if (!bar) /* its clock ticks by itself */
            reference.first_ms = fmin(reference.first_ms, first_of(&display, block));
        if (in_endless(picture, block)) {
            reference.endless = true;
            continue;
        }
        if (!bar)
            reference.settled_ms = fmax(reference.settled_ms, settled_of(&display, block));
    }
    picture_display_close(&display);
    return reference;
}
