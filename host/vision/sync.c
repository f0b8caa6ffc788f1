/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/sync.h"
#include "vision/sync_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Latency (arrival less start) is 5-30 ms and the arrivals are mapped to within +-10 ms. */
#define LATENCY_LEAST_MS (-6.0)
#define LATENCY_MOST_MS  42.0
#define COARSE_MS        1.5
#define FINE_MS          0.125
#define EDGES_FOR_ALL    30  /* fewer: exposure, readout and gamma stay as they are */
#define PARTIAL_LEAST    3   /* fewer: only the frames beside the edges count */
#define FOLLOWS_LEAST    0.5 /* then: agreement of both LEDs together */
#define BRACKET_SIGMA    0.05
#define SIGMA_MOST       0.15 /* worse: this is no LED */
/* What a calibrated camera's exposure and readout are good for when they are not fitted; a nominal
 * one's. */
#define KEPT_U_MS    0.05
#define NOMINAL_U_MS 0.7
/* A LED's light is not spread evenly over the five rows of a block; a row takes 0.03 ms. */
#define SHAPE_U_MS 0.015

/* How well the frames follow the LEDs when they start `latency` before they arrive: the sum over
 * both LEDs of the squared correlation, so that neither brightness nor background matter. */
static double agreement(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                        double latency)
{
    double sum = 0;
    const double to_code = 1 / model->p[TS_SYNC_GAMMA];
    for (int led = 0; led < TS_LED_COUNT; led++) {
        const struct ts_sync_channel *channel = problem->rows.strongest[led];
        if (!channel)
            continue;
        double n = 0, s = 0, y = 0, ss = 0, sy = 0, yy = 0;
        size_t hint = 0;
        for (size_t i = 0; i < problem->frames->count; i++) {
            const double start = problem->line.first_ms - latency +
                                 problem->line.period_ms * ts_frame_number(problem->frames, i) +
                                 model->p[TS_SYNC_READOUT] * channel->row;
            const double share =
                ts_led_track_share(&problem->tracks[led], start, model->p[TS_SYNC_EXPOSURE], &hint);
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

/* The whole range is tried, so that a fit can never begin, and stay, one frame beside the truth.
 * Returns the agreement at the best latency. */
static double scan(const struct ts_sync_problem *problem, struct ts_sync_model *model)
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
    model->p[TS_SYNC_ORIGIN] = problem->line.first_ms - latency;
    model->p[TS_SYNC_PERIOD] = problem->line.period_ms;
    model->at_number = 0;
    return best;
}

/* The origin moves to the middle of the edges: there it does not depend on the period. */
static void centre(const struct ts_sync_problem *problem, struct ts_sync_model *model)
{
    double sum = 0, count = 0;
    for (size_t i = 0; i < problem->rows.count; i++) {
        sum += problem->rows.rows[i].number;
        count++;
    }
    const double number = count > 0 ? round(sum / count) : 0;
    model->p[TS_SYNC_ORIGIN] += model->p[TS_SYNC_PERIOD] * (number - model->at_number);
    model->at_number = number;
}

static int uncertainties(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                         bool camera_known, struct ts_sync_fit *fit, struct ts_why *why)
{
    struct ts_sync_normal normal;
    double u[TS_SYNC_PARAMETERS] = {0};
    ts_sync_gather(problem, model, problem->sigma, &normal);
    fit->residual = normal.weight > 0 ? sqrt(normal.square / normal.weight) : 0;
    /* The rows of one LED in one frame share their errors: count them once. */
    const double sigma =
        fmax(fit->residual, TS_SYNC_SIGMA_LEAST) * sqrt(problem->rows.rows_per_edge);
    for (int a = 0; a < TS_SYNC_PARAMETERS; a++) {
        double unit[TS_SYNC_PARAMETERS] = {0}, column[TS_SYNC_PARAMETERS];
        unit[a] = 1;
        if (!ts_sync_solve(normal.matrix, unit, column))
            return ts_fail(why, TS_EPROTO, "the sync LEDs' edges do not determine the camera");
        u[a] = sigma * sqrt(column[a]);
    }
    fit->origin_u_ms = hypot(u[TS_SYNC_ORIGIN], SHAPE_U_MS);
    fit->period_u_ms = u[TS_SYNC_PERIOD];
    fit->exposure_u_ms = hypot(u[TS_SYNC_EXPOSURE], SHAPE_U_MS);
    fit->readout_u_ms = hypot(u[TS_SYNC_READOUT], SHAPE_U_MS);
    if (!problem->free[TS_SYNC_EXPOSURE]) {
        /* Edges of both kinds in both LEDs pin the middle of the exposure of the middle row. */
        fit->exposure_u_ms = fit->readout_u_ms = camera_known ? KEPT_U_MS : NOMINAL_U_MS;
        fit->origin_u_ms = hypot(fit->origin_u_ms, fit->exposure_u_ms / sqrt(2));
    }
    return TS_OK;
}

/* No frame shows an edge in part, because they all fell between exposures: then the frames before
 * and after each edge still hold the origin in an interval, and its middle is the estimate. */
static void bracket(const struct ts_sync_problem *problem, struct ts_sync_model *model,
                    struct ts_sync_fit *fit)
{
    const double step = 0.02, most = model->p[TS_SYNC_PERIOD] / 2;
    struct ts_sync_normal normal;
    double reach[2] = {0, 0};
    ts_sync_gather(problem, model, BRACKET_SIGMA, &normal);
    const double limit = normal.cost + 1;
    for (int side = 0; side < 2; side++) {
        struct ts_sync_model trial = *model;
        do {
            reach[side] += step;
            trial.p[TS_SYNC_ORIGIN] = model->p[TS_SYNC_ORIGIN] + (side ? -reach[1] : reach[0]);
            ts_sync_gather(problem, &trial, BRACKET_SIGMA, &normal);
        } while (reach[side] < most && normal.cost < limit);
    }
    model->p[TS_SYNC_ORIGIN] += (reach[0] - reach[1]) / 2;
    fit->origin_u_ms = (reach[0] + reach[1]) / sqrt(12);
}

static size_t count_partial(const struct ts_sync_problem *problem,
                            const struct ts_sync_model *model)
{
    size_t partial = 0;
    double last = NAN;
    for (size_t i = 0; i < problem->rows.count; i++) {
        const struct ts_sync_row *row = &problem->rows.rows[i];
        size_t hint = row->hint;
        const double share =
            ts_led_track_share(&problem->tracks[row->led], ts_sync_row_start(model, row),
                               model->p[TS_SYNC_EXPOSURE], &hint);
        if (share > 0.02 && share < 0.98 && row->number != last) {
            last = row->number;
            partial++;
        }
    }
    return partial;
}

static void report(const struct ts_sync_problem *problem, const struct ts_sync_model *model,
                   struct ts_sync_fit *fit)
{
    const struct ts_sync_frames *frames = problem->frames;
    double *late = problem->rows.scratch;
    fit->first_sequence = (uint32_t)((double)frames->sequence[0] + model->at_number);
    fit->origin_ms = model->p[TS_SYNC_ORIGIN];
    fit->period_ms = model->p[TS_SYNC_PERIOD];
    fit->exposure_ms = model->p[TS_SYNC_EXPOSURE];
    fit->readout_ms = model->p[TS_SYNC_READOUT];
    fit->gamma = model->p[TS_SYNC_GAMMA];
    for (size_t i = 0; i < frames->count; i++)
        late[i] = frames->arrival_ms[i] - ts_sync_frame_start_ms(fit, frames->sequence[i]) -
                  fit->exposure_ms - fit->readout_ms;
    qsort(late, frames->count, sizeof *late, ts_sync_by_value);
    fit->latency_ms = late[frames->count / 2];
}

static int not_a_led(struct ts_why *why)
{
    return ts_fail(why, TS_EPROTO,
                   "what shows in place of the sync LEDs does not follow them: was the camera or "
                   "the board moved, or a LED covered?");
}

static void choose(struct ts_sync_problem *problem, struct ts_sync_model *model, double margin_ms)
{
    const struct ts_sync_timing timing = {
        .origin_ms = model->p[TS_SYNC_ORIGIN] - model->p[TS_SYNC_PERIOD] * model->at_number,
        .period_ms = model->p[TS_SYNC_PERIOD],
        .exposure_ms = model->p[TS_SYNC_EXPOSURE],
        .readout_ms = model->p[TS_SYNC_READOUT],
        .margin_ms = margin_ms,
    };
    ts_sync_rows_choose(&problem->rows, problem->frames, problem->tracks, &timing);
    centre(problem, model);
    problem->prior[TS_SYNC_ORIGIN] = model->p[TS_SYNC_ORIGIN];
}

static void free_only_time(struct ts_sync_problem *problem)
{
    for (int a = 0; a < TS_SYNC_PARAMETERS; a++)
        problem->free[a] = a == TS_SYNC_ORIGIN || a == TS_SYNC_PERIOD;
}

static int solve_timing(struct ts_sync_problem *problem, size_t edge_count, bool camera_known,
                        struct ts_sync_model *model, struct ts_sync_fit *fit, struct ts_why *why)
{
    const double follows = scan(problem, model);
    problem->prior[TS_SYNC_PERIOD] = model->p[TS_SYNC_PERIOD];
    /* Rows near an edge by the scan's reckoning; then by the first fit's. */
    choose(problem, model, 2.0);
    free_only_time(problem);
    ts_sync_refine(problem, model);
    if (edge_count >= EDGES_FOR_ALL)
        for (int a = 0; a < TS_SYNC_PARAMETERS; a++)
            problem->free[a] = true;
    ts_sync_refine(problem, model);
    choose(problem, model, 0.5);
    ts_sync_refine(problem, model);
    fit->partial = count_partial(problem, model);
    int err = TS_OK;
    if (fit->partial >= PARTIAL_LEAST) {
        if (problem->sigma > SIGMA_MOST)
            return not_a_led(why);
        err = uncertainties(problem, model, camera_known, fit, why);
    } else {
        if (follows < FOLLOWS_LEAST)
            return not_a_led(why);
        choose(problem, model, model->p[TS_SYNC_PERIOD] / 2);
        err = uncertainties(problem, model, camera_known, fit, why);
        bracket(problem, model, fit);
    }
    report(problem, model, fit);
    return err;
}

static void set_up(struct ts_sync_problem *problem, const struct ts_calibration *start,
                   struct ts_sync_model *model)
{
    *model = (struct ts_sync_model){
        .p = {0, 0, start->exposure_ms, start->readout_ms, start->gamma > 0 ? start->gamma : 2.2}};
    ts_sync_keep_sane(problem, model);
    const double wide[TS_SYNC_PARAMETERS] = {1e3, problem->line.period_u_ms, 4, 2, 1};
    for (int a = 0; a < TS_SYNC_PARAMETERS; a++) {
        problem->prior[a] = model->p[a];
        problem->prior_u[a] = wide[a];
    }
}

int ts_sync_fit(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                size_t edge_count, const struct ts_calibration *start, struct ts_sync_fit *fit,
                struct ts_why *why)
{
    struct ts_led_track tracks[TS_LED_COUNT] = {{0}};
    struct ts_sync_problem problem = {.frames = frames, .tracks = tracks};
    struct ts_sync_model model;
    memset(fit, 0, sizeof *fit);
    int err = ts_arrival_line(frames, &problem.line, why);
    for (int led = 0; !err && led < TS_LED_COUNT; led++)
        err = ts_led_track_open(&tracks[led], edges, edge_count, led);
    if (!err)
        err = ts_sync_rows_open(&problem.rows, frames, start, why);
    if (err)
        goto end;
    set_up(&problem, start, &model);
    err = solve_timing(&problem, edge_count, start->camera_known, &model, fit, why);
end:
    ts_sync_rows_close(&problem.rows);
    for (int led = 0; led < TS_LED_COUNT; led++)
        ts_led_track_close(&tracks[led]);
    return err;
}
