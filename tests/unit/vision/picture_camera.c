/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the camera makes of the display. */
#include "picture_display.h"

#include <assert.h>
#include <stdlib.h>

#define HARMONIC  0.2
#define TWO_PI    6.283185307179586
#define FULL      6375
#define DROP_MS   100 /* the stylus comes down in this time */
#define ARM_PX    7.0 /* half its width */
#define ARM_CODE  0.15
#define SHADOW_PX 25
#define NORMALS   65536
#define QUANTISED 1.44 /* rounding of 25 pixels */

/* The arm comes down into the picture from above and goes away again. Where its tip is, in its own
 * row of the picture; NAN: out of sight. */
static double tip_px(const struct picture *picture, double ms)
{
    if (isnan(picture->stylus_from_ms) || ms < picture->stylus_from_ms ||
        ms > picture->stylus_gone_ms)
        return NAN;
    double height = 0;
    if (ms < picture->stylus_from_ms + DROP_MS)
        height = 1 - (ms - picture->stylus_from_ms) / DROP_MS;
    else if (ms > picture->stylus_up_ms)
        height = (ms - picture->stylus_up_ms) / (picture->stylus_gone_ms - picture->stylus_up_ms);
    return picture->stylus_y - height * picture->camera.height_px;
}

/* Share of the light that reaches the camera past the arm and its shadow. */
static double past_stylus(const struct picture *picture, size_t block, double ms)
{
    const double tip = tip_px(picture, ms);
    if (isnan(tip))
        return 1;
    const size_t across = (size_t)picture->camera.blocks_x;
    const double x = (double)(block % across) * TS_BLOCK_PX + 2.5 - picture->stylus_x;
    const double above = tip - ((double)(block / across) * TS_BLOCK_PX + 2.5);
    const double down = fmin(1, fmax(0, above / TS_BLOCK_PX + 0.5));
    const double arm = down * fmin(1, fmax(0, (ARM_PX - fabs(x)) / TS_BLOCK_PX + 0.5));
    const double beside = fmin(1, fmax(0, 1 - (x - ARM_PX) / SHADOW_PX));
    const double low = fmin(1, fmax(0, (above + SHADOW_PX) / (2 * SHADOW_PX)));
    const double shadow = x > -ARM_PX ? picture->stylus_shadow * beside * low : 0;
    return (1 - (1 - ARM_CODE) * arm) * (1 - shadow);
}

static double wave(double hz, double phase, double harmonic, double ms)
{
    const double x = TWO_PI * hz * ms / 1000 + phase;
    return sin(x) + harmonic * sin(3 * x);
}

static double row_gain(const struct picture *picture, double begin_ms)
{
    const double middle = begin_ms + picture->exposure_ms / 2;
    const double phase = (double)(picture->seed % 1024);
    const double mains =
        picture->flicker_depth * wave(picture->flicker_hz, phase, HARMONIC, middle);
    const double harmonic = picture->pwm_is_sine ? 0 : HARMONIC;
    const double pwm = picture->pwm_depth * wave(picture->pwm_hz, phase * 3, harmonic, middle);
    const double light = middle > picture->light_at_ms ? picture->light_factor : 1;
    return (1 + mains) * (1 + pwm) * light;
}

double picture_gain(const struct picture *picture, double start_ms)
{
    const double since = fmax(0, start_ms - picture->gain_at_ms);
    const double control =
        picture->gain * (1 + picture->gain_change * (1 - exp(-since / picture->gain_tau_ms)));
    return control * (1 + picture->drift_per_s * start_ms / 1000);
}

/* Normal numbers to draw from: a launch needs millions. */
static double *draw_normals(struct ts_rng *rng)
{
    double *normals = malloc(NORMALS * sizeof *normals);
    assert(normals);
    for (size_t i = 0; i < NORMALS; i++)
        normals[i] = ts_rng_normal(rng);
    return normals;
}

/* What the lens shows in a block of those around it. */
static double blur(const struct picture *picture, const double *codes, size_t block)
{
    const size_t across = (size_t)picture->camera.blocks_x, x = block % across, y = block / across;
    const size_t down = (size_t)picture->camera.blocks_y;
    double change = 0;
    change += x > 0 ? codes[block - 1] - codes[block] : 0;
    change += x + 1 < across ? codes[block + 1] - codes[block] : 0;
    change += y > 0 ? codes[block - across] - codes[block] : 0;
    change += y + 1 < down ? codes[block + across] - codes[block] : 0;
    return codes[block] + picture->spill / 4 * change;
}

