/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/cut.h"

#include <math.h>

#define SLOPE_MOST  45.0 /* ms: a refresh takes up to 17, over a part of the picture */
#define TAU_MOST    8.0
#define BEND_MOST   0.7
#define TAU_LEAST   0.02
#define GAP_LEAST   6.9   /* ms: a refresh at 144 Hz */
#define GAP_MOST    27.0  /* what lies further apart is not one event */
#define MODEL_SHARE 0.015 /* of the step: what the model does not know */
#define FLOOR_CODES 8.0   /* darker, codes say little of light */
#define SURE        4.5   /* standard deviations: a share of a refresh is more than noise */

const double ts_cut_refresh_ms[TS_CUT_REFRESHES] = {1e3 / 120, 1e3 / 90, 1e3 / 60, 2e3 / 90,
                                                    3e3 / 120};

/* Where an edge ends, codes: a fade's single step ends where it ends, a cut at its new rest. */
double ts_cut_end_code(const struct ts_edge *edge)
{
    const double rest = (double)edge->new_code, to = (double)edge->to_code;
    const double near = 0.15 * fabs(rest - (double)edge->from_code);
    return fabs(rest - to) < fmax(3 * (double)edge->noise, near) ? rest : to;
}

bool ts_cut_show(const struct ts_cut *cut, const struct ts_window *window,
                 const struct ts_edge *edge, struct ts_cut_block *shown)
{
    const double gamma = cut->view->gamma, new = ts_cut_end_code(edge);
    double size = 0;
    *shown = (struct ts_cut_block){.new = ts_code_light(new, gamma),
                                   .from_ms = (double)edge->from_ms - cut->zero_ms - 0.5};
    for (uint32_t n = 0; n < edge->frames; n++) {
        if (edge->begin_ms[n] > edge->from_ms - 0.5f)
            size = fmax(size, fabs((double)edge->code[n] - new));
    }
    if (size < TS_VISIBLE_CODES)
        return false;
    ts_fit_position(window, edge->block, &shown->x, &shown->y);
    const double sigma = shown->sigma = hypot((double)edge->noise, MODEL_SHARE * size);
    for (uint32_t n = 0; n < edge->frames; n++) {
        const double code = (double)edge->code[n], lit = fmax(code, FLOOR_CODES);
        const double slope = 255 / gamma * pow(lit / 255, 1 - gamma); /* codes per light */
        shown->sample[shown->count++] =
            (struct ts_cut_sample){(double)edge->begin_ms[n] - cut->zero_ms,
                                   shown->new - ts_code_light(code, gamma), slope / sigma};
    }
    return true;
}

static struct ts_cut_left left_of(double begin, double exposure, double s, double tau)
{
    const double end = begin + exposure;
    if (end <= s)
        return (struct ts_cut_left){1, 0, 0};
    const double a = fmax(begin, s) - s, first = exp(-a / tau);
    if (exposure < 1e-3)
        return (struct ts_cut_left){first, begin > s ? first / tau : 0, first * a / tau / tau};
    const double b = end - s, last = exp(-b / tau), before = fmax(0, s - begin);
    return (struct ts_cut_left){(before + tau * (first - last)) / exposure,
                                (first - last) / exposure,
                                (first - last + (first * a - last * b) / tau) / exposure};
}

double ts_cut_switch_ms(const double p[TS_CUT_UNKNOWNS], double x, double y, size_t earlier)
{
    const double bend = 1 - p[TS_CUT_BEND_RIGHT] * x - p[TS_CUT_BEND_DOWN] * y;
    return p[TS_CUT_AT] + (p[TS_CUT_RIGHT] * x + p[TS_CUT_DOWN] * y) * bend -
           (double)earlier * p[TS_CUT_GAP];
}

