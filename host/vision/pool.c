/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outermost of many noisy instants lies too far out, and the screen's instants are not
 * independent: one event makes most of them. So the event is fitted to all the blocks that show it,
 * and the outermost block read off the fit. Blocks that stay further out than the fit can explain
 * are an event of their own. */
#include "vision/pool.h"

#include "vision/fit.h"

#include <math.h>

#define SAME_CUT_MS     24.0 /* a scan-out at 60 Hz and a readout */
#define SAME_FADE       2.0  /* frame periods */
#define STRAGGLER       0.3  /* frame periods beyond the fit */
#define STRAGGLER_U     4.5
#define EVENTS_MOST     4
#define CUT_SHARE       0.6
#define STAIR           0.5 /* of the whole change, at most */
#define REFRESH_U_MS    4.8 /* 16.7 / sqrt(12) */
#define UNSEEN_SHARE    0.1
#define STAIR_U         0.577 /* refresh periods: 1 / sqrt(3) */
#define STAIR_SHARE     0.03  /* of the fade */
#define SLOWEST_MS      1000.0
#define FURTHER_FROM_MS 90.0  /* a faster fade takes a few refreshes */
#define TAIL_SHARE      0.15  /* of how long the outermost take: who is so near is ahead of most */
#define TAIL_FEW        12    /* times as many are further behind */
#define TAIL_MANY       8     /* blocks: fewer may be together by chance */
#define FADE_REACH      1.5   /* times what the earliest fade in: most go with them */
#define AHEAD_FROM      0.08  /* of the fade, before its middle: ... */
#define AHEAD_ALL       0.18  /* ... from here on it is the detours that are seen */
#define REACH           0.84  /* of the way to the middle, ... */
#define REACH_LONE      0.4   /* ... and from a block that is ahead by itself */
#define DETOUR_ALL      0.45  /* of the mean step: no larger is a detour, ... */
#define DETOUR_NONE     0.6   /* ... and none is so large */
#define COARSE          64.0  /* blocks across: smaller ones hold hardly more than the lens mixes */
#define THIN_BLOCKS     65536 /* of larger pictures this is not asked */
#define AMID_MOST       0.05  /* of the blocks that change lie amid such, where they show lines */

void ts_fit_position(const struct ts_window *window, size_t block, double *x, double *y)
{
    const size_t right = block % window->across, down = block / window->across;
    *x = ((double)right + 0.5) / (double)window->across - 0.5;
    *y = ((double)down + 0.5) / (double)window->down - 0.5;
}

bool ts_fit_solve(size_t n, double a[TS_FIT_MOST][TS_FIT_MOST], double b[TS_FIT_MOST])
{
    for (size_t i = 0; i < n; i++) {
        if (!(a[i][i] > 0))
            return false;
        for (size_t j = i + 1; j < n; j++) {
            const double factor = a[j][i] / a[i][i];
            for (size_t k = i; k < n; k++)
                a[j][k] -= factor * a[i][k];
            b[j] -= factor * b[i];
        }
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[i][k] * b[k];
        b[i] /= a[i][i];
    }
    return true;
}

/* A fade is a staircase: where frames show its stairs, each is a cut by itself, but half way is as
 * little known as in any fade. */
static bool is_cut(const struct ts_edge *edge, bool arrival)
{
    const double step = fabs((double)edge->to_code - (double)edge->from_code);
    return edge->kind != TS_EDGE_FADE && (arrival || step > STAIR * ts_edge_size(edge));
}

struct fade {
    double middle_ms; /* when its blocks are half way, on average */
    double takes_ms;  /* 0: there is none */
    double codes;     /* their mean size */
};

/* Of those edges that fade within reach_ms of the outermost. So long their whole change would take
 * at the rate that they have near their crossings. All together: noise may leave hardly any rate to
 * one of them by itself. */
