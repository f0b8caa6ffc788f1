/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pictures and words put together in one grey picture, for films that people look at. */
#ifndef TS_MEDIA_CANVAS_H
#define TS_MEDIA_CANVAS_H

#include "media/picture.h"

struct ts_canvas_place {
    int x, y, width_px, height_px;
};

/* Black; pixels: ts_picture_free(). TS_EINVAL: a side of less than 1 or too many pixels. */
int ts_canvas_make(int width_px, int height_px, struct ts_picture *out) TS_MUST_CHECK;
/* The whole picture into that place, smoothly. TS_EINVAL: the place is not within the canvas, or
 * either is not grey. */
int ts_canvas_put(struct ts_picture *canvas, const struct ts_picture *picture,
                  struct ts_canvas_place place) TS_MUST_CHECK;
/* Words in `grey` with their foot line at y; made smaller when they are wider than width_px. What
 * is not ASCII becomes '?'. Nothing outside of the canvas is written. */
void ts_canvas_write(struct ts_picture *canvas, const char *text, int x, int y, int width_px,
                     uint8_t grey);

#endif
