/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two lights of one frequency, as the frame rate samples it: 100 and 225 Hz at 125 frames/s. Each
 * row varies as with one wave, and any two waves explain it. With wrong slopes or phases, though,
 * they would have to be of very different strength from row to row, or negative, which light is
 * not. Where the room's light is known from before, it is taken off, and what is left is one wave.
 */
#include "vision/flicker_parts.h"

#include <math.h>

#define STEP       0.2  /* rad, of the phases */
#define ROUNDS     24   /* every sixth halves it */
#define ALIKE      0.01 /* how much their strength may differ from row to row */
#define ONE_LEAVES 0.05 /* of what varied at this frequency: two lights leave that to one wave */
#define TWO_LEAVE  0.2  /* of what one leaves */
#define BESIDE     0.1  /* of what varied at this frequency: more did at others */
#define OVER_NOISE 6.0  /* times noise, which would leave as much */

/* How each row varies at their frequency: an arrow along which a wave of its phase points. */
struct arrows {
    const float *re, *im, *weight;
    size_t rows;
};

struct pair {
    size_t waves; /* 1 or 2 */
    double slope[2], turn[2], strength[2], left;
};

static double square(double x)
{
    return x * x;
}

/* A wave in one row. */
struct ray {
    double c, s, by_c, by_s;
};

static void set_out(const struct pair *pair, struct ray ray[2])
{
    for (size_t i = 0; i < 2; i++)
        ray[i] = (struct ray){cos(pair->turn[i]), sin(pair->turn[i]), cos(pair->slope[i]),
                              sin(pair->slope[i])};
}

static void next_row(struct ray ray[2])
{
    for (size_t i = 0; i < 2; i++) {
        const double c = ray[i].c * ray[i].by_c - ray[i].s * ray[i].by_s;
        ray[i].s = ray[i].s * ray[i].by_c + ray[i].c * ray[i].by_s;
        ray[i].c = c;
    }
}

/* Phases and strengths of waves that are as strong in all rows. */
static void fit_alike(const struct arrows *arrows, struct pair *pair)
{
    double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0};
    struct ray ray[2];
    pair->turn[0] = pair->turn[1] = 0;
    set_out(pair, ray);
    for (size_t row = 0; row < arrows->rows; row++, next_row(ray)) {
        const double w = (double)arrows->weight[row];
        const double re = (double)arrows->re[row], im = (double)arrows->im[row];
        for (size_t i = 0; i < pair->waves; i++) {
            b[2 * i] += w * (re * ray[i].c + im * ray[i].s);
            b[2 * i + 1] += w * (im * ray[i].c - re * ray[i].s);
            for (size_t j = 0; j < pair->waves; j++) {
                const double along = w * (ray[i].c * ray[j].c + ray[i].s * ray[j].s);
                const double across = w * (ray[i].s * ray[j].c - ray[i].c * ray[j].s);
                a[2 * i][2 * j] += along;
                a[2 * i + 1][2 * j + 1] += along;
                a[2 * i][2 * j + 1] += across;
                a[2 * i + 1][2 * j] -= across;
            }
        }
    }
    if (!ts_fit_solve(2 * pair->waves, a, b))
        return;
    for (size_t i = 0; i < pair->waves; i++) {
        pair->turn[i] = atan2(b[2 * i + 1], b[2 * i]);
        pair->strength[i] = hypot(b[2 * i], b[2 * i + 1]);
    }
}

/* The waves' strengths in one row, neither of them negative, and near to what they are in all. */
static void fit_one(const struct pair *pair, const struct ray ray[2], double re, double im,
                    double strength[2])
{
    const double own = 1 + ALIKE;
    const double both = ray[0].c * ray[1].c + ray[0].s * ray[1].s;
    const double p = re * ray[0].c + im * ray[0].s + ALIKE * pair->strength[0];
    const double q = re * ray[1].c + im * ray[1].s + ALIKE * pair->strength[1];
    strength[0] = fmax(0, p / own);
    strength[1] = 0;
    if (pair->waves == 1)
        return;
    strength[0] = (p * own - q * both) / (own * own - both * both);
    strength[1] = (q * own - p * both) / (own * own - both * both);
    if (strength[0] >= 0 && strength[1] >= 0)
        return;
    const bool first = strength[0] > strength[1];
    strength[0] = first ? fmax(0, p / own) : 0;
    strength[1] = first ? 0 : fmax(0, q / own);
}

