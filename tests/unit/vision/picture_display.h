/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The display of a picture: what each block shows in each refresh. */
#ifndef TESTS_PICTURE_DISPLAY_H
#define TESTS_PICTURE_DISPLAY_H

#include "picture.h"

struct picture_display {
    const struct picture *picture;
    long first, count; /* refreshes */
    size_t blocks;
    float **codes; /* [count][blocks]; rows in which nothing changes are shared */
    /* only with a response time; light = (code / 255)^gamma: what the refresh drives to, and what
     * it finds when it begins */
    float *target, *state;
};

void picture_display_open(struct picture_display *display, const struct picture *picture);
void picture_display_close(struct picture_display *display);
/* When refresh n is composed, and when it reaches a block. */
double picture_display_composed_ms(const struct picture_display *display, long n);
double picture_display_reaches_ms(const struct picture_display *display, long n, size_t block);
/* The refresh that a block shows at `ms`. */
long picture_display_at(const struct picture_display *display, size_t block, double ms);
/* Mean code that a camera with the picture's gamma sees of a block from begin_ms to end_ms. */
double picture_display_exposed(const struct picture_display *display, size_t block, double begin_ms,
                               double end_ms);
/* The first instant from refresh `from` on at which the block's code is within `within` of `goal`,
 * NAN: never. Reached inside refresh n, it stays so until n ends. */
double picture_display_reached(const struct picture_display *display, size_t block, long from,
                               double goal, double within);
/* Code that the block shows at the end of refresh n. */
double picture_display_shows(const struct picture_display *display, long n, size_t block);

#endif
