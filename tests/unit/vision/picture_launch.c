/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_content.h"

static double fade_or_cut(struct ts_rng *rng, double share)
{
    return ts_rng_uniform(rng) < share ? ts_rng_range(rng, 150, 600) : 0;
}

static void add_late_load(struct picture *picture, struct ts_rng *rng, double at)
{
    struct picture_element *late = picture_add(picture, at, 0);
    late->w = 12;
    late->h = 6;
    late->x = ts_rng_range(rng, 5, picture->screen_w - 20);
    late->y = ts_rng_range(rng, picture->screen_h * 0.55, picture->screen_h - 12);
    late->level = 0;
    late->contrast = 0;
    const double under = content_code(picture, late->x, late->y, at - 1);
    const double contrast = ts_rng_range(rng, 20, 90);
    late->level = under > 128 ? under - contrast : under + contrast;
    /* a block of which a corner is covered may change by just about 2 %: nobody knows then */
    late->x = 5 * floor(late->x / 5);
    late->y = 5 * floor(late->y / 5) + 2;
}

static void add_endless(struct picture *picture, struct ts_rng *rng, double at)
{
    struct picture_element *e = picture_add(picture, at, 0);
    const double w = picture->screen_w, h = picture->screen_h;
    e->paint = (enum picture_paint)(PAINT_SPINNER + (int)ts_rng_below(rng, 3));
    e->contrast = 80;
    e->w = e->h = 36;
    e->period_ms = e->paint == PAINT_VIDEO ? 1000.0 / 30 : 1000;
    if (e->paint == PAINT_CARET) {
        e->w = 1;
        e->h = 8;
    } else if (e->paint == PAINT_VIDEO) {
        e->w = w * ts_rng_range(rng, 0.3, 0.95);
        e->h = h * ts_rng_range(rng, 0.2, 0.45);
    }
    e->x = ts_rng_range(rng, 0, w - e->w);
    e->y = ts_rng_range(rng, 0, h * 0.5 - fmin(e->h, h * 0.5));
}

void picture_launch_content(struct picture *picture, struct ts_rng *rng, double quiet_ms)
{
    double at = ts_rng_range(rng, 40, 300);
    struct picture_element *splash = picture_add(picture, at, fade_or_cut(rng, 0.3));
    splash->level = ts_rng_below(rng, 2) ? 235 : 25;
    at += splash->fade_ms + ts_rng_range(rng, 60, 500);
    struct picture_element *app = picture_add(picture, at, fade_or_cut(rng, 0.4));
    app->eased = ts_rng_below(rng, 2);
    app->level = ts_rng_range(rng, 60, 230);
    app->contrast = ts_rng_range(rng, 10, 60);
    at += app->fade_ms;
    const uint32_t loads = ts_rng_below(rng, 3);
    for (uint32_t i = 0; i < loads; i++) {
        at += ts_rng_range(rng, 30, 400);
        struct picture_element *load = picture_add(picture, at, fade_or_cut(rng, 0.5));
        load->x = ts_rng_range(rng, 0, picture->screen_w * 0.4);
        load->y = ts_rng_range(rng, picture->screen_h * 0.53, picture->screen_h * 0.7);
        load->w = ts_rng_range(rng, 20, picture->screen_w * 0.6);
        load->h = ts_rng_range(rng, 10, picture->screen_h * 0.3);
        load->level = ts_rng_range(rng, 20, 240);
        load->contrast = ts_rng_range(rng, 0, 50);
        at += load->fade_ms;
    }
    if (ts_rng_uniform(rng) < 0.4)
        add_endless(picture, rng, at - ts_rng_range(rng, 0, 200));
    if (ts_rng_uniform(rng) < 0.4)
        add_late_load(picture, rng, at += ts_rng_range(rng, 50, 500));
    picture->until_ms = at + 60 + quiet_ms * 1.15;
    for (size_t i = 0; i < picture->count; i++) {
        if (picture->element[i].paint != PAINT_STILL) /* it takes longer to know it for endless */
            picture->until_ms = fmax(picture->until_ms, at + 2200);
    }
}

void picture_launch(struct picture *picture, uint64_t seed, int width_px, int height_px,
                    double quiet_ms)
{
    struct ts_rng draw, *rng = &draw;
    ts_rng_seed(rng, seed, 3);
    picture_init(picture, seed, width_px, height_px);
    picture->period_ms = ts_rng_below(rng, 2) ? 8 : 8.3333;
    picture->exposure_ms = ts_rng_range(rng, 3, 7);
    picture->readout_ms = ts_rng_range(rng, 5, 7.5);
    picture->refresh_ms = 1000.0 / (ts_rng_below(rng, 3) ? 60 : 90);
    picture->refresh_phase_ms = ts_rng_range(rng, 0, picture->refresh_ms);
    picture->scan_ms = picture->refresh_ms * 0.95;
    picture->flicker_hz = (ts_rng_below(rng, 2) ? 100 : 120) + ts_rng_range(rng, -0.02, 0.02);
    picture->flicker_depth = ts_rng_range(rng, 0, 0.015);
    picture->from_ms = -ts_rng_range(rng, 400, 600);
    if (ts_rng_below(rng, 2)) {
        picture->stylus_from_ms = -ts_rng_range(rng, 230, 380);
        picture->stylus_up_ms = -5;
        picture->stylus_gone_ms = ts_rng_range(rng, 80, 200);
        picture->stylus_x = width_px * ts_rng_range(rng, 0.3, 0.7);
        picture->stylus_y = height_px * 0.5;
    }
    picture_launch_content(picture, rng, quiet_ms);
}
