/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Mains light and pulse-width dimmed displays modulate brightness by a per cent or two, in bands
 * that roll over the picture. The modulation is periodic, so it is fitted where nothing else
 * happens (the quiet tail) and predicted everywhere else. A gain estimated frame by frame from
 * blocks that seem steady was rejected: the end of a slow fade over the whole screen looks exactly
 * like such a gain, and would be taken out with it. */
#include "vision/changes_series.h"

#include "vision/blocks.h"

#include <math.h>
#include <stdlib.h>

#define TWO_PI            6.283185307179586
#define FLICKER_LOW_HZ    12
#define FLICKER_HIGH_HZ   400
#define FLICKER_AMPLITUDE 0.0012 /* weaker ones do not matter */
#define TAIL_LEAST        40     /* frames */
#define STEADY_CODES      5.0    /* a block that ranges over less in the tail is steady */
#define STEADY_SHARE      0.07
#define PARTS             4 /* of the tail, whose means agree: a step is no flicker */
#define PARTS_CODES       1.0
#define PARTS_SHARE       0.005
#define STEADY_LEAST      20.0 /* codes: darker blocks say nothing about a gain */
#define ROW_LEAST         6.0  /* steady blocks for a row's own phase */

double ts_series_quantile(double *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = values[(low + high) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            const double swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

double ts_series_begin_ms(const struct ts_series *series, size_t frame, size_t block)
{
    const double row = ts_block_row_px(block, series->across);
    return series->frames->start_ms[frame] +
           series->frames->readout_ms * row / series->frames->camera->height_px;
}

double ts_series_end_ms(const struct ts_series *series)
{
    const struct ts_old_frames *frames = series->frames;
    return frames->start_ms[frames->count - 1] + frames->readout_ms + frames->exposure_ms;
}

/* What is being fitted: the tail's relative brightness, row by row of blocks. */
struct tail {
    const struct ts_series *series;
    size_t count;
    double *ratio;  /* [count][down]: relative brightness - 1 */
    double *weight; /* [down]: steady blocks */
    double row_ms;  /* from one row of blocks to the next */
};

static double tail_ms(const struct tail *tail, size_t n)
{
    return tail->series->frames->start_ms[tail->series->tail + n];
}

static bool block_mean_when_steady(const struct tail *tail, size_t block, double *mean)
{
    const struct ts_series *series = tail->series;
    const uint8_t *ignore = series->frames->ignore;
    if (ignore && ignore[block])
        return false;
    double low = 255, high = 0, sum[PARTS] = {0}, parts_low = 255, parts_high = 0;
    const size_t part = tail->count / PARTS;
    for (size_t n = 0; n < part * PARTS; n++) {
        const double code = ts_series_code(series, series->tail + n, block);
        low = fmin(low, code);
        high = fmax(high, code);
        sum[n / part] += code / (double)part;
    }
    *mean = 0;
    for (size_t i = 0; i < PARTS; i++) {
        parts_low = fmin(parts_low, sum[i]);
        parts_high = fmax(parts_high, sum[i]);
        *mean += sum[i] / PARTS;
    }
    return *mean > STEADY_LEAST && high - low < STEADY_CODES + STEADY_SHARE * *mean &&
           parts_high - parts_low < PARTS_CODES + PARTS_SHARE * *mean;
}

static void fill_tail(struct tail *tail)
{
    const struct ts_series *series = tail->series;
    for (size_t row = 0; row < series->down; row++) {
        double total = 0;
        for (size_t x = 0; x < series->across; x++) {
            const size_t block = row * series->across + x;
            double mean;
            if (!block_mean_when_steady(tail, block, &mean))
                continue;
            tail->weight[row]++;
            total += mean;
            for (size_t n = 0; n < tail->count; n++)
                tail->ratio[n * series->down + row] +=
                    ts_series_code(series, series->tail + n, block);
        }
        for (size_t n = 0; n < tail->count; n++) {
            double *ratio = &tail->ratio[n * series->down + row];
            *ratio = total > 0 ? *ratio / total - 1 : 0;
        }
    }
}

struct phasor {
    double re, im;
};

/* Amplitude phasor of the tail at one frequency, all rows together. */
static struct phasor tail_phasor(const struct tail *tail, double hz)
{
    const size_t down = tail->series->down;
    const double omega = TWO_PI * hz / 1000;
    const double turn_re = cos(omega * tail->row_ms), turn_im = -sin(omega * tail->row_ms);
    struct phasor sum = {0, 0};
    double weights = 0;
    for (size_t n = 0; n < tail->count; n++) {
        const double angle = omega * tail_ms(tail, n);
        double re = cos(angle), im = -sin(angle);
        for (size_t row = 0; row < down; row++) {
            const double value = tail->weight[row] * tail->ratio[n * down + row];
            sum.re += value * re;
            sum.im += value * im;
            const double next = re * turn_re - im * turn_im;
            im = re * turn_im + im * turn_re;
            re = next;
            weights += tail->weight[row];
        }
    }
    if (weights > 0) {
        sum.re *= 2 / weights;
        sum.im *= 2 / weights;
    }
    return sum;
}

static double strongest_hz(const struct tail *tail, double from, double to, double step)
{
    double best = from, best_power = -1;
    for (double hz = from; hz <= to; hz += step) {
        const struct phasor p = tail_phasor(tail, hz);
        const double power = p.re * p.re + p.im * p.im;
        if (power > best_power) {
            best_power = power;
            best = hz;
        }
    }
    return best;
}

/* A row's own a cos + b sin + c by least squares; a constant belongs to the picture. */
static bool fit_row(const struct tail *tail, size_t row, double hz, double *a, double *b)
{
    const size_t down = tail->series->down;
    const double count = (double)tail->count;
    double c1 = 0, s1 = 0, cc = 0, ss = 0, cs = 0, y1 = 0, yc = 0, ys = 0;
    for (size_t n = 0; n < tail->count; n++) {
        const double angle = TWO_PI * hz / 1000 * tail_ms(tail, n);
        const double c = cos(angle), s = sin(angle), y = tail->ratio[n * down + row];
        c1 += c, s1 += s, cc += c * c, ss += s * s, cs += c * s;
        y1 += y, yc += y * c, ys += y * s;
    }
    cc -= c1 * c1 / count, ss -= s1 * s1 / count, cs -= c1 * s1 / count;
    yc -= c1 * y1 / count, ys -= s1 * y1 / count;
    const double det = cc * ss - cs * cs;
    if (tail->weight[row] < ROW_LEAST || det < 0.02 * count * count)
        return false;
    *a = (yc * ss - ys * cs) / det;
    *b = (ys * cc - yc * cs) / det;
    return true;
}

static int fit_flicker(struct tail *tail, double hz, struct ts_flicker *flicker)
{
    const struct ts_old_frames *frames = tail->series->frames;
    const size_t down = tail->series->down, from = tail->series->tail;
    flicker->hz = hz;
    flicker->in_phase = calloc(down, sizeof *flicker->in_phase);
    flicker->quadrature = calloc(down, sizeof *flicker->quadrature);
    flicker->cosine = calloc(frames->count, sizeof *flicker->cosine);
    flicker->sine = calloc(frames->count, sizeof *flicker->sine);
    if (!flicker->in_phase || !flicker->quadrature || !flicker->cosine || !flicker->sine)
        return TS_ENOMEM;
    const double omega = TWO_PI * hz / 1000;
    for (size_t n = 0; n < frames->count; n++) {
        flicker->cosine[n] = cos(omega * frames->start_ms[n]);
        flicker->sine[n] = sin(omega * frames->start_ms[n]);
    }
    const struct phasor whole = tail_phasor(tail, hz);
    for (size_t row = 0; row < down; row++) {
        double *a = &flicker->in_phase[row], *b = &flicker->quadrature[row];
        if (!fit_row(tail, row, hz, a, b)) {
            const double delay = omega * tail->row_ms * (double)row;
            *a = whole.re * cos(delay) - whole.im * sin(delay);
            *b = -whole.re * sin(delay) - whole.im * cos(delay);
        }
        for (size_t n = 0; n < tail->count; n++)
            tail->ratio[n * down + row] -=
                *a * flicker->cosine[from + n] + *b * flicker->sine[from + n];
    }
    return TS_OK;
}

static int fit_flickers(struct ts_series *series, struct tail *tail)
{
    const double seconds = (tail_ms(tail, tail->count - 1) - tail_ms(tail, 0)) / 1000;
    const double step = 0.3 / seconds;
    while (series->flickers < TS_SERIES_FLICKERS) {
        double hz = strongest_hz(tail, FLICKER_LOW_HZ, FLICKER_HIGH_HZ, step);
        hz = strongest_hz(tail, hz - step, hz + step, step / 30);
        const struct phasor p = tail_phasor(tail, hz);
        if (hypot(p.re, p.im) < FLICKER_AMPLITUDE)
            break;
        const int err = fit_flicker(tail, hz, &series->flicker[series->flickers++]);
        if (err)
            return err;
    }
    return TS_OK;
}

int ts_series_open(struct ts_series *series, const struct ts_old_frames *frames)
{
    const struct ts_camera_geometry *camera = frames->camera;
    *series = (struct ts_series){
        .frames = frames, .across = (size_t)camera->blocks_x, .down = (size_t)camera->blocks_y};
    series->blocks = series->across * series->down;
    const double last = frames->start_ms[frames->count - 1];
    size_t tail_from = frames->count - 1;
    while (tail_from > 0 && frames->start_ms[tail_from - 1] >= last - frames->quiet_ms)
        tail_from--;
    series->tail = tail_from;

    struct tail tail = {series, frames->count - tail_from, NULL, NULL,
                        frames->readout_ms * TS_BLOCK_PX / camera->height_px};
    if (tail.count < TAIL_LEAST)
        return TS_OK;
    tail.ratio = calloc(tail.count * series->down, sizeof *tail.ratio);
    tail.weight = calloc(series->down, sizeof *tail.weight);
    int err = TS_ENOMEM;
    if (!tail.ratio || !tail.weight)
        goto end;
    fill_tail(&tail);
    err = fit_flickers(series, &tail);
end:
    free(tail.ratio);
    free(tail.weight);
    if (err)
        ts_series_close(series);
    return err;
}

void ts_series_close(struct ts_series *series)
{
    for (size_t i = 0; i < series->flickers; i++) {
        free(series->flicker[i].in_phase);
        free(series->flicker[i].quadrature);
        free(series->flicker[i].cosine);
        free(series->flicker[i].sine);
    }
    series->flickers = 0;
}

void ts_series_read(const struct ts_series *series, size_t block, double *values)
{
    const struct ts_old_frames *frames = series->frames;
    const size_t row = block / series->across;
    for (size_t n = 0; n < frames->count; n++) {
        double gain = 1;
        for (size_t i = 0; i < series->flickers; i++) {
            const struct ts_flicker *flicker = &series->flicker[i];
            gain += flicker->in_phase[row] * flicker->cosine[n] +
                    flicker->quadrature[row] * flicker->sine[n];
        }
        values[n] = ts_series_code(series, n, block) / gain;
    }
}
