/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Light that goes up in one frame and down in the next: 120 Hz at 240 frames/s. A row shows only
 * the product of its amplitude and the cosine of its phase, which any slope and any phase explain
 * with some amplitude for each row; the right ones do, as light does, with the same for all. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <string.h>

#define BEATS      4   /* steps, up to so near to half the frame rate, ... */
#define BEAT_TURNS 0.1 /* ... of so many turns over the stretch, ... */
#define HALVINGS   4
#define BETTER     1.001 /* a beat must explain so much more */
#define SHOWS      0.05  /* of what the row has that shows most */
#define EVEN_LEAST 0.93  /* of what alternates is explained: less is two lights */

double ts_flicker_beats(const struct ts_flicker_stretch *stretch, size_t k)
{
    const double seconds = 2 * ts_flicker_ms(stretch, stretch->count - 1) / 1000;
    const double hz = stretch->flicker->source[k].wave.hz;
    return fabs(hz - ts_flicker_alternates_hz(stretch)) * seconds;
}

bool ts_flicker_alternates(const struct ts_flicker_stretch *stretch, size_t k)
{
    return ts_flicker_beats(stretch, k) < TS_FLICKER_TWIN;
}

/* What the other waves leave, in left[]. */
static void lay_others(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker *flicker = stretch->flicker;
    struct ts_flicker_source all[TS_FLICKERS];
    memcpy(all, flicker->source, sizeof all);
    flicker->count--;
    memmove(&flicker->source[k], &all[k + 1], (flicker->count - k) * sizeof *all);
    ts_flicker_lay(stretch);
    memcpy(flicker->source, all, sizeof all);
    flicker->count++;
}

/* A wave with no slope and no phase, and the same a quarter of a turn later, each less its mean;
 * and how each row goes along with them. */
struct basis {
    double cc, ss, cs;
    float *along, *across; /* [down] */
    size_t from, to;       /* rows from .. to - 1 show any: a display's light has no others */
    double free;           /* what they explain with an amplitude for each row */
};

static void level(double *values, size_t count)
{
    double mean = 0;
    for (size_t n = 0; n < count; n++)
        mean += values[n] / (double)count;
    for (size_t n = 0; n < count; n++)
        values[n] -= mean;
}

static double power_in(const struct basis *basis, size_t row)
{
    return pow((double)basis->along[row], 2) + pow((double)basis->across[row], 2);
}

static void find_rows(const struct ts_flicker *flicker, struct basis *basis)
{
    double most = 0;
    for (size_t row = 0; row < flicker->down; row++)
        most = fmax(most, power_in(basis, row));
    basis->to = flicker->down;
    while (basis->to > 1 && power_in(basis, basis->to - 1) < SHOWS * SHOWS * most)
        basis->to--;
    while (basis->from + 1 < basis->to && power_in(basis, basis->from) < SHOWS * SHOWS * most)
        basis->from++;
    for (size_t row = basis->from; row < basis->to; row++)
        basis->free +=
            (double)flicker->rows[row] * power_in(basis, row) / fmax(basis->cc, basis->ss);
}

static void find_basis(const struct ts_flicker_stretch *stretch, double hz, struct basis *basis)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t count = stretch->count;
    double c[TS_FLICKER_FRAMES], s[TS_FLICKER_FRAMES];
    *basis = (struct basis){.along = flicker->sorted, .across = flicker->sorted + flicker->down};
    for (size_t n = 0; n < count; n++) {
        const double angle = TS_TWO_PI * hz / 1000 * ts_flicker_ms(stretch, n);
        c[n] = cos(angle);
        s[n] = -sin(angle);
    }
    level(c, count);
    level(s, count);
    for (size_t n = 0; n < count; n++) {
        basis->cc += c[n] * c[n];
        basis->ss += s[n] * s[n];
        basis->cs += c[n] * s[n];
    }
    for (size_t row = 0; row < flicker->down; row++) {
        const float *left = ts_flicker_row(flicker->left, row);
        double along = 0, across = 0;
        for (size_t n = 0; n < count; n++) {
            along += (double)left[n] * c[n];
            across += (double)left[n] * s[n];
        }
        basis->along[row] = (float)along;
        basis->across[row] = (float)across;
    }
    find_rows(flicker, basis);
}

