/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/changes_steps.h"

#include "vision/changes_edge.h"

#include <math.h>
#include <stdlib.h>

#define REST_MS       90.0  /* this long without a slope is a rest */
#define REST_LEAST    4     /* frames */
#define REST_SLOPE    0.018 /* codes per ms: 11 codes over a fade of 600 ms */
#define REST_RANGE    2.0   /* codes around the window's mean */
#define START_CODES   2.5   /* away from the rest: a change has begun */
#define NOISE_LEAST   0.15  /* codes: sums of 25 pixels are rounded too */
#define PLATEAU_SHARE 32.0  /* the rest follows slow drift as a mean of so many frames */

int ts_steps_open(struct ts_steps *steps, const struct ts_series *series)
{
    const size_t count = series->frames->count;
    *steps = (struct ts_steps){.series = series};
    steps->values = malloc(count * sizeof *steps->values);
    steps->scratch = malloc(count * sizeof *steps->scratch);
    steps->sum = malloc((count + 1) * sizeof *steps->sum);
    steps->moment = malloc((count + 1) * sizeof *steps->moment);
    if (steps->values && steps->scratch && steps->sum && steps->moment)
        return TS_OK;
    ts_steps_close(steps);
    return TS_ENOMEM;
}

void ts_steps_close(struct ts_steps *steps)
{
    free(steps->values);
    free(steps->scratch);
    free(steps->sum);
    free(steps->moment);
    *steps = (struct ts_steps){0};
}

/* From frame to frame differences, which a change touches only here and there. */
static double measure_noise(struct ts_steps *steps)
{
    const size_t count = steps->series->frames->count;
    if (count < 3)
        return NOISE_LEAST;
    for (size_t n = 0; n + 1 < count; n++)
        steps->scratch[n] = fabs(steps->values[n + 1] - steps->values[n]);
    /* median |difference| of two normal values = 0.6745 sqrt(2) sigma */
    return fmax(NOISE_LEAST, ts_series_median(steps->scratch, count - 1) / 0.9539);
}

static double tail_median(struct ts_steps *steps)
{
    const size_t from = steps->series->tail, count = steps->series->frames->count - from;
    for (size_t n = 0; n < count; n++)
        steps->scratch[n] = steps->values[from + n];
    return ts_series_median(steps->scratch, count);
}

static void sum_up(struct ts_steps *steps)
{
    steps->sum[0] = steps->moment[0] = 0;
    for (size_t n = 0; n < steps->series->frames->count; n++) {
        steps->sum[n + 1] = steps->sum[n] + steps->values[n];
        steps->moment[n + 1] = steps->moment[n] + steps->values[n] * (double)n;
    }
}

/* No slope and no excursion in frames from .. from + width - 1. */
static bool is_rest(const struct ts_steps *steps, size_t from, size_t width, double noise,
                    double *mean)
{
    const double w = (double)width, sum = steps->sum[from + width] - steps->sum[from];
    const double moment = steps->moment[from + width] - steps->moment[from];
    const double middle = (double)from + (w - 1) / 2;
    const double spread = w * (w * w - 1) / 12;
    const double slope = (moment - middle * sum) / spread / steps->series->frames->period_ms;
    *mean = sum / w;
    const double slope_noise = noise / sqrt(spread) / steps->series->frames->period_ms;
    if (fabs(slope) > fmax(REST_SLOPE, 4 * slope_noise))
        return false;
    const double range = fmax(REST_RANGE, 4.5 * noise);
    for (size_t n = from; n < from + width; n++) {
        if (fabs(steps->values[n] - *mean) > range)
            return false;
    }
    return true;
}

/* The first frame of the next rest and its level; the number of frames when there is none. */
static size_t next_rest(const struct ts_steps *steps, size_t from, double noise, double *level)
{
    const struct ts_old_frames *frames = steps->series->frames;
    size_t width = (size_t)lround(REST_MS / frames->period_ms);
    width = width < REST_LEAST ? REST_LEAST : width;
    for (size_t n = from; n < frames->count; n++) {
        const size_t left = frames->count - n;
        if (left < REST_LEAST)
            break;
        if (is_rest(steps, n, left < width ? left : width, noise, level))
            return n;
    }
    *level = steps->values[frames->count - 1];
    return frames->count;
}

static void keep_step(struct ts_story *story, const struct ts_edge *edge)
{
    story->step_ms[story->steps++ % TS_STEPS_KEPT] = edge->ms;
    if (edge->ms < 0) {
        story->before = *edge;
        return;
    }
    if (story->first.kind == TS_EDGE_NONE)
        story->first = *edge;
    story->last = *edge;
}

