/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modulation is periodic, so it is fitted where nothing else happens and predicted everywhere
 * else. A gain estimated frame by frame from blocks that seem steady was rejected: the end of a
 * slow fade over the whole screen looks exactly like such a gain, and would be taken out with it.
 * Sampled by the frame rate, a frequency above half of it shows as a lower one, the same in all
 * rows; so only those need be searched. */
#include "vision/flicker.h"

#include "vision/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TWO_PI       6.283185307179586
#define LOW_TURNS    0.8    /* over the frames; fewer look like drift */
#define AMPLITUDE    0.0012 /* weaker ones do not matter */
#define FRAMES_LEAST 24
#define FRAMES_SURE  60
#define SURE_SHARE   0.3  /* of a row's blocks */
#define SURE_ROWS    0.7  /* of the rows */
#define STEADY_CODES 5.0f /* a block that ranges over less is steady */
#define STEADY_SHARE 0.2f
#define PARTS        4 /* whose means agree: a step is no flicker */
#define PARTS_CODES  1.0f
#define PARTS_SHARE  0.005f
#define STEADY_LEAST 20.0f /* codes: darker blocks say nothing about a gain */
#define ROW_LEAST    6.0f  /* steady blocks for a row's own phase */

int ts_flicker_open(struct ts_flicker *flicker, const struct ts_window *window)
{
    *flicker = (struct ts_flicker){.down = window->down};
    bool fine = true;
    for (size_t i = 0; i < TS_FLICKERS; i++) {
        flicker->cosine[i] = calloc(window->down, sizeof(float));
        flicker->sine[i] = calloc(window->down, sizeof(float));
        fine = fine && flicker->cosine[i] && flicker->sine[i];
    }
    flicker->ratio = ts_memory_zeroed(window->capacity * window->down, sizeof(float));
    flicker->weight = calloc(window->down, sizeof(float));
    flicker->turn = calloc(2 * window->down, sizeof(float));
    if (fine && flicker->ratio && flicker->weight && flicker->turn)
        return TS_OK;
    ts_flicker_close(flicker);
    return TS_ENOMEM;
}

void ts_flicker_close(struct ts_flicker *flicker)
{
    for (size_t i = 0; i < TS_FLICKERS; i++) {
        free(flicker->cosine[i]);
        free(flicker->sine[i]);
    }
    free(flicker->ratio);
    free(flicker->weight);
    free(flicker->turn);
    *flicker = (struct ts_flicker){0};
}

void ts_flicker_copy(struct ts_flicker *to, const struct ts_flicker *from)
{
    to->count = from->count;
    to->sure = from->sure;
    to->zero_ms = from->zero_ms;
    for (size_t i = 0; i < TS_FLICKERS; i++) {
        to->hz[i] = from->hz[i];
        memcpy(to->cosine[i], from->cosine[i], from->down * sizeof *from->cosine[i]);
        memcpy(to->sine[i], from->sine[i], from->down * sizeof *from->sine[i]);
    }
}

/* What is being fitted: the relative brightness of some frames, row by row of blocks. */
struct tail {
    struct ts_flicker *flicker;
    const struct ts_window *window;
    size_t from, count;
    double zero_ms;
};

static double tail_ms(const struct tail *tail, size_t n)
{
    return ts_window_start_ms(tail->window, tail->from + n) - tail->zero_ms;
}

static bool is_steady(const struct tail *tail, size_t block, float *mean)
{
    float low = 255, high = 0, sum[PARTS] = {0}, parts_low = 255, parts_high = 0;
    const size_t part = tail->count / PARTS;
    for (size_t i = 0; i < PARTS; i++) {
        for (size_t n = i * part; n < (i + 1) * part; n++) {
            const float code = ts_window_code(tail->window, tail->from + n, block);
            low = fminf(low, code);
            high = fmaxf(high, code);
            sum[i] += code;
        }
    }
    *mean = 0;
    for (size_t i = 0; i < PARTS; i++) {
        sum[i] /= (float)part;
        parts_low = fminf(parts_low, sum[i]);
        parts_high = fmaxf(parts_high, sum[i]);
        *mean += sum[i] / PARTS;
    }
    return *mean > STEADY_LEAST && high < 250 && high - low < STEADY_CODES + STEADY_SHARE * *mean &&
           parts_high - parts_low < PARTS_CODES + PARTS_SHARE * *mean;
}

