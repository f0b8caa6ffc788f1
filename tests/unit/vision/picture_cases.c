/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_cases.h"

#include "picture_content.h"

#include <string.h>

#define QUIET_MS 1000

const double picture_rates[] = {30, 60, 100, 120, 125, 187.5, 240};
const size_t picture_rate_count = sizeof picture_rates / sizeof *picture_rates;

static void cut(struct picture *picture, struct ts_rng *rng)
{
    content_app(picture, rng, ts_rng_range(rng, 60, 400));
}

static void cut_late(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
}

static void response(struct picture *picture, struct ts_rng *rng)
{
    cut_late(picture, rng);
    picture->response_ms = ts_rng_range(rng, 0.5, 5);
}

static void fade(struct picture *picture, struct ts_rng *rng)
{
    content_fade(picture, rng, ts_rng_range(rng, 60, 400), false);
}

static void fade_eased(struct picture *picture, struct ts_rng *rng)
{
    content_fade(picture, rng, ts_rng_range(rng, 60, 400), true);
}

static void fade_part(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e =
        content_fade(picture, rng, app + ts_rng_range(rng, 50, 400), ts_rng_below(rng, 2));
    content_region(picture, rng, e, 0.25, 0.6);
}

static void list(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    content_list(picture, rng, app + ts_rng_range(rng, 20, 200));
}

static void slide(struct picture *picture, struct ts_rng *rng)
{
    struct picture_element *e =
        picture_add(picture, ts_rng_range(rng, 60, 300), ts_rng_range(rng, 200, 450));
    e->slide_px = picture->screen_h * (ts_rng_below(rng, 2) ? 1 : ts_rng_range(rng, 0.1, 0.4));
    e->eased = true;
    e->level = ts_rng_below(rng, 2) ? 220 : 40;
    e->contrast = ts_rng_range(rng, 5, 25);
}

static void caret(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e = content_endless(picture, rng, PAINT_CARET, app);
    e->w = 0.5;
    e->h = ts_rng_range(rng, 6, 14);
    content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
}

static void tick(struct picture *picture, struct ts_rng *rng, double at_ms)
{
    struct picture_element *e = picture_add(picture, at_ms, 0);
    e->w = TS_BLOCK_PX * ts_rng_range(rng, 1.5, 3);
    e->h = TS_BLOCK_PX * 2;
    e->x = ts_rng_below(rng, 2) ? 0 : picture->screen_w - e->w;
    e->level = ts_rng_range(rng, 90, 180);
    e->contrast = 60;
}

static void clock_before(struct picture *picture, struct ts_rng *rng)
{
    tick(picture, rng, -ts_rng_range(rng, 30, 200));
    cut_late(picture, rng);
}

/* Nobody waits for the minute to change: it is no part of the launch. */
static void clock_after(struct picture *picture, struct ts_rng *rng)
{
    const double bar_px = 2 * TS_BLOCK_PX;
    cut_late(picture, rng);
    const double settled = picture->element[picture->count - 1].from_ms;
    tick(picture, rng, settled + ts_rng_range(rng, 100, 1500));
    picture_mask_status_bar(picture, bar_px);
    picture->until_ms = settled + 2000 + 1.15 * QUIET_MS;
}

static void splash_at_once(struct picture *picture, struct ts_rng *rng)
{
    struct picture_element *e = picture_add(picture, ts_rng_range(rng, 5, 20), 0);
    e->level = ts_rng_below(rng, 2) ? 235 : 25;
    content_app(picture, rng, e->from_ms + ts_rng_range(rng, 60, 500));
}

static void stylus(struct picture *picture, struct ts_rng *rng)
{
    content_stylus(picture, rng, ts_rng_range(rng, 250, 600));
    picture->stylus_told = TOLD_ALL;
    content_app(picture, rng, ts_rng_range(rng, 20, picture->stylus_gone_ms - 100));
}

