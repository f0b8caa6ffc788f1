/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture_score.h"

#include <assert.h>
#include <stdlib.h>

#define GROSS_MS 50
#define COVERS   1.96

struct picture_sample picture_sample_take(const struct picture_case *which, double fps,
                                          uint64_t seed, int width_px, int height_px)
{
    struct picture picture;
    picture_case_draw(which, fps, seed, width_px, height_px, &picture);
    picture_render(&picture);
    struct picture_sample sample = {
        .reference = picture_refer(&picture), .period_ms = picture.period_ms, .cuts = which->cuts};
    const struct ts_vision_frames frames = picture_frames(&picture, which->quiet_ms);
    if (ts_detect(&frames, TS_RULE_ROBUST, &sample.changes))
        abort();
    for (int flag = 0; flag < TS_FLAG_COUNT; flag++) {
        if (sample.changes.flags >> flag & 1u && ts_flag_disqualifies((enum ts_flag)flag))
            sample.flagged = true;
    }
    picture_free(&picture);
    return sample;
}

static void keep(struct picture_errors *errors, double error, double u, double period)
{
    if (errors->values == errors->capacity) {
        errors->capacity = errors->capacity * 2 + 64;
        const size_t bytes = errors->capacity * sizeof *errors->errors;
        errors->errors = realloc(errors->errors, bytes);
        errors->errors_periods = realloc(errors->errors_periods, bytes);
        errors->u_periods = realloc(errors->u_periods, bytes);
        assert(errors->errors && errors->errors_periods && errors->u_periods);
    }
    errors->errors[errors->values] = fabs(error);
    errors->errors_periods[errors->values] = fabs(error) / period;
    errors->u_periods[errors->values++] = u / period;
}

static void add(struct picture_errors *errors, const struct ts_metric *found, double reference,
                double period, bool cuts)
{
    const double error = found->value - reference;
    errors->count++;
    errors->gross += !(fabs(error) <= GROSS_MS);
    if (isnan(error))
        return;
    keep(errors, error, found->u, period);
    errors->sum += fabs(error);
    errors->sum_periods += fabs(error) / period;
    errors->allowed += cuts ? period / 4 + 0.5 : period / 2;
    errors->bias += error;
    errors->worst = fmax(errors->worst, fabs(error));
    errors->within += fabs(error) <= period;
    errors->covered += fabs(error) <= COVERS * found->u;
}

void picture_score_add(struct picture_score *score, const struct picture_sample *sample)
{
    score->launches++;
    if (sample->flagged) {
        score->flagged++;
        return;
    }
    add(&score->first, &sample->changes.first, sample->reference.first_ms, sample->period_ms,
        sample->cuts);
    add(&score->settled, &sample->changes.settled, sample->reference.settled_ms, sample->period_ms,
        sample->cuts);
}

static void free_errors(struct picture_errors *errors)
{
    free(errors->errors);
    free(errors->errors_periods);
    free(errors->u_periods);
}

void picture_score_free(struct picture_score *score)
{
    free_errors(&score->first);
    free_errors(&score->settled);
    *score = (struct picture_score){0};
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(double *values, size_t count, double q)
{
    if (!count)
        return NAN;
    qsort(values, count, sizeof *values, by_size);
    const size_t i = (size_t)ceil(q * (double)count);
    return values[i ? i - 1 : 0];
}

double picture_errors_quantile(struct picture_errors *errors, double q)
{
    return quantile(errors->errors, errors->values, q);
}

double picture_errors_quantile_periods(struct picture_errors *errors, double q)
{
    return quantile(errors->errors_periods, errors->values, q);
}

double picture_errors_median_u(struct picture_errors *errors)
{
    return quantile(errors->u_periods, errors->values, 0.5);
}
