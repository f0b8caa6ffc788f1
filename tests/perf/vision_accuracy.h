/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How right the end rules are, on films of recorded launches with reference values. */
#ifndef TESTS_PERF_VISION_ACCURACY_H
#define TESTS_PERF_VISION_ACCURACY_H

#include "corpus/film.h"

#include <stdio.h>

int perf_vision_accuracy(int argc, char **argv);

enum accuracy_rule {
    ACCURACY_LITERAL,     /* the last frame in which a 5x5 block differs by a tenth of full scale */
    ACCURACY_FREEZE_60,   /* ffmpeg's freezedetect at -60 dB, its own default, after 1 s */
    ACCURACY_FREEZE_40,   /* the same at -40 dB: above the cameras' noise */
    ACCURACY_LAST_CHANGE, /* the web tools' last visual change */
    ACCURACY_OURS,
    ACCURACY_RULES
};

/* ms from t0; NAN: none, or the rule does not say. */
struct accuracy_answer {
    double settled_ms, settled_u_ms, first_ms, first_u_ms;
    bool usable;
    uint32_t flags; /* bit 1 << enum ts_flag */
};

struct accuracy_launch {
    const struct sim_condition *condition;
    char recording[64];
    uint64_t seed;
    double period_ms;
    int frames;
    struct sim_film_reference reference;
    struct accuracy_answer answers[ACCURACY_RULES];
};

/* Films one launch and asks every rule, or only the literal one and ours. launch->condition and
 * ->seed are given. TS_ENOMEM or what a rule said. */
int accuracy_measure(const struct sim_recording *recording, bool rivals,
                     struct accuracy_launch *launch, struct ts_why *why) TS_MUST_CHECK;

void accuracy_print(FILE *out, const struct accuracy_launch *launches, size_t count, bool rivals);
void accuracy_print_csv(FILE *out, const struct accuracy_launch *launches, size_t count);

#endif
