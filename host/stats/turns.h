/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two sides that took turns within the same sessions, in any order (ABBA, ABAB, blocks of five):
 * what befalls a session (heat, a drift, a step from some launch on) falls on both alike, so it is
 * no part of their difference, and must be none of its spread.
 *
 * All N launches in turns are ranked together, b's less the shift that is asked about, and shares
 * z = rank / N stand in for them (W. Conover, R. Iman, "Rank transformations as a bridge between
 * parametric and nonparametric statistics", The American Statistician 35 (1981) 124-129):
 *     d = mean z of b - mean z of a = sum over t of w_t z_t,    w_t = 1 / n_b or -1 / n_a,
 * which is Brunner and Munzel's p - 1/2 (stats/relative.h). t is the place in the session, and
 *     var d = s^2 sum over t, u of one session of w_t w_u r(|t - u|),    r(k) = share keep^k, r(0)
 * = 1, share and keep of z less its side's mean by stats/serial.h. s^2 comes from what neighbours
 * differ by alone, so that nothing which lasts is in it (J. von Neumann, "Distribution of the ratio
 * of the mean square successive difference to the variance", Annals of Mathematical Statistics 12
 * (1941) 367-395): with g the mean of (z_t - z_(t-1))^2 / 2, s^2 = g / (1 - r(1) - F (1 - W_1) /
 * N),    F = var d / (s^2 sum w^2), W_k = sum of w_t w_(t-k) / sum w^2, where F is what the sides'
 * means took: so much of the squares, and F W_k of the products of what lies k apart, so that r(k)
 * has F (W_k - r(k)) / N added. A common trend makes slope * (mean place of b - mean place of a) of
 * launches that are not placed alike; that is added to the standard error as if it could have
 * either sign. statistic = d over it, Student's t; degrees of freedom 1 / (1 / (N - 2) + doubt /
 * N),    doubt = (d log(F / (1 - keep^2)) / d keep)^2 v / 2, v / N the variance of keep. Measured:
 * stats/comparison.h. */
#ifndef TS_STATS_TURNS_H
#define TS_STATS_TURNS_H

#include "stats/shift.h"

/* A launch's session, a number that is the same on both sides, and its own number in it, from 1 (0:
 * not known). */
struct ts_place {
    size_t session, launch;
};

/* Values and where they were measured; borrowed. */
struct ts_placed {
    const double *values;
    const struct ts_place *places;
    size_t count;
};

#define TS_TURNS_LEAST   6  /* changes from one side to the other, over all sessions */
#define TS_TURNS_SESSION 2  /* of them within each session */
#define TS_TURNS_SIDE    10 /* launches in turns on each side */

struct ts_turns {
    struct ts_ranked a, b;   /* of those in turns */
    size_t count;            /* of both */
    size_t sessions, blocks; /* block: launches of one side in a row */
    double *weights;         /* owned; [count], in time order, as the next three */
    bool *begins;            /* owned; a session */
    double *shares, *less;   /* owned; of ranks, and less their side's mean: for ts_turns_test() */
    size_t *of_a, *of_b;     /* owned; when each sorted value was measured */
    double squares, near[2]; /* sum w^2; W_1, W_2 */
    double apart;            /* mean place of b less that of a */
};

/* Which launches took turns. A session is in when both sides have launches of it, no number
 * twice, and TS_TURNS_SESSION changes; when one side had enough before the other, its last row of
 * launches is cut to the longest between, and so is its first. *out is NULL, which is no error,
 * unless that makes TS_TURNS_LEAST changes, TS_TURNS_SIDE launches a side, and half of the launches
 * of the side that has fewer. TS_ENOMEM. */
int ts_turns_of(const struct ts_placed *a, const struct ts_placed *b,
                struct ts_turns **out) TS_MUST_CHECK;
void ts_turns_free(struct ts_turns *turns); /* NULL is let pass */

/* b's values are taken as b + shift. Not by two threads at once on the same turns. */
struct ts_relative ts_turns_test(const struct ts_turns *turns, double shift);
/* The shift at which d is 0, and all those that the test does not reject. */
struct ts_hodges_lehmann ts_turns_shift(const struct ts_turns *turns, double level);

#endif
