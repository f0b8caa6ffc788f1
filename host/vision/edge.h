/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the instant at which one block passes a level, between frames. */
#ifndef TS_VISION_EDGE_H
#define TS_VISION_EDGE_H

#include "vision/window.h"

#include <math.h>

#define TS_VISIBLE_CODES (0.02 * 255) /* 2 % of full scale */
#define TS_EDGE_FRAMES   10

enum ts_edge_kind {
    TS_EDGE_NONE,
    TS_EDGE_CUT,     /* at once, inside an exposure: the partial value tells when */
    TS_EDGE_BETWEEN, /* at once, between two exposures: ms is the middle of them */
    TS_EDGE_FADE,    /* over several frames: interpolated */
};

struct ts_edge {
    enum ts_edge_kind kind;
    uint32_t block;
    float ms, u_ms;
    float level_u_ms; /* it would be another by so much if the level it arrives at were, by as much
                         as is not known of that: of what arrives slowly; else 0 */
    float share;      /* of the whole passage, that is passed at ms */
    bool slow;        /* noise hides from frame to frame how it arrives */
    bool uncovers;  /* something as dark as a stylus covers or uncovers it, little by little, ... */
    bool is_bright; /* ... or nothing as dark is near, ... */
    bool as_one;    /* ... or its neighbours fade with it; while a stylus leaves slowly */
    float out_before; /* on average in the frames before it arrived, in TS_VISIBLE_CODES;
                         0: too few, or no arrival */
    float old_code, new_code, noise; /* of the whole passage; noise of one frame's code */
    float from_code, to_code;        /* of the step in it that passed the level ... */
    float from_ms;                   /* ... and the begin of the frame that shows from_code */
    /* The frames around: where their exposure of this block began, and its mean codes. */
    uint32_t frames;
    float begin_ms[TS_EDGE_FRAMES], code[TS_EDGE_FRAMES];
};

/* Codes. */
static inline double ts_edge_size(const struct ts_edge *edge)
{
    return fabs((double)edge->new_code - (double)edge->old_code);
}

struct ts_passage {
    const struct ts_window *window;
    const float *values; /* of the block; values[n] is frame n of the window */
    size_t block;
    size_t from, to;          /* frames: the last at rest before, the first at rest after */
    size_t low, high;         /* frames for which there are values: low .. high - 1 */
    float old_code, new_code; /* the rests */
    float noise;              /* codes */
};

/* When the passage crosses old + share * (new - old), 0 < share < 1; the last time it does. */
struct ts_edge ts_passage_edge(const struct ts_passage *passage, double share);
/* The same of a passage that is known to be a fade. */
struct ts_edge ts_passage_fade(const struct ts_passage *passage, double share);

/* Keeps this passage's frames around the edge's instant in it. */
void ts_passage_frames(const struct ts_passage *passage, struct ts_edge *edge);

/* Light of a code, 0..1. */
double ts_code_light(double code, double gamma);

#endif