static bool fill(const struct tail *tail, const uint8_t *skip)
{
    bool any = false;
    const struct ts_window *window = tail->window;
    struct ts_flicker *flicker = tail->flicker;
    memset(flicker->ratio, 0, tail->count * flicker->down * sizeof *flicker->ratio);
    for (size_t row = 0; row < flicker->down; row++) {
        float total = 0;
        flicker->weight[row] = 0;
        for (size_t block = row * window->across; block < (row + 1) * window->across; block++) {
            float mean;
            if (skip[block] || !is_steady(tail, block, &mean))
                continue;
            flicker->weight[row]++;
            total += mean;
            for (size_t n = 0; n < tail->count; n++)
                flicker->ratio[n * flicker->down + row] +=
                    ts_window_code(window, tail->from + n, block);
        }
        for (size_t n = 0; n < tail->count; n++) {
            float *ratio = &flicker->ratio[n * flicker->down + row];
            *ratio = total > 0 ? *ratio / total - 1 : 0;
        }
        any = any || flicker->weight[row] >= ROW_LEAST;
    }
    return any;
}

/* Mean over the rows of their squared amplitude at one frequency. */
static double power_at(const struct tail *tail, double hz)
{
    const struct ts_flicker *flicker = tail->flicker;
    const size_t down = flicker->down;
    float *re = flicker->turn, *im = flicker->turn + down;
    memset(flicker->turn, 0, 2 * down * sizeof *flicker->turn);
    for (size_t n = 0; n < tail->count; n++) {
        const double angle = TWO_PI * hz / 1000 * tail_ms(tail, n);
        const float c = (float)cos(angle), s = (float)sin(angle);
        const float *ratio = flicker->ratio + n * down;
        for (size_t row = 0; row < down; row++) {
            re[row] += ratio[row] * c;
            im[row] += ratio[row] * s;
        }
    }
    double power = 0, weights = 0;
    for (size_t row = 0; row < down; row++) {
        const double weight = (double)flicker->weight[row], x = (double)re[row],
                     y = (double)im[row];
        power += weight * (x * x + y * y);
        weights += weight;
    }
    const double count = (double)tail->count;
    return weights > 0 ? 4 * power / (weights * count * count) : 0;
}

/* The power that noise alone would have at any frequency. */
static double noise_power(const struct tail *tail)
{
    const struct ts_flicker *flicker = tail->flicker;
    double squares = 0, weights = 0;
    for (size_t n = 0; n < tail->count; n++) {
        for (size_t row = 0; row < flicker->down; row++) {
            const double ratio = (double)flicker->ratio[n * flicker->down + row];
            squares += (double)flicker->weight[row] * ratio * ratio;
            weights += (double)flicker->weight[row];
        }
    }
    return weights > 0 ? 4 * squares / (weights * (double)tail->count) : 0;
}

static double strongest_hz(const struct tail *tail, double from, double to, double step,
                           double *power)
{
    double best = from;
    *power = -1;
    for (double hz = from; hz <= to; hz += step) {
        const double here = power_at(tail, hz);
        if (here > *power) {
            *power = here;
            best = hz;
        }
    }
    return best;
}

/* A row's own a cos + b sin + c by least squares; the constant belongs to the picture. */
static bool fit_row(const struct tail *tail, size_t row, double hz, double *a, double *b)
{
    const struct ts_flicker *flicker = tail->flicker;
    const double count = (double)tail->count;
    double c1 = 0, s1 = 0, cc = 0, ss = 0, cs = 0, y1 = 0, yc = 0, ys = 0;
    if (flicker->weight[row] < ROW_LEAST)
        return false;
    for (size_t n = 0; n < tail->count; n++) {
        const double angle = TWO_PI * hz / 1000 * tail_ms(tail, n);
        const double c = cos(angle), s = sin(angle);
        const double y = (double)flicker->ratio[n * flicker->down + row];
        c1 += c, s1 += s, cc += c * c, ss += s * s, cs += c * s;
        y1 += y, yc += y * c, ys += y * s;
    }
    cc -= c1 * c1 / count, ss -= s1 * s1 / count, cs -= c1 * s1 / count;
    yc -= c1 * y1 / count, ys -= s1 * y1 / count;
    const double det = cc * ss - cs * cs;
    if (det < 0.02 * count * count) { /* at half of the frame rate there is one phase only */
        *a = cc > ss ? yc / cc : 0;
        *b = cc > ss ? 0 : ys / ss;
        return cc + ss > 0.1 * count;
    }
    *a = (yc * ss - ys * cs) / det;
    *b = (ys * cc - yc * cs) / det;
    return true;
}

static void subtract(const struct tail *tail, size_t which)
{
    struct ts_flicker *flicker = tail->flicker;
    for (size_t n = 0; n < tail->count; n++) {
        const double angle = TWO_PI * flicker->hz[which] / 1000 * tail_ms(tail, n);
        const float c = (float)cos(angle), s = (float)sin(angle);
        for (size_t row = 0; row < flicker->down; row++)
            flicker->ratio[n * flicker->down + row] -=
                c * flicker->cosine[which][row] + s * flicker->sine[which][row];
    }
}

