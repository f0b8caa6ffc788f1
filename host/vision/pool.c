/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outermost of many noisy instants lies too far out, and the screen's instants are not
 * independent: one event makes most of them. So the event is fitted to all the blocks that show it,
 * and the outermost block read off the fit. Blocks that stay further out than the fit can explain
 * are an event of their own. */
#include "vision/pool.h"

#include "vision/fit.h"

#include <math.h>

#define SAME_CUT_MS  24.0 /* a scan-out at 60 Hz and a readout */
#define SAME_FADE    2.0  /* frame periods */
#define SAME_TAIL_MS 150.0
#define STRAGGLER    0.3 /* frame periods beyond the fit */
#define STRAGGLER_U  4.5
#define WAITS        0.25 /* ... or so many that it cannot have arrived */
#define WAITS_BEGUN  0.2  /* of a change: where a frame shows less of it, one standard deviation */
#define WAITS_NOISE  2.0  /* tells, else so many: of all that nearly arrived some seem late */
#define EVENTS_MOST  4
#define CUT_SHARE    0.6
#define STAIR        0.5  /* of the whole change, at most */
#define REFRESH_MS   16.7 /* of most displays */
#define UNSEEN_SHARE 0.1
#define FIRST_OF_ALL 0.8 /* of what a refresh leaves open of each block's half way */
#define SLOWEST_MS   1000.0

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

void ts_fit_level_off(double *course, const double *weight, size_t count, double sign)
{
    double mean[TS_FIT_COURSE], sum[TS_FIT_COURSE];
    size_t size[TS_FIT_COURSE], levels = 0, k = 0;
    for (size_t i = 0; i < count; i++) {
        mean[levels] = course[i];
        sum[levels] = weight ? weight[i] : 1;
        size[levels++] = 1;
        for (; levels > 1 && sign * (mean[levels - 2] - mean[levels - 1]) > 0; levels--) {
            const double both = sum[levels - 2] + sum[levels - 1];
            mean[levels - 2] =
                (mean[levels - 2] * sum[levels - 2] + mean[levels - 1] * sum[levels - 1]) / both;
            sum[levels - 2] = both;
            size[levels - 2] += size[levels - 1];
        }
    }
    for (size_t level = 0; level < levels; level++) {
        for (size_t i = 0; i < size[level]; i++)
            course[k++] = mean[level];
    }
}

/* A fade is a staircase: where frames show its stairs, each is a cut by itself, but half way is as
 * little known as in any fade. */
static bool is_cut(const struct ts_edge *edge, bool arrival)
{
    const double step = fabs((double)edge->to_code - (double)edge->from_code);
    return edge->kind != TS_EDGE_FADE && (arrival || step > STAIR * ts_edge_size(edge));
}

/* So long the whole change of those edges that fade would take at the rate that they have near
 * their crossings. All together: noise may leave hardly any rate to one of them by itself. */
static double fade_takes_ms(const struct ts_fit_group *group)
{
    double whole = 0, rate = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        if (is_cut(edge, group->arrival) || edge->frames < 2)
            continue;
        const uint32_t last = edge->frames - 1;
        const double gone = fabs((double)edge->code[last] - (double)edge->code[0]);
        whole += ts_edge_size(edge);
        rate += gone / ((double)edge->begin_ms[last] - (double)edge->begin_ms[0]);
    }
    return whole > 0 ? whole / fmax(rate, whole / SLOWEST_MS) : 0;
}

/* A fade moves once per refresh. */
double ts_fit_refresh_u_ms(const struct ts_fit_group *group)
{
    const double refresh_ms = group->window->view->refresh_ms;
    return TS_FIT_UNIFORM_U * (refresh_ms > 0 ? refresh_ms : REFRESH_MS);
}

double ts_fit_half_way_u_ms(const struct ts_fit_group *group)
{
    const double u = ts_fit_refresh_u_ms(group);
    return group->sign < 0 ? FIRST_OF_ALL * u : hypot(u, UNSEEN_SHARE * fade_takes_ms(group));
}

static const struct ts_edge *outermost(const struct ts_edge *const *edges, size_t count,
                                       double sign)
{
    const struct ts_edge *best = edges[0];
    for (size_t i = 1; i < count; i++)
        best = ((double)edges[i]->ms - (double)best->ms) * sign > 0 ? edges[i] : best;
    return best;
}

double ts_fit_expected_largest(double n)
{
    if (n < 2)
        return 0;
    if (n < 6)
        return 0.56 + 0.18 * (n - 2);
    const double root = sqrt(2 * log(n));
    return root - (log(log(n)) + log(12.566370614359172)) / (2 * root) + 0.5772 / root;
}

/* No model fits: the outermost block's own instant, less what noise pushes the outermost of so many
 * outwards; but they may all be uncertain by the same, so no further back than by a frame or to
 * where most are. Where in its frame that is, is then hardly known. */
