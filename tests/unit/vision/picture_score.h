/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well a detector does over many launches whose reference values are known. Means are not
 * trimmed; flagged launches are counted and left out of everything else. */
#ifndef TESTS_PICTURE_SCORE_H
#define TESTS_PICTURE_SCORE_H

#include "picture_cases.h"

struct picture_sample {
    struct picture_reference reference;
    struct ts_vision_changes changes;
    double period_ms;
    bool cuts, flagged;
};

/* Draws, renders and detects one launch of a case. */
struct picture_sample picture_sample_take(const struct picture_case *which, double fps,
                                          uint64_t seed, int width_px, int height_px);

/* Of one of the two instants. A launch with neither flag nor value is gross, and never within. */
struct picture_errors {
    size_t count, gross, within, covered; /* wrong by > 50 ms, by <= one period, by <= 1.96 u */
    double sum, sum_periods, bias, worst; /* milliseconds but for the second */
    double allowed; /* sum of T / 4 + 0.5 ms after hard cuts, T / 2 for the rest */
    size_t values, capacity;
    double *errors, *errors_periods, *u_periods; /* [values] */
};

struct picture_score {
    size_t launches, flagged;
    struct picture_errors first, settled;
};

void picture_score_add(struct picture_score *score, const struct picture_sample *sample);
void picture_score_free(struct picture_score *score);
/* The three lists are sorted on the way. NAN: no values. */
double picture_errors_quantile(struct picture_errors *errors, double q); /* ms */
double picture_errors_quantile_periods(struct picture_errors *errors, double q);
double picture_errors_median_u(struct picture_errors *errors); /* periods */

#endif
