/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/sync_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STEPS    30
#define OUTLYING 2.0 /* sigma */

double ts_sync_row_start(const struct ts_sync_model *model, const struct ts_sync_row *row)
{
    return model->p[TS_SYNC_ORIGIN] + model->p[TS_SYNC_PERIOD] * (row->number - model->at_number) +
           model->p[TS_SYNC_READOUT] * row->row;
}

struct exposed {
    double share, by_start, by_exposure; /* lit share of the exposure, and its derivatives */
};

/* A block's five picture rows are exposed one after the other, which rounds the corners where an
 * edge enters the exposure: the mean over three rows that have the five's spread. False where the
 * LED's state is not known. */
static bool expose(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                   const struct ts_sync_row *row, struct exposed *out)
{
    const struct ts_led_track *track = &problem->tracks[row->led];
    const double length = model->p[TS_SYNC_EXPOSURE];
    const double apart = sqrt(3) * model->p[TS_SYNC_READOUT] / problem->frames->camera->height_px;
    *out = (struct exposed){0};
    size_t hint = row->hint;
    for (int k = -1; k <= 1; k++) {
        const double start = ts_sync_row_start(model, row) + k * apart;
        const double share = ts_led_track_share(track, start, length, &hint);
        if (isnan(share))
            return false;
        const double first = ts_led_track_on(track, start, &hint);
        const double last = ts_led_track_on(track, start + length, &hint);
        out->share += share / 3;
        out->by_start += (last - first) / length / 3;
        out->by_exposure += (last - share) / length / 3;
    }
    return true;
}

/* Residual of a row in shares of the LED's step, and its derivatives. Light adds up linearly,
 * codes do not: with dark and lit levels d and 1, the lit share f looks like
 * (d^gamma + (1 - d^gamma) f)^(1/gamma). */
static double residual(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                       const struct ts_sync_row *row, double *slope)
{
    const double gamma = model->p[TS_SYNC_GAMMA], step = 1 - row->dark;
    struct exposed seen;
    memset(slope, 0, TS_SYNC_PARAMETERS * sizeof *slope);
    if (!expose(problem, model, row, &seen))
        return 0;
    const double share = seen.share;
    if (share <= 0)
        return (row->dark - row->level) / step;
    if (share >= 1)
        return (1 - row->level) / step;
    const double base = row->dark > 0 ? pow(row->dark, gamma) : 0;
    const double light = base + (1 - base) * share, code = pow(light, 1 / gamma);
    /* The curve is steep where there is next to no light; the fit need not believe all of it. */
    const double by_share = (1 - base) * code / (gamma * fmax(light, 0.02) * step);
    const double base_by_gamma = base > 0 ? base * log(row->dark) : 0;
    const double by_start = by_share * seen.by_start;
    slope[TS_SYNC_ORIGIN] = by_start;
    slope[TS_SYNC_PERIOD] = by_start * (row->number - model->at_number);
    slope[TS_SYNC_READOUT] = by_start * row->row;
    slope[TS_SYNC_EXPOSURE] = by_share * seen.by_exposure;
    slope[TS_SYNC_GAMMA] =
        code * ((1 - share) * base_by_gamma / light - log(light) / gamma) / (gamma * step);
    return (code - row->level) / step;
}

/* Huber's loss made smooth, and its weight: an edge that is not there or a reflection pulls no
 * more than a residual of 2 sigma does. It is convex, unlike the losses that forget outliers
 * altogether (Cauchy's, Tukey's), so that a start from nominal values does not get caught. */
static double loss_of(double left, double sigma)
{
    const double t = left / (OUTLYING * sigma);
    return 2 * OUTLYING * OUTLYING * (sqrt(1 + t * t) - 1);
}

static double weight_of(double left, double sigma)
{
    const double t = left / (OUTLYING * sigma);
    return 1 / sqrt(1 + t * t);
}

void ts_sync_gather(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                    double sigma, struct ts_sync_normal *normal)
{
    memset(normal, 0, sizeof *normal);
    for (size_t i = 0; i < problem->rows.count; i++) {
        double slope[TS_SYNC_PARAMETERS];
        const double left = residual(problem, model, &problem->rows.rows[i], slope);
        const double weight = weight_of(left, sigma);
        normal->cost += loss_of(left, sigma);
        if (slope[TS_SYNC_ORIGIN] == 0 && slope[TS_SYNC_EXPOSURE] == 0)
            continue;
        normal->weight += weight;
        normal->square += weight * left * left;
        for (int a = 0; a < TS_SYNC_PARAMETERS; a++) {
            normal->vector[a] += weight * slope[a] * left;
            for (int b = 0; b <= a; b++)
                normal->matrix[a][b] += weight * slope[a] * slope[b];
        }
    }
    for (int a = 0; a < TS_SYNC_PARAMETERS; a++) {
        const double tight = sigma * sigma / (problem->prior_u[a] * problem->prior_u[a]);
        const double off = model->p[a] - problem->prior[a];
        normal->matrix[a][a] += tight;
        normal->vector[a] += tight * off;
        normal->cost += tight * off * off / (sigma * sigma);
    }
    for (int a = 0; a < TS_SYNC_PARAMETERS; a++) {
        for (int b = a + 1; b < TS_SYNC_PARAMETERS; b++)
            normal->matrix[a][b] = normal->matrix[b][a];
        if (problem->free[a])
            continue;
        for (int b = 0; b < TS_SYNC_PARAMETERS; b++)
            normal->matrix[a][b] = normal->matrix[b][a] = a == b;
        normal->vector[a] = 0;
    }
}