/* Mean codes of all blocks. */
static void see(const struct picture *picture, const struct picture_display *display,
                double start_ms, double *codes)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    for (size_t block = 0; block < display->blocks; block++) {
        const double at = ((double)(block / across) + 0.5) / picture->camera.blocks_y;
        const double begin = start_ms + picture->readout_ms * at;
        codes[block] = picture_display_exposed(display, block, begin, begin + picture->exposure_ms);
    }
}

static void expose(const struct picture *picture, const struct picture_display *display,
                   double start_ms, const double *normals, struct ts_rng *rng, double *codes,
                   uint16_t *sums)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const double gain = picture_gain(picture, start_ms);
    const double noise = hypot(TS_BLOCK_PX * picture->noise_codes, QUANTISED);
    const bool stylus =
        !isnan(tip_px(picture, start_ms)) || !isnan(tip_px(picture, start_ms + picture->period_ms));
    see(picture, display, start_ms, codes);
    for (size_t row = 0; row < display->blocks / across; row++) {
        const double at = ((double)row + 0.5) / picture->camera.blocks_y;
        const double begin = start_ms + picture->readout_ms * at;
        const double end = begin + picture->exposure_ms;
        const double all = gain * row_gain(picture, begin);
        for (size_t block = row * across; block < (row + 1) * across; block++) {
            double code = blur(picture, codes, block) * all;
            if (stylus)
                code *= past_stylus(picture, block, (begin + end) / 2);
            const double sum = 25 * fmin(255, code) + noise * normals[ts_rng_next(rng) % NORMALS];
            sums[block] = (uint16_t)lround(fmin(FULL, fmax(0, sum)));
        }
    }
}

static bool is_lost(const struct picture *picture, size_t n, struct ts_rng *rng)
{
    if (n >= picture->lose_from && n < picture->lose_from + picture->lose_count)
        return true;
    return picture->lose_share > 0 && ts_rng_uniform(rng) < picture->lose_share;
}

void picture_render(struct picture *picture)
{
    const size_t all = (size_t)((picture->until_ms - picture->from_ms) / picture->period_ms);
    picture->blocks = calloc(all, sizeof *picture->blocks);
    picture->start_ms = calloc(all, sizeof *picture->start_ms);
    picture->sequence = calloc(all, sizeof *picture->sequence);
    assert(picture->blocks && picture->start_ms && picture->sequence);
    struct picture_display display;
    picture_display_open(&display, picture);
    struct ts_rng noise, loss;
    ts_rng_seed(&noise, picture->seed, 7);
    ts_rng_seed(&loss, picture->seed, 8);
    double *normals = draw_normals(&noise), *codes = calloc(display.blocks, sizeof *codes);
    assert(codes);
    for (size_t n = 0; n < all; n++) {
        if (is_lost(picture, n, &loss))
            continue;
        uint16_t *sums = malloc(display.blocks * sizeof *sums);
        assert(sums);
        const double start = picture->from_ms + (double)n * picture->period_ms;
        expose(picture, &display, start, normals, &noise, codes, sums);
        picture->blocks[picture->frames] = sums;
        picture->start_ms[picture->frames] = start + picture->start_error_ms;
        picture->sequence[picture->frames++] = (uint32_t)n;
    }
    free(codes);
    free(normals);
    picture_display_close(&display);
}

void picture_free(struct picture *picture)
{
    for (size_t n = 0; n < picture->frames; n++)
        free(picture->blocks[n]);
    free(picture->blocks);
    free(picture->start_ms);
    free(picture->sequence);
    free(picture->ignore);
    free(picture->status_bar);
}

struct ts_vision_frames picture_frames(const struct picture *picture, double quiet_ms)
{
    const bool all = picture->stylus_told == TOLD_ALL;
    return (struct ts_vision_frames){
        .view =
            {
                .camera = &picture->camera,
                .period_ms = picture->period_ms,
                .exposure_ms = picture->exposure_ms + picture->exposure_error_ms,
                .readout_ms = picture->readout_ms + picture->readout_error_ms,
                .gamma = picture->gamma,
                .start_u_ms = picture->start_u_ms,
                .exposure_u_ms = picture->exposure_u_ms,
                .readout_u_ms = picture->readout_u_ms,
                .ignore = picture->ignore,
                .status_bar = picture->status_bar,
                .stylus_from_ms =
                    picture->stylus_told == TOLD_NOTHING ? NAN : picture->stylus_from_ms,
                .stylus_down_ms = all ? picture->stylus_from_ms + DROP_MS : NAN,
                .stylus_up_ms = all ? picture->stylus_up_ms : NAN,
                .stylus_held_ms = all ? picture->stylus_gone_ms : NAN,
                .quiet_ms = quiet_ms,
            },
        .count = picture->frames,
        .blocks = (const uint16_t *const *)picture->blocks,
        .start_ms = picture->start_ms,
        .sequence = picture->sequence,
    };
}