/* A wave that is as strong in all rows. */
struct even {
    double hz, slope, turn, explained, free;
};

static struct even fit_even(const struct ts_flicker *flicker, const struct basis *basis, double hz,
                            double slope)
{
    double uu = 0, uv = 0, vv = 0, uy = 0, vy = 0;
    for (size_t row = basis->from; row < basis->to; row++) {
        const double c = cos(slope * (double)row), s = sin(slope * (double)row);
        const double weight = (double)flicker->rows[row];
        const double along = (double)basis->along[row], across = (double)basis->across[row];
        uu += weight * (basis->cc * c * c + 2 * basis->cs * c * s + basis->ss * s * s);
        vv += weight * (basis->cc * s * s - 2 * basis->cs * c * s + basis->ss * c * c);
        uv += weight * ((basis->ss - basis->cc) * c * s + basis->cs * (c * c - s * s));
        uy += weight * (along * c + across * s);
        vy += weight * (across * c - along * s);
    }
    const double det = uu * vv - uv * uv;
    if (det <= 1e-9 * uu * vv)
        return (struct even){hz, slope, 0, 0, basis->free};
    const double p = (uy * vv - vy * uv) / det, q = (vy * uu - uy * uv) / det;
    return (struct even){hz, slope, atan2(q, p), p * uy + q * vy, basis->free};
}

/* Of the slopes, the one that explains most. */
static struct even best_slope(const struct ts_flicker_stretch *stretch, double hz,
                              const double *slopes, size_t count)
{
    struct even best = {.explained = -1};
    struct basis basis;
    find_basis(stretch, hz, &basis);
    for (size_t i = 0; i < count; i++) {
        const struct even even = fit_even(stretch->flicker, &basis, hz, slopes[i]);
        best = even.explained > best.explained ? even : best;
    }
    return best;
}

/* Half the frame rate itself, unless it beats with that: then what explains most. */
static struct even best_beat(const struct ts_flicker_stretch *stretch, const double *slopes,
                             size_t count)
{
    const double half_hz = ts_flicker_alternates_hz(stretch);
    const double step = BEAT_TURNS * 500 / ts_flicker_ms(stretch, stretch->count - 1);
    struct even best = best_slope(stretch, half_hz, slopes, count);
    const double enough = BETTER * best.explained;
    for (int beat = 1; beat < BEATS; beat++) {
        const struct even even = best_slope(stretch, half_hz - beat * step, slopes, count);
        best = even.explained > fmax(enough, best.explained) ? even : best;
    }
    for (double by = step / 2; by > step / (1 << (HALVINGS + 1)); by /= 2) {
        for (int way = -1; way <= 1; way += 2) {
            const double hz = fmin(half_hz, best.hz + way * by);
            const struct even even = best_slope(stretch, hz, slopes, count);
            best = even.explained > fmax(enough, best.explained) ? even : best;
        }
    }
    return best;
}

/* How far its phase has come since it was seen last tells its frequency better than the stretch. */
static struct even best_phase(const struct ts_flicker_stretch *stretch,
                              const struct ts_flicker_wave *known)
{
    struct even even = best_slope(stretch, known->hz, &known->slope, 1);
    const double since_ms = stretch->zero_ms - known->at_ms;
    const double off =
        remainder(even.turn - ts_flicker_turn_at(known, stretch->zero_ms), TS_TWO_PI);
    if (since_ms > known->half_ms)
        even.hz += off / TS_TWO_PI * 1000 / since_ms;
    return even;
}

bool ts_flicker_turn_evenly(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker_source *source = &stretch->flicker->source[k];
    const double half_hz = ts_flicker_alternates_hz(stretch);
    double slopes[TS_FLICKER_SLOPES];
    struct even best;
    lay_others(stretch, k);
    if (source->strength > 0)
        best = best_phase(stretch, &source->known);
    else
        best = best_beat(stretch, slopes, ts_flicker_list_slopes(stretch, half_hz, slopes));
    if (best.explained <= 0 || best.explained < EVEN_LEAST * best.free)
        return false;
    source->wave = (struct ts_flicker_wave){best.hz, best.turn, stretch->zero_ms, best.slope,
                                            ts_flicker_ms(stretch, stretch->count - 1)};
    return true;
}
