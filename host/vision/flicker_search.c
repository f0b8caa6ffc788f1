/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sampled by the frame rate, a frequency above half of it shows as a lower one; how far it turns
 * from row to row is a second coordinate, which tells apart what has the same frequency, and tells
 * flicker from a picture that brightens and darkens in all its rows at once. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <string.h>

#define LOW_TURNS    0.7    /* over the frames; fewer look like drift, ... */
#define MOVING_TURNS 1.5    /* ... or, once the screen may have changed, like what moves slowly */
#define MOVING_FOUND 0.75   /* so begun, a search may end here; else at TS_FLICKER_LOW_FOUND */
#define AMPLITUDE    0.0015 /* weaker ones do not matter */
#define TIMES_NOISE  16.0   /* in power */
#define SLOPE_STEP   0.05   /* rad per row */
#define SLOPES_MOST  30     /* to either side */
#define COHERENT     0.5    /* share of the rows' amplitudes that lies on the plane wave */
#define LASTS_LEAST  0.5    /* of its strength, in each part of the stretch */
#define SLOW_MS      600.0  /* shorter ones tell a turn from half of one badly */
#define SLOW_LEFT    0.04   /* of what varied: what else turns slowly leaves more, ... */
#define SLOW_SAME    0.97   /* ... or is not of one sign, ... */
#define SLOW_LASTS   0.8    /* ... or comes or goes */
#define LEFT_MOST    0.1    /* of a known wave: more is another one */
#define COMES_MOST   0.2    /* of a known wave ... */
#define COMES_TURNS  3.0    /* ... so near to it: that wave, on what comes or goes */
#define NEEDED       1.3    /* times of what is left: without it */
#define TWIN_LEFT    0.5    /* of what is left: worth another slope */
#define TWIN_WORTH   0.1    /* of what varied: two lights leave little even with wrong slopes */
#define ROUNDS       7

struct point {
    double hz, slope, power; /* squared amplitude */
};

/* What is left in the rows: its mean square, and the power that it would give to any wave, were it
 * noise. */
static double find_noise(const struct ts_flicker_stretch *stretch, double *weights, double *power)
{
    const struct ts_flicker *flicker = stretch->flicker;
    double sum = 0, squared = 0;
    *weights = *power = 0;
    for (size_t row = 0; row < flicker->down; row++) {
        const double weight = (double)flicker->rows[row];
        double squares = 0;
        for (size_t n = 0; n < stretch->count; n++) {
            const double ratio = (double)ts_flicker_row(flicker->left, row)[n];
            squares += ratio * ratio / (double)stretch->count;
        }
        sum += weight * squares;
        squared += weight * weight * squares;
        *weights += weight;
    }
    if (*weights <= 0)
        return 0;
    *power = 4 * squared / ((double)stretch->count * *weights * *weights);
    return sum / *weights;
}

double ts_flicker_left(const struct ts_flicker_stretch *stretch)
{
    double weights, power;
    return find_noise(stretch, &weights, &power);
}

struct series {
    float re[TS_FLICKER_FRAMES], im[TS_FLICKER_FRAMES];
};

/* The rows, turned back by a slope and added. */
static void add_rows(const struct ts_flicker_stretch *stretch, double slope, struct series *series)
{
    const struct ts_flicker *flicker = stretch->flicker;
    *series = (struct series){{0}, {0}};
    for (size_t row = 0; row < flicker->down; row++) {
        const float c = flicker->rows[row] * (float)cos(slope * (double)row);
        const float s = flicker->rows[row] * (float)sin(slope * (double)row);
        for (size_t n = 0; n < stretch->count; n++) {
            const float ratio = ts_flicker_row(flicker->left, row)[n];
            series->re[n] += ratio * c;
            series->im[n] -= ratio * s;
        }
    }
}

/* The same with the opposite slope. */
static void turn_over(const struct series *series, size_t count, struct series *over)
{
    for (size_t n = 0; n < count; n++) {
        over->re[n] = series->re[n];
        over->im[n] = -series->im[n];
    }
}

