/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one block shows of a fade is noisy and seldom sampled; all blocks together show its course
 * finely, the more so as a rolling shutter samples each row at another time. So the course is drawn
 * from all of them, and each block's instant read off it. */
#include "vision/fit.h"

#include <math.h>

#define BLOCKS_LEAST    6
#define BINS            32
#define BINS_A_FRAME    4.0
#define BEFORE          3.5 /* frame periods of the course that are drawn before the crossing */
#define NEAR            3.0 /* frame periods: so much of what each block shows is drawn */
#define SLOPE_PRIOR     6.0 /* ms */
#define SLOPE_MOST      17.0
#define TONE_PRIOR      20.0 /* ms */
#define TERMS           4
#define MIDDLE_CODE     100.0
#define LEVEL_U_CODES   0.4 /* by which the level that is passed on arrival is known */
#define LEVEL_U_MOST_MS 17.0
#define OUTER_MOST      32
#define OUTER_SHARE     0.02 /* of the blocks, to the first change */
#define UNLIKE          1.5  /* rms, in standard uncertainties of one block */
#define OFF_MOST        6.0
#define BEYOND_NOISE    6.0  /* standard deviations from both of its ends: of another change */
#define U_BETWEEN       0.25 /* of the distance of two points of the course */
#define U_LEAST         0.25 /* of the period */
#define U_STAIR         0.45 /* of what a refresh leaves open: a level is passed at one or the next */

struct course {
    const struct ts_fit_group *group;
    double zero_ms, later_ms[TERMS]; /* by which what each term says is later */
    double share[BINS], ms[BINS], weight[BINS], noise[BINS];
};

/* What makes a block pass its level later than another: its place (scan-out); and how it changes.
 * The camera's codes are no straight measure of what the display fades: what gets brighter is half
 * way in codes before it is in light, what gets darker after it, the more so the larger the step
 * and the darker it all is. */
static void tell_terms(const struct ts_fit_group *group, const struct ts_edge *edge,
                       double v[TERMS])
{
    const double step = (double)edge->new_code - (double)edge->old_code;
    const double middle = ((double)edge->new_code + (double)edge->old_code) / 2;
    ts_fit_position(group->window, edge->block, &v[0], &v[1]);
    v[2] = group->arrival ? 0 : step / 100;
    v[3] = group->arrival ? 0 : step * (middle - MIDDLE_CODE) / 1e4;
}

/* ms = at + terms (+ spread / size), weighted: the terms are what is wanted. */
static bool fit_terms(struct course *course)
{
    static const double prior_ms[TERMS] = {SLOPE_PRIOR, SLOPE_PRIOR, TONE_PRIOR, TONE_PRIOR};
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
        double v[TERMS + 2] = {0};
        tell_terms(group, edge, v);
        v[TERMS] = 1;
        v[TERMS + 1] = group->arrival ? 100 / ts_edge_size(edge) : 0;
        for (int j = 0; j < TERMS + 2; j++) {
            b[j] += weight * v[j] * ((double)edge->ms - course->zero_ms);
            for (int k = 0; k < TERMS + 2; k++)
                a[j][k] += weight * v[j] * v[k];
        }
    }
    for (int j = 0; j < TERMS; j++)
        a[j][j] += 1 / (prior_ms[j] * prior_ms[j]);
    a[TERMS][TERMS] += 1e-9;
    a[TERMS + 1][TERMS + 1] += 1e-3;
    if (!ts_fit_solve(TERMS + 2, a, b))
        return false;
    for (int j = 0; j < TERMS; j++)
        course->later_ms[j] = j < 2 ? fmin(SLOPE_MOST, fmax(-SLOPE_MOST, b[j])) : b[j];
    return true;
}

static double later_ms(const struct course *course, const struct ts_edge *edge)
{
    double v[TERMS], later = 0;
    tell_terms(course->group, edge, v);
    for (int j = 0; j < TERMS; j++)
        later += course->later_ms[j] * v[j];
    return later;
}

/* The frames around a passage may show what the block did before it or after. */
static bool is_beyond(const struct ts_edge *edge, double code)
{
    const double low = fmin((double)edge->old_code, (double)edge->new_code);
    const double high = fmax((double)edge->old_code, (double)edge->new_code);
    const double slack = fmax(TS_VISIBLE_CODES, BEYOND_NOISE * (double)edge->noise);
    return code < low - slack || code > high + slack;
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
            /* What slides goes another way further off. */
            if (fabs(ms + later - (double)edge->ms) > NEAR * view->period_ms ||
                is_beyond(edge, (double)edge->code[n]))
                continue;
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
    /* So a last point that few frames show makes no crossing of its own. */
    ts_fit_level_off(course->share, course->weight, count, 1);
}

