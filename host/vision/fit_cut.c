/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Newton on four numbers: when the middle of the picture is switched, how much later its
 * right and lower ends are, and the display's response time. The residuals are in codes. */
#include "vision/fit.h"

#include <math.h>

#define BLOCKS_MOST   120
#define BLOCKS_LEAST  3
#define PARTIAL_LEAST 2 /* blocks with a mixture */
#define ROUNDS        7
#define SLOPE_PRIOR   12.0 /* ms: a refresh takes up to 17 */
#define SLOPE_MOST    20.0
#define TAU_PRIOR     3.0 /* ms */
#define TAU_MOST      8.0
#define TAU_LEAST     0.02
#define MODEL_SHARE   0.015 /* of the step: what the model does not know */
#define FLOOR_CODES   8.0   /* darker, codes say little of light */
#define OUTLIER       4.0
#define BAD_RESIDUAL  6.0  /* rms, in standard deviations: not one cut */
#define FLOOR_FEW     0.18 /* ... of few blocks */
#define FEW           10.0
#define U_MOST        0.6 /* periods; less is known from the frames beside the cut */
#define FLOOR_MS      0.12
#define FLOOR_PERIODS 0.06 /* of u: what a mean over all kinds of screens has shown */

enum { AT, RIGHT, DOWN, TAU, UNKNOWNS };

struct sample {
    double begin_ms, light, weight;
};

struct shown {             /* one block */
    double x, y, old, new; /* position; light */
    size_t count;
    struct sample sample[TS_EDGE_FRAMES];
};

struct cut {
    const struct ts_vision_view *view;
    double zero_ms;
    size_t count;
    struct shown shown[BLOCKS_MOST];
    double at[UNKNOWNS], cost, covariance[UNKNOWNS][UNKNOWNS];
};

/* The step of an edge, codes: a fade's single step ends where it ends, a cut at its new rest. */
static void step_of(const struct ts_edge *edge, double *old, double *new)
{
    const double rest = (double)edge->new_code, to = (double)edge->to_code;
    *old = (double)edge->from_code;
    const bool whole = fabs(rest - to) < fmax(3 * (double)edge->noise, 0.15 * fabs(rest - *old));
    *new = whole ? rest : to;
}

static bool show(const struct cut *cut, const struct ts_window *window, const struct ts_edge *edge,
                 struct shown *shown)
{
    const double gamma = cut->view->gamma;
    double old, new;
    step_of(edge, &old, &new);
    *shown = (struct shown){.old = ts_code_light(old, gamma), .new = ts_code_light(new, gamma)};
    if (fabs(new - old) < TS_VISIBLE_CODES || fabs(shown->new - shown->old) < 1e-6)
        return false;
    ts_fit_position(window, edge->block, &shown->x, &shown->y);
    const double sigma = hypot((double)edge->noise, MODEL_SHARE * fabs(new - old));
    for (uint32_t n = 0; n < edge->frames; n++) {
        if (edge->begin_ms[n] < edge->from_ms - 0.5f)
            continue; /* that is an earlier step */
        const double code = (double)edge->code[n], lit = fmax(code, FLOOR_CODES);
        const double slope = 255 / gamma * pow(lit / 255, 1 - gamma); /* codes per light */
        shown->sample[shown->count++] = (struct sample){(double)edge->begin_ms[n] - cut->zero_ms,
                                                        ts_code_light(code, gamma), slope / sigma};
    }
    return true;
}

/* Mean over the exposure of a response that begins at s, and its derivative by s. */
static double response(double begin, double exposure, double s, double tau, double *by_s)
{
    const double end = begin + exposure;
    *by_s = 0;
    if (exposure < 1e-3) {
        const double left = exp(-fmax(0, begin - s) / tau);
        *by_s = begin > s ? -left / tau : 0;
        return begin > s ? 1 - left : 0;
    }
    if (end <= s)
        return 0;
    const double from = fmax(begin, s);
    const double first = exp(-(from - s) / tau), last = exp(-(end - s) / tau);
    *by_s = -((1 - last) - (begin > s ? 1 - first : 0)) / exposure;
    return (end - from - tau * (first - last)) / exposure;
}

