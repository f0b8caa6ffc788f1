/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many refreshes an event took, when its outermost block passed the level that is asked for,
 * and how sure that is. */
#include "vision/contradict.h"
#include "vision/cut.h"

#include <math.h>

#define BLOCKS_LEAST  3
#define PARTIAL_LEAST 2 /* blocks with a mixture */
#define ROUNDS        8
#define ROUNDS_FEW    3    /* tell which start is best */
#define SUPPORT_LEAST 2    /* blocks that pass at a refresh, unless there is no other */
#define SLOPE_PRIOR   20.0 /* ms: a refresh takes up to 17, over a part of the picture */
#define TAU_PRIOR     3.0  /* ms */
#define GAP_PRIOR     0.15
#define BEND_PRIOR    0.1
#define LEARN_CHI2    6.0  /* no worse a fit tells what the display is like */
#define LIKE_SCAN_MS  0.5  /* so much may one event's scan-out differ from another's, ... */
#define LENS_U        0.3  /* of the response time */
#define LIKE_RESPONSE 0.15 /* ... and its response, to brighter or darker */
#define LIKE_BEND     0.03
#define GOOD_CHI2     2.5
#define BETTER        0.7  /* times the residuals: one more refresh is worth its parameters */
#define BAD_RESIDUAL  3.0  /* rms, in standard deviations: not one cut */
#define FLOOR_FEW     0.18 /* ... of few blocks */
#define FEW           10.0
#define U_MOST        0.6 /* periods; less is known from the frames beside the cut */
#define FLOOR_MS      0.12
#define FLOOR_PERIODS 0.06 /* of u: what a mean over all kinds of screens has shown */

static void descend_from(struct ts_cut *cut, const double at[TS_CUT_UNKNOWNS], double later_ms,
                         double response_ms, int rounds)
{
    double start[TS_CUT_UNKNOWNS];
    for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
        start[i] = at[i];
    start[TS_CUT_AT] += later_ms;
    start[TS_CUT_TAU] = response_ms;
    start[TS_CUT_GAP] = cut->gap_ms;
    ts_cut_descend(cut, start, rounds);
}

/* Fits one refresh more, at any distance that displays have, beginning at what fewer gave. */
static void add_step(struct ts_cut *cut, const double at[TS_CUT_UNKNOWNS])
{
    cut->steps++;
    cut->cost = INFINITY;
    for (size_t i = 0; i < TS_CUT_REFRESHES; i++) {
        cut->gap_ms = ts_cut_refresh_ms[i];
        for (int halves = 0; halves < 3; halves++)
            descend_from(cut, at, cut->gap_ms * halves / 2, fmax(at[TS_CUT_TAU], 0.3), ROUNDS_FEW);
    }
    cut->gap_ms = cut->best_gap_ms;
    descend_from(cut, cut->at, 0, cut->at[TS_CUT_TAU], ROUNDS);
}

/* One refresh more, or two where one explains no better: three may explain what two do not. */
static bool fit_more_steps(struct ts_cut *cut, double *chi2)
{
    struct ts_cut more = *cut;
    while (more.steps < TS_CUT_STEPS_MOST) {
        add_step(&more, cut->at);
        const double better = ts_cut_chi2(&more);
        if (!(better < BETTER * *chi2))
            continue;
        *cut = more;
        *chi2 = better;
        return true;
    }
    return false;
}

/* One refresh, unless more explain much better what is seen, or what some blocks show. */
static double fit_steps(struct ts_cut *cut, const struct ts_fit_group *group)
{
    const size_t even = cut->count;
    descend_from(cut, cut->likely, 0, 0.3, ROUNDS);
    descend_from(cut, cut->likely, 0, 2.5, ROUNDS);
    double chi2 = ts_cut_chi2(cut);
    while (cut->steps < TS_CUT_STEPS_MOST) {
        cut->count = even;
        if (ts_cut_add_contradicting(cut, group)) {
            cut->cost = INFINITY;
            descend_from(cut, cut->at, 0, cut->at[TS_CUT_TAU], ROUNDS);
            chi2 = fmax(ts_cut_chi2(cut), 1.001 * GOOD_CHI2);
        }
        if (chi2 <= GOOD_CHI2 || !fit_more_steps(cut, &chi2))
            break;
    }
    return chi2;
}