/* Rows in which nothing steady is bright enough take their neighbour's. */
static void fit_rows(const struct tail *tail, size_t which, double hz)
{
    struct ts_flicker *flicker = tail->flicker;
    bool known = false;
    double a = 0, b = 0;
    size_t first = 0;
    for (size_t row = 0; row < flicker->down; row++) {
        if (fit_row(tail, row, hz, &a, &b) && !known) {
            known = true;
            first = row;
        }
        flicker->cosine[which][row] = (float)a;
        flicker->sine[which][row] = (float)b;
    }
    for (size_t row = 0; row < first; row++) {
        flicker->cosine[which][row] = flicker->cosine[which][first];
        flicker->sine[which][row] = flicker->sine[which][first];
    }
    flicker->hz[which] = hz;
    subtract(tail, which);
}

/* The frequencies stay as they are; rows that can tell say anew how strong they are. */
static void fit_again(const struct tail *tail)
{
    struct ts_flicker *flicker = tail->flicker;
    for (size_t which = 0; which < flicker->count; which++) {
        for (size_t row = 0; row < flicker->down; row++) {
            double a, b;
            if ((double)flicker->weight[row] < SURE_SHARE * (double)tail->window->across ||
                !fit_row(tail, row, flicker->hz[which], &a, &b))
                continue;
            flicker->cosine[which][row] = (float)a;
            flicker->sine[which][row] = (float)b;
        }
        subtract(tail, which);
    }
}

static bool most_rows_tell(const struct ts_flicker *flicker)
{
    size_t rows = 0;
    for (size_t row = 0; row < flicker->down; row++)
        rows += flicker->weight[row] >= ROW_LEAST;
    return (double)rows > SURE_ROWS * (double)flicker->down;
}

void ts_flicker_learn(struct ts_flicker *flicker, const struct ts_window *window, size_t from,
                      size_t to, const uint8_t *skip)
{
    if (to > window->count || from + FRAMES_LEAST > to)
        return;
    const double zero_ms = flicker->sure ? flicker->zero_ms : ts_window_start_ms(window, from);
    const struct tail tail = {flicker, window, from, to - from, zero_ms};
    const double seconds = (tail_ms(&tail, tail.count - 1) - tail_ms(&tail, 0)) / 1000;
    const double step = 0.4 / seconds, low = LOW_TURNS / seconds;
    const double high = 500 / window->view->period_ms;
    if (!fill(&tail, skip))
        return;
    if (flicker->sure) {
        fit_again(&tail);
        return;
    }
    flicker->zero_ms = tail.zero_ms;
    flicker->count = 0;
    flicker->sure = tail.count >= FRAMES_SURE && most_rows_tell(flicker);
    while (flicker->count < TS_FLICKERS) {
        double power;
        const double noise = noise_power(&tail);
        if (noise * (double)tail.count < 2 * AMPLITUDE * AMPLITUDE)
            break; /* all there is, were it one sinusoid, would be weak */
        double hz = strongest_hz(&tail, low, high, step, &power);
        if (power < AMPLITUDE * AMPLITUDE / 2 || power < 2 * noise)
            break;
        hz = strongest_hz(&tail, fmax(low / 2, hz - step), hz + step, step / 8, &power);
        hz = strongest_hz(&tail, fmax(low / 2, hz - step / 8), hz + step / 8, step / 64, &power);
        if (power < AMPLITUDE * AMPLITUDE)
            break;
        fit_rows(&tail, flicker->count++, hz);
    }
}

void ts_flicker_remove(const struct ts_flicker *flicker, struct ts_window *window)
{
    for (size_t n = 0; flicker->count && n < window->count; n++) {
        const size_t slot = ts_window_slot(window, n);
        const double ms = window->start_ms[slot] - flicker->zero_ms;
        float c[TS_FLICKERS], s[TS_FLICKERS];
        for (size_t i = 0; i < flicker->count; i++) {
            c[i] = (float)cos(TWO_PI * flicker->hz[i] / 1000 * ms);
            s[i] = (float)sin(TWO_PI * flicker->hz[i] / 1000 * ms);
        }
        for (size_t row = 0; row < window->down; row++) {
            float gain = 1;
            for (size_t i = 0; i < flicker->count; i++)
                gain += flicker->cosine[i][row] * c[i] + flicker->sine[i][row] * s[i];
            window->scale[slot * window->down + row] /= gain;
        }
    }
}
