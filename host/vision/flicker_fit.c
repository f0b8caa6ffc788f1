/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The waves' phases are known; every steady block tells, by least squares, how strong each of them
 * is in its light. */
#include "vision/flicker_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNLIKE        6.0f /* times the median of what is not explained: it is no steady block */
#define CLEAR         4.0  /* standard deviations: a block shows the wave */
#define CLEAR_LEAST   24   /* blocks */
#define FULL_SHARE    0.9 /* quantile of the blocks: these have nearly all their light from there */
#define BRIGHT_CODE   70.0f /* more than surroundings have, as a rule */
#define SCREEN_SHARE  0.4
#define DENIED        0.3
#define OWN_LEAST     0.8 /* of a block's light is its own, else it tells little of the screen's */
#define PRIOR_U       0.3 /* of a share that is known from before, ... */
#define DARKER        0.5 /* ... and, of what is known from when there was so much less light, ... */
#define DARKER_U      0.05 /* ... of that light */
#define UNSURE_CHANGE 1.3  /* of what is known */
#define MOVING_COUNTS 0.1  /* of a stretch at rest that is as long */
#define SEEN_TURNS    0.6  /* of a wave, at rest: enough to know it by */
#define MAINS_NEAR    1.0  /* turns over the stretch */
#define U_LEAST       0.02 /* of a share */
#define FLAT          0.5f /* of what so much of a wave moves by at least */

/* Makes of the waves what, multiplied with a row's codes, gives the amplitudes in them: into
 * sine[], which nobody needs any more. */
static void make_basis(const struct ts_flicker_stretch *stretch, size_t row)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t waves = flicker->count, count = stretch->count;
    double gram[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, inverse[TS_FLICKERS][TS_FIT_MOST] = {{0}};
    for (size_t n = 0; n < count; n++) {
        for (size_t i = 0; i <= waves; i++) {
            const double x = i < waves ? (double)ts_flicker_row(flicker->cosine[i], row)[n] : 1;
            for (size_t j = 0; j <= waves; j++)
                gram[i][j] +=
                    x * (j < waves ? (double)ts_flicker_row(flicker->cosine[j], row)[n] : 1);
        }
    }
    ts_flicker_ridge(stretch, gram);
    for (size_t i = 0; i < waves; i++) {
        double a[TS_FIT_MOST][TS_FIT_MOST];
        memcpy(a, gram, sizeof a);
        inverse[i][i] = 1;
        if (!ts_fit_solve(waves + 1, a, inverse[i]))
            memset(inverse[i], 0, sizeof inverse[i]);
        flicker->unsure[i][row] = (float)inverse[i][i];
    }
    for (size_t n = 0; n < count; n++) {
        for (size_t i = 0; i < waves; i++) {
            double sum = inverse[i][waves];
            for (size_t j = 0; j < waves; j++)
                sum += inverse[i][j] * (double)ts_flicker_row(flicker->cosine[j], row)[n];
            ts_flicker_row(flicker->sine[i], row)[n] = (float)sum;
        }
    }
}

/* The amplitudes in every block. */
static void project(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t across = stretch->window->across, down = flicker->down;
    const float area = TS_BLOCK_PX * TS_BLOCK_PX;
    for (size_t row = 0; row < down; row++)
        make_basis(stretch, row);
    for (size_t i = 0; i < flicker->count; i++) {
        memset(flicker->part[i], 0, flicker->blocks * sizeof(float));
        for (size_t n = 0; n < stretch->count; n++) {
            const uint16_t *sums = ts_window_sums(stretch->window, stretch->from + n);
            for (size_t row = 0; row < down; row++) {
                const size_t from = row * across;
                const uint16_t *restrict here = sums + from;
                const float *restrict mean = flicker->mean + from;
                float *restrict part = flicker->part[i] + from;
                const float factor = ts_flicker_row(flicker->sine[i], row)[n];
                for (size_t b = 0; b < across; b++)
                    part[b] += factor * ((float)here[b] / area - mean[b]);
            }
        }
    }
}

