/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/story.h"

#include "vision/bounds.h"
#include "vision/first_step.h"
#include "vision/saturated.h"
#include "vision/slow.h"

#include <math.h>
#include <stdlib.h>

#define REST_MS       90.0  /* this long without a slope is a rest */
#define REST_LEAST    7     /* frames */
#define REST_SLOPE    0.006 /* codes per ms: as much drift is no change */
#define TURN_MS       45.0  /* no further out for so long: a passage began there */
#define REST_RANGE    2.0   /* codes around the window's mean */
#define EXTREMES      0.8   /* of the noise: so much further apart are the extremes of frames */
#define CREEP_SHARE   0.3   /* of the pace so far: a passage goes on */
#define CREEP_NOISE   8.0   /* standard deviations by which the pace is seen */
#define CREEP_MOST_MS 400.0 /* what takes longer to tell is left alone */
#define START_CODES   2.5   /* away from the rest: a change has begun */
#define PLATEAU_SHARE (1.0 / 32) /* of the rest is a new frame's: it follows slow drift */
#define LINE_CODES    1.5        /* from a straight line */
#define LINE_SHARE    0.12       /* ... or this share of the whole change */
#define SPILL_MS      40.0f      /* earlier: less is noise */

int ts_story_open(struct ts_story_reader *reader, const struct ts_window *window)
{
    const size_t count = window->capacity;
    *reader = (struct ts_story_reader){.window = window};
    reader->values = calloc(count, sizeof *reader->values);
    reader->calm = calloc(count, sizeof *reader->calm);
    reader->sums.value = calloc(count + 1, sizeof *reader->sums.value);
    reader->sums.moment = calloc(count + 1, sizeof *reader->sums.moment);
    if (reader->values && reader->calm && reader->sums.value && reader->sums.moment &&
        ts_finals_open(&reader->finals, window) == TS_OK)
        return TS_OK;
    ts_story_close(reader);
    return TS_ENOMEM;
}

void ts_story_close(struct ts_story_reader *reader)
{
    free(reader->values);
    free(reader->calm);
    free(reader->sums.value);
    free(reader->sums.moment);
    ts_finals_close(&reader->finals);
    *reader = (struct ts_story_reader){0};
}

struct start { /* of a passage, and the level before it */
    size_t frame;
    double code;
};

struct step { /* monotone, from rest or turn to rest or turn */
    size_t from, to;
    double old_code, new_code;
};

/* One block, frames low .. high - 1. */
struct chapter {
    const struct ts_story_reader *reader;
    const float *values;
    size_t low, high;
    double noise, tap_ms;
    struct ts_passage passage;
    struct step step;     /* the latest, which may still go on */
    bool wants_first;     /* of the steps after the tap, or else the last one: */
    struct ts_edge found; /* TS_EDGE_NONE: there is none yet */
};

static struct chapter read_chapter(struct ts_story_reader *reader, size_t block, size_t low,
                                   size_t high, double noise, double tap_ms)
{
    ts_window_read(reader->window, block, low, high, reader->values);
    return (struct chapter){.reader = reader,
                            .values = reader->values,
                            .low = low,
                            .high = high,
                            .noise = noise,
                            .tap_ms = tap_ms,
                            .passage = {.window = reader->window,
                                        .values = reader->values,
                                        .block = block,
                                        .low = low,
                                        .high = high,
                                        .noise = (float)noise}};
}

static double rest_range(const struct chapter *chapter)
{
    return fmax(REST_RANGE, 4.5 * chapter->noise);
}

static bool is_level(const struct chapter *chapter, size_t from, size_t width, double *mean)
{
    const double period = chapter->reader->window->view->period_ms;
    const double slope = ts_line_slope(&chapter->reader->sums, from, width, mean);
    const double slope_noise = chapter->noise / sqrt(ts_line_spread(width));
    return fabs(slope) <= fmax(REST_SLOPE * period, 4 * slope_noise);
}

/* No slope and no excursion in frames from .. from + width - 1. Nor has either half a slope, where
 * what fades falls back once. */
static bool is_rest(const struct chapter *chapter, size_t from, size_t width, double *mean)
{
    const size_t half = (width + 1) / 2;
    if (!is_level(chapter, from, half, mean) ||
        !is_level(chapter, from + width - half, half, mean) ||
        !is_level(chapter, from, width, mean))
        return false;
    const double range = rest_range(chapter);
    for (size_t n = from; n < from + width; n++) {
        if (fabs((double)chapter->values[n] - *mean) > range)
            return false;
    }
    return true;
}

