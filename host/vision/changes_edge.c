/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cut seen by an exposure that it falls into leaves a mixture of old and new light, and the
 * mixture tells the instant (in light, not in codes: cameras compress). A fade is followed by
 * many frames, each worth the middle of its exposure. */
#include "vision/changes_edge.h"

#include <math.h>

#define RESTING      0.06 /* share of the step within which a frame counts as old or new */
#define RESTING_MAX  0.3
#define FIT_FRAMES   8 /* frames on each side of a crossing, at most, that a line is fitted to */
#define U_ENOUGH_MS  1.0
#define INSTANT      0.1 /* share of the period: no exposure to speak of, a screen recording */
#define INSTANT_MOST 2   /* frames between old and new: states of their own, not mixtures */
#define SQRT_12      3.4641016151377544

static double light(const struct ts_passage *passage, double code)
{
    return pow(fmax(code, 0) / 255, passage->series->frames->gamma);
}

static double progress(const struct ts_passage *passage, size_t frame)
{
    return (passage->values[frame] - passage->old_code) / (passage->new_code - passage->old_code);
}

static double begin_ms(const struct ts_passage *passage, size_t frame)
{
    return ts_series_begin_ms(passage->series, frame, passage->block);
}

static double middle_ms(const struct ts_passage *passage, size_t frame)
{
    return begin_ms(passage, frame) + passage->series->frames->exposure_ms / 2;
}

static void cut_inside(const struct ts_passage *passage, size_t frame, struct ts_edge *edge)
{
    const double old = light(passage, passage->old_code), new = light(passage, passage->new_code);
    const double mixed = light(passage, passage->values[frame]);
    const double share = fmin(1, fmax(0, (mixed - old) / (new - old)));
    const double exposure = passage->series->frames->exposure_ms;
    edge->kind = TS_EDGE_CUT;
    edge->ms = begin_ms(passage, frame) + exposure * (1 - share);
    edge->u_ms = exposure * 1.5 * passage->noise / fabs(passage->new_code - passage->old_code);
    edge->lo_ms = edge->ms - 3 * edge->u_ms;
    edge->hi_ms = edge->ms + 3 * edge->u_ms;
}

static void cut_between(const struct ts_passage *passage, size_t frame, struct ts_edge *edge)
{
    const double end = begin_ms(passage, frame) + passage->series->frames->exposure_ms;
    const double next = begin_ms(passage, frame + 1);
    edge->kind = TS_EDGE_BETWEEN;
    edge->lo_ms = fmin(end, next);
    edge->hi_ms = fmax(end, next);
    edge->ms = (edge->lo_ms + edge->hi_ms) / 2;
    edge->u_ms = (edge->hi_ms - edge->lo_ms) / SQRT_12;
}

struct line {
    double n, slope, at_zero; /* progress = at_zero + slope * (ms - zero) */
};

/* Least squares through the frames `reach` around the crossing between `frame` and the next.
 * Frames at rest are not part of the slope, unless nothing else is there. */
static struct line line_across(const struct ts_passage *passage, size_t frame, size_t reach,
                               double rest)
{
    const size_t first = frame - (reach < frame - passage->from ? reach : frame - passage->from);
    const size_t last = frame + 1 + reach < passage->to ? frame + 1 + reach : passage->to;
    const double zero = middle_ms(passage, frame);
    double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
    for (size_t i = first; i <= last; i++) {
        const double y = progress(passage, i), x = middle_ms(passage, i) - zero;
        const bool at_rest = y < rest || y > 1 - rest;
        if (at_rest && i != frame && !(i == frame + 1 && (reach == 0 || y < 1 - rest / 3)))
            continue;
        n++, x1 += x, y1 += y, xx += x * x, xy += x * y;
    }
    struct line line = {n, 0, 0};
    if (n >= 2)
        line.slope = (n * xy - x1 * y1) / (n * xx - x1 * x1);
    line.at_zero = (y1 - line.slope * x1) / n;
    return line;
}

/* Few frames follow a curved fade best; more are taken only while noise asks for them. */
static void fade_across(const struct ts_passage *passage, size_t frame, double share, size_t moving,
                        struct ts_edge *edge)
{
    const double codes = fabs(passage->new_code - passage->old_code);
    const double rest = fmin(RESTING, (1 - share) / 3);
    const double lo = middle_ms(passage, frame), hi = middle_ms(passage, frame + 1);
    const size_t most = moving / 4 < FIT_FRAMES ? moving / 4 : FIT_FRAMES;
    struct line line = {0, 0, 0};
    size_t reach = 0;
    edge->u_ms = INFINITY;
    for (size_t i = 0; i <= most && edge->u_ms > U_ENOUGH_MS; i++) {
        const struct line wider = line_across(passage, frame, i, rest);
        const double u = passage->noise / (codes * wider.slope * sqrt(wider.n));
        if (wider.n < 2 || wider.slope <= 0 || u >= edge->u_ms)
            continue;
        line = wider;
        reach = i;
        edge->u_ms = u;
    }
    const double slack = (double)reach * (hi - lo);
    edge->kind = TS_EDGE_FADE;
    edge->ms = (lo + hi) / 2;
    if (line.slope > 0)
        edge->ms = fmin(fmax(lo + (share - line.at_zero) / line.slope, lo - slack), hi + slack);
    edge->u_ms = fmin(edge->u_ms, (hi - lo) / SQRT_12 * (1 + (double)reach));
    edge->lo_ms = edge->ms - 3 * edge->u_ms;
    edge->hi_ms = edge->ms + 3 * edge->u_ms;
}

struct ts_edge ts_passage_edge(const struct ts_passage *passage, double share)
{
    struct ts_edge edge = {.codes = passage->new_code - passage->old_code, .block = passage->block};
    const double noise = 4 * passage->noise / fabs(edge.codes);
    const double rest = fmin(RESTING_MAX, fmax(RESTING, noise));
    size_t moving = 0, mixed = passage->from, before = mixed;
    for (size_t n = passage->from; n <= passage->to; n++) {
        const double x = progress(passage, n);
        if (x > rest && x < 1 - rest) {
            moving++;
            mixed = n;
        }
        if (x < share && n < passage->to)
            before = n;
    }
    const struct ts_old_frames *frames = passage->series->frames;
    const bool instant = frames->exposure_ms < INSTANT * frames->period_ms;
    if (instant && moving > 0 && moving <= INSTANT_MOST) {
        cut_between(passage, before, &edge);
    } else if (moving == 0) {
        size_t old = passage->from; /* any level is crossed at once: take half way */
        for (size_t n = passage->from; n < passage->to; n++)
            old = progress(passage, n) < 0.5 ? n : old;
        cut_between(passage, old, &edge);
    } else if (moving == 1) {
        cut_inside(passage, mixed, &edge);
    } else {
        fade_across(passage, before, share, moving, &edge);
    }
    return edge;
}