static void stylus_untold(struct picture *picture, struct ts_rng *rng)
{
    stylus(picture, rng);
    picture->stylus_told = TOLD_NOTHING;
}

static void spinner(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    content_endless(picture, rng, PAINT_SPINNER, app);
    content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
}

static void spinner_faint(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e = content_endless(picture, rng, PAINT_SPINNER, app);
    e->level = ts_rng_range(rng, 60, 200);
    e->swing = ts_rng_range(rng, 2, 4);
    if (ts_rng_below(rng, 2))
        content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
}

static void exposure(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    picture->element[picture->count - 1].level = ts_rng_range(rng, 150, 210);
    picture->element[picture->count - 1].contrast = 40;
    picture->gain_at_ms = app + ts_rng_range(rng, 5, 40);
    picture->gain_change = ts_rng_range(rng, 0.1, 0.4) * (ts_rng_below(rng, 2) ? 1 : -1);
    picture->gain_tau_ms = ts_rng_range(rng, 150, 400);
    if (picture->gain_change < 0)
        picture->gain = ts_rng_range(rng, 1, 1.25);
    if (!ts_rng_below(rng, 2))
        return;
    struct picture_element *e = picture_add(picture, app + ts_rng_range(rng, 60, 800), 0);
    content_region(picture, rng, e, 0.2, 0.5);
    e->level = ts_rng_range(rng, 20, 100);
    e->contrast = 10;
}

static void start_drift(struct picture *picture, struct ts_rng *rng)
{
    picture->drift_per_s = ts_rng_range(rng, 0.02, 0.06) * (ts_rng_below(rng, 2) ? 1 : -1);
}

static void drift(struct picture *picture, struct ts_rng *rng)
{
    start_drift(picture, rng);
    cut_late(picture, rng);
}

/* All of it goes on to drift when a page or a part of one has faded in. */
static void fade_drift(struct picture *picture, struct ts_rng *rng)
{
    start_drift(picture, rng);
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e =
        picture_add(picture, app + ts_rng_range(rng, 50, 500), ts_rng_range(rng, 80, 450));
    if (ts_rng_below(rng, 2))
        content_region(picture, rng, e, 0.2, 0.9);
    e->level = ts_rng_range(rng, 60, 170);
    e->contrast = ts_rng_range(rng, 20, 60);
    e->eased = ts_rng_below(rng, 2);
}

/* Its pages slide in before the app has settled ... */
static void carousel_before(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    content_endless(picture, rng, PAINT_CAROUSEL, app)->period_ms = 3300;
    struct picture_element *e = content_load(picture, rng, app + ts_rng_range(rng, 3700, 4600));
    picture->until_ms = e->from_ms + 7500;
}

/* ... or only afterwards. */
static void carousel_after(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    content_endless(picture, rng, PAINT_CAROUSEL, app)->period_ms = 3300;
    struct picture_element *e = content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
    picture->until_ms = e->from_ms + 10600;
}

static void video(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e = content_endless(picture, rng, PAINT_LOOP, app);
    e->period_ms = 1000.0 / (ts_rng_below(rng, 2) ? 30 : 24);
    e->x = 0;
    e->w = picture->screen_w;
    e->h = picture->screen_h / 3;
    e->contrast = ts_rng_range(rng, 15, 80);
    content_load(picture, rng, app + ts_rng_range(rng, 50, 700));
    picture->until_ms = picture->element[picture->count - 1].from_ms + 5000;
}

static void mains(struct picture *picture, struct ts_rng *rng)
{
    picture->flicker_depth = ts_rng_range(rng, 0.01, 0.03);
    fade_part(picture, rng);
}

static void pwm(struct picture *picture, struct ts_rng *rng)
{
    picture->pwm_hz = ts_rng_range(rng, 60, 480);
    if (ts_rng_below(rng, 2)) /* near a multiple of the frame rate: bands that creep */
        picture->pwm_hz =
            round(picture->pwm_hz * picture->period_ms / 1000) / picture->period_ms * 1000 +
            ts_rng_range(rng, -0.5, 0.5);
    picture->pwm_depth = ts_rng_range(rng, 0.005, 0.04);
    cut_late(picture, rng);
}