void ts_cut_switch_by(const double p[TS_CUT_UNKNOWNS], double x, double y, size_t earlier,
                      double by[TS_CUT_UNKNOWNS])
{
    const double bend = 1 - p[TS_CUT_BEND_RIGHT] * x - p[TS_CUT_BEND_DOWN] * y;
    const double later = p[TS_CUT_RIGHT] * x + p[TS_CUT_DOWN] * y;
    by[TS_CUT_AT] = 1;
    by[TS_CUT_RIGHT] = x * bend;
    by[TS_CUT_DOWN] = y * bend;
    by[TS_CUT_TAU] = 0;
    by[TS_CUT_BEND_RIGHT] = -later * x;
    by[TS_CUT_BEND_DOWN] = -later * y;
    by[TS_CUT_GAP] = -(double)earlier;
}

/* steps refreshes, the last of which is `skip` before that of p. */
bool ts_cut_find_shares(const struct ts_cut *cut, const struct ts_cut_block *shown,
                        const double p[TS_CUT_UNKNOWNS], size_t steps, size_t skip,
                        struct ts_cut_shares *out)
{
    double normal[TS_CUT_STEPS_MOST][TS_CUT_STEPS_MOST] = {{0}}, right[TS_CUT_STEPS_MOST] = {0};
    const double from = shown->from_ms - (double)(steps + skip - 1) * p[TS_CUT_GAP];
    out->steps = steps;
    out->count = 0;
    for (size_t n = 0; n < shown->count; n++) {
        const struct ts_cut_sample *sample = &shown->sample[n];
        if (sample->begin_ms < from)
            continue; /* that is an earlier step */
        struct ts_cut_left *left = out->left[out->count];
        out->sample[out->count++] = sample;
        for (size_t k = 0; k < steps; k++)
            left[k] = left_of(sample->begin_ms, cut->view->exposure_ms,
                              ts_cut_switch_ms(p, shown->x, shown->y, steps - 1 - k + skip),
                              p[TS_CUT_TAU]);
        const double w = sample->weight * sample->weight;
        for (size_t k = 0; k < steps; k++) {
            right[k] += w * left[k].share * sample->gone;
            for (size_t j = 0; j < steps; j++)
                normal[k][j] += w * left[k].share * left[j].share;
        }
    }
    for (size_t i = 0; i < steps; i++) {
        double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0};
        for (size_t k = 0; k < steps; k++) {
            for (size_t j = 0; j < steps; j++)
                a[k][j] = normal[k][j];
            a[k][k] += 1; /* weakly, no share at all */
        }
        b[i] = 1;
        if (!ts_fit_solve(steps, a, b))
            return false;
        for (size_t k = 0; k < steps; k++)
            out->inverse[k][i] = b[k];
    }
    for (size_t k = 0; k < steps; k++) {
        out->size[k] = 0;
        for (size_t j = 0; j < steps; j++)
            out->size[k] += out->inverse[k][j] * right[j];
    }
    return true;
}

/* The derivatives of a block's residuals, less what other shares make up for. */
static void derive(const struct ts_cut_shares *shares, const struct ts_cut_block *shown,
                   const double p[TS_CUT_UNKNOWNS], double j[TS_EDGE_FRAMES][TS_CUT_UNKNOWNS])
{
    const size_t steps = shares->steps;
    double made_up[TS_CUT_STEPS_MOST][TS_CUT_UNKNOWNS] = {{0}}, by[TS_CUT_UNKNOWNS];
    ts_cut_switch_by(p, shown->x, shown->y, 0, by);
    for (size_t n = 0; n < shares->count; n++) {
        const double w = shares->sample[n]->weight;
        double by_s = 0, by_tau = 0, by_gap = 0;
        for (size_t k = 0; k < steps; k++) {
            by_s += w * shares->size[k] * shares->left[n][k].by_s;
            by_tau += w * shares->size[k] * shares->left[n][k].by_tau;
            by_gap -= w * shares->size[k] * shares->left[n][k].by_s * (double)(steps - 1 - k);
        }
        for (int a = 0; a < TS_CUT_UNKNOWNS; a++) {
            j[n][a] = a == TS_CUT_TAU ? by_tau : a == TS_CUT_GAP ? by_gap : by[a] * by_s;
            for (size_t k = 0; k < steps; k++)
                made_up[k][a] += w * shares->left[n][k].share * j[n][a];
        }
    }
    for (size_t n = 0; n < shares->count; n++) {
        const double w = shares->sample[n]->weight;
        for (size_t k = 0; k < steps; k++) {
            double b = 0;
            for (size_t i = 0; i < steps; i++)
                b += w * shares->left[n][i].share * shares->inverse[i][k];
            for (int a = 0; a < TS_CUT_UNKNOWNS; a++)
                j[n][a] -= b * made_up[k][a];
        }
    }
}