/* When the course passes the level for good; u beside what the level itself leaves open. */
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

static size_t last_point(const struct course *course)
{
    size_t last = 0;
    while (last + 1 < BINS && course->weight[last + 1] > 0)
        last++;
    return last;
}

/* So long the course takes, on average, for so much of the change. */
static double lasts_ms(const struct course *course, double share)
{
    const size_t last = last_point(course);
    const double rise = course->share[last] - course->share[0];
    return rise > 0 ? share * (course->ms[last] - course->ms[0]) / rise : 0;
}

/* What the level on arrival leaves open, ms. A fade is a staircase, one step a refresh: where a
 * stair lies near the level, a little more or less of it is a whole refresh sooner or later; and
 * several refreshes in a fade that takes several for as much. */
static double level_u_ms(const struct course *course, const struct ts_edge *edge, double ms)
{
    const double level = (double)edge->share, off = LEVEL_U_CODES / ts_edge_size(edge);
    double sooner = ms, later = ms, u;
    cross(course, level - off, &sooner, &u);
    cross(course, level + off, &later, &u);
    return fmax(fmin((later - sooner) / 2, LEVEL_U_MOST_MS), lasts_ms(course, off));
}

/* The outermost blocks, the very outermost first. */
struct outer {
    size_t count, most;
    double out[OUTER_MOST], u[OUTER_MOST]; /* out: ms outwards */
};

static void keep_outer(struct outer *outer, double out, double u)
{
    const bool full = outer->count == outer->most;
    size_t i = full ? outer->most - 1 : outer->count++;
    if (full && outer->out[i] >= out)
        return;
    for (; i > 0 && outer->out[i - 1] < out; i--) {
        outer->out[i] = outer->out[i - 1];
        outer->u[i] = outer->u[i - 1];
    }
    outer->out[i] = out;
    outer->u[i] = u;
}

/* How much later an edge is than the course has it, in standard uncertainties; where the course
 * ends before it comes so far, than its end. */
static double off_course(const struct course *course, const struct ts_edge *edge)
{
    const size_t last = last_point(course);
    double ms = course->ms[last], u;
    if (!cross(course, (double)edge->share, &ms, &u) && (double)edge->share < course->share[last])
        return 0;
    return ((double)edge->ms - ms - later_ms(course, edge)) / (double)edge->u_ms;
}

/* Moves those that do not keep to the course and are further out than the fade to the front;
 * returns how many they are: too few are no fade of their own, but noise. */
static size_t set_apart(const struct course *course, const struct ts_metric *fade)
{
    const struct ts_fit_group *group = course->group;
    size_t apart = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double beyond = ((double)edge->ms - fade->value) * group->sign;
        if (beyond < (double)edge->u_ms || off_course(course, edge) * group->sign < OFF_MOST)
            continue;
        group->edges[i] = group->edges[apart];
        group->edges[apart++] = edge;
    }
    return apart < BLOCKS_LEAST ? 0 : apart;
}

bool ts_fit_fade(const struct ts_fit_group *group, struct ts_metric *out, size_t *apart)
{
    struct course course = {.group = group};
    if (group->count < BLOCKS_LEAST || !fit_terms(&course))
        return false;
    draw(&course);
    /* What a few blocks' tones make of their instants is not believed against all the others. */
    const double few = group->arrival ? 1 : OUTER_SHARE * (double)group->count;
    struct outer outer = {.most = (size_t)fmax(1, fmin(OUTER_MOST, few))};
    double squares = 0, read = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        double ms, u;
        if (!cross(&course, (double)edge->share, &ms, &u))
            continue;
        const double own_ms = ms + later_ms(&course, edge);
        const double off = ((double)edge->ms - own_ms) / (double)edge->u_ms;
        squares += fmin(off * off, OFF_MOST * OFF_MOST);
        read++;
        keep_outer(&outer, own_ms * group->sign,
                   group->arrival ? hypot(u, level_u_ms(&course, edge, ms)) : u);
    }
    if (outer.count == 0 || (!group->arrival && squares > UNLIKE * UNLIKE * read))
        return false; /* they do not go the same way: something slides, or there are several */
    const size_t last = outer.count - 1;
    const double least =
        hypot(U_LEAST * group->window->view->period_ms,
              group->arrival ? U_STAIR * ts_fit_refresh_u_ms(group) : ts_fit_half_way_u_ms(group));
    *out = (struct ts_metric){outer.out[last] * group->sign, hypot(outer.u[last], least), 0};
    *apart = group->arrival ? 0 : set_apart(&course, out);
    return true;
}
