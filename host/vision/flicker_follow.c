/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Newton on phase, frequency and slope of all waves at once, so that two of nearly one
 * frequency are told apart by their slopes. Each row has its own amplitude of each wave, since it
 * holds its own share of the two kinds of light. */
#include "vision/flicker_parts.h"
#include "vision/wide.h"

#include <math.h>
#include <string.h>

#define ROUNDS      24
#define BACK_ROUNDS 2 /* one may be a step too far */
#define DAMPING     0.01
#define ENOUGH      1e-3 /* rad */
#define U_TURN      0.3  /* rad */
#define U_PHASE     0.15 /* of a slow one, whose frequency it tells */
#define U_END       0.1
#define AWAY        3.0
#define FIXED       1e9 /* times its own: an unknown that stays */
#define STEP_MOST   0.7 /* rad */
#define WAVE_VALUES 3
#define PARTS       3 /* of a stretch */
#define LANES       8

double ts_flicker_turn_at(const struct ts_flicker_wave *wave, double ms)
{
    return wave->turn + TS_TWO_PI * wave->hz / 1000 * (ms - wave->at_ms);
}

/* The waves as they are expected. */
static void draw(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_wave *wave = &flicker->source[k].wave;
    const double turn_c = cos(wave->slope), turn_s = sin(wave->slope);
    double c[TS_FLICKER_FRAMES], s[TS_FLICKER_FRAMES];
    for (size_t n = 0; n < stretch->count; n++) {
        const double angle = ts_flicker_turn_at(wave, ts_flicker_ms(stretch, n) + stretch->zero_ms);
        c[n] = cos(angle);
        s[n] = sin(angle);
    }
    for (size_t row = 0; row < flicker->down; row++) {
        float *cosine = ts_flicker_row(flicker->cosine[k], row);
        float *sine = ts_flicker_row(flicker->sine[k], row);
        for (size_t n = 0; n < stretch->count; n++) {
            cosine[n] = (float)c[n];
            sine[n] = (float)s[n];
            const double next = c[n] * turn_c - s[n] * turn_s;
            s[n] = s[n] * turn_c + c[n] * turn_s;
            c[n] = next;
        }
    }
}

/* One row, in columns of a value a frame: sums over them are what takes the time. */
struct row {
    size_t frames, waves;
    double x[TS_FLICKERS + 1][TS_FLICKER_FRAMES]; /* the waves and a constant, which comes last */
    double gram[TS_FIT_MOST][TS_FIT_MOST];        /* of their normal equations */
    double amplitude[TS_FIT_MOST];
    double left[TS_FLICKER_FRAMES]; /* what they leave of the row */
};

/* In lanes, so that additions need not wait for each other. */
TS_WIDE static double dot(const double *a, const double *b, size_t count)
{
    double sum[LANES] = {0}, rest = 0;
    size_t n = 0;
    for (; n + LANES <= count; n += LANES) {
        for (size_t lane = 0; lane < LANES; lane++)
            sum[lane] += a[n + lane] * b[n + lane];
    }
    for (; n < count; n++)
        rest += a[n] * b[n];
    for (size_t lane = 0; lane < LANES; lane++)
        rest += sum[lane];
    return rest;
}

static void subtract(double *from, double times, const double *what, size_t count)
{
    for (size_t n = 0; n < count; n++)
        from[n] -= times * what[n];
}

/* Each wave's amplitude in one row, beside a constant; left[], of flicker too, is what they leave
 * of it. */
static void fit_row(const struct ts_flicker_stretch *stretch, size_t number, struct row *row)
{
    struct ts_flicker *flicker = stretch->flicker;
    const float *ratio = ts_flicker_row(flicker->ratio, number);
    float *left = ts_flicker_row(flicker->left, number);
    const size_t frames = row->frames = stretch->count, waves = row->waves = flicker->count;
    for (size_t n = 0; n < frames; n++) {
        for (size_t k = 0; k < waves; k++)
            row->x[k][n] = (double)ts_flicker_row(flicker->cosine[k], number)[n];
        row->x[waves][n] = 1;
        row->left[n] = (double)ratio[n];
    }
    for (size_t k = 0; k <= waves; k++) {
        row->amplitude[k] = dot(row->x[k], row->left, frames);
        for (size_t i = 0; i <= k; i++)
            row->gram[k][i] = row->gram[i][k] = dot(row->x[k], row->x[i], frames);
    }
    ts_flicker_ridge(stretch, row->gram);
    double a[TS_FIT_MOST][TS_FIT_MOST];
    memcpy(a, row->gram, sizeof a);
    if (!ts_fit_solve(waves + 1, a, row->amplitude))
        memset(row->amplitude, 0, sizeof row->amplitude);
    for (size_t k = 0; k <= waves; k++)
        subtract(row->left, row->amplitude[k], row->x[k], frames);
    for (size_t n = 0; n < frames; n++) {
        left[n] = (float)row->left[n];
        row->left[n] = (double)left[n];
    }
}

