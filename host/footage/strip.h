/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch in six pictures: at time zero, at the first change, when 25, 50 and 85 % of the way to
 * the final picture are gone, and settled. */
#ifndef TS_FOOTAGE_STRIP_H
#define TS_FOOTAGE_STRIP_H

#include "footage/footage.h"

#define TS_STRIP_MOST    6
#define TS_STRIP_SIDE_PX 240 /* the longer side of a picture, at most */

struct ts_strip_picture {
    const char *name;   /* "25 %"; static storage */
    double at_ms;       /* after time zero: of what it shows */
    double taken_ms;    /* after time zero: of the picture, the first one not from before */
    struct ts_buf jpeg; /* owned */
    int width_px, height_px;
};

struct ts_strip {
    struct ts_strip_picture pictures[TS_STRIP_MOST]; /* in order of time */
    int count; /* fewer where the launch has no such instant */
};

/* As ts_footage_open(). */
int ts_strip_make(const struct ts_session *session, int launch, struct ts_strip *out,
                  struct ts_why *why) TS_MUST_CHECK;
void ts_strip_free(struct ts_strip *strip);

#endif
