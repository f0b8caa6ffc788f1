/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/sync.h"
#include "vision/sync_rows.h"
#include "vision/sync_track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Latency (arrival less start) is 5-30 ms and the arrivals are mapped to within +-10 ms. */
#define LATENCY_LEAST_MS -6.0
#define LATENCY_MOST_MS  42.0
#define COARSE_MS        1.0
#define FINE_MS          0.125
#define STEPS            30
#define SIGMA_LEAST      0.004 /* share of the LED's step */
#define EDGES_FOR_ALL    30    /* fewer: exposure, readout and gamma stay as they are */
#define PARTIAL_LEAST    3
#define SIGMA_MOST       0.15 /* worse: this is no LED */
/* What a calibrated camera's exposure and readout are good for when they are not fitted; a nominal
 * one's. */
#define KEPT_U_MS    0.05
#define NOMINAL_U_MS 0.7

enum { ORIGIN, PERIOD, EXPOSURE, READOUT, GAMMA, PARAMETERS };

struct model {
    double p[PARAMETERS];
    double at_number; /* frame that ORIGIN belongs to, counted from the first */
};

struct problem {
    const struct ts_sync_frames *frames;
    const struct ts_led_track *tracks;
    struct ts_arrival_line line;
    struct ts_sync_rows rows;
    bool free[PARAMETERS];
    double prior[PARAMETERS], prior_u[PARAMETERS];
    double sigma; /* robust, of one row */
};

/* How well the frames follow the LEDs when they start `latency` before they arrive: the sum over
 * both LEDs of the squared correlation, so that neither brightness nor background matter. */
static double agreement(const struct problem *problem, const struct model *model, double latency)
{
    double sum = 0;
    const double to_code = 1 / model->p[GAMMA];
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const struct ts_sync_channel *channel = problem->rows.strongest[led];
        if (!channel)
            continue;
        double n = 0, s = 0, y = 0, ss = 0, sy = 0, yy = 0;
        size_t hint = 0;
        for (size_t i = 0; i < problem->frames->count; i++) {
            const double start = problem->line.first_ms - latency +
                                 problem->line.period_ms * ts_frame_number(problem->frames, i) +
                                 model->p[READOUT] * channel->row;
            const double share =
                ts_led_track_share(&problem->tracks[led], start, model->p[EXPOSURE], &hint);
            if (isnan(share))
                continue;
            const double code = share <= 0 ? 0 : share >= 1 ? 1 : pow(share, to_code);
            const double level = channel->level[i];
            n++;
            s += code;
            y += level;
            ss += code * code;
            sy += code * level;
            yy += level * level;
        }
        const double covariance = n * sy - s * y;
        const double variance = (n * ss - s * s) * (n * yy - y * y);
        if (variance > 0 && covariance > 0)
            sum += covariance * covariance / variance;
    }
    return sum;
}

/* The whole range is tried, so that a fit can never begin, and stay, one frame beside the truth. */
static void scan(const struct problem *problem, struct model *model)
{
    double best = -1, latency = 0;
    for (double at = LATENCY_LEAST_MS; at <= LATENCY_MOST_MS; at += COARSE_MS) {
        const double here = agreement(problem, model, at);
        if (here > best) {
            best = here;
            latency = at;
        }
    }
    const double centre = latency;
    for (double at = centre - COARSE_MS; at <= centre + COARSE_MS; at += FINE_MS) {
        const double here = agreement(problem, model, at);
        if (here > best) {
            best = here;
            latency = at;
        }
    }
    model->p[ORIGIN] = problem->line.first_ms - latency;
    model->p[PERIOD] = problem->line.period_ms;
    model->at_number = 0;
}

static double row_start(const struct model *model, const struct ts_sync_row *row)
{
    return model->p[ORIGIN] + model->p[PERIOD] * (row->number - model->at_number) +
           model->p[READOUT] * row->row;
}

/* Light adds up linearly, codes do not: level as a share of the lit one's. */
static double mixed(double dark, double share, double gamma)
{
    const double base = dark > 0 ? pow(dark, gamma) : 0;
    return pow(base + (1 - base) * share, 1 / gamma);
}