static double residuals(const struct cut *cut, const double p[UNKNOWNS],
                        double normal[UNKNOWNS][UNKNOWNS], double gradient[UNKNOWNS])
{
    double cost = 0;
    const double exposure = cut->view->exposure_ms;
    for (size_t i = 0; i < cut->count; i++) {
        const struct shown *shown = &cut->shown[i];
        const double s = p[AT] + p[RIGHT] * shown->x + p[DOWN] * shown->y;
        for (size_t n = 0; n < shown->count; n++) {
            const struct sample *sample = &shown->sample[n];
            double by_s, unused;
            const double f = response(sample->begin_ms, exposure, s, p[TAU], &by_s);
            const double g = response(sample->begin_ms, exposure, s, p[TAU] * 1.01 + 1e-4, &unused);
            const double step = (shown->new - shown->old) * sample->weight;
            const double r = (sample->light - shown->old) * sample->weight - f * step;
            const double huber = fabs(r) > OUTLIER ? OUTLIER / fabs(r) : 1;
            const double by_tau = (g - f) / (p[TAU] * 0.01 + 1e-4);
            const double j[UNKNOWNS] = {by_s * step, by_s * step * shown->x, by_s * step * shown->y,
                                        by_tau * step};
            cost += fabs(r) > OUTLIER ? OUTLIER * (2 * fabs(r) - OUTLIER) : r * r;
            for (int a = 0; a < UNKNOWNS; a++) {
                gradient[a] += huber * j[a] * r;
                for (int b = 0; b < UNKNOWNS; b++)
                    normal[a][b] += huber * j[a] * j[b];
            }
        }
    }
    const double prior[UNKNOWNS] = {0, 1 / (SLOPE_PRIOR * SLOPE_PRIOR),
                                    1 / (SLOPE_PRIOR * SLOPE_PRIOR), 1 / (TAU_PRIOR * TAU_PRIOR)};
    for (int a = 0; a < UNKNOWNS; a++) {
        cost += prior[a] * p[a] * p[a];
        gradient[a] -= prior[a] * p[a];
        normal[a][a] += prior[a];
    }
    return cost;
}

static bool step_down(const struct cut *cut, double p[UNKNOWNS], double *cost, double *damping)
{
    double normal[UNKNOWNS][UNKNOWNS] = {{0}}, gradient[UNKNOWNS] = {0};
    *cost = residuals(cut, p, normal, gradient);
    for (int round = 0; round < 4; round++) {
        double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, step[TS_FIT_MOST] = {0}, next[UNKNOWNS];
        for (int i = 0; i < UNKNOWNS; i++) {
            for (int j = 0; j < UNKNOWNS; j++)
                a[i][j] = normal[i][j];
            a[i][i] *= 1 + *damping;
            a[i][i] += 1e-9;
            step[i] = gradient[i];
        }
        if (!ts_fit_solve(UNKNOWNS, a, step))
            return false;
        for (int i = 0; i < UNKNOWNS; i++)
            next[i] = p[i] + step[i];
        next[RIGHT] = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, next[RIGHT]));
        next[DOWN] = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, next[DOWN]));
        next[TAU] = fmin(TAU_MOST, fmax(TAU_LEAST, next[TAU]));
        double none[UNKNOWNS][UNKNOWNS] = {{0}}, nothing[UNKNOWNS] = {0};
        const double there = residuals(cut, next, none, nothing);
        if (there > *cost) {
            *damping = *damping * 10 + 1e-3;
            continue;
        }
        const bool small = *cost - there < 1e-4 * *cost + 1e-6;
        for (int i = 0; i < UNKNOWNS; i++)
            p[i] = next[i];
        *cost = there;
        *damping /= 5;
        return !small;
    }
    return false;
}

static void fit_from(struct cut *cut, double tau)
{
    double p[UNKNOWNS] = {0, 0, 0, tau}, cost = INFINITY, damping = 1e-3;
    for (int round = 0; round < ROUNDS && step_down(cut, p, &cost, &damping); round++) {
    }
    if (cost >= cut->cost)
        return;
    cut->cost = cost;
    for (int i = 0; i < UNKNOWNS; i++)
        cut->at[i] = p[i];
}