static struct ts_metric take_outermost(const struct ts_fit_group *group)
{
    const double best = (double)outermost(group->edges, group->count, group->sign)->ms;
    double near = 0, inwards = 0, noise = 0, u = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double own = (double)edge->u_ms, behind = (best - (double)edge->ms) * group->sign;
        if (behind > 4 * own)
            continue;
        near++;
        inwards += behind;
        u = fmax(u, own);
        noise += is_cut(edge, group->arrival) ? 0 : own;
    }
    if (noise > 0)
        u = hypot(u, group->arrival ? ts_fit_refresh_u_ms(group) : ts_fit_half_way_u_ms(group));
    const double period = group->window->view->period_ms;
    const double most = fmax(period, inwards / near);
    const double back = fmin(noise / near * ts_fit_expected_largest(near), most);
    u = hypot(u, TS_FIT_UNIFORM_U * period);
    return (struct ts_metric){best - group->sign * back, u, 0};
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
        const double reach = best->slow && edge->slow ? SAME_TAIL_MS
                             : is_cut(edge, arrival)
                                 ? SAME_CUT_MS + 2 * ((double)edge->u_ms + (double)best->u_ms)
                                 : SAME_FADE * period + 3 * (double)edge->u_ms;
        if (((double)best->ms - (double)edge->ms) * sign > reach)
            continue;
        edges[i] = edges[near];
        edges[near++] = edge;
    }
    return near;
}

static struct ts_metric fit(const struct ts_fit_group *group, size_t *apart)
{
    struct ts_metric metric;
    size_t cuts = 0;
    for (size_t i = 0; i < group->count; i++)
        cuts += is_cut(group->edges[i], group->arrival);
    if (outermost(group->edges, group->count, group->sign)->slow && ts_fit_tail(group, &metric))
        return metric;
    const bool cut = (double)cuts >= CUT_SHARE * (double)group->count;
    const bool fits = cut ? ts_fit_cut(group, &metric) : ts_fit_fade(group, &metric, apart);
    return fits ? metric : take_outermost(group);
}

/* The block cannot have passed its level before: an exposure sees at least as much of what is there
 * since then as its share that is left, and a frame showed less. Codes are taken for light: what
 * gets darker seems later by a fifth of an exposure at most, which WAITS allows. */
static double not_before_ms(const struct ts_edge *edge, double exposure_ms)
{
    const double step = (double)edge->new_code - (double)edge->old_code;
    const double noise = (double)edge->noise / fabs(step);
    double ms = -INFINITY;
    for (uint32_t n = 0; n < edge->frames; n++) {
        const double shown = ((double)edge->code[n] - (double)edge->old_code) / step;
        const double unsure = shown < WAITS_BEGUN ? noise : WAITS_NOISE * noise;
        const double before = 1 - (fmax(0, shown) + unsure) / (double)edge->share;
        if (before > 0)
            ms = fmax(ms, (double)edge->begin_ms[n] + before * exposure_ms);
    }
    return ms;
}

/* It has not arrived when the fit has all of them arrived. */
static bool waits(const struct ts_fit_group *group, const struct ts_edge *edge, double fit_ms)
{
    const struct ts_vision_view *view = group->window->view;
    return group->arrival && !edge->slow && (double)edge->ms > fit_ms &&
           not_before_ms(edge, view->exposure_ms) - fit_ms > WAITS * view->period_ms;
}

/* Keeps the first `apart`, and what lies beyond the fit; returns how many they are. */
static size_t stragglers(const struct ts_fit_group *group, const struct ts_metric *metric,
                         size_t apart)
{
    const double period = group->window->view->period_ms;
    const struct ts_edge **edges = group->edges;
    size_t left = apart;
    for (size_t i = apart; i < group->count; i++) {
        const double beyond = ((double)edges[i]->ms - metric->value) * group->sign;
        const double unsure = STRAGGLER_U * hypot((double)edges[i]->u_ms, metric->u);
        if (waits(group, edges[i], metric->value) || beyond > STRAGGLER * period + unsure)
            edges[left++] = edges[i];
    }
    return left;
}

/* What is not known of the level that they arrive at is the same of all that arrive together. */
static double level_u_ms(const struct ts_edge *const *edges, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += (double)edges[i]->level_u_ms;
    return sum / (double)count;
}

struct ts_metric ts_edges_pool(const struct ts_window *window, const struct ts_edge **edges,
                               size_t count, enum ts_pool_end end, bool arrival,
                               struct ts_display *display)
{
    struct ts_metric metric = {NAN, NAN, 0};
    for (int event = 0; event < EVENTS_MOST && count > 0; event++) {
        const size_t near = gather(window, edges, count, end, arrival);
        const struct ts_fit_group group = {window, edges, near, end, arrival, display};
        size_t apart = 0;
        metric = fit(&group, &apart);
        if (arrival)
            metric.u = hypot(metric.u, level_u_ms(edges, near));
        count = stragglers(&group, &metric, apart);
    }
    return metric;
}