/* Residual of a row in shares of the LED's step, and its derivatives. */
static double residual(const struct problem *problem, const struct model *model,
                       const struct ts_sync_row *row, double *slope)
{
    const struct ts_led_track *track = &problem->tracks[row->led];
    const double start = row_start(model, row), length = model->p[EXPOSURE];
    const double gamma = model->p[GAMMA];
    size_t hint = row->hint;
    const double share = ts_led_track_share(track, start, length, &hint);
    memset(slope, 0, PARAMETERS * sizeof *slope);
    if (isnan(share))
        return 0;
    const double step = 1 - row->dark;
    const double left = (mixed(row->dark, share, gamma) - row->level) / step;
    if (share <= 0 || share >= 1)
        return left;
    const double here = fmin(fmax(share, 0.02), 0.98);
    const double by_share =
        (mixed(row->dark, here + 0.01, gamma) - mixed(row->dark, here - 0.01, gamma)) /
        (0.02 * step);
    const double first = ts_led_track_on(track, start, &hint);
    const double last = ts_led_track_on(track, start + length, &hint);
    const double by_start = by_share * (last - first) / length;
    slope[ORIGIN] = by_start;
    slope[PERIOD] = by_start * (row->number - model->at_number);
    slope[READOUT] = by_start * row->row;
    slope[EXPOSURE] = by_share * (last - share) / length;
    slope[GAMMA] = (mixed(row->dark, share, gamma + 0.01) - mixed(row->dark, share, gamma - 0.01)) /
                   (0.02 * step);
    return left;
}

struct normal {
    double matrix[PARAMETERS][PARAMETERS], vector[PARAMETERS];
    double cost, weight, square; /* of rows that see an edge: weights, weighted squares */
};

/* Cauchy's weight: an edge that is not there or a reflection costs little and pulls less. */
static double weight_of(double left, double sigma)
{
    const double t = left / (2.5 * sigma);
    return 1 / (1 + t * t);
}

static void gather(const struct problem *problem, const struct model *model, double sigma,
                   struct normal *normal)
{
    memset(normal, 0, sizeof *normal);
    for (size_t i = 0; i < problem->rows.count; i++) {
        double slope[PARAMETERS];
        const double left = residual(problem, model, &problem->rows.rows[i], slope);
        const double weight = weight_of(left, sigma);
        normal->cost += log1p(left * left / (6.25 * sigma * sigma));
        if (slope[ORIGIN] == 0 && slope[EXPOSURE] == 0)
            continue;
        normal->weight += weight;
        normal->square += weight * left * left;
        for (int a = 0; a < PARAMETERS; a++) {
            normal->vector[a] += weight * slope[a] * left;
            for (int b = 0; b <= a; b++)
                normal->matrix[a][b] += weight * slope[a] * slope[b];
        }
    }
    for (int a = 0; a < PARAMETERS; a++) {
        const double tight = sigma * sigma / (problem->prior_u[a] * problem->prior_u[a]);
        const double off = model->p[a] - problem->prior[a];
        normal->matrix[a][a] += tight;
        normal->vector[a] += tight * off;
        normal->cost += tight * off * off / (6.25 * sigma * sigma);
    }
    for (int a = 0; a < PARAMETERS; a++) {
        for (int b = a + 1; b < PARAMETERS; b++)
            normal->matrix[a][b] = normal->matrix[b][a];
        if (problem->free[a])
            continue;
        for (int b = 0; b < PARAMETERS; b++)
            normal->matrix[a][b] = normal->matrix[b][a] = a == b;
        normal->vector[a] = 0;
    }
}

/* Solves matrix * x = vector by Cholesky; false when it is singular. */
static bool solve(double matrix[PARAMETERS][PARAMETERS], const double *vector, double *x)
{
    double low[PARAMETERS][PARAMETERS] = {{0}};
    for (int i = 0; i < PARAMETERS; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = matrix[i][j];
            for (int k = 0; k < j; k++)
                sum -= low[i][k] * low[j][k];
            if (i == j && !(sum > 0))
                return false;
            low[i][j] = i == j ? sqrt(sum) : sum / low[j][j];
        }
    }
    for (int i = 0; i < PARAMETERS; i++) {
        x[i] = vector[i];
        for (int k = 0; k < i; k++)
            x[i] -= low[i][k] * x[k];
        x[i] /= low[i][i];
    }
    for (int i = PARAMETERS; i-- > 0;) {
        for (int k = i + 1; k < PARAMETERS; k++)
            x[i] -= low[k][i] * x[k];
        x[i] /= low[i][i];
    }
    return true;
}

