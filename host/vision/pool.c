/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A display draws a cut line by line and a camera reads row by row, so the instants of one cut lie
 * on a plane over the picture. Blocks whose exposure the cut fell into give the plane; blocks
 * between whose exposures it fell know only bounds, and take the plane's word within them. */
#include "vision/pool.h"

#include <math.h>

#define SAME_CUT_MS  12.0
#define PLANE_LEAST  8 /* blocks with a partial value */
#define PLANE_ROUNDS 6
#define PLANE_REACH  2.0 /* ms: residuals beyond are another event's */
#define PLANE_U_MS   0.3

struct plane {
    double at, across, down; /* ms = at + across * x + down * y, x and y from 0 to 1 */
    bool known;
};

static void position(const struct ts_window *window, size_t block, double *x, double *y)
{
    const size_t right = block % window->across, down = block / window->across;
    *x = (double)right / (double)window->across - 0.5;
    *y = (double)down / (double)window->down - 0.5;
}

static double plane_ms(const struct ts_window *window, const struct plane *plane, size_t block)
{
    double x, y;
    position(window, block, &x, &y);
    return plane->at + plane->across * x + plane->down * y;
}

static bool is_cut(const struct ts_edge *edge)
{
    return edge && (edge->kind == TS_EDGE_CUT || edge->kind == TS_EDGE_BETWEEN);
}

static bool same_cut(const struct ts_edge *edge, double best, double sign)
{
    return is_cut(edge) && (double)edge->ms * sign > best * sign - SAME_CUT_MS;
}

/* Solves the symmetric 3 x 3 system by elimination; a hint of ridge keeps the slopes at zero when
 * the blocks lie on one line. */
static void solve(double a[3][4], double x[3])
{
    for (int i = 0; i < 3; i++) {
        a[i][i] += i ? 1e-3 * a[0][0] + 1e-9 : 1e-9;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = i + 1; j < 3; j++) {
            const double factor = a[j][i] / a[i][i];
            for (int k = i; k < 4; k++)
                a[j][k] -= factor * a[i][k];
        }
    }
    for (int i = 2; i >= 0; i--) {
        x[i] = a[i][3];
        for (int k = i + 1; k < 3; k++)
            x[i] -= a[i][k] * x[k];
        x[i] /= a[i][i];
    }
}

static struct plane fit_plane(const struct ts_window *window, const struct ts_edge *const *edges,
                              size_t count, double best, double sign)
{
    struct plane plane = {best, 0, 0, false};
    for (int round = 0; round < PLANE_ROUNDS; round++) {
        const double reach =
            round == 0 ? SAME_CUT_MS : fmax(PLANE_REACH, SAME_CUT_MS / (1 << round));
        double a[3][4] = {{0}}, solution[3];
        size_t used = 0;
        for (size_t i = 0; i < count; i++) {
            const struct ts_edge *edge = edges[i];
            if (!same_cut(edge, best, sign) || edge->kind != TS_EDGE_CUT ||
                fabs((double)edge->ms - plane_ms(window, &plane, edge->block)) > reach)
                continue;
            double v[4] = {1, 0, 0, (double)edge->ms - best};
            position(window, edge->block, &v[1], &v[2]);
            const double u = (double)edge->u_ms, weight = 1 / (u * u + PLANE_U_MS * PLANE_U_MS);
            for (int j = 0; j < 3; j++) {
                for (int k = 0; k < 4; k++)
                    a[j][k] += weight * v[j] * v[k];
            }
            used++;
        }
        if (used < PLANE_LEAST)
            break;
        solve(a, solution);
        plane = (struct plane){best + solution[0], solution[1], solution[2], true};
    }
    return plane;
}

/* Without partial values, the outermost block's own bounds are all that is known. What the bounds
 * of all blocks have in common would be narrower, but a display scans out: they need not share an
 * instant. */
static struct ts_metric pool_bounds(const struct ts_edge *const *edges, size_t count, double best,
                                    double sign)
{
    double u = 0;
    for (size_t i = 0; i < count; i++) {
        if (same_cut(edges[i], best, sign) && (double)edges[i]->ms * sign >= best * sign)
            u = fmax(u, (double)edges[i]->u_ms);
    }
    return (struct ts_metric){best, u, 0};
}

static struct ts_metric pool_cuts(const struct ts_window *window,
                                  const struct ts_edge *const *edges, size_t count, double sign)
{
    double best = -INFINITY * sign;
    for (size_t i = 0; i < count; i++) {
        if (is_cut(edges[i]) && (double)edges[i]->ms * sign > best * sign)
            best = (double)edges[i]->ms;
    }
    if (isinf(best))
        return (struct ts_metric){NAN, NAN, 0};
    const struct plane plane = fit_plane(window, edges, count, best, sign);
    if (!plane.known)
        return pool_bounds(edges, count, best, sign);
    struct ts_metric pooled = {-INFINITY * sign, PLANE_U_MS, 0};
    for (size_t i = 0; i < count; i++) {
        const struct ts_edge *edge = edges[i];
        if (!same_cut(edge, best, sign))
            continue;
        const double on_plane = plane_ms(window, &plane, edge->block);
        const double ms = fmin(fmax(on_plane, (double)edge->lo_ms), (double)edge->hi_ms);
        if (ms * sign > pooled.value * sign)
            pooled.value = ms;
    }
    return pooled;
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

static struct ts_metric pool_fades(const struct ts_edge *const *edges, size_t count, double sign)
{
    const struct ts_edge *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (edges[i] && edges[i]->kind == TS_EDGE_FADE &&
            (!best || (double)edges[i]->ms * sign > (double)best->ms * sign))
            best = edges[i];
    }
    if (!best)
        return (struct ts_metric){NAN, NAN, 0};
    /* The outermost of many equal but noisy instants lies too far out. */
    double near = 0, u = 0;
    for (size_t i = 0; i < count; i++) {
        if (edges[i] && edges[i]->kind == TS_EDGE_FADE &&
            (double)(best->ms - edges[i]->ms) * sign <
                4 * fmax((double)best->u_ms, (double)edges[i]->u_ms)) {
            near++;
            u += (double)edges[i]->u_ms;
        }
    }
    u /= near;
    return (struct ts_metric){(double)best->ms - sign * u * expected_largest(near),
                              fmin(u, (double)best->u_ms), 0};
}

struct ts_metric ts_edges_pool(const struct ts_window *window, const struct ts_edge *const *edges,
                               size_t count, enum ts_pool_end end, bool arrival)
{
    (void)arrival;
    const double sign = end;
    const struct ts_metric cut = pool_cuts(window, edges, count, sign);
    const struct ts_metric fade = pool_fades(edges, count, sign);
    if (isnan(fade.value) || cut.value * sign >= fade.value * sign)
        return cut;
    return fade;
}
