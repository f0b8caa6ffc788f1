/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a rule of readiness is learned from and applied to: launches of sessions and videos, with
 * their stretches of change seen again by this program's detector. */
#ifndef TS_CLI_READY_LAUNCHES_H
#define TS_CLI_READY_LAUNCHES_H

#include "vision/ready.h"

#include <stddef.h>

struct ts_ready_item {
    char *source;  /* owned: the argument that named it */
    int number;    /* of the launch in its session; 0: a video */
    char app[128]; /* "": not known, of a video */
    struct ts_vision_changes changes;
    struct ts_ready_launch launch; /* points into the item */
    double annotated_ms;           /* from the lift or, in a video, the tap; NAN: not asked for */
    size_t people;                 /* whose median that is */
};

struct ts_ready_items {
    struct ts_ready_item **items; /* owned, and each of them */
    size_t count, capacity;
    size_t unannotated; /* launches passed over for that */
};

/* Adds what `path` names: a session's launches of `app` that nobody excluded, or a video.
 * annotated: only those that people annotated; annotated_ms is then the median of their settled
 * marks, of those that count and were told for sure. TS_EINVAL: a session without the app. */
int ts_ready_items_add(struct ts_ready_items *items, const char *path, const char *app,
                       bool annotated, struct ts_why *why) TS_MUST_CHECK;
void ts_ready_items_free(struct ts_ready_items *items);

#endif
