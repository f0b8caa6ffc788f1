/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The hard cases: launches drawn at random around one difficulty each, for any camera. */
#ifndef TESTS_PICTURE_CASES_H
#define TESTS_PICTURE_CASES_H

#include "picture.h"

struct picture_case {
    const char *name;
    bool cuts; /* nothing fades or slides before it has settled */
    double quiet_ms;
    void (*draw)(struct picture *picture, struct ts_rng *rng); /* adds the difficulty */
};

extern const struct picture_case picture_cases[];
extern const size_t picture_case_count;
extern const double picture_rates[]; /* frames per second */
extern const size_t picture_rate_count;

/* NULL: no such case. */
const struct picture_case *picture_case_by_name(const char *name);
/* Draws the launch; render it next. */
void picture_case_draw(const struct picture_case *which, double fps, uint64_t seed, int width_px,
                       int height_px, struct picture *picture);

#endif