/* Squared length of the sum of the series, turned back by an angle for each frame. */
static double turned(const struct series *series, const struct series *angle, size_t count)
{
    float re = 0, im = 0;
    for (size_t n = 0; n < count; n++) {
        re += series->re[n] * angle->re[n] + series->im[n] * angle->im[n];
        im += series->im[n] * angle->re[n] - series->re[n] * angle->im[n];
    }
    return (double)re * (double)re + (double)im * (double)im;
}

static void turn_by(const struct ts_flicker_stretch *stretch, double hz, struct series *angle)
{
    for (size_t n = 0; n < stretch->count; n++) {
        const double x = TS_TWO_PI * hz / 1000 * ts_flicker_ms(stretch, n);
        angle->re[n] = (float)cos(x);
        angle->im[n] = (float)sin(x);
    }
}

static struct point strongest(const struct ts_flicker_stretch *stretch, double low, double high,
                              double step)
{
    const int slopes = (int)fmin(SLOPES_MOST, ceil(ts_flicker_slope_most(stretch) / SLOPE_STEP));
    const size_t count = stretch->count;
    struct series rows[2 * SLOPES_MOST + 1], angle, by;
    struct point best = {low, 0, -1};
    for (int i = 0; i <= slopes; i++) {
        add_rows(stretch, i * SLOPE_STEP, &rows[slopes + i]);
        turn_over(&rows[slopes + i], count, &rows[slopes - i]);
    }
    turn_by(stretch, low, &angle);
    turn_by(stretch, step, &by);
    for (double hz = low; hz <= high; hz += step) {
        for (int i = -slopes; i <= slopes; i++) {
            const double power = turned(&rows[i + slopes], &angle, count);
            if (power > best.power)
                best = (struct point){hz, i * SLOPE_STEP, power};
        }
        for (size_t n = 0; n < count; n++) {
            const float re = angle.re[n] * by.re[n] - angle.im[n] * by.im[n];
            angle.im[n] = angle.im[n] * by.re[n] + angle.re[n] * by.im[n];
            angle.re[n] = re;
        }
    }
    return best;
}

static void refine(const struct ts_flicker_stretch *stretch, double step, struct point *point)
{
    double turn = SLOPE_STEP;
    struct series rows, angle;
    for (int round = 0; round < ROUNDS; round++, step /= 2, turn /= 2) {
        const struct point from = *point;
        add_rows(stretch, from.slope, &rows);
        for (int i = -1; i <= 1; i += 2) {
            turn_by(stretch, from.hz + i * step / 2, &angle);
            const double power = turned(&rows, &angle, stretch->count);
            if (power > point->power)
                *point = (struct point){from.hz + i * step / 2, from.slope, power};
        }
        turn_by(stretch, point->hz, &angle);
        for (int i = -1; i <= 1; i += 2) {
            add_rows(stretch, from.slope + i * turn / 2, &rows);
            const double power = turned(&rows, &angle, stretch->count);
            if (power > point->power)
                *point = (struct point){point->hz, from.slope + i * turn / 2, power};
        }
    }
}

/* Which share of what the rows have of a frequency is on the plane wave, and its phase. */
static double coherence(const struct ts_flicker_stretch *stretch, const struct point *point,
                        double *turn)
{
    const struct ts_flicker *flicker = stretch->flicker;
    struct series angle;
    turn_by(stretch, point->hz, &angle);
    double lengths = 0, re_sum = 0, im_sum = 0;
    for (size_t row = 0; row < flicker->down; row++) {
        double re = 0, im = 0;
        for (size_t n = 0; n < stretch->count; n++) {
            const float left = ts_flicker_row(flicker->left, row)[n];
            re += (double)(left * angle.re[n]);
            im -= (double)(left * angle.im[n]);
        }
        const double weight = (double)flicker->rows[row], back = -point->slope * (double)row;
        re_sum += weight * (re * cos(back) - im * sin(back));
        im_sum += weight * (im * cos(back) + re * sin(back));
        lengths += weight * hypot(re, im);
    }
    *turn = atan2(im_sum, re_sum);
    return lengths > 0 ? hypot(re_sum, im_sum) / lengths : 0;
}

/* What is so near to a known wave is what that one leaves, which is little; or one of a pair, which
 * are told apart together (flicker_twins.c). While the picture may move, so is what lies a few
 * turns beside it, and what differs from it by its slope alone: that light on what moves, or comes.
 */
