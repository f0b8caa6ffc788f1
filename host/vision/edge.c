/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A display shows a step at once, and so is a fade made of steps, one per refresh. A step that
 * falls into an exposure leaves a mixture of old and new light, and the mixture tells the instant
 * (in light, not in codes: cameras compress). Only where frames come too seldom to tell one step
 * from the next is the crossing interpolated. */
#include "vision/edge.h"

#include <math.h>

#define STILL       0.12 /* share of the crossing increment that counts as no movement */
#define STILL_NOISE 3.0  /* ... or so many sigma of a difference */
#define STILL_CODES 0.6
#define STEP        3.0 /* ... and so many times that, a step */
#define FIT_FRAMES  8   /* frames on each side of a crossing, at most, that a line is fitted to */
#define U_ENOUGH    0.2 /* of the period: no more frames are asked for */
#define INSTANT     0.1 /* share of the period: no exposure to speak of, a screen recording */
#define FADE_U      0.2 /* of the period: what happens between two frames of a fade is not known */
#define TURN_NOISE  6.0 /* standard deviations from its end: another change */
#define SQRT_2      1.4142135623730951
#define SQRT_12     3.4641016151377544

double ts_code_light(double code, double gamma)
{
    return pow(fmax(code, 0) / 255, gamma);
}

static double light(const struct ts_passage *passage, double code)
{
    return ts_code_light(code, passage->window->view->gamma);
}

static double value(const struct ts_passage *passage, long frame)
{
    const long low = (long)passage->low, high = (long)passage->high - 1;
    return (double)passage->values[frame < low ? low : frame > high ? high : frame];
}

static double progress(const struct ts_passage *passage, long frame)
{
    const double old = (double)passage->old_code, new = (double)passage->new_code;
    return (value(passage, frame) - old) / (new - old);
}

static double begin_ms(const struct ts_passage *passage, size_t frame)
{
    return ts_window_begin_ms(passage->window, frame, passage->block);
}

static double middle_ms(const struct ts_passage *passage, size_t frame)
{
    return begin_ms(passage, frame) + passage->window->view->exposure_ms / 2;
}

static double gap_ms(const struct ts_passage *passage, size_t frame)
{
    return begin_ms(passage, frame + 1) - begin_ms(passage, frame);
}

/* The step happened in the exposure of `frame`: between the codes of its neighbours. */
static void cut_inside(const struct ts_passage *passage, size_t frame, double still,
                       struct ts_edge *edge)
{
    const double from = value(passage, (long)frame - 1), to = value(passage, (long)frame + 1);
    const double old = light(passage, from), new = light(passage, to);
    const double mixed = light(passage, value(passage, (long)frame));
    const double share = fmin(1, fmax(0, (mixed - old) / (new - old)));
    const double exposure = passage->window->view->exposure_ms;
    const double u = exposure * 1.5 * (double)passage->noise / fabs(to - from);
    const double ms = begin_ms(passage, frame) + exposure * (1 - share);
    edge->kind = TS_EDGE_CUT;
    edge->ms = (float)ms;
    edge->u_ms = (float)fmin(u, exposure / SQRT_12);
    size_t rest = frame - 1; /* a slow display's step is seen in the frames before, too */
    while (rest > passage->low &&
           (value(passage, (long)rest) - value(passage, (long)rest - 1)) * (to > from ? 1 : -1) >
               still)
        rest--;
    edge->from_code = (float)value(passage, (long)rest);
    edge->to_code = (float)to;
    edge->from_ms = (float)begin_ms(passage, rest);
}

static void cut_between(const struct ts_passage *passage, size_t frame, struct ts_edge *edge)
{
    const double end = begin_ms(passage, frame) + passage->window->view->exposure_ms;
    const double next = begin_ms(passage, frame + 1);
    const double lo = fmin(end, next), hi = fmax(end, next);
    edge->kind = TS_EDGE_BETWEEN;
    edge->ms = (float)((lo + hi) / 2);
    edge->u_ms = (float)((hi - lo) / SQRT_12);
    edge->from_code = (float)value(passage, (long)frame);
    edge->to_code = (float)value(passage, (long)frame + 1);
    edge->from_ms = (float)begin_ms(passage, frame);
}

struct line {
    double n, slope, at_zero; /* progress = at_zero + slope * (ms - zero) */
};

/* Least squares through the frames `reach` around the crossing between `frame` and the next. */
static struct line line_across(const struct ts_passage *passage, size_t frame, size_t reach)
{
    const size_t first = frame - (reach < frame - passage->from ? reach : frame - passage->from);
    const size_t last = frame + 1 + reach < passage->to ? frame + 1 + reach : passage->to;
    const double zero = middle_ms(passage, frame);
    double n = 0, x1 = 0, y1 = 0, xx = 0, xy = 0;
    for (size_t i = first; i <= last; i++) {
        const double y = progress(passage, (long)i), x = middle_ms(passage, i) - zero;
        n++, x1 += x, y1 += y, xx += x * x, xy += x * y;
    }
    struct line line = {n, 0, 0};
    line.slope = (n * xy - x1 * y1) / (n * xx - x1 * x1);
    line.at_zero = (y1 - line.slope * x1) / n;
    return line;
}

