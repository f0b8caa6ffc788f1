/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/as_one.h"

#define SIZE_LEAST   12.0 /* times the noise of a frame: a change that tells a way */
#define CUT_TIMES    3.0  /* a step so many times the largest after it is not of it */
#define NOT_YET      0.95 /* of the whole passage is left: it had not begun */
#define FRAMES_LEAST 5
#define FRAMES_MOST  96
#define LAGS         3
#define SURELY       16.0 /* squares of the noise that another lag fits worse by */

struct way {
    const struct ts_window *window;
    size_t from, to; /* frames */
    size_t block;
    double noise, size; /* codes */
};

static double code_of(const struct way *way, size_t frame, size_t block)
{
    return (double)ts_window_code(way->window, frame, block);
}

/* From the last sudden step, or where it had not begun, until it is done and as long again. */
static bool find_way(struct way *way, const struct ts_edge *edge, size_t frame)
{
    const double sign = edge->old_code > edge->new_code ? 1 : -1;
    const double end = (double)edge->new_code, whole = ts_edge_size(edge);
    double left = sign * (code_of(way, frame, way->block) - end), largest = 0;
    size_t begin = frame;
    while (begin > 0 && frame - begin < FRAMES_MOST / 2 && left < NOT_YET * whole) {
        const double before = sign * (code_of(way, begin - 1, way->block) - end);
        const double step = fabs(before - left);
        if (step > CUT_TIMES * largest && left > SIZE_LEAST * way->noise)
            break;
        largest = fmax(largest, step);
        left = before;
        begin--;
    }
    const size_t last = frame + FRAMES_MOST / 2;
    way->from = begin;
    way->to = last < way->window->count ? last : way->window->count;
    way->size = left;
    return left > SIZE_LEAST * way->noise && frame - begin >= FRAMES_LEAST;
}

/* How badly the other block goes this way, so many frames later: the squares that are left when its
 * codes are fitted by this one's, in its noise's. slope: of the fit. */
static double misfit(const struct way *way, size_t other, double noise, int lag, double *slope)
{
    double n = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    const double x0 = code_of(way, way->from, way->block), y0 = code_of(way, way->from, other);
    for (size_t frame = way->from + LAGS; frame + LAGS < way->to; frame++) {
        const double a = code_of(way, frame, way->block) - x0;
        const double b = code_of(way, (size_t)((long)frame + lag), other) - y0;
        n++;
        x += a;
        y += b;
        xx += a * a;
        xy += a * b;
        yy += b * b;
    }
    const double sxx = xx - x * x / n, sxy = xy - x * y / n, syy = yy - y * y / n;
    if (!(sxx > 0))
        return INFINITY;
    *slope = sxy / sxx;
    const double variance = noise * noise + *slope * *slope * way->noise * way->noise;
    return fmax(syy - sxy * *slope, 0) / variance;
}

static bool goes_along(const struct way *way, const struct ts_track *track, size_t other)
{
    const double noise = ts_track_noise_codes(track, other);
    double slope = 0, shifted;
    if (track->ignore[other])
        return false;
    const double now = misfit(way, other, noise, 0, &slope);
    if (!(fabs(slope) * way->size > SIZE_LEAST * noise))
        return false;
    for (int lag = 1; lag <= LAGS; lag++) {
        const double surely = lag > 1 ? SURELY : 0;
        if (!(misfit(way, other, noise, lag, &shifted) > now + surely) ||
            !(misfit(way, other, noise, -lag, &shifted) > now + surely))
            return false;
    }
    return true;
}

bool ts_fades_as_one(const struct ts_track *track, const struct ts_window *window,
                     const struct ts_edge *edge, size_t frame)
{
    const size_t by = ts_track_scale(track), across = track->across;
    const size_t block = edge->block, x = block % across, y = block / across;
    struct way way = {
        .window = window, .block = block, .noise = ts_track_noise_codes(track, block)};
    if (edge->kind == TS_EDGE_NONE || !find_way(&way, edge, frame) ||
        way.to - way.from < 2 * LAGS + FRAMES_LEAST)
        return false;
    return ((x >= by && goes_along(&way, track, block - by)) ||
            (x + by < across && goes_along(&way, track, block + by))) &&
           ((y >= by && goes_along(&way, track, block - by * across)) ||
            (y + by < track->down && goes_along(&way, track, block + by * across)));
}
