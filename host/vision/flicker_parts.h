/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Between the parts of flicker: looking for waves, and measuring them. */
#ifndef TS_VISION_FLICKER_PARTS_H
#define TS_VISION_FLICKER_PARTS_H

#include "vision/fit.h"
#include "vision/flicker.h"

#include <math.h>

#define TS_TWO_PI              6.283185307179586
#define TS_FLICKER_FRAMES      128 /* a stretch has at most so many */
#define TS_FLICKER_FIRST_LOOKS 3   /* ... at 24 frames, 48 and 96 */

/* One row of ratio[], left[], cosine[] or sine[]: a value a frame. */
static inline float *ts_flicker_row(float *values, size_t row)
{
    return values + row * TS_FLICKER_FRAMES;
}

#define TS_FLICKER_LOW_FOUND  0.08 /* turns over the frames: fewer show no wave */
#define TS_FLICKER_SAME_LEAST 0.85 /* of the rows' amplitudes are of one sign */
#define TS_FLICKER_SLOPE_MOST 0.6  /* rad per row at the least, ... */
#define TS_FLICKER_SLOPE_CAP  1.5  /* ... and at the most: TS_FLICKER_FASTEST_HZ */
#define TS_FLICKER_SLOWEST_HZ 45.0 /* that light flickers with */
#define TS_FLICKER_FASTEST_HZ 500.0
#define TS_FLICKER_MULTIPLES  4  /* of the frame rate that lights exceed, ... */
#define TS_FLICKER_MOST       17 /* ... and of a slow one */
#define TS_FLICKER_SLOPES     (2 * TS_FLICKER_MOST + 1)
#define TS_FLICKER_APART      0.7 /* turns over the frames: who is nearer looks the same */

/* The frames that are looked at. */
struct ts_flicker_stretch {
    struct ts_flicker *flicker;
    struct ts_window *window;
    size_t from, count;
    double zero_ms; /* its middle */
};

static inline double ts_flicker_ms(const struct ts_flicker_stretch *stretch, size_t n)
{
    return ts_window_start_ms(stretch->window, stretch->from + n) - stretch->zero_ms;
}

/* What goes up in one frame and down in the next. */
static inline double ts_flicker_alternates_hz(const struct ts_flicker_stretch *stretch)
{
    return 500 / stretch->window->view->period_ms;
}

/* How far light of 1 Hz turns from row to row, rad. */
static inline double ts_flicker_slope_by_hz(const struct ts_flicker_stretch *stretch)
{
    const struct ts_vision_view *view = stretch->window->view;
    return TS_TWO_PI * view->readout_ms * TS_BLOCK_PX / view->camera->height_px / 1000;
}

/* The slopes that light may have, to either side. */
static inline double ts_flicker_slope_most(const struct ts_flicker_stretch *stretch)
{
    const double fastest = TS_FLICKER_FASTEST_HZ * ts_flicker_slope_by_hz(stretch);
    return fmin(TS_FLICKER_SLOPE_CAP, fmax(TS_FLICKER_SLOPE_MOST, fastest));
}

/* So many times the frame rate may be missing of a frequency as it shows. */
static inline int ts_flicker_multiples(const struct ts_flicker_stretch *stretch)
{
    const double frames = ceil(TS_FLICKER_FASTEST_HZ * stretch->window->view->period_ms / 1000);
    return (int)fmin(TS_FLICKER_MOST, fmax(TS_FLICKER_MULTIPLES, frames));
}

/* Wave k is seen for little more than one turn, or less: its amplitude, its phase and a constant
 * look much alike. So do amplitude and phase of one that goes up and down from frame to frame. */
#define TS_FLICKER_SLOW_TURNS 1.5
static inline bool ts_flicker_is_slow(const struct ts_flicker_stretch *stretch, size_t k)
{
    const double span_ms = 2 * ts_flicker_ms(stretch, stretch->count - 1);
    const double hz =
        fabs(remainder(stretch->flicker->source[k].wave.hz, ts_flicker_alternates_hz(stretch)));
    return hz * span_ms / 1000 < TS_FLICKER_SLOW_TURNS;
}

/* Another wave is so near to wave k in the stretch, turns. */
#define TS_FLICKER_TWIN 0.2 /* of one frequency: what both leave tells neither's slope */
static inline bool ts_flicker_has_near(const struct ts_flicker_stretch *stretch, size_t k,
                                       double turns)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const double seconds = 2 * ts_flicker_ms(stretch, stretch->count - 1) / 1000;
    for (size_t i = 0; i < flicker->count; i++) {
        if (i != k &&
            fabs(flicker->source[i].wave.hz - flicker->source[k].wave.hz) * seconds < turns)
            return true;
    }
    return false;
}