static bool take_outermost(const struct ts_cut *cut, const struct ts_fit_group *group,
                           struct ts_metric *out)
{
    const double sign = group->sign;
    double best[TS_CUT_STEPS_MOST] = {0}, u[TS_CUT_STEPS_MOST] = {0};
    size_t support[TS_CUT_STEPS_MOST] = {0};
    for (size_t i = 0; i < group->count; i++) {
        double ms, v[TS_CUT_UNKNOWNS], variance = 0;
        if (!ts_cut_passes(cut, group, group->edges[i], &ms, v))
            continue;
        const size_t step = (size_t)-v[TS_CUT_GAP];
        if (support[step]++ > 0 && ms * sign <= best[step])
            continue;
        best[step] = ms * sign;
        for (int a = 0; a < TS_CUT_UNKNOWNS; a++) {
            for (int b = 0; b < TS_CUT_UNKNOWNS; b++)
                variance += v[a] * v[b] * cut->covariance[a][b];
        }
        u[step] = sqrt(fmax(0, variance));
    }
    size_t step = TS_CUT_STEPS_MOST; /* the outermost that many blocks speak for */
    for (size_t i = 0; i < TS_CUT_STEPS_MOST; i++) {
        const size_t k = sign > 0 ? i : TS_CUT_STEPS_MOST - 1 - i;
        if (support[k] > 0 && (step == TS_CUT_STEPS_MOST || support[step] < SUPPORT_LEAST))
            step = k;
    }
    if (step == TS_CUT_STEPS_MOST)
        return false;
    /* The finer the blocks, the more of their light the lens takes from their neighbours: steps
     * that seem smaller than they are arrive later than they seem to. */
    const size_t across = group->window->across;
    const double finer = across > 64 ? (double)across / 64 - 1 : 0;
    const double lens_u_ms = group->arrival ? LENS_U * finer * cut->at[TS_CUT_TAU] : 0;
    const double floor_periods =
        FLOOR_PERIODS + (FLOOR_FEW - FLOOR_PERIODS) * fmin(1, FEW / (double)group->count);
    *out = (struct ts_metric){
        best[step] * sign + cut->zero_ms,
        hypot(hypot(u[step], lens_u_ms), hypot(FLOOR_MS, floor_periods * cut->view->period_ms)), 0};
    return true;
}

static void recall(struct ts_cut *cut, const struct ts_display *display)
{
    static const double least[TS_DISPLAY_TRAITS] = {LIKE_SCAN_MS, LIKE_SCAN_MS, 0.1, LIKE_BEND,
                                                    LIKE_BEND};
    for (int i = 0; display->known && i < TS_DISPLAY_TRAITS; i++) {
        const double like = i == TS_DISPLAY_RESPONSE ? LIKE_RESPONSE * display->is[i] : 0;
        cut->likely[TS_CUT_RIGHT + i] = display->is[i];
        cut->likely_u[TS_CUT_RIGHT + i] = hypot(display->u[i], hypot(least[i], like));
    }
}

static void learn(const struct ts_cut *cut, double chi2, struct ts_display *display)
{
    const double response_u = sqrt(cut->covariance[TS_CUT_TAU][TS_CUT_TAU]);
    if (chi2 > LEARN_CHI2 || !(response_u < TAU_PRIOR / 2) ||
        (display->known && response_u > display->u[TS_DISPLAY_RESPONSE]))
        return;
    display->known = true;
    for (int i = 0; i < TS_DISPLAY_TRAITS; i++) {
        display->is[i] = cut->at[TS_CUT_RIGHT + i];
        display->u[i] = sqrt(cut->covariance[TS_CUT_RIGHT + i][TS_CUT_RIGHT + i]);
    }
}

bool ts_fit_cut(const struct ts_fit_group *group, struct ts_metric *out)
{
    struct ts_cut cut = {
        .view = group->window->view,
        .cost = INFINITY,
        .steps = 1,
        .likely_u = {0, SLOPE_PRIOR, SLOPE_PRIOR, TAU_PRIOR, BEND_PRIOR, BEND_PRIOR, GAP_PRIOR},
        .gap_ms = ts_cut_refresh_ms[0]};
    recall(&cut, group->display);
    const size_t stride = group->count / TS_CUT_EVEN + 1;
    size_t partial = 0;
    double zero = 0;
    for (size_t i = 0; i < group->count; i++)
        zero += (double)group->edges[i]->ms / (double)group->count;
    cut.zero_ms = zero;
    for (size_t i = 0; i < group->count; i += stride) {
        const struct ts_edge *edge = group->edges[i];
        if (!ts_cut_show(&cut, group->window, edge, &cut.shown[cut.count]))
            continue;
        partial += edge->kind == TS_EDGE_CUT;
        cut.count++;
    }
    if (cut.count < BLOCKS_LEAST || partial < PARTIAL_LEAST)
        return false;
    const double chi2 = fit_steps(&cut, group);
    if (!(chi2 < BAD_RESIDUAL * BAD_RESIDUAL))
        return false;
    ts_cut_find_covariance(&cut, fmax(1, chi2));
    learn(&cut, chi2, group->display);
    return take_outermost(&cut, group, out) && out->u < U_MOST * cut.view->period_ms;
}
