/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From a container's time stamps to when each frame began to be exposed, in bounded memory. Stamps
 * are rounded by the container (Matroska: to 1 ms) and jittered by who wrote them, while a camera
 * exposes at even distances; a screen recorder writes a picture when there is a new one. */
#ifndef TS_CLI_ANALYZE_TIMES_H
#define TS_CLI_ANALYZE_TIMES_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TS_TIMES_FIRST 256 /* stamps from which the period is known well enough to count by */

struct ts_times {
    double period_ms; /* even: the line's slope; else the usual distance of two frames */
    bool even;        /* frame number s began at start_ms + s * period_ms; else each at its stamp */
    double start_ms;  /* from origin_ns */
    int64_t origin_ns;
    double tolerance_ms; /* of an even film: no frame is farther from the line */
    double u_ms;         /* standard uncertainty of when frames began, common to all of them */
    size_t frames;
};

/* Zero it and set the first two; it owns nothing. */
struct ts_times_learner {
    double grain_ms; /* stamps are multiples of this */
    bool recording;  /* of a screen: its stamps are right, and gaps mean that nothing changed */

    size_t count;
    int64_t origin_ns, last_ns;
    bool falls; /* a stamp is not later than the one before */
    int64_t first[TS_TIMES_FIRST];
    double guess_ms; /* the period; 0: first[] is not full yet */
    size_t points;   /* that were counted by it */
    double phase_ms, sequence, last_ms;
    /* Running means and sums of products about them: Welford (1962), Technometrics 4, 419. */
    double mean_s, mean_t, sum_ss, sum_st, sum_tt;
    double gap_sum, gap_squares; /* of usual gaps about the guess */
    size_t gaps;
};

void ts_times_learn(struct ts_times_learner *learner, int64_t pts_ns);
/* TS_EPROTO: fewer than two stamps, or all the same. The learner can go on. */
int ts_times_learnt(const struct ts_times_learner *learner, struct ts_times *out) TS_MUST_CHECK;
/* Would the same stamps start anywhere else by b than by a? */
bool ts_times_agree(const struct ts_times *a, const struct ts_times *b);

#endif
