/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which waves may be light, by frequency and slope; and of two lights that show at nearly one
 * frequency, which slope is whose. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <string.h>

#define SLOPE_NEAR  0.015 /* rad per row, or ... */
#define SLOPE_SHARE 0.25  /* ... this share of it: what fades has none */

/* A true frequency, which the slope tells, shows at a frequency that follows from it: a picture
 * that fades or moves gives any pair of them. */
static bool is_light(const struct ts_flicker_stretch *stretch, const struct ts_flicker_wave *wave,
                     double least)
{
    const struct ts_vision_view *view = stretch->window->view;
    const double by_hz = ts_flicker_slope_by_hz(stretch), rate = 1000 / view->period_ms;
    const double sign = wave->slope < 0 ? -1 : 1, slope = fabs(wave->slope);
    const double frames = round((slope / by_hz - sign * wave->hz) / rate);
    const double true_hz = fmax(0, frames) * rate + sign * wave->hz;
    const double near = fmin(SLOPE_NEAR, SLOPE_SHARE * by_hz * true_hz) +
                        slope * view->readout_u_ms / view->readout_ms;
    return wave->hz * 2 * wave->half_ms / 1000 > least && true_hz > TS_FLICKER_SLOWEST_HZ &&
           fabs(slope - by_hz * true_hz) < near;
}

bool ts_flicker_all_light(const struct ts_flicker_stretch *stretch, double least)
{
    const struct ts_flicker *flicker = stretch->flicker;
    for (size_t k = 0; k < flicker->count; k++) {
        if (flicker->source[k].strength <= 0 && !is_light(stretch, &flicker->source[k].wave, least))
            return false;
    }
    return true;
}

size_t ts_flicker_list_slopes(const struct ts_flicker_stretch *stretch, double hz,
                              double slopes[TS_FLICKER_SLOPES])
{
    const double rate = 1000 / stretch->window->view->period_ms;
    const int most = ts_flicker_multiples(stretch);
    size_t count = 0;
    for (int frames = -most; frames <= most; frames++) {
        const double true_hz = frames * rate + hz;
        const double slope = ts_flicker_slope_by_hz(stretch) * true_hz;
        if (fabs(true_hz) > TS_FLICKER_SLOWEST_HZ && fabs(slope) <= ts_flicker_slope_most(stretch))
            slopes[count++] = slope;
    }
    return count;
}

/* Neither has been seen before, and the stretch hardly tells one's frequency from the other's. What
 * alternates is its own twin: turning the other way from row to row looks the same. */
static bool has_twin(const struct ts_flicker_stretch *stretch, size_t k)
{
    const struct ts_flicker_source *source = stretch->flicker->source;
    const double seconds = 2 * ts_flicker_ms(stretch, stretch->count - 1) / 1000;
    if (source[k].strength <= 0 && ts_flicker_beats(stretch, k) < TS_FLICKER_APART)
        return true;
    for (size_t i = 0; i < stretch->flicker->count; i++) {
        if (i != k && source[i].strength <= 0 && source[k].strength <= 0 &&
            fabs(source[i].wave.hz - source[k].wave.hz) * seconds < TS_FLICKER_APART)
            return true;
    }
    return false;
}

/* Any slope fits what alternates. */
static bool is_even_light(const struct ts_flicker_stretch *stretch, size_t k)
{
    return ts_flicker_turn_evenly(stretch, k) && ts_flicker_lay(stretch) >= TS_FLICKER_SAME_LEAST &&
           ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND);
}

/* Whether so turned wave k and the others leave less than `least`, which is then less. */
static bool is_better(const struct ts_flicker_stretch *stretch, size_t k, double slope,
                      double *least)
{
    struct ts_flicker_wave *wave = &stretch->flicker->source[k].wave;
    wave->turn += (wave->slope - slope) * (double)stretch->flicker->down / 2;
    wave->slope = slope;
    const double same = ts_flicker_follow(stretch), left = ts_flicker_left(stretch);
    if (left >= *least || same < TS_FLICKER_SAME_LEAST ||
        !ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND))
        return false;
    *least = left;
    return true;
}

/* Slopes that neither has may fit two such lights better than others that are near to these: so
 * each slope that a frequency allows is tried. */
double ts_flicker_tell_twins_apart(const struct ts_flicker_stretch *stretch, double least)
{
    struct ts_flicker *flicker = stretch->flicker;
    struct ts_flicker_source found[TS_FLICKERS], best[TS_FLICKERS];
    memcpy(found, flicker->source, sizeof found);
    memcpy(best, found, sizeof best);
    for (size_t k = 0; k < flicker->count; k++) {
        double slopes[TS_FLICKER_SLOPES];
        if (!has_twin(stretch, k))
            continue;
        const bool alternates = ts_flicker_alternates(stretch, k);
        const size_t count =
            alternates ? 1 : ts_flicker_list_slopes(stretch, found[k].wave.hz, slopes);
        for (size_t i = 0; i < count; i++) {
            if (alternates ? is_even_light(stretch, k) : is_better(stretch, k, slopes[i], &least))
                memcpy(best, flicker->source, sizeof best);
            memcpy(flicker->source, found, sizeof found);
        }
    }
    memcpy(flicker->source, best, sizeof best);
    return ts_flicker_follow(stretch);
}

bool ts_flicker_any_twins(const struct ts_flicker_stretch *stretch)
{
    for (size_t k = 0; k < stretch->flicker->count; k++) {
        if (has_twin(stretch, k))
            return true;
    }
    return false;
}
