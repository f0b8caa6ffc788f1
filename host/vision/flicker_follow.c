/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Newton on phase, frequency and slope of all waves at once, so that two of nearly one
 * frequency are told apart by their slopes. Each row has its own amplitude of each wave, since it
 * holds its own share of the two kinds of light. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <string.h>

#define TWO_PI      6.283185307179586
#define ROUNDS      24
#define DAMPING     0.01
#define ENOUGH      1e-3 /* rad */
#define U_TURN      0.3  /* rad */
#define U_PHASE     0.15 /* of a slow one, whose frequency it tells */
#define U_END       0.1
#define AWAY        3.0
#define STEP_MOST   0.7 /* rad */
#define WAVE_VALUES 3
#define PARTS       3 /* of a stretch */

/* The waves as they are expected. */
static void draw(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_wave *wave = &flicker->source[k].wave;
    const double turn_c = cos(wave->slope), turn_s = sin(wave->slope);
    for (size_t n = 0; n < stretch->count; n++) {
        const double ms = ts_flicker_ms(stretch, n) + stretch->zero_ms - wave->at_ms;
        const double angle = wave->turn + TWO_PI * wave->hz / 1000 * ms;
        double c = cos(angle), s = sin(angle);
        for (size_t row = 0; row < flicker->down; row++) {
            flicker->cosine[k][n * flicker->down + row] = (float)c;
            flicker->sine[k][n * flicker->down + row] = (float)s;
            const double next = c * turn_c - s * turn_s;
            s = s * turn_c + c * turn_s;
            c = next;
        }
    }
}

/* Each wave's amplitude in one row, beside a constant; left[] is what they leave of it. */
static void fit_row(const struct ts_flicker_stretch *stretch, size_t row,
                    double amplitude[TS_FLICKERS])
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t down = flicker->down, waves = flicker->count;
    double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0}, x[TS_FLICKERS + 1];
    for (size_t n = 0; n < stretch->count; n++) {
        const size_t at = n * down + row;
        x[waves] = 1;
        for (size_t k = 0; k < waves; k++)
            x[k] = (double)flicker->cosine[k][at];
        for (size_t k = 0; k <= waves; k++) {
            b[k] += x[k] * (double)flicker->ratio[at];
            for (size_t i = 0; i <= waves; i++)
                a[k][i] += x[k] * x[i];
        }
    }
    ts_flicker_ridge(stretch, a);
    if (!ts_fit_solve(waves + 1, a, b))
        memset(b, 0, sizeof b);
    for (size_t n = 0; n < stretch->count; n++) {
        const size_t at = n * down + row;
        double left = (double)flicker->ratio[at] - b[waves];
        for (size_t k = 0; k < waves; k++)
            left -= b[k] * (double)flicker->cosine[k][at];
        flicker->left[at] = (float)left;
    }
    for (size_t k = 0; k < waves; k++)
        amplitude[k] = b[k];
}

static double turn_at(const struct ts_flicker_wave *wave, double ms)
{
    return wave->turn + TWO_PI * wave->hz / 1000 * (ms - wave->at_ms);
}

/* How far a wave has been moved from what is known of it, with the standard uncertainties of that,
 * rad: its phase in the middle, and how far it turns from there to the end and to the lower edge.
 * The longer it was looked at, the longer it stays known. */
static void find_off(const struct ts_flicker_stretch *stretch,
                     const struct ts_flicker_source *source, double off[WAVE_VALUES],
                     double u[WAVE_VALUES])
{
    const struct ts_flicker_wave *wave = &source->wave, *known = &source->known;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const double half_row = (double)stretch->flicker->down / 2;
    const double turn = turn_at(wave, stretch->zero_ms) - turn_at(known, stretch->zero_ms);
    u[0] = hypot(U_TURN, U_END * (stretch->zero_ms - known->at_ms) / known->half_ms);
    u[1] = U_END * fmax(1, half_ms / known->half_ms);
    u[2] = U_END;
    off[2] = (wave->slope - known->slope) * half_row;
    off[1] = TWO_PI * (wave->hz - known->hz) / 1000 * half_ms;
    off[0] = remainder(turn + off[2], TWO_PI);
}

/* A wave that is known from before is not to wander off where nothing shows it; of a slow one, how
 * far its phase has come since tells its frequency better than any stretch does. */
