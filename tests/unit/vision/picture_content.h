/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces that launches are drawn from. Times are milliseconds from t0. */
#ifndef TESTS_PICTURE_CONTENT_H
#define TESTS_PICTURE_CONTENT_H

#include "picture.h"

/* The app at once over the whole screen, sometimes with a splash before it; returns when. */
double content_app(struct picture *picture, struct ts_rng *rng, double at_ms);
/* Over the whole screen, at 1 to 5 levels a camera frame. */
struct picture_element *content_fade(struct picture *picture, struct ts_rng *rng, double at_ms,
                                     bool eased);
/* Confines an element to a region of `least` to `most` of the screen's width and height. */
void content_region(const struct picture *picture, struct ts_rng *rng, struct picture_element *e,
                    double least, double most);
/* A small thing, at once, in the lower half of the screen. */
struct picture_element *content_load(struct picture *picture, struct ts_rng *rng, double at_ms);
/* Display code of the block at this place of the screen; the next one's may differ. */
double content_code(const struct picture *picture, double x, double y, double ms);
/* A block or two in the lower half of the screen, at once or faded. */
void content_mark(struct picture *picture, struct ts_rng *rng, double at_ms);
/* Rows that fade in one after the other. */
void content_list(struct picture *picture, struct ts_rng *rng, double at_ms);
/* Goes on changing, in the upper half of the screen. */
struct picture_element *content_endless(struct picture *picture, struct ts_rng *rng,
                                        enum picture_paint paint, double at_ms);
/* Drops 300 ms before t0 and leaves the view at gone_ms. */
void content_stylus(struct picture *picture, struct ts_rng *rng, double gone_ms);
/* quiet_ms and a little after the last thing has happened; longer when something is endless. */
double content_looked_at_until(const struct picture *picture, double quiet_ms);
/* Splash, app, loads and what goes on, mixed; sets until_ms. */
void picture_launch_content(struct picture *picture, struct ts_rng *rng, double quiet_ms);

#endif
