/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/spore_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int check(const struct ts_spore_data *data, const struct ts_spore_settings *settings,
                 struct ts_why *why)
{
    if (settings->degree < 1 || settings->degree > TS_SPORE_DEGREE_MAX || settings->max_terms < 1 ||
        settings->max_terms > TS_SPORE_TERMS_MAX || !(settings->ridge > 0) ||
        data->width > INT16_MAX)
        return ts_fail(why, TS_EINVAL, "degree 1 to %d, 1 to %d terms, a ridge above 0",
                       TS_SPORE_DEGREE_MAX, TS_SPORE_TERMS_MAX);
    if (data->count < 4)
        return ts_fail(why, TS_EPROTO, "%zu launches are too few for a formula, it takes 4",
                       data->count);
    for (size_t i = 0; i < data->count; i++) {
        if (!(data->y[i] > 0) || !isfinite(data->y[i]))
            return ts_fail(why, TS_EPROTO, "launch %zu took %g", i + 1, data->y[i]);
        for (size_t j = 0; j < data->width; j++) {
            if (!isfinite(data->x[i * data->width + j]))
                return ts_fail(why, TS_EPROTO, "launch %zu has no feature %zu", i + 1, j + 1);
        }
    }
    return TS_OK;
}

static void scale_feature(struct ts_spore_work *work, struct ts_spore_model *model, size_t feature)
{
    const struct ts_spore_data *data = work->data;
    double low = data->x[feature], high = low;
    for (size_t i = 1; i < data->count; i++) {
        low = fmin(low, data->x[i * data->width + feature]);
        high = fmax(high, data->x[i * data->width + feature]);
    }
    const bool varies = high > low;
    if (data->low) {
        low = data->low[feature];
        high = data->high[feature];
    }
    model->low[feature] = low;
    model->high[feature] = high;
    work->usable[feature] = varies && high > low && !(data->barred && data->barred[feature]);
    for (size_t i = 0; i < data->count && high > low; i++)
        work->scaled[feature * data->count + i] =
            (data->x[i * data->width + feature] - low) / (high - low);
}

/* 1 on average: else the ridge would weigh more, the longer the launches. */
static void weigh(struct ts_spore_work *work)
{
    const struct ts_spore_data *data = work->data;
    double sum = 0;
    for (size_t i = 0; i < data->count; i++) {
        work->weights[i] = work->settings->relative_fit ? 1 / (data->y[i] * data->y[i]) : 1;
        sum += work->weights[i];
    }
    for (size_t i = 0; i < data->count; i++)
        work->weights[i] *= (double)data->count / sum;
}

int ts_spore_work_start(struct ts_spore_work *work, const struct ts_spore_data *data,
                        const struct ts_spore_settings *settings, struct ts_spore_model *model,
                        struct ts_why *why)
{
    *work = (struct ts_spore_work){.data = data, .settings = settings};
    *model = (struct ts_spore_model){.width = data->width};
    const int err = check(data, settings, why);
    if (err)
        return err;
    work->scaled = calloc(data->width * data->count + 1, sizeof *work->scaled);
    work->weights = calloc(data->count, sizeof *work->weights);
    work->usable = calloc(data->width + 1, sizeof *work->usable);
    model->low = calloc(data->width + 1, sizeof *model->low);
    model->high = calloc(data->width + 1, sizeof *model->high);
    if (!work->scaled || !work->weights || !work->usable || !model->low || !model->high)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < data->width; i++)
        scale_feature(work, model, i);
    weigh(work);
    return TS_OK;
}

void ts_spore_work_free(struct ts_spore_work *work)
{
    free(work->scaled);
    free(work->weights);
    free(work->usable);
    *work = (struct ts_spore_work){0};
}

int ts_spore_set_start(const struct ts_spore_work *work, struct ts_spore_set *set)
{
    *set = (struct ts_spore_set){0};
    set->columns = calloc(TS_SPORE_TERMS_MAX * work->data->count, sizeof *set->columns);
    if (!set->columns)
        return TS_ENOMEM;
    memset(set->terms[0].factor, -1, sizeof set->terms[0].factor);
    ts_spore_fill(work, &set->terms[0], set->columns);
    set->count = 1;
    ts_spore_solve(work, set);
    return TS_OK;
}