static void hold(const struct ts_flicker_stretch *stretch, size_t k, double variance,
                 double a[TS_FIT_MOST][TS_FIT_MOST], double b[TS_FIT_MOST])
{
    const struct ts_flicker_source *source = &stretch->flicker->source[k];
    const size_t turn = WAVE_VALUES * k, end = turn + 1, edge = turn + 2;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const bool slow = ts_flicker_is_slow(stretch, k);
    const double since = slow ? (stretch->zero_ms - source->known.at_ms) / half_ms : 0;
    double off[WAVE_VALUES], u[WAVE_VALUES];
    if (source->strength <= 0)
        return;
    find_off(stretch, source, off, u);
    const double u_phase = slow ? U_PHASE : u[0];
    const double phase = variance / (u_phase * u_phase), by = off[0] - since * off[1];
    a[turn][turn] += phase;
    a[end][turn] -= phase * since;
    a[end][end] += phase * since * since + variance / (u[1] * u[1]);
    a[edge][edge] += variance / (u[2] * u[2]);
    b[turn] -= phase * by;
    b[end] += phase * since * by - variance / (u[1] * u[1]) * off[1];
    b[edge] -= variance / (u[2] * u[2]) * off[2];
}

/* ... and goes back when something else has drawn it away. */
static void put_back(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker_source *source = &stretch->flicker->source[k];
    double off[WAVE_VALUES], u[WAVE_VALUES];
    if (source->strength <= 0)
        return;
    find_off(stretch, source, off, u);
    for (size_t i = 0; i < WAVE_VALUES; i++) {
        if (fabs(off[i]) > AWAY * u[i])
            source->wave = source->known;
    }
    draw(stretch, k);
}

/* Takes out of the columns of j, one for each unknown, what other amplitudes in the row and another
 * constant would make up for: a slow wave's phase looks much like these (variable projection, Golub
 * and Pereyra 1973, as Kaufman simplified it). */
static void project_out(const struct ts_flicker_stretch *stretch, size_t row, size_t unknowns,
                        double j[TS_FLICKER_FRAMES][TS_FIT_MOST])
{
    const struct ts_flicker *flicker = stretch->flicker;
    const size_t down = flicker->down, waves = flicker->count;
    double gram[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, share[TS_FIT_MOST][TS_FIT_MOST] = {{0}};
    for (size_t n = 0; n < stretch->count; n++) {
        for (size_t k = 0; k <= waves; k++) {
            const double x = k < waves ? (double)flicker->cosine[k][n * down + row] : 1;
            for (size_t i = 0; i <= waves; i++)
                gram[k][i] += x * (i < waves ? (double)flicker->cosine[i][n * down + row] : 1);
            for (size_t u = 0; u < unknowns; u++)
                share[u][k] += x * j[n][u];
        }
    }
    ts_flicker_ridge(stretch, gram);
    for (size_t u = 0; u < unknowns; u++) {
        double a[TS_FIT_MOST][TS_FIT_MOST];
        memcpy(a, gram, sizeof a);
        if (!ts_fit_solve(waves + 1, a, share[u]))
            memset(share[u], 0, sizeof share[u]);
        for (size_t n = 0; n < stretch->count; n++) {
            j[n][u] -= share[u][waves];
            for (size_t k = 0; k < waves; k++)
                j[n][u] -= share[u][k] * (double)flicker->cosine[k][n * down + row];
        }
    }
}

/* The normal equations of all unknowns. */
struct normal {
    double a[TS_FIT_MOST][TS_FIT_MOST], b[TS_FIT_MOST];
    double squares, cells; /* of what is left, and how many there are */
};

static void add_row(const struct ts_flicker_stretch *stretch, size_t row, bool slow,
                    struct normal *normal)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const size_t down = flicker->down, unknowns = WAVE_VALUES * flicker->count;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const double half_row = (double)down / 2, weight = (double)flicker->rows[row];
    double amplitude[TS_FLICKERS], j[TS_FLICKER_FRAMES][TS_FIT_MOST];
    fit_row(stretch, row, amplitude);
    for (size_t n = 0; n < stretch->count; n++) {
        const double t = ts_flicker_ms(stretch, n) / half_ms;
        const double r = ((double)row - half_row) / half_row;
        for (size_t k = 0; k < flicker->count; k++) {
            const double by = -amplitude[k] * (double)flicker->sine[k][n * down + row];
            j[n][WAVE_VALUES * k] = by;
            j[n][WAVE_VALUES * k + 1] = by * t;
            j[n][WAVE_VALUES * k + 2] = by * r;
        }
    }
    if (slow)
        project_out(stretch, row, unknowns, j);
    for (size_t n = 0; n < stretch->count; n++) {
        const double left = (double)flicker->left[n * down + row];
        normal->squares += weight * left * left;
        normal->cells++;
        for (size_t i = 0; i < unknowns; i++) {
            normal->b[i] += j[n][i] * weight * left;
            for (size_t m = 0; m <= i; m++)
                normal->a[i][m] += weight * j[n][i] * j[n][m];
        }
    }
}

