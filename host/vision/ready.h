/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which of several late changes is "the app is ready": a rule learned for one app from a few
 * launches that people annotated. A rule is one of a small family that a person can read; it points
 * at a stretch of change ("change" below: an episode that is not endless) and says that the app is
 * ready when that ends. */
#ifndef TS_VISION_READY_H
#define TS_VISION_READY_H

#include "vision/detector.h"

/* In order of complexity: where several do equally well, the first of them wins. */
enum ts_ready_kind {
    TS_READY_SETTLED,    /* as without a rule */
    TS_READY_FROM_FIRST, /* the nth change */
    TS_READY_FROM_LAST,  /* the nth change from the last, which is the first */
    TS_READY_PROGRESS,   /* the first change after which visual progress stays at `share` or more */
    TS_READY_COVER,      /* the last change that covers at least `share` of the screen */
    TS_READY_REGION,     /* the last change whose middle lies in `region` */
    TS_READY_KINDS
};
extern const char *const ts_ready_kind_names[]; /* as in files; NULL ends the row */

struct ts_ready_region {
    double x0, y0, x1, y1; /* shares of the screen's width and height, 0..1 */
};

struct ts_ready_rule {
    enum ts_ready_kind kind;
    int nth;                       /* from 1; of the two that count */
    double share;                  /* of progress or of the screen */
    struct ts_ready_region region; /* of TS_READY_REGION */
    int launches;                  /* it was learned from */
    double error_ms;               /* leave-one-out mean |error| */
};

#define TS_READY_WORDS 128
/* "the last change that covers at least 30 % of the screen". */
void ts_ready_describe(const struct ts_ready_rule *rule, char words[TS_READY_WORDS]);
/* TS_EINVAL: it holds a number that no rule has. */
int ts_ready_check(const struct ts_ready_rule *rule) TS_MUST_CHECK;

/* One launch. Episodes' boxes are in blocks of the camera; the screen is the box x0..x1, y0..y1 of
 * blocks in it, the last ones included. */
struct ts_ready_launch {
    const char *app;                         /* NULL: not known */
    const struct ts_vision_changes *changes; /* of the robust rule */
    struct {
        int x0, y0, x1, y1;
    } screen;
};

struct ts_ready_example {
    struct ts_ready_launch launch;
    double annotated_ms; /* from t0: what people said */
};

/* Leave-one-out mean |error|, ms. */
struct ts_ready_report {
    double kind_ms[TS_READY_KINDS]; /* of each kind, its numbers learned without the launch */
    double noise_ms;                /* kinds this close to the best one are as good */
    bool beats_settled;             /* false: the rule is TS_READY_SETTLED */
};

#define TS_READY_LEAST 3 /* annotated launches */

/* For each kind and each launch, the kind's numbers (out of a fixed, short row of each) that suit
 * the other launches best are tried on this one; the mean |error| over launches is the kind's. A
 * rule that finds no change in a launch is wrong by all of the annotated time. Of the kinds whose
 * mean is within one standard error of the best one's (the rule of Breiman et al., Classification
 * and Regression Trees, 1984, section 3.4.3; errors spread by TS_READY_GRAIN_MS at least), the
 * simplest wins; its numbers are those that suit all launches best, the first in the row where
 * several do.
 * TS_EINVAL, with *why: fewer than TS_READY_LEAST launches, launches of different apps, an
 * annotation that is no number. */
int ts_ready_learn(const struct ts_ready_example *examples, size_t count,
                   struct ts_ready_rule *rule, struct ts_ready_report *report,
                   struct ts_why *why) TS_MUST_CHECK;
#define TS_READY_GRAIN_MS 4.0 /* half a frame of those through which people step */

/* When the app was ready; all NAN where the rule finds no such change. u: that of the settled
 * instant and that of the rule (1.25 mean |error|, as for a normal distribution) together. */
struct ts_metric ts_ready_apply(const struct ts_ready_rule *rule,
                                const struct ts_ready_launch *launch);

#endif