/* The variance that the waves leave in every block. */
static void find_spread(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    const size_t across = stretch->window->across, down = flicker->down;
    const float area = TS_BLOCK_PX * TS_BLOCK_PX;
    for (size_t row = 0; row < down; row++) {
        const size_t from = row * across;
        const float *restrict mean = flicker->mean + from;
        float *restrict spread = flicker->spread + from, middle[TS_FLICKERS] = {0};
        for (size_t b = 0; b < across; b++)
            spread[b] = 0;
        for (size_t i = 0; i < flicker->count; i++) {
            for (size_t n = 0; n < stretch->count; n++)
                middle[i] += ts_flicker_row(flicker->cosine[i], row)[n] / (float)stretch->count;
        }
        for (size_t n = 0; n < stretch->count; n++) {
            const uint16_t *restrict sums =
                ts_window_sums(stretch->window, stretch->from + n) + from;
            float wave[TS_FLICKERS] = {0};
            for (size_t i = 0; i < flicker->count; i++)
                wave[i] = ts_flicker_row(flicker->cosine[i], row)[n] - middle[i];
            for (size_t b = 0; b < across; b++) {
                float off = (float)sums[b] / area - mean[b];
                for (size_t i = 0; i < TS_FLICKERS; i++)
                    off -= wave[i] * flicker->part[i][from + b];
                spread[b] += off * off / (float)stretch->count;
            }
        }
    }
}

static int by_size(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

static float quantile(float *values, size_t count, double share)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, by_size);
    return values[(size_t)(share * (double)(count - 1))];
}

void ts_flicker_drop_unlike(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    size_t count = 0;
    project(stretch);
    find_spread(stretch);
    for (size_t b = 0; b < flicker->blocks; b++) {
        if (flicker->steady[b])
            flicker->sorted[count++] = flicker->spread[b];
    }
    const float most = UNLIKE * quantile(flicker->sorted, count, 0.5);
    for (size_t b = 0; b < flicker->blocks; b++)
        flicker->steady[b] = flicker->steady[b] && flicker->spread[b] <= most;
}

/* Lamps on the mains go with twice its frequency, and the slope tells which multiple of the frame
 * rate is missing. */
static bool is_mains(const struct ts_flicker_stretch *stretch,
                     const struct ts_flicker_source *source)
{
    static const double mains[] = {100, 120};
    const struct ts_vision_view *view = stretch->window->view;
    const double rate = 1000 / view->period_ms;
    const double near = MAINS_NEAR * 500 / ts_flicker_ms(stretch, stretch->count - 1);
    const double row_ms = view->readout_ms * TS_BLOCK_PX / view->camera->height_px;
    for (size_t i = 0; i < 2; i++) {
        const double seen = mains[i] - rate * round(mains[i] / rate);
        const double slope = (seen < 0 ? -1 : 1) * TS_TWO_PI * mains[i] / 1000 * row_ms;
        const double other = TS_TWO_PI * rate / 2 / 1000 * row_ms; /* the next multiple, half way */
        if (fabs(fabs(seen) - source->wave.hz) < near && fabs(slope - source->wave.slope) < other)
            return true;
    }
    return false;
}

static float noise_of(const struct ts_flicker_stretch *stretch, size_t k, size_t b)
{
    const struct ts_flicker *flicker = stretch->flicker;
    return sqrtf(flicker->spread[b] * flicker->unsure[k][b / stretch->window->across]);
}

/* Whether it shows in the brightest blocks, which are the screen's; while nothing is bright, its
 * frequency must tell. */
static void place(const struct ts_flicker_stretch *stretch, size_t k, double full)
{
    struct ts_flicker *flicker = stretch->flicker;
    struct ts_flicker_source *source = &flicker->source[k];
    double sum = 0, weights = 0;
    for (size_t b = 0; b < flicker->blocks; b++) {
        if (!flicker->steady[b] || flicker->mean[b] < BRIGHT_CODE)
            continue;
        sum += (double)flicker->part[k][b];
        weights += (double)flicker->mean[b];
    }
    if (source->placed)
        return;
    const bool bright = weights > CLEAR_LEAST * (double)BRIGHT_CODE;
    source->room = bright ? sum / weights < SCREEN_SHARE * full : is_mains(stretch, source);
    source->placed = bright || source->room;
}

/* The most that is seen of a wave, relative to a block's code; 0: too few blocks show it. */
static double most_of(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker *flicker = stretch->flicker;
    size_t count = 0;
    for (size_t b = 0; b < flicker->blocks; b++) {
        const float mean = flicker->mean[b], part = flicker->part[k][b];
        if (flicker->steady[b] && part > (float)CLEAR * noise_of(stretch, k, b))
            flicker->sorted[count++] = part / mean;
    }
    return count < CLEAR_LEAST ? 0 : (double)quantile(flicker->sorted, count, FULL_SHARE);
}