void ts_flicker_quadratures(const struct ts_flicker_stretch *stretch, size_t k, float *re,
                            float *im)
{
    struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_source saved = flicker->source[k];
    const size_t other = flicker->count++;
    const struct ts_flicker_wave wave = {saved.wave.hz, 0, stretch->zero_ms, 0, saved.wave.half_ms};
    flicker->source[k].wave = flicker->source[other].wave = wave;
    flicker->source[other].wave.turn = TS_TWO_PI / 4;
    draw(stretch, k);
    draw(stretch, other);
    for (size_t number = 0; number < flicker->down; number++) {
        struct row row;
        fit_row(stretch, number, &row);
        re[number] = (float)row.amplitude[k];
        im[number] = (float)row.amplitude[other];
    }
    flicker->count--;
    flicker->source[k] = saved;
    draw(stretch, k);
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
    const double turn =
        ts_flicker_turn_at(wave, stretch->zero_ms) - ts_flicker_turn_at(known, stretch->zero_ms);
    u[0] = hypot(U_TURN, U_END * (stretch->zero_ms - known->at_ms) / known->half_ms);
    u[1] = U_END * fmax(1, half_ms / known->half_ms);
    u[2] = U_END;
    off[2] = (wave->slope - known->slope) * half_row;
    off[1] = TS_TWO_PI * (wave->hz - known->hz) / 1000 * half_ms;
    off[0] = remainder(turn + off[2], TS_TWO_PI);
}

/* A wave that is known from before is not to wander off where nothing shows it; of a slow one, how
 * far its phase has come since tells its frequency better than any stretch does. What two of one
 * frequency leave tells neither their slopes, nor the phases with which they were found, nor by how
 * little known frequencies differ. What alternates tells none of them: flicker_alternating.c. */
static void hold(const struct ts_flicker_stretch *stretch, size_t k, double variance,
                 double a[TS_FIT_MOST][TS_FIT_MOST], double b[TS_FIT_MOST])
{
    const struct ts_flicker_source *source = &stretch->flicker->source[k];
    const size_t turn = WAVE_VALUES * k, end = turn + 1, edge = turn + 2;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const bool slow = ts_flicker_is_slow(stretch, k);
    const double since = slow ? (stretch->zero_ms - source->known.at_ms) / half_ms : 0;
    double off[WAVE_VALUES], u[WAVE_VALUES];
    const bool twin = ts_flicker_has_near(stretch, k, TS_FLICKER_TWIN);
    if (ts_flicker_alternates(stretch, k)) {
        for (size_t i = turn; i <= edge; i++)
            a[i][i] *= FIXED;
        return;
    }
    const size_t untold = source->strength > 0 ? end : turn;
    if (twin) {
        a[edge][edge] *= FIXED;
        a[untold][untold] *= FIXED;
    }
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
}

/* Takes out of the columns of j, one for each unknown, what other amplitudes in the row and another
 * constant would make up for: a slow wave's phase looks much like these (variable projection, Golub
 * and Pereyra 1973, as Kaufman simplified it). */
static void project_out(const struct row *row, size_t unknowns,
                        double j[TS_FIT_MOST][TS_FLICKER_FRAMES])
{
    for (size_t u = 0; u < unknowns; u++) {
        double a[TS_FIT_MOST][TS_FIT_MOST], share[TS_FIT_MOST];
        for (size_t k = 0; k <= row->waves; k++)
            share[k] = dot(row->x[k], j[u], row->frames);
        memcpy(a, row->gram, sizeof a);
        if (!ts_fit_solve(row->waves + 1, a, share))
            continue;
        for (size_t k = 0; k <= row->waves; k++)
            subtract(j[u], share[k], row->x[k], row->frames);
    }
}

/* The normal equations of all unknowns. */
struct normal {
    bool slow;                   /* one of the waves is */
    double t[TS_FLICKER_FRAMES]; /* of the frames, -1 .. 1 */
    double a[TS_FIT_MOST][TS_FIT_MOST], b[TS_FIT_MOST];
    double squares, cells; /* of what is left, and how many there are */
};