double ts_cut_residual(const struct ts_cut_shares *shares, size_t n)
{
    double gone = shares->sample[n]->gone;
    for (size_t k = 0; k < shares->steps; k++)
        gone -= shares->size[k] * shares->left[n][k].share;
    return gone * shares->sample[n]->weight;
}

static double residuals(const struct ts_cut *cut, const double p[TS_CUT_UNKNOWNS],
                        double normal[TS_CUT_UNKNOWNS][TS_CUT_UNKNOWNS],
                        double gradient[TS_CUT_UNKNOWNS], size_t *used)
{
    double cost = 0;
    *used = 0;
    for (size_t i = 0; i < cut->count; i++) {
        struct ts_cut_shares shares;
        double j[TS_EDGE_FRAMES][TS_CUT_UNKNOWNS];
        if (!ts_cut_find_shares(cut, &cut->shown[i], p, cut->steps, 0, &shares))
            continue;
        if (normal)
            derive(&shares, &cut->shown[i], p, j);
        *used += shares.count > cut->steps ? shares.count - cut->steps : 0;
        for (size_t n = 0; n < shares.count; n++) {
            const double r = ts_cut_residual(&shares, n);
            const double huber = fabs(r) > TS_CUT_OUTLIER ? TS_CUT_OUTLIER / fabs(r) : 1;
            cost +=
                fabs(r) > TS_CUT_OUTLIER ? TS_CUT_OUTLIER * (2 * fabs(r) - TS_CUT_OUTLIER) : r * r;
            for (int a = 0; normal && a < TS_CUT_UNKNOWNS; a++) {
                gradient[a] += huber * j[n][a] * r;
                for (int b = 0; b < TS_CUT_UNKNOWNS; b++)
                    normal[a][b] += huber * j[n][a] * j[n][b];
            }
        }
    }
    for (int a = 0; a < TS_CUT_UNKNOWNS; a++) {
        const double off = p[a] - (a == TS_CUT_GAP ? cut->gap_ms : cut->likely[a]);
        const double weight = a == TS_CUT_AT ? 0 : 1 / (cut->likely_u[a] * cut->likely_u[a]);
        cost += weight * off * off;
        if (!normal)
            continue;
        gradient[a] -= weight * off;
        normal[a][a] += weight;
    }
    return cost;
}

static bool step_down(const struct ts_cut *cut, double p[TS_CUT_UNKNOWNS], double *cost,
                      double *damping)
{
    double normal[TS_CUT_UNKNOWNS][TS_CUT_UNKNOWNS] = {{0}}, gradient[TS_CUT_UNKNOWNS] = {0};
    size_t used;
    *cost = residuals(cut, p, normal, gradient, &used);
    for (int round = 0; round < 4; round++) {
        double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, step[TS_FIT_MOST] = {0}, next[TS_CUT_UNKNOWNS];
        for (int i = 0; i < TS_CUT_UNKNOWNS; i++) {
            for (int j = 0; j < TS_CUT_UNKNOWNS; j++)
                a[i][j] = normal[i][j];
            a[i][i] *= 1 + *damping;
            a[i][i] += 1e-9;
            step[i] = gradient[i];
        }
        if (!ts_fit_solve(TS_CUT_UNKNOWNS, a, step))
            return false;
        for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
            next[i] = p[i] + step[i];
        next[TS_CUT_RIGHT] = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, next[TS_CUT_RIGHT]));
        next[TS_CUT_DOWN] = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, next[TS_CUT_DOWN]));
        for (int i = TS_CUT_BEND_RIGHT; i <= TS_CUT_BEND_DOWN; i++)
            next[i] = fmin(BEND_MOST, fmax(-BEND_MOST, next[i]));
        next[TS_CUT_TAU] = fmin(TAU_MOST, fmax(TAU_LEAST, next[TS_CUT_TAU]));
        next[TS_CUT_GAP] = fmin(GAP_MOST, fmax(GAP_LEAST, next[TS_CUT_GAP]));
        const double there = residuals(cut, next, NULL, NULL, &used);
        if (there > *cost) {
            *damping = *damping * 10 + 1e-3;
            continue;
        }
        const bool small = *cost - there < 1e-4 * *cost + 1e-6;
        for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
            p[i] = next[i];
        *cost = there;
        *damping /= 5;
        return !small;
    }
    return false;
}