/* How strong a wave would be alone, by least squares over the blocks whose share of its kind of
 * light is known; bright: so many of them are so bright that it is sure to show. */
static double strength_of(const struct ts_flicker_stretch *stretch, size_t k, size_t *bright)
{
    const struct ts_flicker *flicker = stretch->flicker;
    const struct ts_flicker_source *source = &flicker->source[k];
    const float *reflected = source->room ? stretch->window->lit : stretch->window->dark;
    double xx = 0, xy = 0;
    *bright = 0;
    for (size_t b = 0; b < flicker->blocks; b++) {
        const double mean = (double)flicker->mean[b];
        const double unsure = (double)flicker->unsure[k][b / stretch->window->across];
        if (!flicker->steady[b] || unsure <= 0)
            continue;
        const double share = fmin(1, (double)reflected[b] / (mean * mean));
        const double own = source->room ? share : 1 - share;
        if (own < OWN_LEAST)
            continue;
        const double weight = own * mean / unsure;
        xx += weight * own * mean;
        xy += weight * (double)flicker->part[k][b];
        *bright += mean > (double)BRIGHT_CODE;
    }
    return xx > 0 ? xy / xx : 0;
}

/* Enough of it had been seen before the screen may have moved. */
static bool is_known_well(const struct ts_flicker_stretch *stretch, size_t k)
{
    return stretch->flicker->moves && stretch->flicker->source[k].certain;
}

/* Some of the sources of this kind of light were seen well while the screen was at rest. */
static bool any_certain(const struct ts_flicker *flicker, bool room)
{
    for (size_t k = 0; k < flicker->count; k++) {
        const struct ts_flicker_source *source = &flicker->source[k];
        if (source->room == room && source->certain && source->strength > 0)
            return true;
    }
    return false;
}

/* Of each block's light, the share that is of one kind; what reflected light would look like alone
 * is what is kept of it. */
static void find_shares(const struct ts_flicker_stretch *stretch, bool room)
{
    struct ts_flicker *flicker = stretch->flicker;
    float *reflected = room ? stretch->window->lit : stretch->window->dark;
    float *known_of = room ? flicker->lit_of : flicker->dark_of;
    const bool certain = any_certain(flicker, room);
    for (size_t b = 0; b < flicker->blocks; b++) {
        if (!flicker->steady[b])
            continue;
        const double square = (double)(flicker->mean[b] * flicker->mean[b]);
        const double before = fmin(1, (double)reflected[b] / square);
        const double then = (double)known_of[b];
        const bool darker = then > 0 && then < DARKER * square;
        const double prior_u = darker ? DARKER_U * then / square : PRIOR_U;
        double weights = 1 / (prior_u * prior_u), sum = before * weights;
        bool told = false;
        for (size_t k = 0; k < flicker->count; k++) {
            const struct ts_flicker_source *source = &flicker->source[k];
            const double whole = source->strength * (double)flicker->mean[b];
            if (source->room != room || whole <= 0 || (certain && !source->certain))
                continue; /* what is new since may be what the screen does */
            if (then > 0 && !darker && is_known_well(stretch, k) && ts_flicker_is_slow(stretch, k))
                continue; /* what the screen does looks like a slow wave */
            const double u = hypot((double)noise_of(stretch, k, b) / whole, U_LEAST);
            const double share = (double)flicker->part[k][b] / whole;
            sum += fmin(1, fmax(0, room ? share : 1 - share)) / (u * u);
            weights += 1 / (u * u);
            told = true;
        }
        reflected[b] = (float)(square * sum / weights);
        if (told && !darker)
            known_of[b] = (float)square;
    }
}

/* A new wave may be the other half of what it should be. */
static void turn_up(struct ts_flicker *flicker, size_t k)
{
    double sum = 0;
    for (size_t b = 0; b < flicker->blocks; b++)
        sum += flicker->steady[b] ? (double)flicker->part[k][b] : 0;
    if (sum >= 0)
        return;
    flicker->source[k].wave.turn += TS_TWO_PI / 2;
    for (size_t b = 0; b < flicker->blocks; b++)
        flicker->part[k][b] = -flicker->part[k][b];
}

/* How often light flickers, and how far it turns from row to row, stays what it is: once the screen
 * may move, what is seen of that counts little beside what was seen at rest. How well a stretch
 * tells a frequency, squared, grows with the cube of its length. */