/* Of the normal equations of all waves' amplitudes and a constant, which comes last: what two waves
 * that cannot be told apart make of a row, they share. Relative to what each varies in the stretch:
 * a slow one varies little. */
#define TS_FLICKER_RIDGE 0.002
static inline void ts_flicker_ridge(const struct ts_flicker_stretch *stretch,
                                    double gram[TS_FIT_MOST][TS_FIT_MOST])
{
    const size_t waves = stretch->flicker->count;
    for (size_t k = 0; k < waves; k++) {
        const double constant = gram[k][waves] * gram[k][waves] / gram[waves][waves];
        gram[k][k] +=
            TS_FLICKER_RIDGE *
            (ts_flicker_is_slow(stretch, k) ? 2 * (gram[k][k] - constant) : (double)stretch->count);
    }
}

/* Takes frames from .. to - 1 into the range in which each block is; fresh: and no others. */
void ts_flicker_range(struct ts_flicker *flicker, const struct ts_window *window, size_t from,
                      size_t to, bool fresh);
/* Of the stretch that was taken, marks the blocks that do no more than flicker may; returns how
 * many of them there are. */
size_t ts_flicker_find_steady(const struct ts_flicker_stretch *stretch);
/* Puts into ratio[] each row's relative brightness - 1, by its blocks that are marked; into rows[]
 * their number. */
void ts_flicker_fill(const struct ts_flicker_stretch *stretch);
/* Where the known waves are now, and those that are seen besides; whether there are any. */
bool ts_flicker_search(const struct ts_flicker_stretch *stretch);
/* Puts each wave where it fits the rows best, all of them together; left[] is what they leave.
 * Returns which share of the last wave's amplitudes in the rows is of one sign: light has no other,
 * while a picture that moves or fades has any. */
double ts_flicker_follow(const struct ts_flicker_stretch *stretch);
/* The same of waves that stay where they are. */
double ts_flicker_lay(const struct ts_flicker_stretch *stretch);
/* How strong the last wave is where it is weakest, in any third of the stretch, relative to the
 * whole of it: about 1 for light, while a fade that begins or ends is no wave before or after. */
double ts_flicker_lasts(const struct ts_flicker_stretch *stretch);
/* Mean square of what the waves leave in the rows. */
double ts_flicker_left(const struct ts_flicker_stretch *stretch);
/* Whether each new wave may be light that flickers; turns: over the stretch, at the least. */
bool ts_flicker_all_light(const struct ts_flicker_stretch *stretch, double turns);
/* Two of the new waves are of so nearly one frequency that the stretch hardly tells it. */
bool ts_flicker_any_twins(const struct ts_flicker_stretch *stretch);
/* Gives such waves the slopes that leave least, if that is less than `left`; returns what
 * ts_flicker_follow() does. */
double ts_flicker_tell_twins_apart(const struct ts_flicker_stretch *stretch, double left);
/* Wave k is two lights: makes it one of them and the other the last of the waves; false: it is not.
 */
bool ts_flicker_split(const struct ts_flicker_stretch *stretch, size_t k);
/* The wave's phase in row 0. */
double ts_flicker_turn_at(const struct ts_flicker_wave *wave, double ms);
/* In each row, by how much it varies as wave k would with no slope and no phase in the stretch's
 * middle, and as that a quarter of a turn later; left[] is what is left then. */
void ts_flicker_quadratures(const struct ts_flicker_stretch *stretch, size_t k, float *re,
                            float *im);
/* The slopes that light of this frequency may have; returns how many they are. */
size_t ts_flicker_list_slopes(const struct ts_flicker_stretch *stretch, double hz,
                              double slopes[TS_FLICKER_SLOPES]);
/* So many turns over the stretch wave k beats with half the frame rate. */
double ts_flicker_beats(const struct ts_flicker_stretch *stretch, size_t k);
/* Wave k goes up in one frame and down in the next, as far as the stretch tells. */
bool ts_flicker_alternates(const struct ts_flicker_stretch *stretch, size_t k);
/* Gives such a wave the phase with which it is about as strong in all rows, and, where it is not
 * known yet, such a slope. False: it is not as strong with any. */
bool ts_flicker_turn_evenly(const struct ts_flicker_stretch *stretch, size_t k);
/* Of the steady blocks, unmarks those that do anything else than the waves. */
void ts_flicker_drop_unlike(const struct ts_flicker_stretch *stretch);
/* How strong the waves are, and which share of its light each block has of them. */
void ts_flicker_fit(const struct ts_flicker_stretch *stretch);

#endif
