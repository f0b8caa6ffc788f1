/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what happened to one block. Its brightness is cut into rests and changes, a
 * change into monotone steps, and each step is given the instant at which it passed half way. */
#ifndef TS_VISION_STORY_H
#define TS_VISION_STORY_H

#include "vision/barely.h"
#include "vision/edge.h"
#include "vision/finals.h"
#include "vision/line.h"
#include "vision/spill.h"

struct ts_story {
    struct ts_edge first;    /* first step after the tap, half of its begin: see first_step.h */
    struct ts_edge last;     /* latest step after the tap */
    struct ts_edge settled;  /* comes within TS_VISIBLE_CODES of its final value for good */
    struct ts_barely barely; /* whether that can be told */
    float white_ms;          /* what it showed until then cannot: saturated.h; 0: all can */
};

struct ts_story_reader { /* working memory for one block after the other */
    const struct ts_window *window;
    float *values, *calm; /* [frames] */
    struct ts_line_sums sums;
    struct ts_finals finals;
};

int ts_story_open(struct ts_story_reader *reader, const struct ts_window *window) TS_MUST_CHECK;
void ts_story_close(struct ts_story_reader *reader);

/* The first step after tap_ms in frames from .. to - 1. False when there is none. */
bool ts_story_first(struct ts_story_reader *reader, size_t block, size_t from, size_t to,
                    double noise, double tap_ms, struct ts_edge *first);
/* Frames from .. to - 1 are looked at; those from rest on are at rest, and the mean of rest ..
 * until - 1 is the final value. */
struct ts_story_span {
    size_t from, rest, to, until;
    bool drifts;                  /* a gain has been divided out */
    bool crept;                   /* no frame showed a move: see creep.h */
    const struct ts_spill *spill; /* from beside it */
};

/* The last step after tap_ms, and the passage to the final value. */
void ts_story_end(struct ts_story_reader *reader, size_t block, const struct ts_story_span *span,
                  double noise, double tap_ms, struct ts_story *story);

#endif