static void know(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker_source *source = &stretch->flicker->source[k];
    struct ts_flicker_wave *known = &source->known;
    const struct ts_flicker_wave before = *known, now = source->wave;
    *known = now;
    if (!stretch->flicker->moves)
        source->certain = fabs(now.hz) * 2 * now.half_ms / 1000 > SEEN_TURNS;
    if (!is_known_well(stretch, k) || now.at_ms == before.at_ms) /* or it was put back */
        return;
    const double old = pow(before.half_ms, 3), new = pow(now.half_ms, 3) * MOVING_COUNTS;
    const double share = new / (old + new);
    known->hz = before.hz + share * (now.hz - before.hz);
    known->slope = before.slope + share * (now.slope - before.slope);
    known->half_ms = cbrt(old + new);
    source->wave = *known;
}

/* What a bright screen showed long before the stretch hardly moved while the wave would have
 * turned: so no light did. */
static bool was_not_there(const struct ts_flicker_stretch *stretch, size_t k)
{
    const struct ts_flicker_source *source = &stretch->flicker->source[k];
    const float area = TS_BLOCK_PX * TS_BLOCK_PX, strength = (float)source->strength;
    const double frames =
        SEEN_TURNS * 1000 / (fabs(source->wave.hz) * stretch->window->view->period_ms) + 1;
    size_t bright = 0, flat = 0;
    if (!(frames < (double)stretch->from))
        return false;
    ts_flicker_range(stretch->flicker, stretch->window, 0, (size_t)frames + 1, true);
    for (size_t b = 0; b < stretch->flicker->blocks; b++) {
        const float low = (float)stretch->flicker->low[b], high = (float)stretch->flicker->high[b];
        if (low <= BRIGHT_CODE * area)
            continue;
        bright++;
        flat += high - low < FLAT * strength * low;
    }
    return bright >= CLEAR_LEAST && flat > bright / 2;
}

/* A known wave that should show, and does not, is none; one that cannot show stays what it is. Once
 * the screen may move, a new light is the screen's, since a lamp was there before; and the screen's
 * shows wherever it is bright, while a part of it that changes does not. */
static void measure(const struct ts_flicker_stretch *stretch, size_t k)
{
    struct ts_flicker_source *source = &stretch->flicker->source[k];
    const bool is_new = source->strength <= 0;
    size_t bright;
    if (is_new)
        turn_up(stretch->flicker, k);
    const double most = most_of(stretch, k), now = strength_of(stretch, k, &bright);
    if (source->strength > 0 && bright >= CLEAR_LEAST && now < DENIED * source->strength)
        source->strength = 0;
    else if (most > 0) {
        place(stretch, k, most);
        const double strength = source->room ? most : strength_of(stretch, k, &bright);
        /* Of the room's light, shares are of any measure: the first one. What a dark screen shows
         * of its own light says nothing of how strong that is; and little more than a turn of a
         * wave may be what the screen does, while two near to each other share what they do. */
        const bool sure =
            !ts_flicker_is_slow(stretch, k) && !ts_flicker_has_near(stretch, k, TS_FLICKER_APART);
        const bool near = strength > source->strength / UNSURE_CHANGE &&
                          strength < source->strength * UNSURE_CHANGE &&
                          !ts_flicker_has_near(stretch, k, TS_FLICKER_TWIN);
        const bool tells = !source->bright || sure || near;
        const bool shows = !source->room && bright >= CLEAR_LEAST;
        if (source->strength <= 0 || (shows && tells)) {
            source->strength = strength > 0 ? strength : most;
            source->bright = shows;
        }
        know(stretch, k);
        if (is_new && stretch->flicker->moves && (source->room || was_not_there(stretch, k)))
            source->strength = 0;
    }
}

void ts_flicker_fit(const struct ts_flicker_stretch *stretch)
{
    struct ts_flicker *flicker = stretch->flicker;
    ts_flicker_drop_unlike(stretch);
    for (size_t k = 0; k < flicker->count; k++)
        measure(stretch, k);
    find_shares(stretch, true);
    find_shares(stretch, false);
    size_t kept = 0;
    for (size_t k = 0; k < flicker->count; k++) {
        if (flicker->source[k].strength > 0)
            flicker->source[kept++] = flicker->source[k];
    }
    flicker->count = kept;
}
