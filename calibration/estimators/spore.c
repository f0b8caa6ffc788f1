/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/spore.h"

#include "estimators/evaluation.h"
#include "estimators/spore_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STREAM_HALVES 0x73706f72
#define COPY_MOST     1e-5 /* sum of differences */
#define KEPT_SHARE    0.8  /* of the resamples, for a feature to be no noise */

struct ts_spore_settings ts_spore_defaults(void)
{
    return (struct ts_spore_settings){.degree = 3,
                                      .threshold = 0.01,
                                      .f_scale = 0.1,
                                      .nu = 0.5,
                                      .ridge = 1e-3,
                                      .max_terms = 5,
                                      .seed = 1};
}

static bool has_factor(const struct ts_spore_term *terms, size_t count, size_t feature)
{
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < TS_SPORE_DEGREE_MAX; k++) {
            if (terms[i].factor[k] == (int)feature)
                return true;
        }
    }
    return false;
}

bool ts_spore_uses(const struct ts_spore_model *model, size_t feature)
{
    return has_factor(model->terms, model->count, feature);
}

/* The best that the set becomes by one feature more; false: no feature makes it better. */
static int try_feature(const struct ts_spore_work *work, const struct ts_spore_set *set,
                       size_t feature, struct ts_spore_candidates *candidates,
                       struct ts_spore_set *trial)
{
    size_t features[TS_SPORE_TERMS_MAX * TS_SPORE_DEGREE_MAX + 1], count = 0;
    for (size_t i = 0; i < work->data->width; i++) {
        if (i == feature || has_factor(set->terms, set->count, i))
            features[count++] = i;
    }
    int err = ts_spore_expand(work, features, count, (long)feature, candidates);
    if (err)
        return err;
    ts_spore_set_copy(work, trial, set);
    return ts_foba_linear(work, candidates, trial);
}

static int grow(const struct ts_spore_work *work, struct ts_spore_set *set,
                struct ts_spore_set *trial, struct ts_spore_set *best)
{
    struct ts_spore_candidates candidates = {0};
    int err = TS_OK;
    while (set->count < work->settings->max_terms) {
        best->error = INFINITY;
        for (size_t i = 0; i < work->data->width && !err; i++) {
            if (!work->usable[i] || has_factor(set->terms, set->count, i))
                continue;
            err = try_feature(work, set, i, &candidates, trial);
            if (!err && trial->error < best->error)
                ts_spore_set_copy(work, best, trial);
        }
        if (err || !(set->error - best->error > work->settings->threshold))
            break;
        ts_spore_set_copy(work, set, best);
    }
    free(candidates.terms);
    return err;
}

/* The algorithm as published. */
static int fit_once(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                    struct ts_spore_model *out, struct ts_why *why)
{
    struct ts_spore_work work;
    struct ts_spore_set set = {0}, trial = {0}, best = {0};
    int err = ts_spore_work_start(&work, data, settings, out, why);
    if (err)
        goto end;
    if (ts_spore_set_start(&work, &set) || ts_spore_set_start(&work, &trial) ||
        ts_spore_set_start(&work, &best) || grow(&work, &set, &trial, &best)) {
        err = ts_fail(why, TS_ENOMEM, "out of memory");
        goto end;
    }
    ts_spore_take(out, &set);
end:
    free(set.columns);
    free(trial.columns);
    free(best.columns);
    ts_spore_work_free(&work);
    if (err)
        ts_spore_free(out);
    return err;
}

/* How often each feature is chosen in random halves of the rows. */
static int count_choices(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                         size_t *chosen, struct ts_why *why)
{
    const size_t half = data->count / 2;
    double *x = calloc(half * data->width + 1, sizeof *x), *y = calloc(half + 1, sizeof *y);
    size_t *order = calloc(data->count + 1, sizeof *order);
    int err = x && y && order ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t draw = 0; draw < settings->resamples && !err; draw++) {
        struct ts_spore_model model;
        ts_shuffle(order, data->count, settings->seed, STREAM_HALVES + draw);
        for (size_t i = 0; i < half; i++) {
            memcpy(x + i * data->width, data->x + order[i] * data->width, data->width * sizeof *x);
            y[i] = data->y[order[i]];
        }
        const struct ts_spore_data part = {x,         y,         half, data->width, data->barred,
                                           data->low, data->high};
        err = fit_once(&part, settings, &model, why);
        for (size_t i = 0; i < data->width && !err; i++)
            chosen[i] += ts_spore_uses(&model, i);
        if (!err)
            ts_spore_free(&model);
    }
    free(x);
    free(y);
    free(order);
    return err;
}

