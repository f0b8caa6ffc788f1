/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/light.h"

#include "vision/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES       240
#define WITNESS_LEAST 12
#define WITNESS_CODES 12.0 /* darker blocks say nothing */
#define SPAN          8    /* frames averaged on each side */
#define GAP           2    /* frames left out on each side: exposures that straddle the step */
#define KEPT          32
#define STEP          0.03
#define AGREE_WITNESS 0.8  /* share of blocks that follow half of the step or more */
#define AGREE_SCREEN  0.95 /* without witnesses it must be nearly all, of very different levels */
#define CONTRAST      0.15 /* of the median: from the tenth to the ninetieth per cent */
#define RAMP_SHARE    0.2
#define CAUSE_MS      150.0 /* exposures follow what they see within that */
#define OTHER_CODES   3.0
#define OTHER_PART    0.05
#define OTHER_SHARE   0.3
#define FACTOR_NEAR   0.01 /* blocks follow the factor so closely, and to half a code */
#define CODES_NEAR    0.6

_Static_assert(KEPT > 2 * GAP + 3 * SPAN, "so far apart are the means that are looked at");

struct ts_light {
    const struct ts_window *window;
    size_t count;
    size_t block[SAMPLES];
    double sum[SAMPLES], latest[SPAN][SAMPLES]; /* of the latest SPAN frames, and each of them */
    /* Over SPAN frames from frame n: in place n % KEPT, until KEPT frames later. */
    double mean[KEPT][SAMPLES], total[KEPT]; /* of each sample; of all of them */
    double agree;
    double factor[SAMPLES], level[SAMPLES], sorted[SAMPLES];
};

/* Spread over the picture; only == -1: every block. */
static void choose(struct ts_light *light, int only)
{
    const struct ts_window *window = light->window;
    const uint8_t *ignore = window->view->ignore;
    size_t usable = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t seen = 0;
        light->count = 0;
        for (size_t block = 0; block < window->blocks; block++) {
            if ((only == 1 && !(ignore && ignore[block])) ||
                (double)ts_window_code(window, 0, block) < WITNESS_CODES)
                continue;
            if (pass == 1 && seen++ % (usable / SAMPLES + 1) == 0)
                light->block[light->count++] = block;
            usable += pass == 0;
        }
    }
}

static const double *mean_from(const struct ts_light *light, size_t frame)
{
    return light->mean[frame % KEPT];
}

static double total_from(const struct ts_light *light, size_t frame)
{
    return light->total[frame % KEPT];
}

/* Frames come one after the other. */
static void add_frame(struct ts_light *light, size_t frame)
{
    double *latest = light->latest[frame % SPAN], *mean = light->mean[(frame + 1 - SPAN) % KEPT];
    double total = 0;
    for (size_t i = 0; i < light->count; i++) {
        const double before = latest[i];
        latest[i] = (double)ts_window_code(light->window, frame, light->block[i]);
        light->sum[i] += latest[i];
        light->sum[i] -= before;
        mean[i] = light->sum[i] / SPAN;
        total += mean[i];
    }
    light->total[(frame + 1 - SPAN) % KEPT] = total;
}

/* The value of this rank (0 = smallest) of count > 0 values, which are reordered. */
static double rank_of(double *values, size_t count, size_t rank)
{
    size_t low = 0, high = count - 1;
    while (low < high) {
        const double pivot = values[(low + high) / 2];
        size_t i = low, j = high;
        for (;;) {
            while (values[i] < pivot)
                i++;
            while (values[j] > pivot)
                j--;
            if (i >= j)
                break;
            const double swap = values[i];
            values[i++] = values[j];
            values[j--] = swap;
        }
        if (rank <= j)
            high = j;
        else
            low = j + 1;
    }
    return values[rank];
}

static double quantile(struct ts_light *light, const double *values, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        light->sorted[i] = values[i];
    return rank_of(light->sorted, count, (size_t)(share * (double)(count - 1)));
}