void ts_spore_set_copy(const struct ts_spore_work *work, struct ts_spore_set *to,
                       const struct ts_spore_set *from)
{
    double *columns = to->columns;
    memcpy(columns, from->columns, from->count * work->data->count * sizeof *columns);
    *to = *from;
    to->columns = columns;
}

void ts_spore_fill(const struct ts_spore_work *work, const struct ts_spore_term *term,
                   double *column)
{
    const size_t count = work->data->count;
    for (size_t i = 0; i < count; i++)
        column[i] = 1;
    for (int k = 0; k < TS_SPORE_DEGREE_MAX && term->factor[k] >= 0; k++) {
        const double *feature = work->scaled + (size_t)term->factor[k] * count;
        for (size_t i = 0; i < count; i++)
            column[i] *= feature[i];
    }
}

/* Cholesky, in place; the ridge makes it positive definite. b becomes the solution. */
static void solve_normal(double a[][TS_SPORE_TERMS_MAX], double *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (size_t k = 0; k < j; k++)
                sum -= a[i][k] * a[j][k];
            a[i][j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / a[j][j];
        }
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k][i] * b[k];
        b[i] /= a[i][i];
    }
}

static double error_of(const struct ts_spore_work *work, const struct ts_spore_set *set)
{
    const size_t count = work->data->count;
    const bool relative = work->settings->error == TS_SPORE_RELATIVE;
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double residual = -work->data->y[i];
        for (size_t k = 0; k < set->count; k++)
            residual += set->coefficients[k] * set->columns[k * count + i];
        sum += relative ? fabs(residual / work->data->y[i]) : residual * residual;
    }
    return relative ? sum / (double)count : sqrt(sum / (double)count);
}

void ts_spore_solve(const struct ts_spore_work *work, struct ts_spore_set *set)
{
    double a[TS_SPORE_TERMS_MAX][TS_SPORE_TERMS_MAX];
    const size_t count = work->data->count;
    for (size_t j = 0; j < set->count; j++) {
        const double *one = set->columns + j * count;
        for (size_t k = 0; k <= j; k++) {
            const double *other = set->columns + k * count;
            double sum = j == k ? work->settings->ridge : 0;
            for (size_t i = 0; i < count; i++)
                sum += one[i] * other[i] * work->weights[i];
            a[j][k] = sum;
        }
        set->coefficients[j] = 0;
        for (size_t i = 0; i < count; i++)
            set->coefficients[j] += one[i] * work->data->y[i] * work->weights[i];
    }
    solve_normal(a, set->coefficients, set->count);
    set->error = error_of(work, set);
}

static int add_candidate(struct ts_spore_candidates *out, const struct ts_spore_term *term)
{
    void *terms = out->terms;
    struct ts_spore_term *to = ts_grow(&terms, &out->count, &out->capacity, sizeof *to);
    out->terms = terms;
    if (!to)
        return TS_ENOMEM;
    *to = *term;
    return TS_OK;
}

/* Multisets in lexical order: the last place counts up, as an odometer whose digits never fall. */
int ts_spore_expand(const struct ts_spore_work *work, const size_t *features, size_t count,
                    long must, struct ts_spore_candidates *out)
{
    out->count = 0;
    for (int degree = 1; degree <= work->settings->degree && count; degree++) {
        size_t digit[TS_SPORE_DEGREE_MAX] = {0};
        for (;;) {
            struct ts_spore_term term;
            bool has = must < 0;
            memset(term.factor, -1, sizeof term.factor);
            for (int k = 0; k < degree; k++) {
                term.factor[k] = (int16_t)features[digit[k]];
                has = has || term.factor[k] == must;
            }
            if (has && add_candidate(out, &term))
                return TS_ENOMEM;
            int place = degree - 1;
            while (place >= 0 && digit[place] + 1 == count)
                place--;
            if (place < 0)
                break;
            const size_t next = digit[place] + 1;
            for (int k = place; k < degree; k++)
                digit[k] = next;
        }
    }
    return TS_OK;
}

void ts_spore_take(struct ts_spore_model *model, const struct ts_spore_set *set)
{
    memcpy(model->terms, set->terms, set->count * sizeof *set->terms);
    memcpy(model->coefficients, set->coefficients, set->count * sizeof *set->coefficients);
    model->count = set->count;
    model->error = set->error;
}
