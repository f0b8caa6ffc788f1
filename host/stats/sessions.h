/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several sessions a side: what differs from one session to the next (heat, where the phone lay,
 * what its system did that day) is in no interval made of launches alone, however many there are.
 */
#ifndef TS_STATS_SESSIONS_H
#define TS_STATS_SESSIONS_H

#include "stats/interval.h"

#define TS_SESSIONS_LEAST 2 /* on each side */

/* The session is the unit: each gives one number (its median, of logarithms for a ratio), and b's
 * numbers are set against a's by Welch's test, so that launches within a session may resemble each
 * other as they like. Summary measures: J. Matthews, D. Altman, M. Campbell, P. Royston, "Analysis
 * of serial measurements in medical research", British Medical J. 300 (1990) 230-235; B. Welch,
 * "The generalization of 'Student's' problem when several different population variances are
 * involved", Biometrika 34 (1947) 28-35. For equal numbers of launches the estimate is that of a
 * mixed model with the session as a random effect (N. Laird, J. Ware, "Random-effects models for
 * longitudinal data", Biometrics 38 (1982) 963-974). With v = s^2 / n of each side
 *     u = sqrt(v_a + v_b),    freedom = (v_a + v_b)^2 / (v_a^2 / (n_a - 1) + v_b^2 / (n_b - 1)). */
struct ts_session_effect {
    double estimate; /* mean of b's sessions less that of a's */
    struct ts_interval interval;
    double u, freedom;
    double p_two_sided, p_above, p_below; /* small when b is above a; below a */
    double spread;                        /* sd between sessions of one side, pooled */
};

/* The p are of estimate - margin against 0 (margin 0: any difference). Below TS_SESSIONS_LEAST on a
 * side, or without any spread, all but estimate is NAN. */
struct ts_session_effect ts_session_effect_of(const double *a, size_t count_a, const double *b,
                                              size_t count_b, double margin, double level);

#endif
