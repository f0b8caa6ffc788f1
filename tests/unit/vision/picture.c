/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI 6.283185307179586

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
                                .period_ms = 8,
                                .exposure_ms = 5,
                                .readout_ms = 6.5,
                                .gamma = 2.2,
                                .noise_codes = 2,
                                .refresh_ms = 1000.0 / 60,
                                .scan_ms = 15,
                                .from_ms = -500,
                                .until_ms = 3000,
                                .stylus_from_ms = NAN,
                                .light_factor = 1};
    picture->camera = (struct ts_camera_geometry){width_px, height_px, width_px / TS_BLOCK_PX,
                                                  height_px / TS_BLOCK_PX, 8000000};
    struct picture_element *home = picture_add(picture, -1e9, 0);
    home->contrast = 60;
}

struct picture_element *picture_add(struct picture *picture, double from_ms, double fade_ms)
{
    assert(picture->count < PICTURE_ELEMENTS);
    struct picture_element *element = &picture->element[picture->count++];
    *element = (struct picture_element){.w = picture->camera.width_px,
                                        .h = picture->camera.height_px,
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

static double opacity(const struct picture_element *element, double ms)
{
    if (ms < element->from_ms)
        return 0;
    if (element->fade_ms <= 0 || ms >= element->from_ms + element->fade_ms)
        return 1;
    const double x = (ms - element->from_ms) / element->fade_ms;
    return element->eased ? 1 - (1 - x) * (1 - x) : x;
}

static double still_code(const struct picture_element *element, uint64_t block, uint64_t n)
{
    const double code = element->level + element->contrast * hash(element->seed, block, n);
    return fmin(250, fmax(5, code));
}

static double element_code(const struct picture_element *element, uint64_t block, double bx,
                           double by, double ms)
{
    const double turns = (ms - element->from_ms) / element->period_ms;
    const double whole = floor(turns);
    switch (element->paint) {
    case PAINT_SPINNER: {
        const double dx = bx - element->x - element->w / 2, dy = by - element->y - element->h / 2;
        const double r = sqrt(dx * dx + dy * dy) / (element->w / 2);
        const double angle = atan2(dy, dx) / TWO_PI + 1 - (turns - whole);
        const bool gap = angle - floor(angle) < 0.3;
        return r > 0.45 && r < 1.05 && !gap ? 60 : 230;
    }
    case PAINT_CARET:
        return turns - whole < 0.5 ? 20 : 240;
    case PAINT_VIDEO:
        return still_code(element, block, (uint64_t)fmax(0, whole));
    case PAINT_CAROUSEL: {
        const double slide = fmin(1, (turns - whole) * element->period_ms / 300);
        const uint64_t picture = (uint64_t)fmax(0, whole);
        const double edge = element->x + element->w * (1 - slide);
        return still_code(element, block, picture && bx < edge ? picture - 1 : picture);
    }
    default:
        return still_code(element, block, 0);
    }
}

/* Display code of a block in the refresh that was composed at `ms`. */
double picture_code(const struct picture *picture, size_t block, double ms)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    const double x = (double)(block % across) * TS_BLOCK_PX;
    const double y = (double)(block / across) * TS_BLOCK_PX;
    double code = 0;
    for (size_t i = 0; i < picture->count; i++) {
        const struct picture_element *element = &picture->element[i];
        const double cover = overlap(x, TS_BLOCK_PX, element->x, element->w) *
                             overlap(y, TS_BLOCK_PX, element->y, element->h) / 25;
        const double alpha = cover > 0 ? cover * opacity(element, ms) : 0;
        if (alpha > 0)
            code += alpha * (element_code(element, block, x + 2.5, y + 2.5, ms) - code);
    }
    return code;
}

static double scan_delay(const struct picture *picture, size_t block)
{
    const double row = (double)(block / (size_t)picture->camera.blocks_x) + 0.5;
    return picture->scan_ms * row / picture->camera.blocks_y;
}

static double refresh_of(const struct picture *picture, size_t block, double ms)
{
    const double since = ms - scan_delay(picture, block) - picture->refresh_phase_ms;
    return floor(since / picture->refresh_ms) * picture->refresh_ms + picture->refresh_phase_ms;
}

/* Codes of everything at each refresh, computed when first asked for. */
struct shown {
    long first, count;
    double *codes; /* [count][blocks] */
};

static double shown_code(const struct picture *picture, const struct shown *shown, size_t block,
                         double refresh_ms)
{
    const long n = lround((refresh_ms - picture->refresh_phase_ms) / picture->refresh_ms);
    const size_t blocks = (size_t)(picture->camera.blocks_x * picture->camera.blocks_y);
    const long clipped = n < shown->first ? 0 : n - shown->first;
    return shown->codes[(size_t)clipped * blocks + block];
}

static void show_all(const struct picture *picture, struct shown *shown)
{
    const size_t blocks = (size_t)(picture->camera.blocks_x * picture->camera.blocks_y);
    shown->first = (long)floor((picture->from_ms - 60) / picture->refresh_ms);
    shown->count = (long)ceil((picture->until_ms + 60) / picture->refresh_ms) - shown->first;
    shown->codes = malloc((size_t)shown->count * blocks * sizeof *shown->codes);
    assert(shown->codes);
    for (long n = 0; n < shown->count; n++) {
        const double ms =
            (double)(n + shown->first) * picture->refresh_ms + picture->refresh_phase_ms;
        for (size_t block = 0; block < blocks; block++)
            shown->codes[(size_t)n * blocks + block] = picture_code(picture, block, ms);
    }
}

/* The arm comes down into the picture from above right and goes away again. */
static bool under_stylus(const struct picture *picture, size_t block, double ms)
{
    if (isnan(picture->stylus_from_ms) || ms < picture->stylus_from_ms ||
        ms > picture->stylus_gone_ms)
        return false;
    double height = 0;
    if (ms < picture->stylus_from_ms + 100)
        height = 1 - (ms - picture->stylus_from_ms) / 100;
    else if (ms > picture->stylus_up_ms)
        height = (ms - picture->stylus_up_ms) / (picture->stylus_gone_ms - picture->stylus_up_ms);
    const size_t across = (size_t)picture->camera.blocks_x;
    const double x = (double)(block % across) * TS_BLOCK_PX + 2.5;
    const double y = (double)(block / across) * TS_BLOCK_PX + 2.5;
    const double tip_y = picture->stylus_y - height * picture->camera.height_px;
    return y < tip_y && fabs(x - picture->stylus_x) < 7;
}

static double exposed_code(const struct picture *picture, const struct shown *shown, size_t block,
                           double begin_ms)
{
    const double end_ms = begin_ms + picture->exposure_ms;
    const double stylus = under_stylus(picture, block, (begin_ms + end_ms) / 2) ? 0.15 : 1;
    double refresh = refresh_of(picture, block, begin_ms);
    const double first = shown_code(picture, shown, block, refresh);
    double next_ms = refresh + picture->refresh_ms + scan_delay(picture, block);
    if (next_ms >= end_ms || picture->exposure_ms <= 0)
        return first * stylus;
    double light = 0, at = begin_ms, code = first;
    bool mixed = false;
    while (at < end_ms) {
        const double until = fmin(next_ms, end_ms);
        light += (until - at) * pow(code / 255, picture->gamma);
        at = until;
        refresh += picture->refresh_ms;
        next_ms += picture->refresh_ms;
        const double next = shown_code(picture, shown, block, refresh);
        mixed = mixed || (next != code && at < end_ms);
        code = next;
    }
    if (!mixed)
        return first * stylus;
    return stylus * 255 * pow(light / picture->exposure_ms, 1 / picture->gamma);
}

static double row_gain(const struct picture *picture, double begin_ms)
{
    const double middle = begin_ms + picture->exposure_ms / 2;
    const double wave = sin(TWO_PI * picture->flicker_hz * middle / 1000 + (double)picture->seed);
    const double drift = 1 + 0.001 * middle / 1000;
    const double light = middle > picture->light_at_ms ? picture->light_factor : 1;
    return (1 + picture->flicker_depth * wave) * drift * light;
}

static uint16_t read_out(const struct picture *picture, double code, struct ts_rng *rng)
{
    const double noise = hypot(5 * picture->noise_codes, 1.44) * ts_rng_normal(rng);
    return (uint16_t)lround(fmin(6375, fmax(0, 25 * code + noise)));
}

void picture_render(struct picture *picture)
{
    const size_t blocks = (size_t)(picture->camera.blocks_x * picture->camera.blocks_y);
    const size_t across = (size_t)picture->camera.blocks_x;
    const size_t all = (size_t)((picture->until_ms - picture->from_ms) / picture->period_ms);
    picture->blocks = calloc(all, sizeof *picture->blocks);
    picture->start_ms = calloc(all, sizeof *picture->start_ms);
    picture->sequence = calloc(all, sizeof *picture->sequence);
    assert(picture->blocks && picture->start_ms && picture->sequence);
    struct shown shown;
    show_all(picture, &shown);
    struct ts_rng rng;
    ts_rng_seed(&rng, picture->seed, 7);
    for (size_t n = 0; n < all; n++) {
        if (n >= picture->lose_from && n < picture->lose_from + picture->lose_count)
            continue;
        uint16_t *sums = malloc(blocks * sizeof *sums);
        assert(sums);
        const double start = picture->from_ms + (double)n * picture->period_ms;
        for (size_t block = 0; block < blocks; block++) {
            const double row = ((double)(block / across) + 0.5) / picture->camera.blocks_y;
            const double begin = start + picture->readout_ms * row;
            const double code = exposed_code(picture, &shown, block, begin);
            sums[block] = read_out(picture, code * row_gain(picture, begin), &rng);
        }
        picture->blocks[picture->frames] = sums;
        picture->start_ms[picture->frames] = start;
        picture->sequence[picture->frames++] = (uint32_t)n;
    }
    free(shown.codes);
}

void picture_free(struct picture *picture)
{
    for (size_t n = 0; n < picture->frames; n++)
        free(picture->blocks[n]);
    free(picture->blocks);
    free(picture->start_ms);
    free(picture->sequence);
    free(picture->ignore);
}

static bool in_endless(const struct picture *picture, size_t block)
{
    const size_t across = (size_t)picture->camera.blocks_x;
    for (size_t i = 0; i < picture->count; i++) {
        const struct picture_element *e = &picture->element[i];
        if (e->paint != PAINT_STILL &&
            overlap((double)(block % across) * TS_BLOCK_PX, TS_BLOCK_PX, e->x, e->w) > 0 &&
            overlap((double)(block / across) * TS_BLOCK_PX, TS_BLOCK_PX, e->y, e->h) > 0)
            return true;
    }
    return false;
}

/* The first refresh at which the block is half way through the first visible step after t0. */
static double first_of(const struct picture *picture, const struct shown *shown, size_t block)
{
    for (size_t i = 0; i < picture->count; i++) {
        const struct picture_element *e = &picture->element[i];
        if (e->from_ms < 0)
            continue;
        const double old = picture_code(picture, block, e->from_ms - 1e-6);
        const double new = picture_code(picture, block, e->from_ms + e->fade_ms + 1e-6);
        if (fabs(new - old) < 0.02 * 255)
            continue;
        for (long n = 0; n < shown->count; n++) {
            const double ms =
                (double)(n + shown->first) * picture->refresh_ms + picture->refresh_phase_ms;
            if (ms >= e->from_ms &&
                fabs(shown_code(picture, shown, block, ms) - old) >= fabs(new - old) / 2)
                return ms + scan_delay(picture, block);
        }
    }
    return NAN;
}

struct picture_reference picture_refer(const struct picture *picture)
{
    struct picture_reference reference = {NAN, NAN, false};
    const size_t blocks = (size_t)(picture->camera.blocks_x * picture->camera.blocks_y);
    struct shown shown;
    show_all(picture, &shown);
    for (size_t block = 0; block < blocks; block++) {
        if (picture->ignore && picture->ignore[block])
            continue;
        reference.first_ms = fmin(reference.first_ms, first_of(picture, &shown, block));
        if (in_endless(picture, block)) {
            reference.endless = true;
            continue;
        }
        const double final = shown.codes[(size_t)(shown.count - 1) * blocks + block];
        for (long n = shown.count - 1; n >= 0; n--) {
            if (fabs(shown.codes[(size_t)n * blocks + block] - final) <= 0.02 * 255)
                continue;
            const double ms = (double)(n + 1 + shown.first) * picture->refresh_ms +
                              picture->refresh_phase_ms + scan_delay(picture, block);
            if (ms > 0)
                reference.settled_ms = fmax(reference.settled_ms, ms);
            break;
        }
    }
    free(shown.codes);
    return reference;
}

struct ts_vision_frames picture_frames(const struct picture *picture, double quiet_ms)
{
    return (struct ts_vision_frames){
        .view =
            {
                .camera = &picture->camera,
                .period_ms = picture->period_ms,
                .exposure_ms = picture->exposure_ms,
                .readout_ms = picture->readout_ms,
                .gamma = picture->gamma,
                .start_u_ms = 0.2,
                .exposure_u_ms = 0.1,
                .readout_u_ms = 0.1,
                .ignore = picture->ignore,
                .stylus_from_ms = picture->stylus_from_ms,
                .stylus_down_ms = NAN,
                .stylus_up_ms = NAN,
                .quiet_ms = quiet_ms,
            },
        .count = picture->frames,
        .blocks = (const uint16_t *const *)picture->blocks,
        .start_ms = picture->start_ms,
        .sequence = picture->sequence,
    };
}