static void keep_sane(const struct problem *problem, struct model *model)
{
    const double period = problem->line.period_ms;
    model->p[EXPOSURE] = fmin(fmax(model->p[EXPOSURE], 0.02 * period), period);
    model->p[READOUT] = fmin(fmax(model->p[READOUT], 0.1 * period), 1.2 * period);
    model->p[GAMMA] = fmin(fmax(model->p[GAMMA], 0.7), 4);
}

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static double robust_sigma(const struct problem *problem, const struct model *model)
{
    double slope[PARAMETERS];
    size_t count = 0;
    for (size_t i = 0; i < problem->rows.count; i++) {
        const double left = residual(problem, model, &problem->rows.rows[i], slope);
        if (slope[EXPOSURE] != 0 || slope[ORIGIN] != 0)
            problem->rows.scratch[count++] = fabs(left);
    }
    if (count == 0)
        return SIGMA_LEAST;
    qsort(problem->rows.scratch, count, sizeof(double), by_value);
    return fmax(1.4826 * problem->rows.scratch[count / 2], SIGMA_LEAST);
}

/* Levenberg and Marquardt. */
static void refine(struct problem *problem, struct model *model)
{
    double damping = 1e-3;
    problem->sigma = robust_sigma(problem, model);
    struct normal now, next;
    gather(problem, model, problem->sigma, &now);
    for (int i = 0; i < STEPS && damping < 1e6; i++) {
        double matrix[PARAMETERS][PARAMETERS], step[PARAMETERS];
        memcpy(matrix, now.matrix, sizeof matrix);
        for (int a = 0; a < PARAMETERS; a++)
            matrix[a][a] *= 1 + damping;
        if (!solve(matrix, now.vector, step))
            return;
        struct model trial = *model;
        for (int a = 0; a < PARAMETERS; a++)
            trial.p[a] -= step[a];
        keep_sane(problem, &trial);
        gather(problem, &trial, problem->sigma, &next);
        if (!(next.cost < now.cost)) {
            damping *= 8;
            continue;
        }
        const bool done = now.cost - next.cost < 1e-6 * now.cost;
        *model = trial;
        damping /= 8;
        /* Sigma may only fall: a cost in units of a sigma that moves cannot be compared. */
        problem->sigma = fmin(problem->sigma, robust_sigma(problem, model));
        gather(problem, model, problem->sigma, &now);
        if (done)
            return;
    }
}

/* The origin moves to the middle of the edges: there it does not depend on the period. */
static void centre(const struct problem *problem, struct model *model)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < problem->rows.count; i++) {
        sum += problem->rows.rows[i].number;
        count++;
    }
    const double number = count > 0 ? round(sum / count) : 0;
    model->p[ORIGIN] += model->p[PERIOD] * (number - model->at_number);
    model->at_number = number;
}

static int uncertainties(const struct problem *problem, const struct model *model,
                         bool camera_known, struct ts_sync_fit *fit, struct ts_why *why)
{
    struct normal normal;
    double u[PARAMETERS];
    gather(problem, model, problem->sigma, &normal);
    fit->residual = normal.weight > 0 ? sqrt(normal.square / normal.weight) : 0;
    /* The rows of one LED in one frame share their errors: count them once. */
    const double sigma = fmax(fit->residual, SIGMA_LEAST) * sqrt(problem->rows.rows_per_edge);
    for (int a = 0; a < PARAMETERS; a++) {
        double unit[PARAMETERS] = {0}, column[PARAMETERS];
        unit[a] = 1;
        if (!solve(normal.matrix, unit, column))
            return ts_fail(why, TS_EPROTO, "the sync LEDs' edges do not determine the camera");
        u[a] = sigma * sqrt(column[a]);
    }
    fit->origin_u_ms = u[ORIGIN];
    fit->period_u_ms = u[PERIOD];
    fit->exposure_u_ms = u[EXPOSURE];
    fit->readout_u_ms = u[READOUT];
    if (!problem->free[EXPOSURE]) {
        /* Edges of both kinds in both LEDs pin the middle of the exposure of the middle row. */
        fit->exposure_u_ms = fit->readout_u_ms = camera_known ? KEPT_U_MS : NOMINAL_U_MS;
        fit->origin_u_ms = hypot(u[ORIGIN], fit->exposure_u_ms / sqrt(2));
    }
    return TS_OK;
}

