/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_content.h"

#define FADE_MOST_MS 1500
#define ENDLESS_MS   3500 /* it takes this long to know it for endless */

double content_app(struct picture *picture, struct ts_rng *rng, double at_ms)
{
    if (ts_rng_below(rng, 3) == 0 && at_ms > 40) {
        picture_add(picture, at_ms, 0)->level = ts_rng_below(rng, 2) ? 235 : 25;
        at_ms += ts_rng_range(rng, 60, 500);
        if (!isnan(picture->stylus_from_ms))
            at_ms = fmin(at_ms, fmax(picture->element[picture->count - 1].from_ms + 40,
                                     picture->stylus_gone_ms - 50));
    }
    struct picture_element *app = picture_add(picture, at_ms, 0);
    app->level = ts_rng_range(rng, 50, 220);
    app->contrast = ts_rng_range(rng, 10, 60);
    return at_ms;
}

struct picture_element *content_fade(struct picture *picture, struct ts_rng *rng, double at_ms,
                                     bool eased)
{
    const double levels = ts_rng_range(rng, 1, 5);
    const double most = fmin(120, FADE_MOST_MS * levels / picture->period_ms);
    const double step = ts_rng_range(rng, most / 2, most);
    const double under = picture->element[picture->count - 1].level;
    struct picture_element *e = picture_add(picture, at_ms, step / levels * picture->period_ms);
    e->level = under > 128 ? under - step : under + step;
    e->contrast = ts_rng_range(rng, 0, 15);
    e->eased = eased;
    return e;
}

void content_region(const struct picture *picture, struct ts_rng *rng, struct picture_element *e,
                    double least, double most)
{
    e->w = picture->screen_w * ts_rng_range(rng, least, most);
    e->h = picture->screen_h * ts_rng_range(rng, least, most);
    e->x = ts_rng_range(rng, 0, picture->screen_w - e->w);
    e->y = ts_rng_range(rng, 0, picture->screen_h - e->h);
}

struct picture_element *content_load(struct picture *picture, struct ts_rng *rng, double at_ms)
{
    const struct picture_element *app = &picture->element[picture->count - 1];
    while (app->paint != PAINT_STILL)
        app--;
    const double under = app->level;
    struct picture_element *load = picture_add(picture, at_ms, 0);
    load->w = ts_rng_range(rng, 12, 30);
    load->h = ts_rng_range(rng, 8, 20);
    load->x = ts_rng_range(rng, 0, picture->screen_w - load->w);
    load->y = ts_rng_range(rng, picture->screen_h * 0.55, picture->screen_h - load->h);
    const double step = ts_rng_range(rng, 40, 120);
    load->level = under > 128 ? under - step : under + step;
    return load;
}

double content_code(const struct picture *picture, double x, double y, double ms)
{
    const size_t column = (size_t)((x + picture->screen_x) / TS_BLOCK_PX);
    const size_t row = (size_t)((y + picture->screen_y) / TS_BLOCK_PX);
    return picture_code(picture, row * (size_t)picture->camera.blocks_x + column, ms);
}

/* Where the block begins in which `at` is, both from where the screen begins. */
static double block_begin(double at, double screen)
{
    return TS_BLOCK_PX * floor((screen + at) / TS_BLOCK_PX) - screen;
}

void content_mark(struct picture *picture, struct ts_rng *rng, double at_ms)
{
    const double x = ts_rng_range(rng, 0.05, 0.85) * picture->screen_w;
    const double y = ts_rng_range(rng, 0.55, 0.85) * picture->screen_h;
    const double under = content_code(picture, x, y, at_ms - 1);
    const double step = 10 + 90 * pow(ts_rng_uniform(rng), 2);
    struct picture_element *mark =
        picture_add(picture, at_ms, ts_rng_below(rng, 2) ? ts_rng_range(rng, 20, 250) : 0);
    mark->x = block_begin(x, picture->screen_x);
    mark->y = block_begin(y, picture->screen_y);
    mark->w = TS_BLOCK_PX * (ts_rng_below(rng, 3) ? 1 : 2);
    mark->h = TS_BLOCK_PX;
    mark->level = under > 128 ? under - step : under + step;
    mark->contrast = 0;
}

void content_list(struct picture *picture, struct ts_rng *rng, double at_ms)
{
    enum { ROWS = 6 };
    const double under = picture->element[picture->count - 1].level;
    const double apart = ts_rng_range(rng, 25, 70), fade = ts_rng_range(rng, 80, 250);
    const double height = picture->screen_h / (ROWS + 1);
    const bool eased = ts_rng_below(rng, 2);
    for (int i = 0; i < ROWS; i++) {
        struct picture_element *row = picture_add(picture, at_ms + i * apart, fade);
        row->x = picture->screen_w * 0.05;
        row->w = picture->screen_w * 0.9;
        row->y = height * (i + 0.5);
        row->h = height * 0.8;
        row->level = under > 128 ? under - 80 : under + 80;
        row->contrast = 25;
        row->eased = eased;
    }
}

struct picture_element *content_endless(struct picture *picture, struct ts_rng *rng,
                                        enum picture_paint paint, double at_ms)
{
    struct picture_element *e = picture_add(picture, at_ms, 0);
    e->paint = paint;
    e->contrast = 80;
    e->w = paint == PAINT_CAROUSEL ? picture->screen_w * 0.8 : 36;
    e->h = paint == PAINT_CAROUSEL ? picture->screen_h * 0.3 : 36;
    e->x = ts_rng_range(rng, 0, picture->screen_w - e->w);
    e->y = ts_rng_range(rng, 0, fmax(0, picture->screen_h * 0.5 - e->h));
    return e;
}

void content_stylus(struct picture *picture, struct ts_rng *rng, double gone_ms)
{
    picture->stylus_from_ms = -300;
    picture->stylus_up_ms = -ts_rng_range(rng, 2, 8);
    picture->stylus_gone_ms = gone_ms;
    picture->stylus_x = picture->camera.width_px * ts_rng_range(rng, 0.3, 0.7);
    picture->stylus_y = picture->camera.height_px * ts_rng_range(rng, 0.4, 0.7);
    picture->stylus_shadow = ts_rng_range(rng, 0, 0.08);
}

double content_looked_at_until(const struct picture *picture, double quiet_ms)
{
    double last = 0, until = 0;
    for (size_t i = 0; i < picture->count; i++)
        last = fmax(last, picture->element[i].from_ms + picture->element[i].fade_ms);
    until = last + 60 + 1.15 * quiet_ms;
    for (size_t i = 0; i < picture->count; i++) {
        if (picture->element[i].paint != PAINT_STILL)
            until = fmax(until, last + ENDLESS_MS);
    }
    if (!isnan(picture->stylus_from_ms))
        until = fmax(until, picture->stylus_gone_ms + 60 + 1.15 * quiet_ms);
    return until;
}