static bool is_known(const struct ts_flicker_stretch *stretch, const struct point *point,
                     double amplitude)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const double seconds = 2 * ts_flicker_ms(stretch, stretch->count - 1) / 1000;
    for (size_t k = 0; k < flicker->count; k++) {
        const struct ts_flicker_wave *wave = &flicker->source[k].wave;
        const double strength = flicker->source[k].strength;
        const double beside = fabs(wave->hz - point->hz) * seconds;
        const double turned = fabs(wave->slope - point->slope) * (double)flicker->down / TS_TWO_PI;
        const bool near = beside < TS_FLICKER_APART, alike = turned < TS_FLICKER_APART;
        if (beside < TS_FLICKER_TWIN || (near && alike && strength <= 0))
            return true;
        if (near && (alike || flicker->moves) && amplitude < LEFT_MOST * strength)
            return true;
        if (alike && flicker->moves && beside < COMES_TURNS && amplitude < COMES_MOST * strength)
            return true;
    }
    return false;
}

/* Adds the strongest wave in what the others leave, of those that turn so often over the frames, or
 * of all that turn more often; false: there is none. */
static bool add_strongest(const struct ts_flicker_stretch *stretch, double turns, double turns_most)
{
    struct ts_flicker *flicker = stretch->flicker;
    const double ms = 2 * ts_flicker_ms(stretch, stretch->count - 1);
    const double step = 400 / ms, low = turns * 1000 / ms;
    const double high = fmin(ts_flicker_alternates_hz(stretch), turns_most * 1000 / ms);
    double weights, noise, turn;
    if (flicker->count == TS_FLICKERS || turns >= flicker->none_from ||
        2 * find_noise(stretch, &weights, &noise) < AMPLITUDE * AMPLITUDE)
        return false; /* all there is, were it one wave, would be weak */
    struct point point = strongest(stretch, low, high, step);
    refine(stretch, step, &point);
    const double power = 4 * point.power / pow((double)stretch->count * weights, 2);
    if (power < AMPLITUDE * AMPLITUDE || power < TIMES_NOISE * noise ||
        coherence(stretch, &point, &turn) < COHERENT || is_known(stretch, &point, sqrt(power))) {
        if (flicker->count == 0 && isinf(turns_most))
            flicker->none_from = turns;
        return false;
    }
    flicker->source[flicker->count++] =
        (struct ts_flicker_source){.wave = {point.hz, turn, stretch->zero_ms, point.slope, ms / 2}};
    return true;
}

/* What came first may be a mean of what was found afterwards: then it is not needed any more. Those
 * up to `known` were known before. Returns which share of the last one is of one sign. */
static double drop_needless(const struct ts_flicker_stretch *stretch, size_t known, double same)
{
    struct ts_flicker *flicker = stretch->flicker;
    for (size_t k = known; k + 1 < flicker->count; k++) {
        struct ts_flicker_source found[TS_FLICKERS];
        const size_t count = flicker->count;
        const double left = ts_flicker_left(stretch);
        memcpy(found, flicker->source, sizeof found);
        flicker->count--;
        memmove(&flicker->source[k], &found[k + 1], (flicker->count - k) * sizeof *found);
        const double without = ts_flicker_follow(stretch);
        if (ts_flicker_left(stretch) < NEEDED * left && without >= TS_FLICKER_SAME_LEAST &&
            ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND))
            return without;
        memcpy(flicker->source, found, sizeof found);
        flicker->count = count;
        ts_flicker_follow(stretch);
    }
    return same;
}

/* Two of nearly one frequency look like one that is neither, until both are there. */
static bool add_lights(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t known = flicker->count;
    const bool moves = flicker->moves;
    const double turns = moves ? MOVING_TURNS : LOW_TURNS,
                 least = moves ? MOVING_FOUND : TS_FLICKER_LOW_FOUND;
    const double before = ts_flicker_left(stretch);
    size_t most = known + (moves ? 1 : 2);
    while (flicker->count < most && add_strongest(stretch, turns, INFINITY)) {
        double same = ts_flicker_follow(stretch);
        const bool light = same >= TS_FLICKER_SAME_LEAST && ts_flicker_all_light(stretch, least);
        const double left = ts_flicker_left(stretch);
        const bool worth = !moves && left < TWIN_WORTH * before;
        most = worth ? known + 3 : most; /* a harmonic may have come between */
        if ((light || worth) && ts_flicker_any_twins(stretch))
            same = ts_flicker_tell_twins_apart(stretch, light ? TWIN_LEFT * left : left);
        if (flicker->count > known + 1)
            same = drop_needless(stretch, known, same);
        if (ts_flicker_lasts(stretch) <= LASTS_LEAST)
            return false;
        if (same >= TS_FLICKER_SAME_LEAST && ts_flicker_all_light(stretch, least))
            return true;
    }
    return false;
}