/* Two frames follow a curved fade best; more are taken only while noise asks for them. */
static void fade_across(const struct ts_passage *passage, size_t frame, double share,
                        struct ts_edge *edge)
{
    const double codes = fabs((double)passage->new_code - (double)passage->old_code);
    const double lo = middle_ms(passage, frame), hi = middle_ms(passage, frame + 1);
    const double gap = hi - lo;
    struct line line = {0, 0, 0};
    size_t reach = 0;
    double best = INFINITY;
    for (size_t i = 0; i <= FIT_FRAMES && best > U_ENOUGH * gap; i++) {
        const struct line wider = line_across(passage, frame, i);
        const double u = (double)passage->noise / (codes * wider.slope * sqrt(wider.n));
        if (!(wider.slope > 0) || !(u < best))
            continue;
        line = wider;
        reach = i;
        best = u;
    }
    const double slack = (double)reach * gap;
    double ms = (lo + hi) / 2;
    if (line.slope > 0)
        ms = fmin(fmax(lo + (share - line.at_zero) / line.slope, lo - slack), hi + slack);
    best = fmin(best, gap / SQRT_12 * (1 + (double)reach));
    edge->kind = TS_EDGE_FADE;
    edge->ms = (float)ms;
    edge->u_ms = (float)hypot(best, FADE_U * gap);
    edge->from_code = passage->old_code;
    edge->to_code = passage->new_code;
    edge->from_ms = -INFINITY;
}

/* The passage has ended, and another change has begun: it turned, as a flash does. */
static bool is_beyond(const struct ts_passage *passage, size_t frame)
{
    const double away = fabs((double)passage->values[frame] - (double)passage->new_code);
    return frame > passage->to &&
           away > fmax(TS_VISIBLE_CODES, TURN_NOISE * (double)passage->noise);
}

static void keep_frames(const struct ts_passage *passage, size_t frame, struct ts_edge *edge)
{
    const size_t back = TS_EDGE_FRAMES / 2;
    const size_t first = frame > passage->low + back ? frame - back : passage->low;
    edge->frames = 0;
    for (size_t n = first; n < passage->high && edge->frames < TS_EDGE_FRAMES; n++) {
        if (is_beyond(passage, n))
            break;
        edge->begin_ms[edge->frames] = (float)begin_ms(passage, n);
        edge->code[edge->frames++] = passage->values[n];
    }
}

static struct ts_edge edge_of(const struct ts_passage *passage, double share)
{
    return (struct ts_edge){.block = (uint32_t)passage->block,
                            .old_code = passage->old_code,
                            .new_code = passage->new_code,
                            .share = (float)share,
                            .noise = passage->noise};
}

/* The last frame before the crossing. */
static size_t frame_before(const struct ts_passage *passage, double share)
{
    size_t k = passage->from;
    for (size_t n = passage->from; n < passage->to; n++)
        k = progress(passage, (long)n) < share ? n : k;
    return k;
}

struct ts_edge ts_passage_fade(const struct ts_passage *passage, double share)
{
    struct ts_edge edge = edge_of(passage, share);
    const size_t k = frame_before(passage, share);
    fade_across(passage, k, share, &edge);
    keep_frames(passage, k, &edge);
    return edge;
}

struct ts_edge ts_passage_edge(const struct ts_passage *passage, double share)
{
    struct ts_edge edge = edge_of(passage, share);
    const size_t k = frame_before(passage, share);
    const long i = (long)k;
    const double across = value(passage, i + 1) - value(passage, i);
    const double sign = passage->new_code > passage->old_code ? 1 : -1;
    const double unsure = fmax(STILL_CODES, STILL_NOISE * SQRT_2 * (double)passage->noise);
    const double still = fmax(unsure, STILL * across * sign);
    double moved[5]; /* towards new, into frames k - 1 .. k + 3 */
    for (long n = 0; n < 5; n++)
        moved[n] = (value(passage, i - 1 + n) - value(passage, i - 2 + n)) * sign;
    const bool before = moved[1] > still, after = moved[3] > still;
    const bool step = moved[1] + moved[2] + moved[3] > STEP * unsure; /* beyond doubt */
    const struct ts_vision_view *view = passage->window->view;
    const bool instant = view->exposure_ms < INSTANT * gap_ms(passage, k);
    if (step && ((!before && !after) || (instant && across * sign > still)))
        cut_between(passage, k, &edge);
    else if (step && before && !after && k > passage->low)
        cut_inside(passage, k, still, &edge);
    else if (step && after && !before && moved[4] <= fmax(unsure, STILL * (moved[2] + moved[3])))
        cut_inside(passage, k + 1, still, &edge);
    else
        fade_across(passage, k, share, &edge);
    keep_frames(passage, k, &edge);
    return edge;
}

void ts_passage_frames(const struct ts_passage *passage, struct ts_edge *edge)
{
    size_t frame = passage->low;
    while (frame + 1 < passage->high && middle_ms(passage, frame + 1) < (double)edge->ms)
        frame++;
    edge->noise = passage->noise;
    keep_frames(passage, frame, edge);
}
