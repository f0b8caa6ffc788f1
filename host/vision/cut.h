/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: a cut as a display shows it, and how well blocks agree with one. The whole
 * picture changes at up to TS_CUT_STEPS_MOST refreshes, as far apart as the display has them; each
 * is drawn line by line, and the pixels follow exponentially. What a block shows is linear in how
 * much of its change came with each refresh, so these shares are solved for on the way (variable
 * projection: Golub and Pereyra 1973; the derivative is Kaufman's, 1975). */
#ifndef TS_VISION_CUT_H
#define TS_VISION_CUT_H

#include "vision/fit.h"

#define TS_CUT_BLOCKS_MOST 120
#define TS_CUT_EVEN        80 /* of them from all over the picture, before those that contradict */
#define TS_CUT_STEPS_MOST  3
#define TS_CUT_OUTLIER     4.0 /* standard deviations: counts no more than linearly */
#define TS_CUT_REFRESHES   5

/* From one refresh to the next that shows something new, as displays have them. */
extern const double ts_cut_refresh_ms[TS_CUT_REFRESHES];

/* ms: when the middle of the picture is switched for the last time; how much later its right and
 * lower ends are; the response time; by what share less so towards the right and lower ends, as the
 * display is seen in perspective (to first order); how long before the last refresh the one before
 * it came. */
enum {
    TS_CUT_AT,
    TS_CUT_RIGHT,
    TS_CUT_DOWN,
    TS_CUT_TAU,
    TS_CUT_BEND_RIGHT,
    TS_CUT_BEND_DOWN,
    TS_CUT_GAP,
    TS_CUT_UNKNOWNS
};

struct ts_cut_sample {
    double begin_ms, gone, weight; /* gone: light still missing to the new one */
};

/* One block: place; light in the end; since when nothing but this cut changed it; noise, codes. */
struct ts_cut_block {
    double x, y, new, from_ms, sigma;
    size_t count;
    struct ts_cut_sample sample[TS_EDGE_FRAMES];
};

struct ts_cut {
    const struct ts_vision_view *view;
    double zero_ms;
    size_t count, steps;
    struct ts_cut_block shown[TS_CUT_BLOCKS_MOST];
    /* Before anything is seen. */
    double likely[TS_CUT_UNKNOWNS], likely_u[TS_CUT_UNKNOWNS];
    double gap_ms, best_gap_ms; /* between refreshes, as displays have it; tried, and of `at` */
    double at[TS_CUT_UNKNOWNS], cost, covariance[TS_CUT_UNKNOWNS][TS_CUT_UNKNOWNS];
};

struct ts_cut_left { /* what the exposure beginning at begin_ms still sees of the light before s */
    double share, by_s, by_tau;
};

struct ts_cut_shares { /* how much of a block's light came with each refresh */
    size_t steps, count;
    double size[TS_CUT_STEPS_MOST], inverse[TS_CUT_STEPS_MOST][TS_CUT_STEPS_MOST];
    const struct ts_cut_sample *sample[TS_EDGE_FRAMES];
    struct ts_cut_left left[TS_EDGE_FRAMES][TS_CUT_STEPS_MOST];
};

/* Where an edge ends, codes: a fade's single step ends where it ends, a cut at its new rest. */
double ts_cut_end_code(const struct ts_edge *edge);
/* What an edge's frames show. False: nothing visible. */
bool ts_cut_show(const struct ts_cut *cut, const struct ts_window *window,
                 const struct ts_edge *edge, struct ts_cut_block *shown);
/* When the refresh that is so many before the last is drawn at a place, and its derivatives. */
double ts_cut_switch_ms(const double p[TS_CUT_UNKNOWNS], double x, double y, size_t earlier);
void ts_cut_switch_by(const double p[TS_CUT_UNKNOWNS], double x, double y, size_t earlier,
                      double by[TS_CUT_UNKNOWNS]); /* 0 by the response time */
/* The shares of steps refreshes, the last of which is `skip` before that of p. */
bool ts_cut_find_shares(const struct ts_cut *cut, const struct ts_cut_block *shown,
                        const double p[TS_CUT_UNKNOWNS], size_t steps, size_t skip,
                        struct ts_cut_shares *out);
/* Of frame n, in standard deviations. */
double ts_cut_residual(const struct ts_cut_shares *shares, size_t n);
/* Gauss-Newton from start, for so many rounds; keeps what it finds in `at` when that is better. */
void ts_cut_descend(struct ts_cut *cut, const double start[TS_CUT_UNKNOWNS], int rounds);
double ts_cut_chi2(const struct ts_cut *cut); /* per degree of freedom */
void ts_cut_find_covariance(struct ts_cut *cut, double scale);
/* When a block passes the level for the last time, from zero_ms; v: the derivatives by the
 * unknowns. False: it never does. */
bool ts_cut_passes(const struct ts_cut *cut, const struct ts_fit_group *group,
                   const struct ts_edge *edge, double *ms, double v[TS_CUT_UNKNOWNS]);

#endif
