/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leds.h"

#include "base/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH  320
#define HEIGHT 240
#define ACROSS (WIDTH / TS_BLOCK_PX)
#define DOWN   (HEIGHT / TS_BLOCK_PX)
#define BLOCKS ((size_t)ACROSS * DOWN)
#define FIRST  1000u
#define REACH  10 /* px around a LED that are made pixel by pixel */

struct film {
    struct ts_rng rng;
    double spot_px[TS_LED_COUNT], power[TS_LED_COUNT];
    double background; /* light */
    double flash_ms, flash_length_ms, after;
    double true_edge_ms[LEDS_EDGES_MOST];
};

double leds_frame_start_ms(const struct leds *leds, uint32_t sequence)
{
    return leds->start_ms + leds->period_ms * ((double)sequence - FIRST);
}

/* Share of an interval that a LED was lit, counted from the edges one by one. */
static double lit_share(const struct leds *leds, const struct film *film, int led, double from,
                        double length)
{
    double lit = 0;
    for (size_t i = 0; i < leds->edges; i++) {
        if (!(leds->edge[i].mask >> led & 1))
            continue;
        const double begin = fmax(from, film->true_edge_ms[i]);
        const double end =
            fmin(from + length, i + 1 < leds->edges ? film->true_edge_ms[i + 1] : 1e12);
        if (end > begin)
            lit += end - begin;
    }
    return lit / length;
}

static void draw(struct leds *leds, struct film *film)
{
    struct ts_rng *rng = &film->rng;
    ts_rng_seed(rng, leds->seed, 51);
    leds->period_ms = 8 * ts_rng_range(rng, 0.9995, 1.0005);
    leds->exposure_ms = ts_rng_range(rng, 2, 7);
    leds->readout_ms = ts_rng_range(rng, 6, 7.6);
    leds->gamma = ts_rng_range(rng, 1.8, 2.4);
    leds->latency_ms = ts_rng_range(rng, 0.5, 10);
    leds->start_ms = ts_rng_range(rng, -50, 50);
    for (int led = 0; led < TS_LED_COUNT; led++) {
        leds->x_px[led] = ts_rng_range(rng, 20, WIDTH - 20);
        leds->y_px[led] = led == 0 ? ts_rng_range(rng, 6, 22) : HEIGHT - ts_rng_range(rng, 6, 22);
        film->spot_px[led] = leds->spot_px > 0 ? leds->spot_px : ts_rng_range(rng, 1.5, 3);
        film->power[led] = ts_rng_range(rng, 0.4, 1.6); /* the core saturates above 1 */
    }
    film->background = ts_rng_range(rng, 0.003, 0.05);
    const double length = leds->period_ms * (double)leds->frames;
    film->flash_ms = leds->start_ms + length * ts_rng_range(rng, 0.2, 0.7);
    film->flash_length_ms = ts_rng_range(rng, 30, 200);
    film->after = ts_rng_range(rng, 0.01, 0.05);
}

static void draw_edges(struct leds *leds, struct film *film)
{
    struct ts_rng *rng = &film->rng;
    double at = leds->start_ms + 60;
    unsigned mask = ts_rng_below(rng, 4);
    for (size_t i = 0; i < leds->edges; i++) {
        at += leds->spacing_ms * ts_rng_range(rng, 0.3, 1.7);
        mask ^= 1u << ts_rng_below(rng, 2);
        film->true_edge_ms[i] = at;
        leds->edge[i] = (struct ts_sync_edge){.ms = floor(at * 2000) / 2000, .mask = mask};
    }
    if (leds->wrong_edge)
        leds->edge[leds->edges / 2].ms += 2.5;
}

static unsigned to_code(struct film *film, double light, double gamma)
{
    const double code = 255 * pow(fmin(1, light), 1 / gamma) + 2 * ts_rng_normal(&film->rng);
    return (unsigned)lround(fmax(0, fmin(255, code)));
}