static struct fade read_fade(const struct ts_fit_group *group, const struct ts_edge *const *edges,
                             size_t count, double outermost_ms, double reach_ms)
{
    double whole = 0, rate = 0, sum_ms = 0;
    size_t fading = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *edge = edges[i];
        if (is_cut(edge, group->arrival) || edge->frames < 2 ||
            fabs((double)edge->ms - outermost_ms) > reach_ms)
            continue;
        const uint32_t last = edge->frames - 1;
        const double gone = fabs((double)edge->code[last] - (double)edge->code[0]);
        whole += ts_edge_size(edge);
        rate += gone / ((double)edge->begin_ms[last] - (double)edge->begin_ms[0]);
        sum_ms += (double)edge->ms;
        fading++;
    }
    if (fading == 0)
        return (struct fade){NAN, 0, 0};
    return (struct fade){sum_ms / (double)fading, whole / fmax(rate, whole / SLOWEST_MS),
                         whole / (double)fading};
}

static struct fade group_fade(const struct ts_fit_group *group)
{
    return read_fade(group, group->edges, group->count, 0, INFINITY);
}

double ts_fit_half_way_u_ms(const struct ts_fit_group *group)
{
    const double refresh_ms = group->window->view->refresh_ms;
    if (refresh_ms > 0)
        return hypot(STAIR_U * refresh_ms, STAIR_SHARE * group_fade(group).takes_ms);
    return hypot(REFRESH_U_MS, UNSEEN_SHARE * group_fade(group).takes_ms);
}

static const struct ts_edge *outermost(const struct ts_edge *const *edges, size_t count,
                                       double sign)
{
    const struct ts_edge *best = edges[0];
    for (size_t i = 1; i < count; i++)
        best = ((double)edges[i]->ms - (double)best->ms) * sign > 0 ? edges[i] : best;
    return best;
}

/* What the largest of n standard normal values is on average (asymptotic; Cramer 1946, 28.6). */
static double expected_largest(double n)
{
    if (n < 2)
        return 0;
    if (n < 6)
        return 0.56 + 0.18 * (n - 2);
    const double root = sqrt(2 * log(n));
    return root - (log(log(n)) + log(12.566370614359172)) / (2 * root) + 0.5772 / root;
}

/* No model fits: the outermost block's own instant, less what noise pushes the outermost of so many
 * outwards. */
static struct ts_metric take_outermost(const struct ts_fit_group *group)
{
    const double best = (double)outermost(group->edges, group->count, group->sign)->ms;
    double near = 0, noise = 0, u = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double own = (double)edge->u_ms;
        if ((best - (double)edge->ms) * group->sign > 4 * own)
            continue;
        near++;
        u = fmax(u, own);
        noise += is_cut(edge, group->arrival) ? 0 : own;
    }
    if (noise > 0 && !group->arrival)
        u = hypot(u, ts_fit_half_way_u_ms(group));
    noise = near > 0 ? noise / near : 0;
    return (struct ts_metric){best - group->sign * noise * expected_largest(near), u, 0};
}

/* Moves the edges of the outermost event to the front; returns how many they are. */
static size_t gather(const struct ts_window *window, const struct ts_edge **edges, size_t count,
                     double sign, bool arrival)
{
    const struct ts_edge *best = outermost(edges, count, sign);
    const double period = window->view->period_ms;
    size_t near = 0;
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *edge = edges[i];
        const double reach = is_cut(edge, arrival)
                                 ? SAME_CUT_MS + 2 * ((double)edge->u_ms + (double)best->u_ms)
                                 : SAME_FADE * period + 3 * (double)edge->u_ms;
        if (((double)best->ms - (double)edge->ms) * sign > reach)
            continue;
        edges[i] = edges[near];
        edges[near++] = edge;
    }
    return near;
}

static size_t count_within(const struct ts_edge *const *edges, size_t count, double sign,
                           double reach_ms)
{
    const double best = (double)outermost(edges, count, sign)->ms;
    size_t within = 0;
    for (size_t i = 0; i < count; i++)
        within += (best - (double)edges[i]->ms) * sign <= reach_ms;
    return within;
}

/* The outermost are few, and others follow one by one: what goes together is a change by itself. */
static bool is_tail(const struct ts_fit_group *group, const struct ts_edge *const *all,
                    size_t count, double fade)
{
    const size_t ahead = count_within(all, count, group->sign, TAIL_SHARE * fade);
    const size_t soon = count_within(all, count, group->sign, 2 * TAIL_SHARE * fade);
    return TAIL_FEW * ahead <= count && (ahead < TAIL_MANY || 4 * soon >= 5 * ahead);
}