static void add_row(const struct ts_flicker_stretch *stretch, size_t number, struct normal *normal)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const size_t unknowns = WAVE_VALUES * flicker->count;
    const double half_row = (double)flicker->down / 2, weight = (double)flicker->rows[number];
    const double r = ((double)number - half_row) / half_row;
    double j[TS_FIT_MOST][TS_FLICKER_FRAMES];
    struct row row;
    fit_row(stretch, number, &row);
    const size_t frames = row.frames;
    for (size_t k = 0; k < flicker->count; k++) {
        const float *sine = ts_flicker_row(flicker->sine[k], number);
        double(*by)[TS_FLICKER_FRAMES] = j + WAVE_VALUES * k;
        for (size_t n = 0; n < frames; n++) {
            by[0][n] = -row.amplitude[k] * (double)sine[n];
            by[1][n] = by[0][n] * normal->t[n];
            by[2][n] = by[0][n] * r;
        }
    }
    if (normal->slow)
        project_out(&row, unknowns, j);
    normal->squares += weight * dot(row.left, row.left, frames);
    normal->cells += (double)frames;
    for (size_t i = 0; i < unknowns; i++) {
        normal->b[i] += weight * dot(j[i], row.left, frames);
        for (size_t m = 0; m <= i; m++)
            normal->a[i][m] += weight * dot(j[i], j[m], frames);
    }
}

/* One step of all waves; how far the phases moved. */
static double step(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t unknowns = WAVE_VALUES * flicker->count;
    const double half_ms = ts_flicker_ms(stretch, stretch->count - 1);
    const double half_row = (double)flicker->down / 2;
    struct normal normal = {.slow = false};
    double most = 0;
    for (size_t k = 0; k < flicker->count; k++)
        normal.slow |= ts_flicker_is_slow(stretch, k);
    for (size_t n = 0; n < stretch->count; n++)
        normal.t[n] = ts_flicker_ms(stretch, n) / half_ms;
    for (size_t row = 0; row < flicker->down; row++) {
        if (flicker->rows[row] > 0)
            add_row(stretch, row, &normal);
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
        wave->turn =
            remainder(ts_flicker_turn_at(wave, stretch->zero_ms) + by[0] - by[2], TS_TWO_PI);
        wave->at_ms = stretch->zero_ms;
        wave->half_ms = half_ms;
        wave->hz += by[1] / half_ms * 1000 / TS_TWO_PI;
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
    const size_t last = flicker->count - 1;
    double xx[PARTS] = {0}, xy[PARTS] = {0};
    for (size_t number = 0; number < flicker->down; number++) {
        struct row row;
        fit_row(stretch, number, &row);
        for (size_t n = 0; n < stretch->count; n++) {
            const double x = row.amplitude[last] * row.x[last][n];
            const size_t part = n * PARTS / stretch->count;
            xx[part] += (double)flicker->rows[number] * x * x;
            xy[part] += (double)flicker->rows[number] * x * row.left[n];
        }
    }
    return weakest(xx, xy);
}

/* A new wave that became so slow that it turns the other way is what a change of the picture looks
 * like; it would wander about for as long as one lets it. */
static bool any_turns_back(const struct ts_flicker *flicker)
{
    for (size_t k = 0; k < flicker->count; k++) {
        if (flicker->source[k].strength <= 0 && flicker->source[k].wave.hz < 0)
            return true;
    }
    return false;
}

double ts_flicker_lay(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    double sum = 0, sizes = 0;
    flicker->none_from = INFINITY;
    for (size_t k = 0; k < flicker->count; k++)
        draw(stretch, k);
    for (size_t number = 0; number < flicker->down; number++) {
        struct row row;
        fit_row(stretch, number, &row);
        if (flicker->count == 0)
            continue;
        const size_t last = flicker->count - 1;
        const double shows = row.gram[last][last] * (double)flicker->rows[number];
        sum += shows * row.amplitude[last];
        sizes += shows * fabs(row.amplitude[last]);
    }
    return sizes > 0 ? (1 + fabs(sum) / sizes) / 2 : 0;
}

double ts_flicker_follow(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    for (size_t k = 0; k < flicker->count; k++) {
        if (flicker->source[k].strength > 0 && ts_flicker_alternates(stretch, k))
            ts_flicker_turn_evenly(stretch, k);
    }
    for (size_t k = 0; k < flicker->count; k++)
        draw(stretch, k);
    for (int round = 0, back = 0; round < ROUNDS && flicker->count && back < BACK_ROUNDS; round++) {
        if (step(stretch) < ENOUGH)
            break;
        back = any_turns_back(flicker) ? back + 1 : 0;
    }
    for (size_t k = 0; k < flicker->count; k++)
        put_back(stretch, k);
    return ts_flicker_lay(stretch);
}