/* shares: of the LED's light in each of the block's rows. */
static uint16_t expose_block(const struct leds *leds, struct film *film, int led, int bx, int by,
                             double ambient, const double *shares)
{
    unsigned sum = 0;
    for (int k = 0; k < TS_BLOCK_PX; k++) {
        const double below = by * TS_BLOCK_PX + k + 0.5 - leds->y_px[led];
        for (int x = bx * TS_BLOCK_PX; x < (bx + 1) * TS_BLOCK_PX; x++) {
            const double aside = x + 0.5 - leds->x_px[led];
            const double width = 2 * film->spot_px[led] * film->spot_px[led];
            const double shape = film->power[led] * exp(-(aside * aside + below * below) / width);
            sum += to_code(film, ambient + shares[k] * shape, leds->gamma);
        }
    }
    return (uint16_t)sum;
}

static void expose(const struct leds *leds, struct film *film, double start, uint16_t *blocks)
{
    const double since = start - film->flash_ms;
    double extra = 0, screen = 2500;
    if (leds->flash && since > 0) {
        extra = since < film->flash_length_ms ? 0.1 : film->after;
        screen = since < film->flash_length_ms ? 6200 : 4000;
    }
    for (size_t b = 0; leds->whole_picture && b < BLOCKS; b++) {
        const bool moving =
            leds->video && b % ACROSS > 20 && b % ACROSS < 40 && b / ACROSS > 10 && b / ACROSS < 35;
        const double level = moving ? 6000 * ts_rng_uniform(&film->rng) : screen;
        blocks[b] = (uint16_t)(level + 10 * ts_rng_normal(&film->rng));
    }
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const int x0 = (int)(leds->x_px[led] - REACH) / TS_BLOCK_PX;
        const int x1 = (int)(leds->x_px[led] + REACH) / TS_BLOCK_PX;
        const int y0 = (int)fmax(0, leds->y_px[led] - REACH) / TS_BLOCK_PX;
        const int y1 = (int)fmin(HEIGHT - 1, leds->y_px[led] + REACH) / TS_BLOCK_PX;
        for (int y = y0; y <= y1; y++) {
            double shares[TS_BLOCK_PX] = {0};
            for (int k = 0; k < TS_BLOCK_PX && !(leds->hidden >> led & 1); k++) {
                const double row = y * TS_BLOCK_PX + k;
                shares[k] = lit_share(leds, film, led, start + leds->readout_ms * row / HEIGHT,
                                      leds->exposure_ms);
            }
            for (int x = x0; x <= x1; x++)
                blocks[y * ACROSS + x] =
                    expose_block(leds, film, led, x, y, film->background + extra, shares);
        }
    }
}

void leds_film(struct leds *leds)
{
    static struct film film;
    memset(&film, 0, sizeof film);
    draw(leds, &film);
    draw_edges(leds, &film);
    leds->camera = (struct ts_camera_geometry){WIDTH, HEIGHT, ACROSS, DOWN, 8000000};
    uint16_t *memory = calloc(leds->frames * BLOCKS, sizeof *memory);
    const uint16_t **blocks = calloc(leds->frames, sizeof *blocks);
    uint32_t *sequence = calloc(leds->frames, sizeof *sequence);
    double *arrival = calloc(leds->frames, sizeof *arrival);
    size_t n = 0;
    for (uint32_t number = 0; number < leds->frames; number++) {
        if (ts_rng_uniform(&film.rng) < leds->lost)
            continue;
        const double start = leds->start_ms + leds->period_ms * number;
        expose(leds, &film, start, memory + n * BLOCKS);
        blocks[n] = memory + n * BLOCKS;
        sequence[n] = FIRST + number;
        arrival[n] = start + leds->readout_ms + leds->exposure_ms + leds->latency_ms +
                     leds->arrival_off_ms - 0.4 * log(1 - ts_rng_uniform(&film.rng)) +
                     (ts_rng_below(&film.rng, 100) == 0 ? ts_rng_range(&film.rng, 0, 20) : 0);
        n++;
    }
    leds->view = (struct ts_sync_frames){&leds->camera, n, blocks, sequence, arrival};
}

void leds_close(struct leds *leds)
{
    free((void *)(uintptr_t)leds->view.blocks[0]);
    free((void *)(uintptr_t)leds->view.blocks);
    free((void *)(uintptr_t)leds->view.sequence);
    free((void *)(uintptr_t)leds->view.arrival_ms);
    leds->view = (struct ts_sync_frames){0};
}