void ts_cut_descend(struct ts_cut *cut, const double start[TS_CUT_UNKNOWNS], int rounds)
{
    double p[TS_CUT_UNKNOWNS], cost = INFINITY, damping = 1e-3;
    for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
        p[i] = start[i];
    for (int round = 0; round < rounds && step_down(cut, p, &cost, &damping); round++) {
    }
    if (cost >= cut->cost)
        return;
    cut->cost = cost;
    cut->best_gap_ms = cut->gap_ms;
    for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
        cut->at[i] = p[i];
}

double ts_cut_chi2(const struct ts_cut *cut)
{
    size_t used;
    residuals(cut, cut->at, NULL, NULL, &used);
    return cut->cost / fmax(1, (double)used - TS_CUT_UNKNOWNS);
}

void ts_cut_find_covariance(struct ts_cut *cut, double scale)
{
    double normal[TS_CUT_UNKNOWNS][TS_CUT_UNKNOWNS] = {{0}}, gradient[TS_CUT_UNKNOWNS] = {0};
    size_t used;
    residuals(cut, cut->at, normal, gradient, &used);
    for (int i = 0; i < TS_CUT_UNKNOWNS; i++) {
        double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0};
        for (int j = 0; j < TS_CUT_UNKNOWNS; j++) {
            for (int k = 0; k < TS_CUT_UNKNOWNS; k++)
                a[j][k] = normal[j][k];
            a[j][j] += 1e-9;
        }
        b[i] = 1;
        const bool solved = ts_fit_solve(TS_CUT_UNKNOWNS, a, b);
        for (int j = 0; j < TS_CUT_UNKNOWNS; j++)
            cut->covariance[j][i] = solved ? b[j] * scale : INFINITY;
    }
}

bool ts_cut_passes(const struct ts_cut *cut, const struct ts_fit_group *group,
                   const struct ts_edge *edge, double *ms, double v[TS_CUT_UNKNOWNS])
{
    const double gamma = cut->view->gamma, *p = cut->at;
    struct ts_cut_block shown;
    struct ts_cut_shares shares;
    if (!ts_cut_show(cut, group->window, edge, &shown))
        return false;
    size_t skip = 0;
    for (;; skip++) { /* the last refreshes may have left it as it was */
        const size_t steps = cut->steps - skip;
        if (!ts_cut_find_shares(cut, &shown, p, steps, skip, &shares))
            return false;
        if (steps == 1 ||
            fabs(shares.size[steps - 1]) > SURE * sqrt(shares.inverse[steps - 1][steps - 1]))
            break;
    }
    const double half = ((double)edge->old_code + (double)edge->new_code) / 2;
    double until = INFINITY;
    for (size_t k = shares.steps; k-- > 0;) {
        const size_t earlier = shares.steps - 1 - k;
        double away = 0;
        for (size_t i = 0; i <= k; i++)
            away += shares.size[i] * exp(-(double)(k - i) * p[TS_CUT_GAP] / p[TS_CUT_TAU]);
        const double level =
            group->arrival ? ts_cut_end_code(edge) - copysign(TS_VISIBLE_CODES, away) : half;
        const double target = shown.new - ts_code_light(level, gamma);
        const double s = ts_cut_switch_ms(p, shown.x, shown.y, earlier + skip);
        if (target * away > 0 && fabs(away) > fabs(target)) {
            const double times = log(fmin(away / target, 1e4));
            *ms = fmin(s + p[TS_CUT_TAU] * times, until);
            ts_cut_switch_by(p, shown.x, shown.y, earlier + skip, v);
            v[TS_CUT_TAU] = times;
            return true;
        }
        until = s;
    }
    return false;
}
