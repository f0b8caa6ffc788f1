/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/changes_light.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLES       500
#define WITNESS_LEAST 12
#define WITNESS_CODES 12.0 /* darker blocks say nothing */
#define SPAN          8    /* frames averaged on each side */
#define GAP           2    /* frames left out on each side: exposures that straddle the step */
#define STEP          0.03
#define AGREE_WITNESS 0.8  /* share of blocks that follow half of the step or more */
#define AGREE_SCREEN  0.95 /* without witnesses it must be nearly all, of very different levels */
#define CONTRAST      0.15 /* of the median: from the tenth to the ninetieth per cent */
#define FACTOR_NEAR   0.01 /* blocks follow the factor so closely, and to half a code */
#define CODES_NEAR    0.6

struct light {
    const struct ts_series *series;
    size_t count;
    size_t block[SAMPLES];
    double *mean; /* [samples][frames]: over SPAN frames from that frame */
    double agree;
    double factor[SAMPLES], level[SAMPLES], sorted[SAMPLES];
};

/* Spread over the picture; only == -1: every block. */
static void choose(struct light *light, int only)
{
    const struct ts_series *series = light->series;
    const uint8_t *ignore = series->frames->ignore;
    size_t usable = 0;
    for (int pass = 0; pass < 2; pass++) {
        size_t seen = 0;
        light->count = 0;
        for (size_t block = 0; block < series->blocks; block++) {
            if ((only == 1 && !(ignore && ignore[block])) ||
                ts_series_code(series, 0, block) < WITNESS_CODES)
                continue;
            if (pass == 1 && seen++ % (usable / SAMPLES + 1) == 0)
                light->block[light->count++] = block;
            usable += pass == 0;
        }
    }
}

static void average(struct light *light)
{
    const size_t frames = light->series->frames->count;
    for (size_t i = 0; i < light->count; i++) {
        double sum = 0;
        for (size_t n = 0; n < frames; n++) {
            sum += ts_series_code(light->series, n, light->block[i]);
            if (n >= SPAN)
                sum -= ts_series_code(light->series, n - SPAN, light->block[i]);
            if (n + 1 >= SPAN)
                light->mean[i * frames + n + 1 - SPAN] = sum / SPAN;
        }
    }
}

static double quantile(struct light *light, const double *values, size_t count, double share)
{
    for (size_t i = 0; i < count; i++)
        light->sorted[i] = values[i];
    return ts_series_quantile(light->sorted, count, (size_t)(share * (double)(count - 1)));
}

static bool stepped_at(struct light *light, size_t n)
{
    const size_t frames = light->series->frames->count;
    size_t used = 0, agreeing = 0;
    for (size_t i = 0; i < light->count; i++) {
        const double before = light->mean[i * frames + n - GAP - SPAN];
        const double after = light->mean[i * frames + n + GAP];
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
static bool rests(const struct light *light, size_t from, size_t to)
{
    const size_t frames = light->series->frames->count;
    size_t still = 0;
    for (size_t i = 0; i < light->count; i++) {
        const double early = light->mean[i * frames + from], late = light->mean[i * frames + to];
        still += fabs(late - early) < 1 + 0.01 * early;
    }
    return still * 10 > light->count * 9;
}

int ts_light_changed(const struct ts_series *series)
{
    const size_t frames = series->frames->count;
    if (frames < 2 * GAP + 4 * SPAN)
        return 0;
    struct light *light = calloc(1, sizeof *light);
    if (!light)
        return TS_ENOMEM;
    int changed = TS_ENOMEM;
    light->series = series;
    light->agree = AGREE_WITNESS;
    choose(light, 1);
    if (light->count < WITNESS_LEAST) {
        light->agree = AGREE_SCREEN;
        choose(light, -1);
    }
    light->mean = calloc(light->count * frames + 1, sizeof *light->mean);
    if (!light->mean)
        goto end;
    average(light);
    changed = 0;
    for (size_t n = GAP + 2 * SPAN; n + GAP + 2 * SPAN <= frames && !changed; n++)
        changed = stepped_at(light, n) && rests(light, n + GAP, n + GAP + SPAN) &&
                  rests(light, n - GAP - 2 * SPAN, n - GAP - SPAN);
end:
    free(light->mean);
    free(light);
    return changed;
}
