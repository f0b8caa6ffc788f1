/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of a slow tail one block's frames tell little. But its blocks fade together: what each still has
 * to go is its own amount of one course. The mean of them shows the course, the course and its
 * amount when each comes within bounds. */
#include "vision/fit.h"

#include <math.h>

#define BACK_MS  150.0 /* the course is drawn from so long before the latest instant ... */
#define AHEAD_MS 80.0  /* ... until so long after it */
#define FRAMES   8     /* at least */
#define UNLIKE   2.2   /* of its noise: a block goes another way */
#define NEAR     3.0   /* standard deviations from the largest amount: may be the same */
#define PACE_MS  40.0  /* on each side: as fast the course goes there */
#define LEVEL_U  0.2   /* codes, by which a block's final value and its amount are known */

struct tail {
    const struct ts_fit_group *group;
    size_t first, count;                              /* frames of the window */
    double left[TS_FIT_COURSE], ms[TS_FIT_COURSE], u; /* of the course, in amounts */
};

/* What frame n shows that the block still has to go, codes. */
static double left_of(const struct tail *tail, const struct ts_edge *edge, size_t n)
{
    const double away = (double)ts_window_code(tail->group->window, tail->first + n, edge->block) -
                        (double)edge->new_code;
    return edge->old_code > edge->new_code ? away : -away;
}

static double amount_of(const struct tail *tail, const struct ts_edge *edge)
{
    double sum = 0;
    for (size_t n = 0; n < tail->count; n++)
        sum += left_of(tail, edge, n);
    return sum / (double)tail->count;
}

static bool goes_with(const struct tail *tail, const struct ts_edge *edge, double amount)
{
    double squares = 0;
    for (size_t n = 0; n < tail->count; n++)
        squares += pow(left_of(tail, edge, n) - amount * tail->left[n], 2);
    return sqrt(squares / (double)tail->count) <= UNLIKE * (double)edge->noise;
}

static void find_frames(struct tail *tail, double latest_ms)
{
    const struct ts_window *window = tail->group->window;
    for (size_t n = 0; n < window->count && tail->count < TS_FIT_COURSE; n++) {
        const double ms = ts_window_start_ms(window, n);
        if (ms < latest_ms - BACK_MS || ms > latest_ms + AHEAD_MS)
            continue;
        tail->first = tail->count ? tail->first : n;
        tail->count++;
    }
}

/* Draws the course of those that go with the one drawn before; returns how many they are. */
static size_t draw(struct tail *tail, bool all, double *most)
{
    const struct ts_fit_group *group = tail->group;
    struct tail next = {.group = group, .first = tail->first, .count = tail->count};
    double weights = 0, noise = 0;
    size_t blocks = 0;
    *most = 0;
    for (size_t i = 0; i < group->count; i++) {
        const struct ts_edge *edge = group->edges[i];
        const double amount = amount_of(tail, edge);
        if (!edge->slow || !(amount > 0) || !(all || goes_with(tail, edge, amount)))
            continue;
        blocks++;
        weights += amount * amount;
        noise += amount * amount * (double)edge->noise * (double)edge->noise;
        *most = fmax(*most, amount);
        for (size_t n = 0; n < tail->count; n++) {
            next.left[n] += amount * left_of(tail, edge, n);
            next.ms[n] +=
                amount * amount * ts_window_begin_ms(group->window, tail->first + n, edge->block);
        }
    }
    for (size_t n = 0; n < tail->count && blocks > 0; n++) {
        next.left[n] /= weights;
        next.ms[n] = next.ms[n] / weights + group->window->view->exposure_ms / 2;
    }
    next.u = blocks > 0 ? sqrt(noise) / weights : 0;
    *tail = next;
    return blocks;
}

/* The largest of many noisy amounts is too large. */
static double largest(const struct tail *tail, double most)
{
    const struct ts_fit_group *group = tail->group;
    double near = 0, noise = 0;
    for (size_t i = 0; i < group->count; i++) {
        const double own = (double)group->edges[i]->noise / sqrt((double)tail->count);
        if (!group->edges[i]->slow || amount_of(tail, group->edges[i]) < most - NEAR * own)
            continue;
        near++;
        noise += own;
    }
    return near > 0 ? most - noise / near * ts_fit_expected_largest(near) : most;
}

static double pace_at(const struct tail *tail, size_t n)
{
    size_t from = n, to = n;
    while (from > 0 && tail->ms[from] > tail->ms[n] - PACE_MS)
        from--;
    while (to + 1 < tail->count && tail->ms[to] < tail->ms[n] + PACE_MS)
        to++;
    return (tail->left[from] - tail->left[to]) / (tail->ms[to] - tail->ms[from]);
}

bool ts_fit_tail(const struct ts_fit_group *group, struct ts_metric *out)
{
    struct tail tail = {.group = group};
    double latest_ms = -INFINITY, most;
    for (size_t i = 0; i < group->count; i++)
        latest_ms = fmax(latest_ms, (double)group->edges[i]->ms);
    find_frames(&tail, latest_ms);
    if (tail.count < FRAMES || draw(&tail, true, &most) == 0 || draw(&tail, false, &most) == 0)
        return false;
    ts_fit_level_off(tail.left, NULL, tail.count, -1);
    most = largest(&tail, most);
    const double level = TS_VISIBLE_CODES / most;
    size_t n = tail.count;
    while (n > 0 && tail.left[n - 1] <= level)
        n--;
    if (n == 0 || n == tail.count)
        return false;
    const double above = tail.left[n - 1] - level, fall = tail.left[n - 1] - tail.left[n];
    const double gap = tail.ms[n] - tail.ms[n - 1], pace = pace_at(&tail, n);
    const double u = hypot(tail.u, LEVEL_U / most) / pace;
    *out = (struct ts_metric){tail.ms[n - 1] + gap * above / fall, hypot(u, TS_FIT_UNIFORM_U * gap),
                              0};
    return pace > 0;
}
