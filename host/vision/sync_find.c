/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the sync LEDs show. Everything else in the picture may change too, so what counts is not
 * how much a block changes but whether it does so when a LED does: the correlation between the
 * block's change from frame to frame and the LED's, which one bright flash cannot fake. */
#include "vision/sync.h"
#include "vision/sync_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FRAMES_MOST    512    /* enough for every procedure; more only costs time */
#define LATENCY_LEAST  (-6.0) /* arrival less exposure start of the LED's row, ms */
#define LATENCY_MOST   42.0
#define LATENCY_STEP   1.0
#define FOLLOWS        0.5   /* correlation of a LED's block */
#define FOLLOWS_BESIDE 0.3   /* of a block beside the brightest one */
#define SHARE_LEAST    0.05  /* of the brightest block's step */
#define STEP_LEAST     100.0 /* 4 codes of 255, summed over a block */

struct search {
    const struct ts_sync_frames *frames;
    size_t count; /* frames looked at */
    size_t blocks;
    struct ts_led_track tracks[TS_LED_COUNT];
    struct ts_arrival_line line;
    double exposure_ms, gamma;
    float *change;        /* [blocks][count] of the block from the frame before */
    float *expected;      /* [TS_LED_COUNT][count] likewise of the LED, 0..1 */
    float *led_level;     /* [TS_LED_COUNT][count] */
    float *energy;        /* [blocks] sum of squares of change */
    float *follow, *step; /* [TS_LED_COUNT][blocks] correlation, regression coefficient */
};

static int open_search(struct search *search, const struct ts_sync_frames *frames,
                       const struct ts_sync_edge *edges, size_t edge_count)
{
    search->count = frames->count < FRAMES_MOST ? frames->count : FRAMES_MOST;
    search->blocks = (size_t)frames->camera->blocks_x * (size_t)frames->camera->blocks_y;
    const size_t n = search->count, b = search->blocks;
    float *memory =
        calloc(b * n + 2 * TS_LED_COUNT * n + b + 2 * TS_LED_COUNT * b + 1, sizeof *memory);
    if (!memory)
        return TS_ENOMEM;
    search->change = memory;
    search->expected = search->change + b * n;
    search->led_level = search->expected + TS_LED_COUNT * n;
    search->energy = search->led_level + TS_LED_COUNT * n;
    search->follow = search->energy + b;
    search->step = search->follow + TS_LED_COUNT * b;
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const int err = ts_led_track_open(&search->tracks[led], edges, edge_count, led);
        if (err)
            return err;
    }
    return TS_OK;
}

static void close_search(struct search *search)
{
    free(search->change);
    for (int led = 0; led < TS_LED_COUNT; led++)
        ts_led_track_close(&search->tracks[led]);
}

/* Changes larger than several typical ones are cut: a flash of the screen is no LED. */
static void take_changes(struct search *search)
{
    for (size_t b = 0; b < search->blocks; b++) {
        float *change = search->change + b * search->count;
        double sum = 0;
        for (size_t i = 1; i < search->count; i++) {
            change[i] =
                (float)search->frames->blocks[i][b] - (float)search->frames->blocks[i - 1][b];
            sum += fabsf(change[i]);
        }
        const float most = (float)(12 * sum / (double)search->count);
        double energy = 0;
        for (size_t i = 1; i < search->count; i++) {
            change[i] = fminf(fmaxf(change[i], -most), most);
            energy += change[i] * change[i];
        }
        search->energy[b] = (float)energy;
    }
}

/* What a LED would show in each frame if its row's exposure began `latency` before arrival. */
static double expect(struct search *search, int led, double latency)
{
    float *level = search->led_level + (size_t)led * search->count;
    float *expected = search->expected + (size_t)led * search->count;
    size_t hint = 0;
    double energy = 0;
    for (size_t i = 0; i < search->count; i++) {
        const double from = search->line.first_ms - latency +
                            search->line.period_ms * ts_frame_number(search->frames, i);
        const double share =
            ts_led_track_share(&search->tracks[led], from, search->exposure_ms, &hint);
        level[i] = (float)(share > 0 && share < 1 ? pow(share, 1 / search->gamma) : share);
        const bool known = i > 0 && !isnan(level[i]) && !isnan(level[i - 1]);
        expected[i] = known ? level[i] - level[i - 1] : 0;
        energy += expected[i] * expected[i];
    }
    return energy;
}

/* Each block keeps the latency at which it follows the LED best. */
static void correlate(struct search *search, int led, double latency)
{
    const double energy = expect(search, led, latency);
    const float *expected = search->expected + (size_t)led * search->count;
    float *follow = search->follow + (size_t)led * search->blocks;
    float *step = search->step + (size_t)led * search->blocks;
    if (energy <= 0)
        return;
    for (size_t b = 0; b < search->blocks; b++) {
        /* A block that changes so little cannot have a LED's step. */
        if (search->energy[b] < FOLLOWS * STEP_LEAST * STEP_LEAST * energy)
            continue;
        const float *change = search->change + b * search->count;
        float product = 0;
        for (size_t i = 0; i < search->count; i++)
            product += change[i] * expected[i];
        if (product <= 0)
            continue;
        const double r = product / sqrt(energy * search->energy[b]);
        if (r > follow[b]) {
            follow[b] = (float)r;
            step[b] = (float)(product / energy);
        }
    }
}