static void find_covariance(struct cut *cut, double scale)
{
    double normal[UNKNOWNS][UNKNOWNS] = {{0}}, gradient[UNKNOWNS] = {0};
    residuals(cut, cut->at, normal, gradient);
    for (int i = 0; i < UNKNOWNS; i++) {
        double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0};
        for (int j = 0; j < UNKNOWNS; j++) {
            for (int k = 0; k < UNKNOWNS; k++)
                a[j][k] = normal[j][k];
            a[j][j] += 1e-9;
        }
        b[i] = 1;
        const bool solved = ts_fit_solve(UNKNOWNS, a, b);
        for (int j = 0; j < UNKNOWNS; j++)
            cut->covariance[j][i] = solved ? b[j] * scale : INFINITY;
    }
}

/* From the switch to the level that is asked for. */
static double delay_ms(const struct cut *cut, const struct ts_edge *edge, bool arrival)
{
    const double gamma = cut->view->gamma;
    double old, new;
    step_of(edge, &old, &new);
    const double sign = old > new ? 1 : -1;
    const double level = arrival ? (double)edge->new_code + sign * TS_VISIBLE_CODES
                                 : ((double)edge->old_code + (double)edge->new_code) / 2;
    const double whole = ts_code_light(old, gamma) - ts_code_light(new, gamma);
    const double left = ts_code_light(level, gamma) - ts_code_light(new, gamma);
    if (left / whole >= 1 || left / whole <= 1e-4)
        return left / whole >= 1 ? 0 : cut->at[TAU] * log(1e4);
    return cut->at[TAU] * log(whole / left);
}

static void take_outermost(const struct cut *cut, const struct ts_fit_group *group,
                           struct ts_metric *out)
{
    double best = -INFINITY, u = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        double v[UNKNOWNS] = {1, 0, 0, 0};
        ts_fit_position(group->window, edge->block, &v[RIGHT], &v[DOWN]);
        const double delay = delay_ms(cut, edge, group->arrival);
        const double ms = cut->at[AT] + cut->at[RIGHT] * v[RIGHT] + cut->at[DOWN] * v[DOWN] + delay;
        if (ms * group->sign <= best)
            continue;
        best = ms * group->sign;
        v[TAU] = delay / cut->at[TAU];
        double variance = 0;
        for (int a = 0; a < UNKNOWNS; a++) {
            for (int b = 0; b < UNKNOWNS; b++)
                variance += v[a] * v[b] * cut->covariance[a][b];
        }
        u = sqrt(fmax(0, variance));
    }
    const double floor_periods =
        FLOOR_PERIODS + (FLOOR_FEW - FLOOR_PERIODS) * fmin(1, FEW / (double)group->count);
    *out = (struct ts_metric){best * group->sign + cut->zero_ms,
                              hypot(u, hypot(FLOOR_MS, floor_periods * cut->view->period_ms)), 0};
}

bool ts_fit_cut(const struct ts_fit_group *group, struct ts_metric *out)
{
    struct cut cut = {.view = group->window->view, .cost = INFINITY};
    const size_t stride = group->count / BLOCKS_MOST + 1;
    size_t partial = 0, samples = 0;
    double zero = 0;
    for (size_t i = 0; i < group->count; i++)
        zero += (double)group->edges[i]->ms / (double)group->count;
    cut.zero_ms = zero;
    for (size_t i = 0; i < group->count && cut.count < BLOCKS_MOST; i += stride) {
        const struct ts_edge *edge = group->edges[i];
        if (!show(&cut, group->window, edge, &cut.shown[cut.count]))
            continue;
        partial += edge->kind == TS_EDGE_CUT;
        samples += cut.shown[cut.count++].count;
    }
    if (cut.count < BLOCKS_LEAST || partial < PARTIAL_LEAST)
        return false;
    fit_from(&cut, 0.3);
    fit_from(&cut, 2.5);
    const double chi2 = cut.cost / fmax(1, (double)samples - UNKNOWNS);
    if (!(chi2 < BAD_RESIDUAL * BAD_RESIDUAL))
        return false;
    find_covariance(&cut, fmax(1, chi2));
    take_outermost(&cut, group, out);
    return out->u < U_MOST * cut.view->period_ms;
}