static void noise(struct picture *picture, struct ts_rng *rng)
{
    picture->noise_codes = ts_rng_range(rng, 2.5, 4);
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e = content_fade(picture, rng, app + ts_rng_range(rng, 50, 400), true);
    content_region(picture, rng, e, 0.1, 0.3);
}

static void lost(struct picture *picture, struct ts_rng *rng)
{
    picture->lose_share = 0.01;
    cut_late(picture, rng);
}

static void late(struct picture *picture, struct ts_rng *rng)
{
    const double app = content_app(picture, rng, ts_rng_range(rng, 60, 300));
    struct picture_element *e = picture_add(picture, app + ts_rng_range(rng, 1500, 3000), 0);
    content_region(picture, rng, e, 0.15, 0.4);
    e->level = ts_rng_below(rng, 2) ? 235 : 20;
    picture->until_ms = e->from_ms + 3000;
}

/* Nobody knows the camera of a video from elsewhere: shares of the frame period are assumed. */
static void unknown_camera(struct picture *picture, struct ts_rng *rng)
{
    const double period = picture->period_ms;
    picture->exposure_ms = fmin(1, fmax(0.05, 0.5 + 0.25 * ts_rng_normal(rng))) * period;
    picture->readout_ms = fmin(0.95, fmax(0.1, 0.8 + 0.2 * ts_rng_normal(rng))) * period;
    picture->exposure_error_ms = 0.5 * period - picture->exposure_ms;
    picture->readout_error_ms = 0.8 * period - picture->readout_ms;
    picture->exposure_u_ms = 0.25 * period;
    picture->readout_u_ms = 0.2 * period;
    cut_late(picture, rng);
}

static void mixed(struct picture *picture, struct ts_rng *rng)
{
    picture_launch_content(picture, rng, QUIET_MS);
    content_stylus(picture, rng, ts_rng_range(rng, 80, 200));
    if (ts_rng_below(rng, 2))
        picture->stylus_from_ms = NAN;
}

/* Long after all else. */
static void add_mark(struct picture *picture, struct ts_rng *rng)
{
    const double settled = picture->element[picture->count - 1].from_ms;
    content_mark(picture, rng, settled + ts_rng_range(rng, 60, 900));
}

static void mark(struct picture *picture, struct ts_rng *rng)
{
    response(picture, rng);
    add_mark(picture, rng);
}

static void mark_drift(struct picture *picture, struct ts_rng *rng)
{
    drift(picture, rng);
    add_mark(picture, rng);
}

const struct picture_case picture_cases[] = {
    {"cut", true, QUIET_MS, cut},
    {"cut_late", true, QUIET_MS, cut_late},
    {"response", true, QUIET_MS, response},
    {"fade", false, QUIET_MS, fade},
    {"fade_eased", false, QUIET_MS, fade_eased},
    {"fade_part", false, QUIET_MS, fade_part},
    {"list", false, QUIET_MS, list},
    {"slide", false, QUIET_MS, slide},
    {"caret", true, QUIET_MS, caret},
    {"clock_before", true, QUIET_MS, clock_before},
    {"splash_at_once", true, QUIET_MS, splash_at_once},
    {"stylus", true, QUIET_MS, stylus},
    {"stylus_untold", true, QUIET_MS, stylus_untold},
    {"spinner", true, QUIET_MS, spinner},
    {"spinner_faint", true, QUIET_MS, spinner_faint},
    {"exposure", true, QUIET_MS, exposure},
    {"drift", true, QUIET_MS, drift},
    {"carousel_before", true, QUIET_MS, carousel_before},
    {"carousel_after", true, QUIET_MS, carousel_after},
    {"video", true, QUIET_MS, video},
    {"mains", false, QUIET_MS, mains},
    {"pwm", true, QUIET_MS, pwm},
    {"noise", false, QUIET_MS, noise},
    {"lost", true, QUIET_MS, lost},
    {"late", true, QUIET_MS, late},
    {"unknown_camera", true, QUIET_MS, unknown_camera},
    {"mixed", false, QUIET_MS, mixed},
    {"clock_after", true, QUIET_MS, clock_after},
    {"fade_drift", false, QUIET_MS, fade_drift},
    {"mark", false, QUIET_MS, mark},
    {"mark_drift", false, QUIET_MS, mark_drift},
};
const size_t picture_case_count = sizeof picture_cases / sizeof *picture_cases;

