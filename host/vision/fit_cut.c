/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauss-Newton on five numbers: when the middle of the picture is switched for the last time, how
 * much later its right and lower ends are, the display's response time, and how long before that
 * refresh the one before it came. What a block shows is linear in how much of its change came with
 * each refresh, so these shares are solved for on the way (variable projection: Golub and Pereyra
 * 1973; the derivative is Kaufman's, 1975). The residuals are in codes. */
#include "vision/fit.h"

#include <math.h>

#define BLOCKS_MOST   120
#define BLOCKS_EVEN   80 /* of them from all over the picture; the rest contradicts those */
#define BLOCKS_LEAST  3
#define PARTIAL_LEAST 2 /* blocks with a mixture */
#define ROUNDS        8
#define ROUNDS_FEW    3 /* tell which start is best */
#define SUPPORT_LEAST 3 /* blocks that pass at a refresh, unless there is no other */
#define CONTRADICTS   12.0 /* by so much less chi square would another refresh explain a block */
#define EXPLAINED     0.3
#define CONTRADICTING_LEAST 3
#define SLOPE_PRIOR   12.0 /* ms: a refresh takes up to 17 */
#define SLOPE_MOST    20.0
#define TAU_PRIOR     3.0 /* ms */
#define TAU_MOST      8.0
#define TAU_LEAST     0.02
#define STEPS_MOST    3
#define REFRESHES     (sizeof refresh_ms / sizeof *refresh_ms)
#define GAP_LEAST     6.9 /* ms: a refresh at 144 Hz */
#define GAP_MOST      18.0
#define GAP_PRIOR     0.5
#define SURE          4.5   /* standard deviations: a share of a refresh is more than noise */
#define MODEL_SHARE   0.015 /* of the step: what the model does not know */
#define FLOOR_CODES   8.0   /* darker, codes say little of light */
#define OUTLIER       4.0
#define LEARN_CHI2    6.0  /* no worse a fit tells what the display is like */
#define LIKE_SCAN_MS  0.5  /* so much may one event's scan-out differ from another's, ... */
#define LIKE_RESPONSE 0.15 /* ... and its response, to brighter or darker */
#define GOOD_CHI2     2.5
#define BETTER        0.7  /* times the residuals: one more refresh is worth its parameters */
#define BAD_RESIDUAL  6.0  /* rms, in standard deviations: not one cut */
#define FLOOR_FEW     0.18 /* ... of few blocks */
#define FEW           10.0
#define U_MOST        0.6 /* periods; less is known from the frames beside the cut */
#define FLOOR_MS      0.12
#define FLOOR_PERIODS 0.06 /* of u: what a mean over all kinds of screens has shown */

enum { AT, RIGHT, DOWN, TAU, GAP, UNKNOWNS };

struct sample {
    double begin_ms, gone, weight; /* gone: light still missing to the new one */
};

struct shown { /* one block */
    double x, y, new, from_ms, sigma; /* sigma: codes */
    size_t count;
    struct sample sample[TS_EDGE_FRAMES];
};

struct cut {
    const struct ts_vision_view *view;
    double zero_ms;
    size_t count, steps;
    struct shown shown[BLOCKS_MOST];
    double likely[UNKNOWNS], likely_u[UNKNOWNS];
    double gap_ms, best_gap_ms; /* between refreshes, as displays have it; tried, and of `at` */
    double at[UNKNOWNS], cost, covariance[UNKNOWNS][UNKNOWNS];
};

static const double refresh_ms[] = {1e3 / 120, 1e3 / 90, 1e3 / 60};

/* Where an edge ends, codes: a fade's single step ends where it ends, a cut at its new rest. */
static double end_code(const struct ts_edge *edge)
{
    const double rest = (double)edge->new_code, to = (double)edge->to_code;
    const double near = 0.15 * fabs(rest - (double)edge->from_code);
    return fabs(rest - to) < fmax(3 * (double)edge->noise, near) ? rest : to;
}

static bool show(const struct cut *cut, const struct ts_window *window, const struct ts_edge *edge,
                 struct shown *shown)
{
    const double gamma = cut->view->gamma, new = end_code(edge);
    double size = 0;
    *shown = (struct shown){.new = ts_code_light(new, gamma),
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
            (struct sample){(double)edge->begin_ms[n] - cut->zero_ms,
                            shown->new - ts_code_light(code, gamma), slope / sigma};
    }
    return true;
}

struct left { /* what the exposure beginning at begin_ms still sees of the light before s */
    double share, by_s, by_tau;
};

static struct left left_of(double begin, double exposure, double s, double tau)
{
    const double end = begin + exposure;
    if (end <= s)
        return (struct left){1, 0, 0};
    const double a = fmax(begin, s) - s, first = exp(-a / tau);
    if (exposure < 1e-3)
        return (struct left){first, begin > s ? first / tau : 0, first * a / tau / tau};
    const double b = end - s, last = exp(-b / tau), before = fmax(0, s - begin);
    return (struct left){(before + tau * (first - last)) / exposure, (first - last) / exposure,
                         (first - last + (first * a - last * b) / tau) / exposure};
}

static double switch_ms(const double p[UNKNOWNS], double x, double y, size_t earlier)
{
    return p[AT] + p[RIGHT] * x + p[DOWN] * y - (double)earlier * p[GAP];
}

struct shares { /* how much of a block's light came with each refresh */
    size_t steps, count;
    double size[STEPS_MOST], inverse[STEPS_MOST][STEPS_MOST];
    const struct sample *sample[TS_EDGE_FRAMES];
    struct left left[TS_EDGE_FRAMES][STEPS_MOST];
};

/* steps refreshes, the last of which is `skip` before that of p. */
static bool find_shares(const struct cut *cut, const struct shown *shown, const double p[UNKNOWNS],
                        size_t steps, size_t skip, struct shares *out)
{
    double normal[STEPS_MOST][STEPS_MOST] = {{0}}, right[STEPS_MOST] = {0};
    const double from = shown->from_ms - (double)(cut->steps - 1) * fmin(p[GAP], 20);
    out->steps = steps;
    out->count = 0;
    for (size_t n = 0; n < shown->count; n++) {
        const struct sample *sample = &shown->sample[n];
        if (sample->begin_ms < from)
            continue; /* that is an earlier step */
        struct left *left = out->left[out->count];
        out->sample[out->count++] = sample;
        for (size_t k = 0; k < steps; k++)
            left[k] = left_of(sample->begin_ms, cut->view->exposure_ms,
                              switch_ms(p, shown->x, shown->y, steps - 1 - k + skip), p[TAU]);
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
static void derive(const struct shares *shares, const struct shown *shown,
                   double j[TS_EDGE_FRAMES][UNKNOWNS])
{
    const size_t steps = shares->steps;
    double made_up[STEPS_MOST][UNKNOWNS] = {{0}};
    for (size_t n = 0; n < shares->count; n++) {
        const double w = shares->sample[n]->weight;
        double by_s = 0, by_tau = 0, by_gap = 0;
        for (size_t k = 0; k < steps; k++) {
            by_s += w * shares->size[k] * shares->left[n][k].by_s;
            by_tau += w * shares->size[k] * shares->left[n][k].by_tau;
            by_gap -= w * shares->size[k] * shares->left[n][k].by_s * (double)(steps - 1 - k);
        }
        const double row[UNKNOWNS] = {by_s, by_s * shown->x, by_s * shown->y, by_tau, by_gap};
        for (int a = 0; a < UNKNOWNS; a++) {
            j[n][a] = row[a];
            for (size_t k = 0; k < steps; k++)
                made_up[k][a] += w * shares->left[n][k].share * row[a];
        }
    }
    for (size_t n = 0; n < shares->count; n++) {
        const double w = shares->sample[n]->weight;
        for (size_t k = 0; k < steps; k++) {
            double b = 0;
            for (size_t i = 0; i < steps; i++)
                b += w * shares->left[n][i].share * shares->inverse[i][k];
            for (int a = 0; a < UNKNOWNS; a++)
                j[n][a] -= b * made_up[k][a];
        }
    }
}

static double residual(const struct shares *shares, size_t n)
{
    double gone = shares->sample[n]->gone;
    for (size_t k = 0; k < shares->steps; k++)
        gone -= shares->size[k] * shares->left[n][k].share;
    return gone * shares->sample[n]->weight;
}

static double residuals(const struct cut *cut, const double p[UNKNOWNS],
                        double normal[UNKNOWNS][UNKNOWNS], double gradient[UNKNOWNS], size_t *used)
{
    double cost = 0;
    *used = 0;
    for (size_t i = 0; i < cut->count; i++) {
        struct shares shares;
        double j[TS_EDGE_FRAMES][UNKNOWNS];
        if (!find_shares(cut, &cut->shown[i], p, cut->steps, 0, &shares))
            continue;
        if (normal)
            derive(&shares, &cut->shown[i], j);
        *used += shares.count > cut->steps ? shares.count - cut->steps : 0;
        for (size_t n = 0; n < shares.count; n++) {
            const double r = residual(&shares, n);
            const double huber = fabs(r) > OUTLIER ? OUTLIER / fabs(r) : 1;
            cost += fabs(r) > OUTLIER ? OUTLIER * (2 * fabs(r) - OUTLIER) : r * r;
            for (int a = 0; normal && a < UNKNOWNS; a++) {
                gradient[a] += huber * j[n][a] * r;
                for (int b = 0; b < UNKNOWNS; b++)
                    normal[a][b] += huber * j[n][a] * j[n][b];
            }
        }
    }
    for (int a = 0; a < UNKNOWNS; a++) {
        const double off = p[a] - (a == GAP ? cut->gap_ms : cut->likely[a]);
        const double weight = a == AT ? 0 : 1 / (cut->likely_u[a] * cut->likely_u[a]);
        cost += weight * off * off;
        if (!normal)
            continue;
        gradient[a] -= weight * off;
        normal[a][a] += weight;
    }
    return cost;
}

static bool step_down(const struct cut *cut, double p[UNKNOWNS], double *cost, double *damping)
{
    double normal[UNKNOWNS][UNKNOWNS] = {{0}}, gradient[UNKNOWNS] = {0};
    size_t used;
    *cost = residuals(cut, p, normal, gradient, &used);
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
        next[GAP] = fmin(GAP_MOST, fmax(GAP_LEAST, next[GAP]));
        const double there = residuals(cut, next, NULL, NULL, &used);
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

static void fit_from(struct cut *cut, const double start[UNKNOWNS], int rounds)
{
    double p[UNKNOWNS], cost = INFINITY, damping = 1e-3;
    for (int i = 0; i < UNKNOWNS; i++)
        p[i] = start[i];
    for (int round = 0; round < rounds && step_down(cut, p, &cost, &damping); round++) {
    }
    if (cost >= cut->cost)
        return;
    cut->cost = cost;
    cut->best_gap_ms = cut->gap_ms;
    for (int i = 0; i < UNKNOWNS; i++)
        cut->at[i] = p[i];
}

struct misfit {
    double chi2, codes; /* the sum over a block's frames, and the worst of them */
};

static struct misfit misfit(const struct cut *cut, const struct shown *shown,
                            const double p[UNKNOWNS])
{
    struct shares shares;
    struct misfit misfit = {0};
    if (!find_shares(cut, shown, p, cut->steps, 0, &shares))
        return misfit;
    for (size_t n = 0; n < shares.count; n++) {
        const double r = fabs(residual(&shares, n));
        misfit.chi2 += fmin(r, OUTLIER) * fmin(r, OUTLIER);
        misfit.codes = fmax(misfit.codes, r * shown->sigma);
    }
    return misfit;
}

/* How much better a refresh further out explains what a block shows. What gamma makes of text in a
 * block is explained by none, or is slight. */
static double contradicts(const struct cut *cut, const struct shown *shown, double sign)
{
    const struct misfit here = misfit(cut, shown, cut->at);
    double there = here.chi2;
    for (size_t i = 0; i < REFRESHES && here.codes > TS_VISIBLE_CODES; i++) {
        double p[UNKNOWNS];
        for (int a = 0; a < UNKNOWNS; a++)
            p[a] = cut->at[a];
        p[AT] += sign * refresh_ms[i];
        there = fmin(there, misfit(cut, shown, p).chi2);
    }
    return there < EXPLAINED * here.chi2 ? here.chi2 - there : 0;
}

/* A few blocks that are late among many must be heard all the same: adds those that speak most for
 * one refresh more. Returns how many they are. */
static size_t add_contradicting(struct cut *cut, const struct ts_fit_group *group)
{
    struct {
        double weight;
        const struct ts_edge *edge;
    } worst[BLOCKS_MOST - BLOCKS_EVEN];
    const size_t most = BLOCKS_MOST - BLOCKS_EVEN;
    size_t count = 0;
    for (size_t i = 0; i < group->count; i++) {
        struct shown shown;
        if (!show(cut, group->window, group->edges[i], &shown))
            continue;
        const double weight = contradicts(cut, &shown, group->sign);
        if (!(weight > CONTRADICTS))
            continue;
        size_t k = count < most ? count++ : most;
        for (; k > 0 && worst[k - 1].weight < weight; k--) {
            if (k < most)
                worst[k] = worst[k - 1];
        }
        if (k < most) {
            worst[k].weight = weight;
            worst[k].edge = group->edges[i];
        }
    }
    for (size_t k = 0; k < count; k++)
        show(cut, group->window, worst[k].edge, &cut->shown[cut->count++]);
    return count;
}

static double chi2_of(const struct cut *cut)
{
    size_t used;
    residuals(cut, cut->at, NULL, NULL, &used);
    return cut->cost / fmax(1, (double)used - UNKNOWNS);
}

/* One refresh, unless two or three explain much better what is seen. */
static double fit_steps(struct cut *cut, const struct ts_fit_group *group)
{
    const double *likely = cut->likely;
    fit_from(cut, (double[UNKNOWNS]){0, likely[RIGHT], likely[DOWN], 0.3, GAP_LEAST}, ROUNDS);
    fit_from(cut, (double[UNKNOWNS]){0, likely[RIGHT], likely[DOWN], 2.5, GAP_LEAST}, ROUNDS);
    double chi2 = chi2_of(cut);
    if (add_contradicting(cut, group) >= CONTRADICTING_LEAST) {
        const double start[UNKNOWNS] = {cut->at[AT], cut->at[RIGHT], cut->at[DOWN], cut->at[TAU],
                                        GAP_LEAST};
        cut->cost = INFINITY;
        fit_from(cut, start, ROUNDS);
        chi2 = fmax(chi2_of(cut), 1.001 * GOOD_CHI2);
    }
    while (chi2 > GOOD_CHI2 && cut->steps < STEPS_MOST) {
        struct cut more = *cut;
        const double *at = cut->at;
        more.steps++;
        more.cost = INFINITY;
        for (size_t i = 0; i < REFRESHES; i++) {
            more.gap_ms = refresh_ms[i];
            for (int later = 0; later < 3; later++)
                fit_from(&more, (double[UNKNOWNS]){at[AT] + more.gap_ms * later / 2, at[RIGHT], at[DOWN],
                                                   fmax(at[TAU], 0.3), more.gap_ms}, ROUNDS_FEW);
        }
        more.gap_ms = more.best_gap_ms;
        const double start[UNKNOWNS] = {more.at[AT], more.at[RIGHT], more.at[DOWN], more.at[TAU], more.at[GAP]};
        fit_from(&more, start, ROUNDS);
        const double better = chi2_of(&more);
        if (!(better < BETTER * chi2))
            break;
        *cut = more;
        chi2 = better;
    }
    return chi2;
}

static void find_covariance(struct cut *cut, double scale)
{
    double normal[UNKNOWNS][UNKNOWNS] = {{0}}, gradient[UNKNOWNS] = {0};
    size_t used;
    residuals(cut, cut->at, normal, gradient, &used);
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

/* When a block passes the level for the last time; v: the derivatives by the unknowns. False: it
 * never does. */
static bool passes(const struct cut *cut, const struct ts_fit_group *group,
                   const struct ts_edge *edge, double *ms, double v[UNKNOWNS])
{
    const double gamma = cut->view->gamma, *p = cut->at;
    struct shown shown;
    struct shares shares;
    if (!show(cut, group->window, edge, &shown))
        return false;
    size_t skip = 0;
    for (;; skip++) { /* the last refreshes may have left it as it was */
        const size_t steps = cut->steps - skip;
        if (!find_shares(cut, &shown, p, steps, skip, &shares))
            return false;
        if (steps == 1 || fabs(shares.size[steps - 1]) >
                              SURE * sqrt(shares.inverse[steps - 1][steps - 1]))
            break;
    }
    const double half = ((double)edge->old_code + (double)edge->new_code) / 2;
    double until = INFINITY;
    for (size_t k = shares.steps; k-- > 0;) {
        const size_t earlier = shares.steps - 1 - k;
        double away = 0;
        for (size_t i = 0; i <= k; i++)
            away += shares.size[i] * exp(-(double)(k - i) * p[GAP] / p[TAU]);
        const double level = group->arrival ? end_code(edge) - copysign(TS_VISIBLE_CODES, away) : half;
        const double target = shown.new - ts_code_light(level, gamma);
        const double s = switch_ms(p, shown.x, shown.y, earlier + skip);
        if (target * away > 0 && fabs(away) > fabs(target)) {
            const double times = log(fmin(away / target, 1e4));
            *ms = fmin(s + p[TAU] * times, until);
            v[AT] = 1, v[RIGHT] = shown.x, v[DOWN] = shown.y, v[TAU] = times;
            v[GAP] = -(double)(earlier + skip);
            return true;
        }
        until = s;
    }
    return false;
}

static bool take_outermost(const struct cut *cut, const struct ts_fit_group *group,
                           struct ts_metric *out)
{
    const double sign = group->sign;
    double best[STEPS_MOST], u[STEPS_MOST];
    size_t support[STEPS_MOST] = {0};
    for (size_t i = 0; i < group->count; i++) {
        double ms, v[UNKNOWNS], variance = 0;
        if (!passes(cut, group, group->edges[i], &ms, v))
            continue;
        const size_t step = (size_t)-v[GAP];
        if (support[step]++ > 0 && ms * sign <= best[step])
            continue;
        best[step] = ms * sign;
        for (int a = 0; a < UNKNOWNS; a++) {
            for (int b = 0; b < UNKNOWNS; b++)
                variance += v[a] * v[b] * cut->covariance[a][b];
        }
        u[step] = sqrt(fmax(0, variance));
    }
    size_t step = STEPS_MOST; /* the outermost that many blocks speak for */
    for (size_t i = 0; i < STEPS_MOST; i++) {
        const size_t k = sign > 0 ? i : STEPS_MOST - 1 - i;
        if (support[k] > 0 && (step == STEPS_MOST || support[step] < SUPPORT_LEAST))
            step = k;
    }
    if (step == STEPS_MOST)
        return false;
    const double floor_periods =
        FLOOR_PERIODS + (FLOOR_FEW - FLOOR_PERIODS) * fmin(1, FEW / (double)group->count);
    *out = (struct ts_metric){best[step] * sign + cut->zero_ms,
                              hypot(u[step], hypot(FLOOR_MS, floor_periods * cut->view->period_ms)), 0};
    return true;
}

static void recall(struct cut *cut, const struct ts_display *display)
{
    static const double least_ms[] = {LIKE_SCAN_MS, LIKE_SCAN_MS, 0.1};
    for (int i = 0; display->known && i < TS_DISPLAY_TRAITS; i++) {
        const double like = i == TS_DISPLAY_RESPONSE ? LIKE_RESPONSE * display->ms[i] : 0;
        cut->likely[RIGHT + i] = display->ms[i];
        cut->likely_u[RIGHT + i] = hypot(display->u_ms[i], hypot(least_ms[i], like));
    }
}

static void learn(const struct cut *cut, double chi2, struct ts_display *display)
{
    const double response_u = sqrt(cut->covariance[TAU][TAU]);
    if (chi2 > LEARN_CHI2 || !(response_u < TAU_PRIOR / 2) ||
        (display->known && response_u > display->u_ms[TS_DISPLAY_RESPONSE]))
        return;
    display->known = true;
    for (int i = 0; i < TS_DISPLAY_TRAITS; i++) {
        display->ms[i] = cut->at[RIGHT + i];
        display->u_ms[i] = sqrt(cut->covariance[RIGHT + i][RIGHT + i]);
    }
}

bool ts_fit_cut(const struct ts_fit_group *group, struct ts_metric *out)
{
    struct cut cut = {.view = group->window->view, .cost = INFINITY, .steps = 1,
        .likely_u = {0, SLOPE_PRIOR, SLOPE_PRIOR, TAU_PRIOR, GAP_PRIOR}, .gap_ms = GAP_LEAST};
    recall(&cut, group->display);
    const size_t stride = group->count / BLOCKS_EVEN + 1;
    size_t partial = 0;
    double zero = 0;
    for (size_t i = 0; i < group->count; i++)
        zero += (double)group->edges[i]->ms / (double)group->count;
    cut.zero_ms = zero;
    for (size_t i = 0; i < group->count; i += stride) {
        const struct ts_edge *edge = group->edges[i];
        if (!show(&cut, group->window, edge, &cut.shown[cut.count]))
            continue;
        partial += edge->kind == TS_EDGE_CUT;
        cut.count++;
    }
    if (cut.count < BLOCKS_LEAST || partial < PARTIAL_LEAST)
        return false;
    const double chi2 = fit_steps(&cut, group);
    if (!(chi2 < BAD_RESIDUAL * BAD_RESIDUAL))
        return false;
    find_covariance(&cut, fmax(1, chi2));
    learn(&cut, chi2, group->display);
    return take_outermost(&cut, group, out) && out->u < U_MOST * cut.view->period_ms;
}
