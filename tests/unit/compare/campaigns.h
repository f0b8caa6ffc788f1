/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Campaigns as phones give them, drawn: skewed times, with what goes wrong in their order. */
#ifndef TESTS_CAMPAIGNS_H
#define TESTS_CAMPAIGNS_H

#include "base/rng.h"
#include "stats/turns.h"

#include <stddef.h>

struct campaign {
    size_t launches, sessions; /* launches per session */
    double correlation;        /* of neighbours within a session (first order) */
    double drift;              /* over a session, in standard deviations of a launch */
    double block;              /* sd of a shift from a random launch of a session on */
    double session;            /* sd from session to session; both of a launch's sd */
};

/* values and places: [launches * sessions]; the launches have no numbers. */
void campaign_draw(const struct campaign *campaign, struct ts_rng *rng, double *values,
                   struct ts_place *places);
/* Of one launch, by a million draws. */
double campaign_median(void);

#endif