static double range(const struct ts_spore_data *data, size_t feature, double *low)
{
    double high = -INFINITY;
    *low = INFINITY;
    for (size_t i = 0; i < data->count; i++) {
        *low = fmin(*low, data->x[i * data->width + feature]);
        high = fmax(high, data->x[i * data->width + feature]);
    }
    return high - *low;
}

/* One says what the other says, as shares of their ranges (paper M's authors bar such a column when
 * it is dear). */
static bool is_copy(const struct ts_spore_data *data, size_t a, size_t b)
{
    double low_a, low_b, off = 0;
    const double range_a = range(data, a, &low_a), range_b = range(data, b, &low_b);
    for (size_t i = 0; i < data->count && off < COPY_MOST; i++) {
        const double *row = data->x + i * data->width;
        off += fabs((row[a] - low_a) / range_a - (row[b] - low_b) / range_b);
    }
    return off < COPY_MOST;
}

/* Copies share the choices among them, so that none would look chosen: the first one stands. */
static void bar_copies(const struct ts_spore_data *data, bool *barred)
{
    for (size_t i = 0; i < data->width; i++) {
        barred[i] = data->barred && data->barred[i];
        for (size_t j = 0; j < i && !barred[i]; j++)
            barred[i] = !barred[j] && is_copy(data, i, j);
    }
}

int ts_spore_fit(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                 struct ts_spore_model *out, struct ts_why *why)
{
    *out = (struct ts_spore_model){0};
    if (!settings->resamples)
        return fit_once(data, settings, out, why);
    size_t *chosen = calloc(data->width + 1, sizeof *chosen);
    bool *barred = calloc(data->width + 1, sizeof *barred);
    struct ts_spore_data left = *data;
    int err = chosen && barred ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err) {
        bar_copies(data, barred);
        left.barred = barred;
        err = count_choices(&left, settings, chosen, why);
    }
    if (!err) {
        const double least = KEPT_SHARE * (double)settings->resamples;
        for (size_t i = 0; i < data->width; i++)
            barred[i] |= (double)chosen[i] < least;
        err = fit_once(&left, settings, out, why);
    }
    free(chosen);
    free(barred);
    return err;
}

double ts_spore_predict(const struct ts_spore_model *model, const double *row)
{
    double sum = 0;
    for (size_t i = 0; i < model->count; i++) {
        double product = model->coefficients[i];
        for (int k = 0; k < TS_SPORE_DEGREE_MAX && model->terms[i].factor[k] >= 0; k++) {
            const size_t at = (size_t)model->terms[i].factor[k];
            product *= (row[at] - model->low[at]) / (model->high[at] - model->low[at]);
        }
        sum += product;
    }
    return sum;
}

bool ts_spore_extrapolates(const struct ts_spore_model *model, const double *row)
{
    for (size_t i = 0; i < model->width; i++) {
        if (ts_spore_uses(model, i) && (row[i] < model->low[i] || row[i] > model->high[i]))
            return true;
    }
    return false;
}

double ts_spore_error_of(const struct ts_spore_model *model, const struct ts_spore_data *data,
                         enum ts_spore_error error)
{
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        const double off = ts_spore_predict(model, data->x + i * data->width) - data->y[i];
        sum += error == TS_SPORE_RELATIVE ? fabs(off / data->y[i]) : off * off;
    }
    sum /= (double)data->count;
    return error == TS_SPORE_RELATIVE ? sum : sqrt(sum);
}

static int print_term(const struct ts_spore_term *term, const char *const *names,
                      struct ts_buf *out)
{
    int err = TS_OK;
    for (int k = 0; k < TS_SPORE_DEGREE_MAX && term->factor[k] >= 0 && !err;) {
        int power = 1;
        while (k + power < TS_SPORE_DEGREE_MAX && term->factor[k + power] == term->factor[k])
            power++;
        err = ts_buf_printf(out, " %s", names[term->factor[k]]);
        if (!err && power > 1)
            err = ts_buf_printf(out, "^%d", power);
        k += power;
    }
    return err;
}

int ts_spore_print(const struct ts_spore_model *model, const char *const *names, struct ts_buf *out)
{
    int err = TS_OK;
    for (size_t i = 0; i < model->count && !err; i++) {
        const double c = model->coefficients[i];
        err = i ? ts_buf_printf(out, c < 0 ? " - %.4g" : " + %.4g", fabs(c))
                : ts_buf_printf(out, "%.4g", c);
        if (!err)
            err = print_term(&model->terms[i], names, out);
    }
    return err;
}

void ts_spore_free(struct ts_spore_model *model)
{
    free(model->low);
    free(model->high);
    *model = (struct ts_spore_model){0};
}
