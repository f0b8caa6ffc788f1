/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which waves may be light, by frequency and slope; and of two lights that show at nearly one
 * frequency, which slope is whose. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <string.h>

#define TWO_PI      6.283185307179586
#define SLOPE_NEAR  0.015 /* rad per row, or ... */
#define SLOPE_SHARE 0.25  /* ... this share of it: what fades has none */

double ts_flicker_slope_by_hz(const struct ts_flicker_stretch *stretch)
{
    const struct ts_vision_view *view = stretch->window->view;
    return TWO_PI * view->readout_ms * TS_BLOCK_PX / view->camera->height_px / 1000;
}

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

/* Neither has been seen before, and the stretch hardly tells one's frequency from the other's. What
 * goes up and down from frame to frame is its own twin: at half the frame rate, turning the other
 * way from row to row looks the same. */
static bool has_twin(const struct ts_flicker_stretch *stretch, size_t k)
{
    const struct ts_flicker_source *source = stretch->flicker->source;
    const double seconds = 2 * ts_flicker_ms(stretch, stretch->count - 1) / 1000;
    if (source[k].strength <= 0 &&
        fabs(source[k].wave.hz - ts_flicker_alternates_hz(stretch)) * seconds < TS_FLICKER_APART)
        return true;
    for (size_t i = 0; i < stretch->flicker->count; i++) {
        if (i != k && source[i].strength <= 0 && source[k].strength <= 0 &&
            fabs(source[i].wave.hz - source[k].wave.hz) * seconds < TS_FLICKER_APART)
            return true;
    }
    return false;
}

/* As if a light went so many frames' turns faster, or with the other sign slower, and shows at the
 * same frequency. */
static bool turn_otherwise(const struct ts_flicker_stretch *stretch, struct ts_flicker_wave *wave,
                           int frames)
{
    const double rate = 1000 / stretch->window->view->period_ms;
    const double slope = ts_flicker_slope_by_hz(stretch) * (frames * rate + wave->hz);
    if (frames == 0 || fabs(slope) > TS_FLICKER_SLOPE_MOST)
        return false;
    wave->turn += (wave->slope - slope) * (double)stretch->flicker->down / 2;
    wave->slope = slope;
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
        for (int frames = -TS_FLICKER_MULTIPLES;
             frames <= TS_FLICKER_MULTIPLES && has_twin(stretch, k); frames++) {
            if (!turn_otherwise(stretch, &flicker->source[k].wave, frames))
                continue;
            const double same = ts_flicker_follow(stretch);
            const double left = ts_flicker_left(stretch);
            if (left < least && same >= TS_FLICKER_SAME_LEAST &&
                ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND)) {
                least = left;
                memcpy(best, flicker->source, sizeof best);
            }
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