static int report(const struct problem *problem, const struct model *model,
                  const struct ts_calibration *start, struct ts_sync_fit *fit, struct ts_why *why)
{
    const struct ts_sync_frames *frames = problem->frames;
    fit->first_sequence = (uint32_t)((double)frames->sequence[0] + model->at_number);
    fit->origin_ms = model->p[ORIGIN];
    fit->period_ms = model->p[PERIOD];
    fit->exposure_ms = model->p[EXPOSURE];
    fit->readout_ms = model->p[READOUT];
    fit->gamma = model->p[GAMMA];
    fit->partial = 0;
    double last = NAN;
    for (size_t i = 0; i < problem->rows.count; i++) {
        const struct ts_sync_row *row = &problem->rows.rows[i];
        size_t hint = row->hint;
        const double share = ts_led_track_share(&problem->tracks[row->led], row_start(model, row),
                                                model->p[EXPOSURE], &hint);
        if (share > 0.02 && share < 0.98 && row->number != last) {
            last = row->number;
            fit->partial++;
        }
    }
    for (size_t i = 0; i < frames->count; i++)
        problem->rows.scratch[i] = frames->arrival_ms[i] -
                                   ts_sync_frame_start_ms(fit, frames->sequence[i]) -
                                   fit->exposure_ms - fit->readout_ms;
    qsort(problem->rows.scratch, frames->count, sizeof(double), by_value);
    fit->latency_ms = problem->rows.scratch[frames->count / 2];
    if (fit->partial < PARTIAL_LEAST)
        return ts_fail(why, TS_EPROTO, "only %zu frames show an edge of a sync LED", fit->partial);
    if (problem->sigma > SIGMA_MOST)
        return ts_fail(why, TS_EPROTO,
                       "what shows in place of the sync LEDs does not follow them: was the camera "
                       "or the board moved? (misfit %.2f)",
                       problem->sigma);
    return uncertainties(problem, model, start->camera_known, fit, why);
}

static void set_up(struct problem *problem, const struct ts_calibration *start, size_t edge_count,
                   struct model *model)
{
    const bool all = edge_count >= EDGES_FOR_ALL;
    *model = (struct model){
        .p = {0, 0, start->exposure_ms, start->readout_ms, start->gamma > 0 ? start->gamma : 2.2}};
    keep_sane(problem, model);
    const double wide[PARAMETERS] = {1e3, problem->line.period_u_ms, 4, 2, 1};
    for (int a = 0; a < PARAMETERS; a++) {
        problem->free[a] = all || a == ORIGIN || a == PERIOD;
        problem->prior[a] = model->p[a];
        problem->prior_u[a] = wide[a];
    }
}

int ts_sync_fit(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                size_t edge_count, const struct ts_calibration *start, struct ts_sync_fit *fit,
                struct ts_why *why)
{
    struct ts_led_track tracks[TS_LED_COUNT] = {{0}};
    struct problem problem = {.frames = frames, .tracks = tracks};
    struct model model;
    memset(fit, 0, sizeof *fit);
    int err = ts_arrival_line(frames, &problem.line, why);
    for (int led = 0; !err && led < TS_LED_COUNT; led++)
        err = ts_led_track_open(&tracks[led], edges, edge_count, led);
    if (!err)
        err = ts_sync_rows_open(&problem.rows, frames, start, why);
    if (err)
        goto end;
    set_up(&problem, start, edge_count, &model);
    scan(&problem, &model);
    problem.prior[PERIOD] = model.p[PERIOD];
    problem.prior[ORIGIN] = model.p[ORIGIN];
    /* Rows near an edge by the scan's reckoning; then by the first fit's. */
    for (int pass = 0; pass < 2; pass++) {
        const struct ts_sync_timing timing = {
            .origin_ms = model.p[ORIGIN] - model.p[PERIOD] * model.at_number,
            .period_ms = model.p[PERIOD],
            .exposure_ms = model.p[EXPOSURE],
            .readout_ms = model.p[READOUT],
            .margin_ms = pass == 0 ? 2.0 : 0.5,
        };
        ts_sync_rows_choose(&problem.rows, frames, tracks, &timing);
        centre(&problem, &model);
        problem.prior[ORIGIN] = model.p[ORIGIN];
        refine(&problem, &model);
    }
    err = report(&problem, &model, start, fit, why);
end:
    ts_sync_rows_close(&problem.rows);
    for (int led = 0; led < TS_LED_COUNT; led++)
        ts_led_track_close(&tracks[led]);
    return err;
}