/* A passage that came slowly to `level` from frame `start` on may only seem to rest: for as long as
 * noise needs to tell, it goes on in a line at much of the pace so far. */
static bool creeps(const struct chapter *chapter, const struct start *start, size_t from,
                   double level)
{
    const double pace = fabs(level - start->code) / (double)(from + 1 - start->frame);
    const double frames = cbrt(12 * pow(CREEP_NOISE * chapter->noise / pace, 2));
    const double left = (double)(chapter->high - from);
    const size_t width = (size_t)fmin(fmax(frames, REST_LEAST), left);
    if (frames > CREEP_MOST_MS / chapter->reader->window->view->period_ms)
        return false;
    double mean;
    const double slope = ts_line_slope(&chapter->reader->sums, from, width, &mean);
    const double middle = (double)from + ((double)width - 1) / 2;
    for (size_t n = from; n < from + width; n++) {
        const double line = mean + slope * ((double)n - middle);
        if (fabs((double)chapter->values[n] - line) > rest_range(chapter))
            return false;
    }
    return slope * (level - start->code) > CREEP_SHARE * pace * fabs(level - start->code);
}

/* The first frame of the next rest and its level; `high` when there is none. */
static size_t next_rest(const struct chapter *chapter, size_t from, const struct start *start,
                        double *level)
{
    size_t width = (size_t)lround(REST_MS / chapter->reader->window->view->period_ms);
    width = width < REST_LEAST ? REST_LEAST : width;
    for (size_t n = from; n + REST_LEAST <= chapter->high; n++) {
        const size_t left = chapter->high - n;
        if (is_rest(chapter, n, left < width ? left : width, level) &&
            (!start || !creeps(chapter, start, n, *level)))
            return n;
    }
    *level = (double)chapter->values[chapter->high - 1];
    return chapter->high;
}

static bool is_done(const struct chapter *chapter)
{
    return chapter->wants_first && chapter->found.kind != TS_EDGE_NONE;
}

static void keep_step(struct chapter *chapter)
{
    const struct step *step = &chapter->step;
    const double size = fabs(step->new_code - step->old_code);
    if (step->from >= step->to || size < fmax(TS_VISIBLE_CODES, 5 * chapter->noise) ||
        is_done(chapter))
        return;
    struct ts_passage *passage = &chapter->passage;
    passage->from = step->from;
    passage->to = step->to;
    passage->old_code = (float)step->old_code;
    passage->new_code = (float)step->new_code;
    const struct ts_edge edge = ts_passage_edge(passage, 0.5);
    if ((double)edge.ms < chapter->tap_ms)
        return;
    chapter->found =
        chapter->wants_first ? ts_passage_first(passage, chapter->reader->sums.value) : edge;
}

/* A faint slow fade seems to rest in between, but both its parts lie on one line. */
static bool goes_on(const struct chapter *chapter, const struct step *next)
{
    const struct step *step = &chapter->step;
    const double whole = next->new_code - step->old_code;
    if (step->to <= step->from ||
        (step->new_code - step->old_code) * (next->new_code - next->old_code) <= 0)
        return false;
    const double near = fmax(fmax(LINE_CODES, LINE_SHARE * fabs(whole)), 3.5 * chapter->noise);
    for (size_t n = step->from; n <= next->to; n++) {
        const double share = (double)(n - step->from) / (double)(next->to - step->from);
        if (fabs((double)chapter->values[n] - step->old_code - share * whole) > near)
            return false;
    }
    return true;
}

static void add_step(struct chapter *chapter, size_t from, size_t to, double old_code,
                     double new_code)
{
    const struct step next = {from, to, old_code, new_code};
    struct step *step = &chapter->step;
    if (goes_on(chapter, &next)) {
        step->to = to;
        step->new_code = new_code;
        return;
    }
    keep_step(chapter);
    *step = next;
}

/* Cuts a change between two rests where it turns back, and keeps each part as a step. */
static void add_change(struct chapter *chapter, size_t from, size_t to, double old_code,
                       double new_code)
{
    const double turn = fmax(TS_VISIBLE_CODES + EXTREMES * chapter->noise, 6 * chapter->noise);
    size_t start = from, extreme = from;
    double start_code = old_code, extreme_code = old_code;
    int direction = 0;
    for (size_t n = from + 1; n <= to; n++) {
        const double value = n == to ? new_code : (double)chapter->values[n];
        if (direction == 0 && fabs(value - start_code) > turn)
            direction = value > start_code ? 1 : -1;
        if (direction == 0)
            continue;
        if ((value - extreme_code) * direction >= 0) {
            extreme = n;
            extreme_code = value;
        } else if ((extreme_code - value) * direction > turn) {
            add_step(chapter, start, extreme, start_code, extreme_code);
            start = extreme;
            start_code = extreme_code;
            extreme = n;
            extreme_code = value;
            direction = -direction;
        }
    }
    add_step(chapter, start, to, start_code, new_code);
}