static void add_step(const struct ts_steps *steps, struct ts_story *story,
                     struct ts_passage *passage, size_t from, size_t to, double old_code,
                     double new_code)
{
    if (fabs(new_code - old_code) < fmax(TS_VISIBLE_CODES, 5 * passage->noise) || from >= to)
        return;
    passage->values = steps->values;
    passage->from = from;
    passage->to = to;
    passage->old_code = old_code;
    passage->new_code = new_code;
    const struct ts_edge edge = ts_passage_edge(passage, 0.5);
    keep_step(story, &edge);
}

/* Cuts a change between two rests where it turns back, and keeps each part as a step. */
static void add_change(const struct ts_steps *steps, struct ts_story *story,
                       struct ts_passage *passage, size_t from, size_t to, double old_code,
                       double new_code)
{
    const double turn = fmax(TS_VISIBLE_CODES, 6 * passage->noise);
    size_t start = from, extreme = from;
    double start_code = old_code, extreme_code = old_code;
    int direction = 0;
    for (size_t n = from + 1; n <= to; n++) {
        const double value = n == to ? new_code : steps->values[n];
        if (direction == 0 && fabs(value - start_code) > turn)
            direction = value > start_code ? 1 : -1;
        if (direction == 0)
            continue;
        if ((value - extreme_code) * direction >= 0) {
            extreme = n;
            extreme_code = value;
        } else if ((extreme_code - value) * direction > turn) {
            add_step(steps, story, passage, start, extreme, start_code, extreme_code);
            start = extreme;
            start_code = extreme_code;
            extreme = n;
            extreme_code = value;
            direction = -direction;
        }
    }
    add_step(steps, story, passage, start, to, start_code, new_code);
}

static void find_steps(struct ts_steps *steps, struct ts_story *story, struct ts_passage *passage)
{
    const size_t count = steps->series->frames->count;
    const double noise = passage->noise, start = fmax(START_CODES, 5 * noise);
    double rest;
    size_t n = next_rest(steps, 0, noise, &rest);
    if (n > 0)
        add_change(steps, story, passage, 0, n < count ? n : count - 1, steps->values[0], rest);
    for (; n < count; n++) {
        const double away = steps->values[n] - rest;
        const bool stays =
            n + 1 == count || fabs(steps->values[n + 1] - rest) > start || fabs(away) > 3 * start;
        if (fabs(away) < start || !stays) {
            rest += away / PLATEAU_SHARE;
            continue;
        }
        size_t from = n;
        while (from > 0 && (steps->values[from] - rest) * away > 1.5 * noise * fabs(away))
            from--;
        double level;
        const size_t to = next_rest(steps, n, noise, &level);
        add_change(steps, story, passage, from, to < count ? to : count - 1, rest, level);
        rest = level;
        n = to;
    }
}

/* The last frame that is out of bounds for good; 0 when none is (frame 0 has nothing before it
 * from which it could have changed). */
static size_t last_outside(const struct ts_steps *steps, const struct ts_story *story)
{
    for (size_t n = steps->series->frames->count - 1; n > 0; n--) {
        const double away = fabs(steps->values[n] - story->final);
        const double before = fabs(steps->values[n - 1] - story->final);
        if (away > TS_VISIBLE_CODES + 4 * story->noise ||
            (away > TS_VISIBLE_CODES && before > TS_VISIBLE_CODES))
            return n;
    }
    return 0;
}

/* The passage that ends at the final value: back from the last frame outside to where the block
 * last rested or turned. */
static void find_settled(struct ts_steps *steps, struct ts_story *story, struct ts_passage *passage)
{
    const size_t count = steps->series->frames->count;
    const size_t out = last_outside(steps, story);
    if (out == 0)
        return;
    const double sign = steps->values[out] > story->final ? 1 : -1, slack = 2 * story->noise;
    size_t from = out;
    double extreme = steps->values[out];
    for (size_t n = out; n > 0; n--) {
        const double value = steps->values[n - 1];
        if ((value - extreme) * sign <= slack / 2 && n - 1 + 2 < from)
            break; /* three frames no further out */
        if ((value - extreme) * sign > slack / 2) {
            extreme = value;
            from = n - 1;
        }
    }
    size_t to = out + 1;
    while (to < count && fabs(steps->values[to] - story->final) > slack)
        to++;
    passage->values = steps->values;
    passage->from = from > 0 && from == out ? from - 1 : from;
    passage->to = to < count ? to : count - 1;
    passage->old_code = extreme;
    passage->new_code = story->final;
    if (passage->from >= passage->to)
        return;
    const double size = fabs(extreme - story->final);
    story->settled = ts_passage_edge(passage, fmax(0.01, 1 - TS_VISIBLE_CODES / size));
}

void ts_steps_block(struct ts_steps *steps, size_t block, struct ts_story *story)
{
    *story = (struct ts_story){0};
    ts_series_read(steps->series, block, steps->values);
    story->noise = measure_noise(steps);
    story->final = tail_median(steps);
    struct ts_passage passage = {.series = steps->series, .block = block, .noise = story->noise};
    sum_up(steps);
    find_steps(steps, story, &passage);
    find_settled(steps, story, &passage);
}
