/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/contradict.h"

#include <math.h>

#define CONTRADICTS   12.0 /* by so much less chi square would another refresh explain a block */
#define EXPLAINED     0.3
#define LEAST         3    /* blocks */
#define LATE          0.4  /* frame periods after the fit's instant, and ... */
#define LATE_U        2.0  /* ... so many times the block's own uncertainty */
#define REFINED       0.12 /* a steep edge in a block is explained by a refresh, too, but not well */
#define REFINED_LEAST 2
#define APART         0.9 /* frame periods: refreshes that are nearer are not told apart */
#define MOST          (TS_CUT_BLOCKS_MOST - TS_CUT_EVEN)

struct misfit {
    double chi2, codes; /* the sum over a block's frames, and the worst of them */
};

static struct misfit misfit(const struct ts_cut *cut, const struct ts_cut_block *shown,
                            const double p[TS_CUT_UNKNOWNS], size_t steps)
{
    struct ts_cut_shares shares;
    struct misfit misfit = {0};
    if (!ts_cut_find_shares(cut, shown, p, steps, 0, &shares))
        return misfit;
    for (size_t n = 0; n < shares.count; n++) {
        const double r = fabs(ts_cut_residual(&shares, n));
        misfit.chi2 += fmin(r, TS_CUT_OUTLIER) * fmin(r, TS_CUT_OUTLIER);
        misfit.codes = fmax(misfit.codes, r * shown->sigma);
    }
    return misfit;
}

/* The fit's unknowns, but for when its last refresh comes and how long before it the others do. */
static void move(const struct ts_cut *cut, double later_ms, double gap_ms,
                 double p[TS_CUT_UNKNOWNS])
{
    for (int i = 0; i < TS_CUT_UNKNOWNS; i++)
        p[i] = cut->at[i];
    p[TS_CUT_AT] += later_ms;
    p[TS_CUT_GAP] = gap_ms;
}

/* How much better a refresh further out explains what a block shows. What gamma makes of text in a
 * block is explained by none, or is slight. */
static double contradicts(const struct ts_cut *cut, const struct ts_cut_block *shown, double sign)
{
    const struct misfit here = misfit(cut, shown, cut->at, cut->steps);
    double there = here.chi2;
    for (size_t i = 0; i < TS_CUT_REFRESHES && here.codes > TS_VISIBLE_CODES; i++) {
        double p[TS_CUT_UNKNOWNS];
        move(cut, sign * ts_cut_refresh_ms[i], cut->at[TS_CUT_GAP], p);
        there = fmin(there, misfit(cut, shown, p, cut->steps).chi2);
    }
    return there < EXPLAINED * here.chi2 ? here.chi2 - there : 0;
}

/* `edge` arrives later than the fit has it. */
static bool is_late(const struct ts_cut *cut, const struct ts_fit_group *group,
                    const struct ts_edge *edge)
{
    double ms, v[TS_CUT_UNKNOWNS];
    const double slack_ms = LATE * cut->view->period_ms + LATE_U * (double)edge->u_ms;
    return group->arrival && group->sign > 0 && ts_cut_passes(cut, group, edge, &ms, v) &&
           (double)edge->ms - cut->zero_ms - ms > slack_ms;
}

/* What is refined after it was shown goes most of its way at the refreshes that were found, and the
 * rest at one more: does that explain it? */
static bool is_refined(const struct ts_cut *cut, const struct ts_cut_block *shown)
{
    const double here = misfit(cut, shown, cut->at, cut->steps).chi2;
    double there = here;
    for (size_t i = 0; i < TS_CUT_REFRESHES; i++) {
        double p[TS_CUT_UNKNOWNS];
        if (ts_cut_refresh_ms[i] < APART * cut->view->period_ms)
            continue;
        move(cut, ts_cut_refresh_ms[i], ts_cut_refresh_ms[i], p);
        there = fmin(there, misfit(cut, shown, p, cut->steps + 1).chi2);
    }
    return there < REFINED * here;
}

bool ts_cut_add_contradicting(struct ts_cut *cut, const struct ts_fit_group *group)
{
    struct {
        double weight;
        const struct ts_edge *edge;
    } worst[MOST];
    size_t count = 0, refined_count = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        struct ts_cut_block shown;
        if (!ts_cut_show(cut, group->window, edge, &shown))
            continue;
        const bool refined = is_late(cut, group, edge) && is_refined(cut, &shown);
        const double against = contradicts(cut, &shown, group->sign);
        const double weight = refined ? fmax(against, 1.1 * CONTRADICTS) : against;
        refined_count += refined;
        if (!(weight > CONTRADICTS))
            continue;
        size_t k = count < MOST ? count++ : MOST;
        for (; k > 0 && worst[k - 1].weight < weight; k--) {
            if (k < MOST)
                worst[k] = worst[k - 1];
        }
        if (k < MOST) {
            worst[k].weight = weight;
            worst[k].edge = edge;
        }
    }
    for (size_t k = 0; k < count; k++)
        ts_cut_show(cut, group->window, worst[k].edge, &cut->shown[cut->count++]);
    /* Where several refreshes were found already, only what is refined tells of another. */
    return refined_count >= REFINED_LEAST || (cut->steps == 1 && count >= LEAST);
}
