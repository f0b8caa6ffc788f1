/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tap/onset.h"

#include <math.h>

#define BEFORE     12 /* samples in which the onset may lie */
#define AFTER      4  /* samples of the rise, the crossing one included */
#define GRID_TICKS 10.0
#define CONSTANT_U 70.0 /* ticks: RC of the part at hand, shape of the rise */

struct window {
    size_t count;
    double at[BEFORE + AFTER + 1], value[BEFORE + AFTER + 1]; /* from the crossing; from level */
};

/* Least squares of a step and a ramp, neither negative, that begin at `onset`: the sum of squares
 * that is left. */
static double misfit(const struct window *window, double onset)
{
    double ss = 0, rr = 0, sr = 0, sy = 0, ry = 0, yy = 0;
    for (size_t i = 0; i < window->count; i++) {
        const double since = window->at[i] - onset;
        const double value = window->value[i];
        yy += value * value;
        if (since <= 0)
            continue;
        const double step = 1 - exp(-since / TS_TAP_RC_TICKS);
        const double ramp = (since - TS_TAP_RC_TICKS * step) / TS_TAP_RC_TICKS;
        ss += step * step;
        rr += ramp * ramp;
        sr += step * ramp;
        sy += step * value;
        ry += ramp * value;
    }
    const double determinant = ss * rr - sr * sr;
    if (determinant > 1e-9 * ss * rr) {
        const double s = (sy * rr - ry * sr) / determinant;
        const double r = (ry * ss - sy * sr) / determinant;
        if (s >= 0 && r >= 0)
            return yy - s * sy - r * ry;
    }
    const double by_step = ss > 0 && sy > 0 ? sy * sy / ss : 0;
    const double by_ramp = rr > 0 && ry > 0 ? ry * ry / rr : 0;
    return yy - fmax(by_step, by_ramp);
}

/* The rise ends where it no longer rises; what follows is another story. */
static struct window cut_out(const struct ts_tap_sample *samples, size_t count, size_t crossing,
                             double level, double noise)
{
    struct window window = {0};
    const size_t from = crossing > BEFORE ? crossing - BEFORE : 0;
    for (size_t i = from; i < count && i < crossing + AFTER; i++) {
        if (i > crossing && samples[i].value < samples[i - 1].value - 4 * noise)
            break;
        window.at[window.count] = (double)(samples[i].ticks - samples[crossing].ticks);
        window.value[window.count++] = samples[i].value - level;
    }
    return window;
}

struct ts_onset ts_onset_fit(const struct ts_tap_sample *samples, size_t count, size_t crossing,
                             double level, double noise)
{
    const struct window window = cut_out(samples, count, crossing, level, noise);
    double best = INFINITY, best_onset = 0;
    for (int step = 0; - step * GRID_TICKS >= window.at[0]; step++) {
        const double onset = -step * GRID_TICKS;
        const double left = misfit(&window, onset);
        if (left < best) {
            best = left;
            best_onset = onset;
        }
    }
    /* Onsets that fit nearly as well: chi square higher by less than 1. */
    double first = best_onset, last = best_onset;
    while (first > window.at[0] && misfit(&window, first) <= best + noise * noise)
        first -= GRID_TICKS;
    while (last < 0 && misfit(&window, last) <= best + noise * noise)
        last += GRID_TICKS;
    return (struct ts_onset){.ticks = (double)samples[crossing].ticks + best_onset,
                             .u_ticks = hypot((last - first) / 2, CONSTANT_U)};
}