/* In the next frame too, unless this one is far out. */
static bool leaves(const struct chapter *chapter, size_t n, double rest, double start)
{
    return n + 1 == chapter->high || fabs((double)chapter->values[n + 1] - rest) > start ||
           fabs((double)chapter->values[n] - rest) > 3 * start;
}

/* The first frame that is away from the rest, which follows slow drift until then; `high`: none. */
static size_t next_change(const struct chapter *chapter, size_t from, double *level)
{
    const double start = fmax(START_CODES, 5 * chapter->noise);
    double rest = *level;
    size_t n = from;
    for (; n < chapter->high; n++) {
        const double value = (double)chapter->values[n];
        if (fabs(value - rest) >= start && leaves(chapter, n, rest, start))
            break;
        rest = rest * (1 - PLATEAU_SHARE) + value * PLATEAU_SHARE;
    }
    *level = rest;
    return n;
}

static void find_steps(struct chapter *chapter)
{
    const size_t low = chapter->low, high = chapter->high;
    double rest;
    ts_line_sum_up(&chapter->reader->sums, chapter->values, low, high);
    size_t n = next_rest(chapter, low, NULL, &rest);
    if (n > low)
        add_change(chapter, low, n < high ? n : high - 1, (double)chapter->values[low], rest);
    while ((n = next_change(chapter, n, &rest)) < high && !is_done(chapter)) {
        const double away = (double)chapter->values[n] - rest;
        size_t from = n;
        while (from > low &&
               ((double)chapter->values[from] - rest) * away > 1.5 * chapter->noise * fabs(away))
            from--;
        double level;
        const struct start begun = {from, rest};
        const size_t to = next_rest(chapter, n, &begun, &level);
        add_change(chapter, from, to < high ? to : high - 1, rest, level);
        rest = level;
        n = to + 1; /* the rest's first frame is in its level */
    }
    keep_step(chapter);
}

bool ts_story_first(struct ts_story_reader *reader, size_t block, size_t from, size_t to,
                    double noise, double tap_ms, struct ts_edge *first)
{
    struct chapter chapter = read_chapter(reader, block, from, to, noise, tap_ms);
    chapter.wants_first = true;
    find_steps(&chapter);
    *first = chapter.found;
    return chapter.found.kind != TS_EDGE_NONE;
}

static struct ts_slow slow_of(const struct chapter *chapter, double final)
{
    const struct ts_story_reader *reader = chapter->reader;
    return (struct ts_slow){chapter->values,
                            reader->sums.value,
                            chapter->low,
                            chapter->high,
                            chapter->noise,
                            final,
                            reader->window->view->period_ms};
}

/* Finds the passage that ends at the final value: back from the last frame outside, which it
 * returns, to where the block last rested or turned. `low` where there is none. */
static size_t find_arrival(struct chapter *chapter, double final)
{
    const struct ts_slow slow = slow_of(chapter, final);
    const size_t out = ts_bounds_last_outside(&slow);
    if (out == chapter->low)
        return out;
    const float *values = chapter->values;
    const double sign = (double)values[out] > final ? 1 : -1, slack = chapter->noise;
    size_t from = out;
    const size_t turn = (size_t)fmax(2, TURN_MS / chapter->reader->window->view->period_ms);
    double extreme = (double)values[out];
    for (size_t n = out; n > chapter->low; n--) {
        const double value = (double)values[n - 1];
        if ((value - extreme) * sign <= slack && n - 1 + turn < from)
            break;
        if ((value - extreme) * sign > slack) {
            extreme = value;
            from = n - 1;
        }
    }
    size_t to = out + 1;
    while (to < chapter->high && fabs((double)values[to] - final) > 2 * slack)
        to++;
    struct ts_passage *passage = &chapter->passage;
    passage->from = from > chapter->low && from == out ? from - 1 : from;
    passage->to = to < chapter->high ? to : chapter->high - 1;
    passage->old_code = (float)extreme;
    passage->new_code = (float) final;
    return passage->from < passage->to ? out : chapter->low;
}

/* Of its settled passage, how much lies before it comes within bounds. */
static double settled_share(const struct ts_passage *passage)
{
    const double size = fabs((double)passage->old_code - (double)passage->new_code);
    return fmax(0.01, 1 - TS_VISIBLE_CODES / size);
}

