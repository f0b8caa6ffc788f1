/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches with what the program and what people say of them. */
#ifndef TS_CLI_AGREEMENT_PAIRS_H
#define TS_CLI_AGREEMENT_PAIRS_H

#include "cli/annotate_films.h"

enum ts_end { TS_END_FIRST_CHANGE, TS_END_SETTLED, TS_END_COUNT };

struct ts_judgement {
    char by[TS_MARKS_BY_MAX];
    double ms[TS_END_COUNT]; /* NAN: not marked */
    bool superseded;         /* by a later one of the same person */
};

struct ts_judged_launch {
    char *name;                     /* owned */
    double automatic[TS_END_COUNT]; /* NAN: none */
    bool usable;                    /* the detector vouches for its values */
    struct ts_judgement *marks;     /* owned; oldest first */
    size_t count, capacity;
};

struct ts_judged {
    struct ts_judged_launch *items; /* owned */
    size_t count, capacity;
    int unmarked; /* films that nobody has marked; they are not among the items */
};

/* A session folder, a video, or a file whose name ends in .csv. Videos that somebody marked are
 * measured now, by the robust rule; of a session's launches the kept results are taken. */
int ts_judged_add(struct ts_judged *judged, const char *path, struct ts_why *why) TS_MUST_CHECK;
void ts_judged_free(struct ts_judged *judged);

#endif