/* One step of all waves; how far the phases moved. */
static double step(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t unknowns = WAVE_VALUES * flicker->count;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const double half_row = (double)flicker->down / 2;
    struct normal normal = {.squares = 0};
    double most = 0;
    bool slow = false;
    for (size_t k = 0; k < flicker->count; k++)
        slow |= ts_flicker_is_slow(stretch, k);
    for (size_t row = 0; row < flicker->down; row++) {
        if (flicker->rows[row] > 0)
            add_row(stretch, row, slow, &normal);
    }
    for (size_t k = 0; k < flicker->count; k++)
        hold(stretch, k, normal.squares / fmax(1, normal.cells), normal.a, normal.b);
    for (size_t i = 0; i < unknowns; i++) {
        normal.a[i][i] = normal.a[i][i] * (1 + DAMPING) + 1e-12;
        for (size_t m = 0; m < i; m++)
            normal.a[m][i] = normal.a[i][m];
    }
    if (!ts_fit_solve(unknowns, normal.a, normal.b))
        return 0;
    for (size_t k = 0; k < flicker->count; k++) {
        struct ts_flicker_wave *wave = &flicker->source[k].wave;
        double by[WAVE_VALUES];
        for (size_t i = 0; i < WAVE_VALUES; i++) {
            by[i] = fmax(-STEP_MOST, fmin(STEP_MOST, normal.b[WAVE_VALUES * k + i]));
            most = fmax(most, fabs(by[i]));
        }
        wave->turn = remainder(turn_at(wave, stretch->zero_ms) + by[0] - by[2], TWO_PI);
        wave->at_ms = stretch->zero_ms;
        wave->half_ms = half_ms;
        wave->hz += by[1] / half_ms * 1000 / TWO_PI;
        wave->slope += by[2] / half_row;
        draw(stretch, k);
    }
    return most;
}

/* Of a wave whose amplitude in each row is known, and what it leaves: how strong it is in that part
 * of the stretch in which it is weakest, relative to the whole. */
static double weakest(double xx[PARTS], double xy[PARTS])
{
    double least = INFINITY;
    for (size_t part = 0; part < PARTS; part++)
        least = fmin(least, xx[part] > 0 ? 1 + xy[part] / xx[part] : 1);
    return least;
}

double ts_flicker_lasts(const struct ts_flicker_stretch *stretch)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const size_t last = flicker->count - 1, down = flicker->down;
    double xx[PARTS] = {0}, xy[PARTS] = {0};
    for (size_t row = 0; row < down; row++) {
        double amplitude[TS_FLICKERS];
        fit_row(stretch, row, amplitude);
        for (size_t n = 0; n < stretch->count; n++) {
            const double x = amplitude[last] * (double)flicker->cosine[last][n * down + row];
            const size_t part = n * PARTS / stretch->count;
            xx[part] += (double)flicker->rows[row] * x * x;
            xy[part] += (double)flicker->rows[row] * x * (double)flicker->left[n * down + row];
        }
    }
    return weakest(xx, xy);
}

double ts_flicker_follow(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    double sum = 0, sizes = 0;
    for (size_t k = 0; k < flicker->count; k++)
        draw(stretch, k);
    for (int round = 0; round < ROUNDS && flicker->count; round++) {
        if (step(stretch) < ENOUGH)
            break;
    }
    for (size_t k = 0; k < flicker->count; k++)
        put_back(stretch, k);
    for (size_t row = 0; row < flicker->down; row++) {
        double amplitude[TS_FLICKERS];
        fit_row(stretch, row, amplitude);
        if (flicker->count == 0)
            continue;
        const double last = (double)flicker->rows[row] * amplitude[flicker->count - 1];
        sum += last;
        sizes += fabs(last);
    }
    return sizes > 0 ? (1 + fabs(sum) / sizes) / 2 : 0;
}