bool ts_sync_solve(double matrix[TS_SYNC_PARAMETERS][TS_SYNC_PARAMETERS], const double *vector,
                   double *x)
{
    double low[TS_SYNC_PARAMETERS][TS_SYNC_PARAMETERS] = {{0}};
    for (int i = 0; i < TS_SYNC_PARAMETERS; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= low[i][k] * low[j][k];
            if (i == j && !(sum > 0))
                return false;
            low[i][j] = i == j ? sqrt(sum) : sum / low[j][j];
        }
    }
    for (int i = 0; i < TS_SYNC_PARAMETERS; i++) {
        x[i] = vector[i];
        for (int k = 0; k < i; k++)
            x[i] -= low[i][k] * x[k];
        x[i] /= low[i][i];
    }
    for (int i = TS_SYNC_PARAMETERS; i-- > 0;) {
        for (int k = i + 1; k < TS_SYNC_PARAMETERS; k++)
            x[i] -= low[k][i] * x[k];
        x[i] /= low[i][i];
    }
    return true;
}

void ts_sync_keep_sane(const struct ts_sync_problem *problem, struct ts_sync_model *model)
{
    const double period = problem->line.period_ms;
    model->p[TS_SYNC_EXPOSURE] = fmin(fmax(model->p[TS_SYNC_EXPOSURE], 0.02 * period), period);
    model->p[TS_SYNC_READOUT] = fmin(fmax(model->p[TS_SYNC_READOUT], 0.1 * period), 1.2 * period);
    model->p[TS_SYNC_GAMMA] = fmin(fmax(model->p[TS_SYNC_GAMMA], 0.7), 4);
}

static double robust_sigma(const struct ts_sync_problem *problem, const struct ts_sync_model *model)
{
    double slope[TS_SYNC_PARAMETERS];
    size_t count = 0;
    for (size_t i = 0; i < problem->rows.count; i++) {
        const double left = residual(problem, model, &problem->rows.rows[i], slope);
        if (slope[TS_SYNC_EXPOSURE] != 0 || slope[TS_SYNC_ORIGIN] != 0)
            problem->rows.scratch[count++] = fabs(left);
    }
    if (count == 0)
        return TS_SYNC_SIGMA_LEAST;
    qsort(problem->rows.scratch, count, sizeof(double), ts_sync_by_value);
    return fmax(1.4826 * problem->rows.scratch[count / 2], TS_SYNC_SIGMA_LEAST);
}

/* Levenberg and Marquardt. */
/* A step that moves nothing by as much as a tenth of a microsecond, or gamma by 1e-4. */
static bool still(const double *step)
{
    return fabs(step[TS_SYNC_ORIGIN]) < 1e-4 && fabs(step[TS_SYNC_EXPOSURE]) < 1e-4 &&
           fabs(step[TS_SYNC_READOUT]) < 1e-4 && fabs(step[TS_SYNC_GAMMA]) < 1e-4;
}

void ts_sync_refine(struct ts_sync_problem *problem, struct ts_sync_model *model)
{
    double damping = 1e-3;
    problem->sigma = robust_sigma(problem, model);
    struct ts_sync_normal now, next;
    ts_sync_gather(problem, model, problem->sigma, &now);
    for (int i = 0; i < STEPS && damping < 1e6; i++) {
        double matrix[TS_SYNC_PARAMETERS][TS_SYNC_PARAMETERS], step[TS_SYNC_PARAMETERS];
        memcpy(matrix, now.matrix, sizeof matrix);
        for (int a = 0; a < TS_SYNC_PARAMETERS; a++)
            matrix[a][a] *= 1 + damping;
        if (!ts_sync_solve(matrix, now.vector, step))
            return;
        struct ts_sync_model trial = *model;
        for (int a = 0; a < TS_SYNC_PARAMETERS; a++)
            trial.p[a] -= step[a];
        ts_sync_keep_sane(problem, &trial);
        ts_sync_gather(problem, &trial, problem->sigma, &next);
        if (!(next.cost < now.cost)) {
            damping *= 8;
            continue;
        }
        const bool done = damping < 1 && still(step);
        *model = trial;
        damping /= 8;
        /* Sigma may only fall: a cost in units of a sigma that moves cannot be compared. */
        problem->sigma = fmin(problem->sigma, robust_sigma(problem, model));
        ts_sync_gather(problem, model, problem->sigma, &now);
        if (done)
            return;
    }
}