/* Where the noise of single frames hides the change: by the means of several. */
static bool find_slow(const struct chapter *chapter, size_t out, double final,
                      const struct ts_story_span *span, struct ts_edge *edge)
{
    const struct ts_story_reader *reader = chapter->reader;
    const struct ts_window *window = reader->window;
    const struct ts_slow slow = slow_of(chapter, final);
    const size_t block = chapter->passage.block, reach = ts_slow_reach(&slow, out);
    if (span->drifts || reach == 0)
        return false;
    const size_t rest = ts_slow_rest(window, block, span->rest, chapter->noise);
    ts_slow_calm(&slow, reach, reader->calm);
    struct chapter calm = *chapter;
    calm.values = calm.passage.values = reader->calm;
    calm.noise /= sqrt(2 * (double)reach + 1);
    calm.passage.noise = (float)calm.noise;
    if (find_arrival(&calm, ts_finals_code(&reader->finals, block, rest, span->until)) == calm.low)
        return false;
    *edge = ts_passage_fade(&calm.passage, settled_share(&calm.passage));
    calm.passage.values = chapter->values;
    calm.passage.noise = (float)chapter->noise;
    ts_passage_frames(&calm.passage, edge);
    edge->slow = true;
    return true;
}

static struct ts_edge find_settled(struct chapter *chapter, double final,
                                   const struct ts_story_span *span)
{
    struct ts_edge edge = {.kind = TS_EDGE_NONE};
    const size_t out = find_arrival(chapter, final);
    if (out == chapter->low)
        return edge;
    if (!find_slow(chapter, out, final, span, &edge))
        edge = ts_passage_edge(&chapter->passage, settled_share(&chapter->passage));
    const struct ts_slow slow = slow_of(chapter, final);
    edge.out_before = (float)ts_bounds_out_before(&slow, out);
    edge.level_u_ms = span->crept ? (float)ts_slow_level_u_ms(&slow, out) : 0;
    return edge;
}

/* Where what goes on beside the block brought it out of bounds, it had arrived long before. */
static void take_off_spill(struct ts_story_reader *reader, struct chapter *chapter, double final,
                           const struct ts_story_span *span, struct ts_edge *settled)
{
    if (settled->kind == TS_EDGE_NONE ||
        !ts_spill_remove(span->spill, chapter->passage.block, span->rest, span->until, span->from,
                         span->to, reader->values))
        return;
    ts_line_sum_up(&reader->sums, reader->values, span->from, span->to);
    const struct ts_edge own = find_settled(chapter, final, span);
    if (own.kind == TS_EDGE_NONE || own.ms < settled->ms - SPILL_MS)
        *settled = own;
}

/* Nor is what goes on beside the block a change of its own that may count. */
static void tell_barely(struct ts_story_reader *reader, const struct chapter *chapter, double final,
                        const struct ts_story_span *span, struct ts_story *story)
{
    const struct ts_slow slow = slow_of(chapter, final);
    ts_barely_tell(&slow, reader->window, reader->calm, &story->barely);
    if (story->settled.kind != TS_EDGE_NONE &&
        story->barely.most_ms <= story->settled.ms + SPILL_MS)
        return;
    if (!ts_spill_remove(span->spill, chapter->passage.block, span->rest, span->until, span->from,
                         span->to, reader->values))
        return;
    ts_line_sum_up(&reader->sums, reader->values, span->from, span->to);
    ts_barely_tell(&slow, reader->window, reader->calm, &story->barely);
}

void ts_story_end(struct ts_story_reader *reader, size_t block, const struct ts_story_span *span,
                  double noise, double tap_ms, struct ts_story *story)
{
    struct chapter chapter = read_chapter(reader, block, span->from, span->to, noise, tap_ms);
    const double final = ts_finals_code(&reader->finals, block, span->rest, span->until);
    if (span->drifts)
        ts_saturated_mend(&(struct ts_saturated){reader->window, reader->values, span->from,
                                                 span->rest, span->to, noise, final},
                          &story->white_ms);
    find_steps(&chapter);
    if (chapter.found.kind != TS_EDGE_NONE)
        story->last = chapter.found;
    const struct ts_edge before = story->settled;
    story->settled = find_settled(&chapter, final, span);
    take_off_spill(reader, &chapter, final, span, &story->settled);
    if (story->settled.kind == TS_EDGE_NONE &&
        (double)before.ms < ts_window_start_ms(reader->window, span->from))
        story->settled = before; /* nothing visible has happened since */
    tell_barely(reader, &chapter, final, span, story);
    if (story->settled.kind != TS_EDGE_NONE && (double)story->settled.ms < tap_ms)
        story->settled.kind = TS_EDGE_NONE;
}