/* Nothing that moves or fades does in every row, for all of the stretch, what a wave of light does
 * there, and nothing else. before: what the rows left without it. */
static bool is_slow_light(const struct ts_flicker_stretch *stretch, double before, bool *may_be)
{
    const double same = ts_flicker_follow(stretch);
    *may_be = same >= TS_FLICKER_SAME_LEAST &&
              ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND) &&
              ts_flicker_lasts(stretch) > SLOW_LASTS;
    return *may_be && same >= SLOW_SAME && ts_flicker_left(stretch) < SLOW_LEFT * before;
}

/* Without the blocks in which something else happens too. */
static bool is_slow_light_elsewhere(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_source found = flicker->source[flicker->count - 1];
    bool may_be;
    ts_flicker_drop_unlike(stretch);
    ts_flicker_fill(stretch);
    flicker->count--;
    ts_flicker_follow(stretch);
    const double before = ts_flicker_left(stretch);
    flicker->source[flicker->count++] = found;
    return is_slow_light(stretch, before, &may_be);
}

static bool add_slow_light(const struct ts_flicker_stretch *stretch)
{
    const double before = ts_flicker_left(stretch);
    bool may_be;
    if (!stretch->flicker->moves || 2 * ts_flicker_ms(stretch, stretch->count - 1) < SLOW_MS ||
        !add_strongest(stretch, LOW_TURNS, MOVING_TURNS))
        return false;
    return is_slow_light(stretch, before, &may_be) || (may_be && is_slow_light_elsewhere(stretch));
}

static bool is_pair(const struct ts_flicker_stretch *stretch, size_t k)
{
    return ts_flicker_split(stretch, k) && ts_flicker_follow(stretch) >= TS_FLICKER_SAME_LEAST &&
           ts_flicker_all_light(stretch, TS_FLICKER_LOW_FOUND) &&
           ts_flicker_lasts(stretch) > LASTS_LEAST;
}

/* Some wave is two lights: one of those that are known from before, or of the others. Where one
 * only seemed to be, the waves are not what they were. */
static bool split_any(const struct ts_flicker_stretch *stretch, bool known)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t count = flicker->count;
    for (size_t k = 0; k < count && flicker->count == count; k++) {
        if (known == (flicker->source[k].strength > 0) && is_pair(stretch, k))
            return true;
    }
    return false;
}

static bool split_known(const struct ts_flicker_stretch *stretch)
{
    return split_any(stretch, true);
}

/* What looks like one wave, or like none, may be two lights. */
static bool add_pair(const struct ts_flicker_stretch *stretch)
{
    const double turns = stretch->flicker->moves ? MOVING_TURNS : LOW_TURNS;
    return split_any(stretch, false) || (add_strongest(stretch, turns, INFINITY) &&
                                         is_pair(stretch, stretch->flicker->count - 1));
}

bool ts_flicker_search(const struct ts_flicker_stretch *stretch)
{
    static bool (*const add[])(const struct ts_flicker_stretch *) = {split_known, add_lights,
                                                                     add_slow_light, add_pair};
    struct ts_flicker *flicker = stretch->flicker;
    bool more = true;
    ts_flicker_fill(stretch);
    ts_flicker_follow(stretch);
    while (more) {
        struct ts_flicker_source found[TS_FLICKERS];
        const size_t count = flicker->count;
        memcpy(found, flicker->source, sizeof found);
        more = false;
        for (size_t way = 0; way < sizeof add / sizeof *add && !more; way++) {
            more = add[way](stretch);
            if (more || flicker->count == count)
                continue;
            memcpy(flicker->source, found, sizeof found);
            flicker->count = count;
            ts_flicker_lay(stretch);
        }
    }
    return flicker->count > 0;
}