static void find_left(const struct arrows *arrows, struct pair *pair)
{
    struct ray ray[2];
    set_out(pair, ray);
    pair->left = 0;
    for (size_t row = 0; row < arrows->rows; row++, next_row(ray)) {
        double re = (double)arrows->re[row], im = (double)arrows->im[row], strength[2], unlike = 0;
        fit_one(pair, ray, re, im, strength);
        for (size_t i = 0; i < pair->waves; i++) {
            re -= strength[i] * ray[i].c;
            im -= strength[i] * ray[i].s;
            unlike += square(strength[i] - pair->strength[i]);
        }
        pair->left += (double)arrows->weight[row] * (re * re + im * im + ALIKE * unlike);
    }
}

static void find_phases(const struct arrows *arrows, struct pair *pair)
{
    double step = STEP;
    fit_alike(arrows, pair);
    find_left(arrows, pair);
    for (size_t round = 1; round <= ROUNDS; round++) {
        for (int way = -1; way <= 1; way += 2) {
            struct pair at = *pair;
            at.turn[round % pair->waves] += way * step;
            find_left(arrows, &at);
            *pair = at.left < pair->left ? at : *pair;
        }
        step /= round % 6 ? 1 : 2;
    }
}

/* One or two waves of such slopes that leave least. */
static struct pair best_of(const struct arrows *arrows, const double *slopes, size_t count,
                           size_t waves)
{
    struct pair best = {.left = INFINITY};
    for (size_t i = 0; i < count; i++) {
        for (size_t j = waves == 1 ? i : i + 1; j < (waves == 1 ? i + 1 : count); j++) {
            struct pair pair = {.waves = waves, .slope = {slopes[i], slopes[j]}};
            find_phases(arrows, &pair);
            best = pair.left < best.left ? pair : best;
        }
    }
    return best;
}

static void set_wave(const struct ts_flicker_stretch *stretch, size_t k, double hz, double slope,
                     double turn)
{
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    stretch->flicker->source[k] =
        (struct ts_flicker_source){.wave = {hz, turn, stretch->zero_ms, slope, half_ms}};
}

/* Takes from the arrows what the room's light, which stays what it is, makes of them. */
static void take_room(const struct ts_flicker_stretch *stretch, size_t k, float *re, float *im)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_source *source = &flicker->source[k];
    const size_t across = stretch->window->across;
    const double turn = ts_flicker_turn_at(&source->known, stretch->zero_ms);
    for (size_t row = 0; row < flicker->down; row++) {
        double light = 0, codes = 0;
        for (size_t b = row * across; b < (row + 1) * across; b++) {
            if (!flicker->steady[b])
                continue;
            const double mean = (double)flicker->mean[b];
            light += mean * fmin(1, (double)stretch->window->lit[b] / square(mean));
            codes += mean;
        }
        const double amplitude = codes > 0 ? source->strength * light / codes : 0;
        const double angle = turn + source->known.slope * (double)row;
        re[row] -= (float)(amplitude * cos(angle));
        im[row] -= (float)(amplitude * sin(angle));
    }
}

static double power_of(const struct arrows *arrows)
{
    double sum = 0;
    for (size_t row = 0; row < arrows->rows; row++)
        sum += (double)arrows->weight[row] *
               (square((double)arrows->re[row]) + square((double)arrows->im[row]));
    return sum;
}

bool ts_flicker_split(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker *flicker = stretch->flicker;
    const bool known = flicker->source[k].strength > 0;
    const double hz = flicker->source[k].wave.hz;
    double slopes[TS_FLICKER_SLOPES], weights = 0;
    if (flicker->count == TS_FLICKERS || ts_flicker_has_near(stretch, k, TS_FLICKER_APART) ||
        ts_flicker_alternates(stretch, k) || (known && !flicker->source[k].room))
        return false;
    float *re = flicker->sorted, *im = re + flicker->down;
    ts_flicker_quadratures(stretch, k, re, im);
    const struct arrows arrows = {re, im, flicker->rows, flicker->down};
    for (size_t row = 0; row < arrows.rows; row++)
        weights += (double)arrows.weight[row];
    const double whole = power_of(&arrows);
    const double beside = weights * ts_flicker_left(stretch);
    const double noise = 4 * beside / (double)stretch->count;
    if (known)
        take_room(stretch, k, re, im);
    const size_t count = ts_flicker_list_slopes(stretch, hz, slopes);
    const double left = known ? power_of(&arrows) : best_of(&arrows, slopes, count, 1).left;
    if (left < ONE_LEAVES * whole || left < OVER_NOISE * noise || beside > BESIDE * whole)
        return false;
    const struct pair found = best_of(&arrows, slopes, count, known ? 1 : 2);
    if (found.left > TWO_LEAVE * left)
        return false;
    if (!known)
        set_wave(stretch, k, hz, found.slope[0], found.turn[0]);
    const size_t last = found.waves - 1;
    set_wave(stretch, flicker->count++, hz, found.slope[last], found.turn[last]);
    return true;
}