static bool stepped_at(struct ts_light *light, size_t n)
{
    const double *earlier = mean_from(light, n - GAP - SPAN), *later = mean_from(light, n + GAP);
    size_t used = 0, agreeing = 0;
    for (size_t i = 0; i < light->count; i++) {
        const double before = earlier[i], after = later[i];
        if (before < WITNESS_CODES)
            continue;
        light->factor[used] = after / before;
        light->level[used++] = before;
    }
    if (used < WITNESS_LEAST || used * 2 < light->count)
        return false;
    const double factor = quantile(light, light->factor, used, 0.5);
    if (fabs(factor - 1) < STEP || factor < 0.5 || factor > 2)
        return false;
    const double spread =
        quantile(light, light->level, used, 0.9) - quantile(light, light->level, used, 0.1);
    if (light->agree == AGREE_SCREEN &&
        spread < CONTRAST * quantile(light, light->level, used, 0.5))
        return false;
    for (size_t i = 0; i < used; i++) {
        const double off = fabs(light->factor[i] - factor);
        /* Around the phone only some of a block's light is the room's: it follows, but less. */
        agreeing += light->agree == AGREE_WITNESS
                        ? off < fabs(factor - 1) / 2
                        : off < FACTOR_NEAR + CODES_NEAR / light->level[i];
    }
    return (double)agreeing >= light->agree * (double)used;
}

/* A picture that fades in out of the dark is a growing gain too, but it takes its time. */
static bool rests(const struct ts_light *light, size_t from, size_t to)
{
    size_t still = 0;
    for (size_t i = 0; i < light->count; i++) {
        const double early = mean_from(light, from)[i], late = mean_from(light, to)[i];
        still += fabs(late - early) < 1 + 0.01 * early;
    }
    return still * 10 > light->count * 9;
}

/* Exposure that moves takes its time: much of such a step is made before or after. */
static bool ramps(const struct ts_light *light, size_t n, double step)
{
    const double before =
        total_from(light, n - GAP - SPAN) / total_from(light, n - GAP - 2 * SPAN) - 1;
    const double after = total_from(light, n + GAP + SPAN) / total_from(light, n + GAP) - 1;
    return fmax(fabs(before), fabs(after)) > RAMP_SHARE * fabs(step);
}

/* The screen has just shown another picture, neither the one after the step nor that by the light
 * of before: exposure moves because of such a change, and in no more than a few frames if it was
 * large. */
static bool picture_changed(const struct ts_light *light, size_t n, double factor)
{
    const struct ts_window *window = light->window;
    const size_t ago = GAP + SPAN + (size_t)(CAUSE_MS / window->view->period_ms);
    const size_t from = n > ago ? n - ago : 0, to = n + GAP;
    size_t screen = 0, other = 0;
    for (size_t block = 0; block < window->blocks; block++) {
        if (window->view->ignore[block])
            continue;
        const double was = (double)ts_window_code(window, from, block);
        const double is = (double)ts_window_code(window, to, block);
        const double off = fmin(fabs(is - was), fabs(is - was * factor));
        screen++;
        other += off > OTHER_CODES + OTHER_PART * is;
    }
    return (double)other > OTHER_SHARE * (double)screen;
}

int ts_light_open(struct ts_light **out)
{
    *out = ts_memory_zeroed(1, sizeof **out);
    return *out ? TS_OK : TS_ENOMEM;
}

void ts_light_close(struct ts_light *light)
{
    free(light);
}

bool ts_light_changed(struct ts_light *light, const struct ts_window *window)
{
    if (window->count < 2 * GAP + 4 * SPAN)
        return false;
    light->window = window;
    light->agree = AGREE_WITNESS;
    choose(light, 1);
    if (light->count < WITNESS_LEAST) {
        light->agree = AGREE_SCREEN;
        choose(light, -1);
    }
    memset(light->sum, 0, sizeof light->sum);
    memset(light->latest, 0, sizeof light->latest);
    for (size_t frames = 1; frames <= window->count; frames++) {
        add_frame(light, frames - 1);
        if (frames < 2 * GAP + 4 * SPAN)
            continue;
        const size_t n = frames - GAP - 2 * SPAN;
        const double factor = total_from(light, n + GAP) / total_from(light, n - GAP - SPAN);
        if (fabs(factor - 1) < STEP / 2 || ramps(light, n, factor - 1))
            continue; /* not worth a closer look */
        if (rests(light, n + GAP, n + GAP + SPAN) &&
            rests(light, n - GAP - 2 * SPAN, n - GAP - SPAN) && stepped_at(light, n) &&
            !(light->agree == AGREE_WITNESS && picture_changed(light, n, factor)))
            return true;
    }
    return false;
}
