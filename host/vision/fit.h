/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: one event of the screen fitted to all blocks that show it. */
#ifndef TS_VISION_FIT_H
#define TS_VISION_FIT_H

#include "vision/pool.h"

struct ts_fit_group {
    const struct ts_window *window;
    const struct ts_edge **edges; /* borrowed, none NULL */
    size_t count;
    double sign;  /* 1: the latest instant is asked for; -1: the earliest */
    bool arrival; /* the instant within TS_VISIBLE_CODES of the end; else half of a step */
    struct ts_display *display;
};

/* A cut: a display draws it line by line, its pixels follow exponentially, and a camera reads row
 * by row. So the blocks' cuts lie on a plane over the picture, with one response time for all.
 * Returns false when too few exposures hold a mixture of old and new light to tell. */
bool ts_fit_cut(const struct ts_fit_group *group, struct ts_metric *out);
/* A fade: every block goes the same way from its old code to its new one, those that change most
 * arrive last. Returns false when too few blocks show it. Those edges that go another way and are
 * further out come first then, so many as *apart says. */
bool ts_fit_fade(const struct ts_fit_group *group, struct ts_metric *out, size_t *apart);

/* An arrival so slow that noise hides it from frame to frame, in every block: all show the same
 * course towards their final values, each by as much as it changes. Returns false when it does not
 * come within bounds where it is looked for. */
bool ts_fit_tail(const struct ts_fit_group *group, struct ts_metric *out);

/* How well any instant of a change is known that moves once per refresh, ms. */
double ts_fit_refresh_u_ms(const struct ts_fit_group *group);
/* How well "half way" of a group's fade is known, ms: a fade moves once per refresh, and half way
 * it is nowhere in particular (rectangular, JCGM 100, 4.3.7); of the first change less, since the
 * blocks that fade by different amounts do not all meet the same stair. Of the last change half of
 * all that a block does is asked for: the outermost of all places may show a part of it that no
 * block of the picture does, since the lens mixes each with its neighbours; the slower, the more
 * that matters. */
double ts_fit_half_way_u_ms(const struct ts_fit_group *group);
/* What the largest of n standard normal values is on average (asymptotic; Cramer 1946, 28.6). */
double ts_fit_expected_largest(double n);
/* Solves the symmetric n x n system a x = b by elimination; a and b are overwritten. */
#define TS_FIT_MOST 12
bool ts_fit_solve(size_t n, double a[TS_FIT_MOST][TS_FIT_MOST], double b[TS_FIT_MOST]);

/* Standard uncertainty of what lies anywhere in a range, in ranges: 1 / sqrt(12). */
#define TS_FIT_UNIFORM_U 0.289

/* A course goes one way: what noise turns back is levelled, each point by its weight, NULL: all the
 * same (pool adjacent violators; Ayer et al. 1955). At most TS_FIT_COURSE points; sign: 1, they
 * rise, or -1. */
#define TS_FIT_COURSE 128
void ts_fit_level_off(double *course, const double *weight, size_t count, double sign);

/* Where a block is, from -0.5 to 0.5 along both axes. */
void ts_fit_position(const struct ts_window *window, size_t block, double *x, double *y);

#endif