const struct picture_case *picture_case_by_name(const char *name)
{
    for (size_t i = 0; i < picture_case_count; i++) {
        if (!strcmp(picture_cases[i].name, name))
            return &picture_cases[i];
    }
    return NULL;
}

static void draw_camera(struct picture *picture, struct ts_rng *rng, double fps)
{
    static const double refresh_hz[] = {60, 60, 90, 120};
    picture->period_ms = 1000 / fps;
    picture->exposure_ms = picture->period_ms * ts_rng_range(rng, 0.05, 1);
    picture->readout_ms = picture->period_ms * ts_rng_range(rng, 0.3, 0.95);
    picture->start_u_ms = 0.15;
    picture->start_error_ms = picture->start_u_ms * ts_rng_normal(rng);
    picture->exposure_error_ms = picture->exposure_u_ms * ts_rng_normal(rng);
    picture->readout_error_ms = picture->readout_u_ms * ts_rng_normal(rng);
    if (picture->exposure_ms + picture->exposure_error_ms < 0.05)
        picture->exposure_error_ms = 0;
    picture->refresh_ms = 1000 / refresh_hz[ts_rng_below(rng, 4)];
    picture->refresh_phase_ms = ts_rng_range(rng, 0, picture->refresh_ms);
    picture->scan_ms = picture->refresh_ms * ts_rng_range(rng, 0.6, 0.98);
    picture->scan_across = ts_rng_below(rng, 2);
    picture->flicker_hz = (ts_rng_below(rng, 2) ? 100 : 120) + ts_rng_range(rng, -0.03, 0.03);
    picture->flicker_depth = ts_rng_range(rng, 0, 0.01);
    picture->noise_codes = ts_rng_range(rng, 0.5, 2.5);
    picture->from_ms = -ts_rng_range(rng, 500, 800);
    picture->until_ms = 0;
}

/* The screen in its surroundings, which the detector may have to find out by itself. */
static void draw_view(struct picture *picture, struct ts_rng *rng)
{
    if (ts_rng_below(rng, 2))
        return;
    const double margin_x = picture->screen_w * ts_rng_range(rng, 0.05, 0.15);
    const double margin_y = picture->screen_h * ts_rng_range(rng, 0.05, 0.15);
    picture->screen_x = margin_x;
    picture->screen_y = margin_y;
    picture->screen_w -= 2 * margin_x;
    picture->screen_h -= 2 * margin_y;
    picture->element[0].w = picture->screen_w;
    picture->element[0].h = picture->screen_h;
    if (ts_rng_below(rng, 2))
        picture_ignore_surroundings(picture);
}

void picture_case_draw(const struct picture_case *which, double fps, uint64_t seed, int width_px,
                       int height_px, struct picture *picture)
{
    /* no two cases or rates share anything */
    const uint64_t place = (uint64_t)(which - picture_cases) << 12 | (uint64_t)lround(fps);
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, place);
    picture_init(picture, seed << 20 | place, width_px, height_px);
    draw_camera(picture, &rng, fps);
    draw_view(picture, &rng);
    which->draw(picture, &rng);
    if (picture->until_ms <= 0)
        picture->until_ms = content_looked_at_until(picture, which->quiet_ms);
}
