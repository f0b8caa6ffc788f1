/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `touchstone agreement PATH...`: the rig against Android's own time to initial display. */
#ifndef TS_CLI_AGREEMENT_ANDROID_H
#define TS_CLI_AGREEMENT_ANDROID_H

#include "agreement/agreement.h"
#include "agreement/bound.h"
#include "agreement/concordance.h"
#include "agreement/regression.h"
#include "report/out.h"

#include <stdbool.h>

/* Launches that count and that Android timed, in one array each. */
struct ts_android_pairs {
    double *rig, *u, *android; /* owned; ms */
    size_t count;
};

struct ts_android_app {
    char *app; /* owned */
    struct ts_android_pairs pairs;
    double rig, android; /* medians */
    double pearson;      /* NAN below 6 pairs, as in a session's summary */
    struct ts_bound bound;
    bool lazy;
};

struct ts_android_agreement {
    struct ts_android_app *apps; /* owned */
    size_t count, untimed;       /* launches that count, but that Android did not time */
    struct ts_agreement all;     /* rig minus Android, over all launches */
    struct ts_concordance concordance;
    double spearman;
    struct ts_line deming, passing_bablok; /* rig over Android; NAN where it does not apply */
};

/* The whole of it, as text or JSON; figure NULL: none, else it is drawn there too. */
int ts_agreement_android(char **paths, int count, bool json, struct ts_out *figure,
                         struct ts_out *out, struct ts_why *why) TS_MUST_CHECK;
/* An SVG file of its own, two panels: the rig across Android, and rig minus Android for each app
 * (the first 24). Errors as ts_agreement_draw(). */
int ts_agreement_android_draw(const struct ts_android_agreement *agreement,
                              struct ts_out *out) TS_MUST_CHECK;

void ts_agreement_android_put_text(const struct ts_android_agreement *agreement,
                                   struct ts_out *out);
int ts_agreement_android_put_json(const struct ts_android_agreement *agreement,
                                  struct ts_out *out) TS_MUST_CHECK;

#endif
