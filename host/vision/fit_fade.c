/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one block shows of a fade is noisy and seldom sampled; all blocks together show its course
 * finely, the more so as a rolling shutter samples each row at another time. So the course is drawn
 * from all of them, and each block's instant read off it. */
#include "vision/fit.h"

#include <math.h>

#define BLOCKS_LEAST 6
#define BINS         32
#define BINS_A_FRAME 4.0
#define BEFORE       3.5 /* frame periods of the course that are drawn before the crossing */
#define NEAR         3.0 /* frame periods: so much of what each block shows is drawn */
#define SLOPE_PRIOR  6.0 /* ms */
#define SLOPE_MOST   17.0
#define UNLIKE       1.5 /* rms, in standard uncertainties of one block */
#define OFF_MOST     6.0
#define U_BETWEEN    0.25 /* of the distance of two points of the course */
#define U_LEAST      0.25 /* of the period */
#define U_LEAST_MS                                                                                 \
    1.5 /* a fade goes on with the refresh: a level is passed there or at the next                 \
         */

struct course {
    const struct ts_fit_group *group;
    double zero_ms, right_ms, down_ms; /* the plane by which places are later */
    double share[BINS], ms[BINS], weight[BINS], noise[BINS];
};

static double size_of(const struct ts_edge *edge)
{
    return fabs((double)edge->new_code - (double)edge->old_code);
}

static double level_of(const struct ts_fit_group *group, const struct ts_edge *edge)
{
    return group->arrival ? fmax(0.01, 1 - TS_VISIBLE_CODES / size_of(edge)) : 0.5;
}

/* ms = at + right x + down y + spread / size, weighted: the slopes are what is wanted. */
static bool fit_plane(struct course *course)
{
    const struct ts_fit_group *group = course->group;
    double a[TS_FIT_MOST][TS_FIT_MOST] = {{0}}, b[TS_FIT_MOST] = {0}, weights = 0, sum = 0;
    for (size_t i = 0; i < group->count; i++) {
        const double u = (double)group->edges[i]->u_ms, weight = 1 / (u * u);
        sum += weight * (double)group->edges[i]->ms;
        weights += weight;
    }
    course->zero_ms = sum / weights;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double u = (double)edge->u_ms, weight = 1 / (u * u);
        double v[4] = {1, 0, 0, group->arrival ? 100 / size_of(edge) : 0};
        ts_fit_position(group->window, edge->block, &v[1], &v[2]);
        for (int j = 0; j < 4; j++) {
            b[j] += weight * v[j] * ((double)edge->ms - course->zero_ms);
            for (int k = 0; k < 4; k++)
                a[j][k] += weight * v[j] * v[k];
        }
    }
    const double prior = 1 / (SLOPE_PRIOR * SLOPE_PRIOR);
    a[0][0] += 1e-9;
    a[1][1] += prior;
    a[2][2] += prior;
    a[3][3] += 1e-3;
    if (!ts_fit_solve(4, a, b))
        return false;
    course->right_ms = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, b[1]));
    course->down_ms = fmin(SLOPE_MOST, fmax(-SLOPE_MOST, b[2]));
    return true;
}

static double later_ms(const struct course *course, const struct ts_edge *edge)
{
    double x, y;
    ts_fit_position(course->group->window, edge->block, &x, &y);
    return course->right_ms * x + course->down_ms * y;
}

static void draw(struct course *course)
{
    const struct ts_fit_group *group = course->group;
    const struct ts_vision_view *view = group->window->view;
    const double width = view->period_ms / BINS_A_FRAME;
    const double from = course->zero_ms - BEFORE * view->period_ms;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double step = (double)edge->new_code - (double)edge->old_code;
        const double later = later_ms(course, edge);
        for (uint32_t n = 0; n < edge->frames; n++) {
            const double ms = (double)edge->begin_ms[n] + view->exposure_ms / 2 - later;
            if (fabs(ms + later - (double)edge->ms) > NEAR * view->period_ms)
                continue; /* what slides goes another way there */
            const double bin = floor((ms - from) / width);
            if (!(bin >= 0) || bin >= BINS)
                continue;
            const size_t k = (size_t)bin;
            const double weight = step * step;
            course->share[k] += weight * ((double)edge->code[n] - (double)edge->old_code) / step;
            course->ms[k] += weight * ms;
            course->weight[k] += weight;
            course->noise[k] += weight * (double)edge->noise * (double)edge->noise;
        }
    }
    size_t count = 0; /* the bins that hold something, without gaps */
    for (size_t k = 0; k < BINS; k++) {
        const double weight = course->weight[k];
        if (weight <= 0)
            continue;
        course->share[count] = course->share[k] / weight;
        course->ms[count] = course->ms[k] / weight;
        course->noise[count] = sqrt(course->noise[k] / weight / weight);
        course->weight[count++] = weight;
    }
    for (size_t k = count; k < BINS; k++)
        course->weight[k] = 0;
}

/* When the course passes the level for good. */
static bool cross(const struct course *course, double level, double *ms, double *u)
{
    size_t count = 0, last = BINS;
    while (count < BINS && course->weight[count] > 0)
        count++;
    for (size_t k = 0; k + 1 < count; k++) {
        if (course->share[k] < level && course->share[k + 1] >= level)
            last = k;
    }
    if (last == BINS)
        return false;
    const double rise = course->share[last + 1] - course->share[last];
    const double gap = course->ms[last + 1] - course->ms[last];
    *ms = course->ms[last] + gap * (level - course->share[last]) / rise;
    const double noise = fmax(course->noise[last], course->noise[last + 1]);
    *u = hypot(fmin(noise / rise, 1) * gap, U_BETWEEN * gap);
    return true;
}

bool ts_fit_fade(const struct ts_fit_group *group, struct ts_metric *out)
{
    struct course course = {.group = group};
    if (group->count < BLOCKS_LEAST || !fit_plane(&course))
        return false;
    draw(&course);
    double best = -INFINITY, best_u = 0, squares = 0, read = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        double ms, u;
        if (!cross(&course, level_of(group, edge), &ms, &u))
            continue;
        ms += later_ms(&course, edge);
        const double off = ((double)edge->ms - ms) / (double)edge->u_ms;
        squares += fmin(off * off, OFF_MOST * OFF_MOST);
        read++;
        if (ms * group->sign <= best)
            continue;
        best = ms * group->sign;
        best_u = u;
    }
    if (isinf(best) || (!group->arrival && squares > UNLIKE * UNLIKE * read))
        return false; /* they do not go the same way: something slides, or there are several */
    const double least = hypot(U_LEAST * group->window->view->period_ms,
                               group->arrival ? U_LEAST_MS : TS_FIT_HALF_WAY_U_MS);
    *out = (struct ts_metric){best * group->sign, hypot(best_u, least), 0};
    return true;
}