/* 0 up to low, 1 from high on; in between in proportion. */
static double between(double value, double low, double high)
{
    return fmin(1, fmax(0, (value - low) / (high - low)));
}

/* In a slow fade from one fine picture to another a few blocks are far ahead of most: dark and
 * bright change places in them, and their first half way is that of a small detour. Which of them
 * is the outermost, and by how much, hangs on what the lens and the mean over a camera's pixels
 * take from each that its neighbours do: it lies anywhere between the fade's end and the outermost
 * that was seen. */
static void reach_out(const struct ts_fit_group *group, const struct ts_edge *const *all,
                      size_t count, struct ts_metric *metric)
{
    const struct fade first = group_fade(group);
    if (group->arrival || first.takes_ms < FURTHER_FROM_MS ||
        !is_tail(group, all, count, first.takes_ms))
        return;
    const double best_ms = (double)outermost(all, count, group->sign)->ms;
    const struct fade fade = read_fade(group, all, count, best_ms, FADE_REACH * first.takes_ms);
    const double before = (metric->value - fade.middle_ms) * group->sign / fade.takes_ms;
    const double sure = between(before, AHEAD_FROM, AHEAD_ALL) *
                        (1 - between(first.codes / fade.codes, DETOUR_ALL, DETOUR_NONE));
    const double room = sure * fmax(0, 0.5 - before) * fade.takes_ms;
    const double coarse = COARSE / fmax(COARSE, (double)group->window->across);
    const double reach = group->count > 1 ? REACH : REACH_LONE;
    metric->value += group->sign * reach * room * coarse / (1 + coarse);
    metric->u = hypot(metric->u, TS_FIT_UNIFORM_U * room);
}

/* Lines, dots or a word: hardly any block lies amid others that change. */
static bool is_thin(const struct ts_window *window, const struct ts_edge *const *edges,
                    size_t count)
{
    uint8_t changed[THIN_BLOCKS] = {0};
    const size_t across = window->across;
    size_t amid = 0;
    if (window->blocks > THIN_BLOCKS)
        return false;
    for (size_t i = 0; i < count; i++)
        changed[edges[i]->block] = 1;
    for (size_t i = 0; i < count; i++) {
        const size_t block = edges[i]->block;
        if (block >= across && block + across < window->blocks)
            amid += changed[block - 1] && changed[block + 1] && changed[block - across] &&
                    changed[block + across];
    }
    return (double)amid <= AMID_MOST * (double)count;
}

static struct ts_metric fit(const struct ts_fit_group *group, const struct ts_edge *const *all,
                            size_t all_count)
{
    struct ts_metric metric;
    size_t cuts = 0;
    for (size_t i = 0; i < group->count; i++)
        cuts += is_cut(group->edges[i], group->arrival);
    const bool cut = (double)cuts >= CUT_SHARE * (double)group->count;
    if (cut && ts_fit_cut(group, &metric))
        return metric;
    if (cut || !ts_fit_fade(group, &metric))
        metric = take_outermost(group);
    reach_out(group, all, all_count, &metric);
    return metric;
}

/* Keeps those that lie beyond what the fit says; returns how many they are. */
static size_t stragglers(const struct ts_window *window, const struct ts_edge **edges, size_t count,
                         double sign, const struct ts_metric *metric)
{
    const double period = window->view->period_ms;
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        const double beyond = ((double)edges[i]->ms - metric->value) * sign;
        if (beyond > STRAGGLER * period + STRAGGLER_U * hypot((double)edges[i]->u_ms, metric->u))
            edges[left++] = edges[i];
    }
    return left;
}

struct ts_metric ts_edges_pool(const struct ts_window *window, const struct ts_edge **edges,
                               size_t count, enum ts_pool_end end, bool arrival,
                               struct ts_display *display)
{
    struct ts_metric metric = {NAN, NAN, 0};
    for (int event = 0; event < EVENTS_MOST && count > 0; event++) {
        const size_t near = gather(window, edges, count, end, arrival);
        const bool thin = arrival && is_thin(window, edges, count);
        const struct ts_fit_group group = {window, edges, near, end, arrival, thin, display};
        metric = fit(&group, edges, count);
        count = stragglers(window, edges, near, end, &metric);
    }
    return metric;
}