/* The brightest block that follows this LED, and the other one less. */
static long brightest(const struct search *search, int led)
{
    const float *follow = search->follow + (size_t)led * search->blocks;
    const float *other = search->follow + (size_t)(1 - led) * search->blocks;
    const float *step = search->step + (size_t)led * search->blocks;
    long best = -1;
    for (size_t b = 0; b < search->blocks; b++) {
        if (follow[b] < FOLLOWS || follow[b] < 1.5f * other[b] || step[b] < STEP_LEAST)
            continue;
        if (best < 0 || step[b] * follow[b] > step[best] * follow[best])
            best = (long)b;
    }
    return best;
}

static void add_sorted(struct ts_led_view *view, const float *step, int block, int *count)
{
    int at = (*count)++;
    for (; at > 0 && step[view->blocks[at - 1]] < step[block]; at--)
        view->blocks[at] = view->blocks[at - 1];
    view->blocks[at] = block;
}

/* The blocks around the brightest one that follow it: a LED and its halo cover 3 x 3 at most;
 * reflections farther off do as they like. */
static void view_led(const struct search *search, int led, long centre, struct ts_led_view *view)
{
    const struct ts_camera_geometry *camera = search->frames->camera;
    const float *follow = search->follow + (size_t)led * search->blocks;
    const float *step = search->step + (size_t)led * search->blocks;
    const int cx = (int)centre % camera->blocks_x, cy = (int)centre / camera->blocks_x;
    int count = 0;
    double sum = 0, x_sum = 0, y_sum = 0;
    *view = (struct ts_led_view){.seen = true};
    for (int y = cy - 1; y <= cy + 1; y++) {
        for (int x = cx - 1; x <= cx + 1; x++) {
            if (x < 0 || y < 0 || x >= camera->blocks_x || y >= camera->blocks_y)
                continue;
            const int block = y * camera->blocks_x + x;
            if (follow[block] < FOLLOWS_BESIDE || step[block] < SHARE_LEAST * step[centre] ||
                step[block] < STEP_LEAST)
                continue;
            add_sorted(view, step, block, &count);
            sum += step[block];
            x_sum += step[block] * (x + 0.5);
            y_sum += step[block] * (y + 0.5);
        }
    }
    for (int i = count; i < 12; i++)
        view->blocks[i] = -1;
    view->block_x = x_sum / sum;
    view->block_y = y_sum / sum;
    view->row_px = view->block_y * TS_BLOCK_PX;
}

static int by_value(const void *left, const void *right)
{
    const float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* Dark and lit: medians over the frames that are wholly so at the latency that fits best. */
static void levels(struct search *search, int led, struct ts_led_view *view)
{
    double best = -1, latency = 0;
    const float *change = search->change + (size_t)view->blocks[0] * search->count;
    const float *expected = search->expected + (size_t)led * search->count;
    for (double at = LATENCY_LEAST; at <= LATENCY_MOST; at += LATENCY_STEP) {
        const double energy = expect(search, led, at);
        double product = 0;
        for (size_t i = 0; i < search->count; i++)
            product += change[i] * expected[i];
        if (energy > 0 && product / sqrt(energy) > best) {
            best = product / sqrt(energy);
            latency = at;
        }
    }
    (void)expect(search, led, latency);
    const float *level = search->led_level + (size_t)led * search->count;
    float *sorted = search->expected; /* done with */
    for (int lit = 0; lit <= 1; lit++) {
        size_t n = 0;
        for (size_t i = 0; i < search->count; i++) {
            if (!(lit ? level[i] >= 1 : level[i] <= 0))
                continue;
            unsigned sum = 0;
            for (int k = 0; k < 12 && view->blocks[k] >= 0; k++)
                sum += search->frames->blocks[i][view->blocks[k]];
            sorted[n++] = (float)sum;
        }
        qsort(sorted, n, sizeof *sorted, by_value);
        *(lit ? &view->on : &view->off) = n > 0 ? sorted[n / 2] : 0;
    }
}

int ts_sync_find_leds(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                      size_t edge_count, struct ts_calibration *calibration, struct ts_why *why)
{
    static const char *const names[TS_LED_COUNT] = {"first", "second"};
    struct search search = {.frames = frames,
                            .exposure_ms = calibration->exposure_ms,
                            .gamma = calibration->gamma > 0 ? calibration->gamma : 2.2};
    struct ts_led_view views[TS_LED_COUNT];
    int err = ts_arrival_line(frames, &search.line, why);
    if (!err)
        err = open_search(&search, frames, edges, edge_count);
    if (err)
        goto end;
    take_changes(&search);
    for (int led = 0; led < TS_LED_COUNT; led++)
        for (double at = LATENCY_LEAST; at <= LATENCY_MOST; at += LATENCY_STEP)
            correlate(&search, led, at);
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const long centre = brightest(&search, led);
        if (centre < 0) {
            err = ts_fail(why, TS_EPROTO,
                          "the %s sync LED does not show: is it in the picture, lit, and not "
                          "covered? (%zu edges, %zu frames)",
                          names[led], edge_count, frames->count);
            goto end;
        }
        view_led(&search, led, centre, &views[led]);
    }
    for (int led = 0; led < TS_LED_COUNT; led++) {
        levels(&search, led, &views[led]);
        calibration->led[led] = views[led];
    }
end:
    close_search(&search);
    return err;
}
