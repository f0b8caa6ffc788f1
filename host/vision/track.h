/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: which blocks move, frame by frame, and when they did. It is coarse (a move is
 * known to a frame or two) and cheap: every block of every frame goes through it. */
#ifndef TS_VISION_TRACK_H
#define TS_VISION_TRACK_H

#include "vision/surroundings.h"

#include <math.h>

#define TS_MOVES_KEPT      16
#define TS_MOVES_RATE      3     /* fewer show no rate */
#define TS_MEAN_DIFFERENCE 1.128 /* of two values of one normal noise, standard deviations */

/* Separate moves of one block, ms: number i of `count` is at ms[i % TS_MOVES_KEPT]. */
struct ts_moves {
    uint32_t count;
    float ms[TS_MOVES_KEPT];
};

struct ts_track {
    const struct ts_vision_view *view; /* borrowed */
    size_t across, down, blocks;
    double period_ms;
    size_t learning;                  /* so many frames at first */
    const uint8_t *ignore;            /* borrowed, never NULL */
    float *rest;                      /* [blocks] the level at which it rests, sums */
    float *was;                       /* [blocks] the same before its latest moves */
    float *noise;                     /* [blocks] mean |difference| of consecutive frames, sums */
    float *expected;                  /* [blocks] the same as a block of its level should have it */
    double noise_square, noise_slope; /* expected squared: of a dark block, and more per sum */
    float *before;                    /* [blocks] the last frame, row gain divided out */
    float *threshold;                 /* [blocks] further from the rest is a move, sums */
    int8_t *direction;                /* [blocks] of the latest move */
    int8_t *out;        /* [blocks] 1 above, -1 below the threshold in the latest frame */
    uint32_t *moved;    /* [blocks] those that moved in the latest frame ... */
    size_t moved_count; /* ... so many */
    float *last_ms;     /* [blocks] the latest sign of movement; -INFINITY: none */
    float *first_ms;    /* [blocks] the first sign after the tap; INFINITY: none */
    float *untap_ms;    /* [blocks] the latest sign before the tap; -INFINITY: none */
    struct ts_moves *moves;
    float *row_gain;          /* [down] of the latest frame */
    float *gain_sum;          /* [down] of the frames since much of the row moved */
    uint32_t *unlevel;        /* [down] so many more are added up; 0: the rests are level */
    double gain_seen;         /* largest |gain - 1| of a row while at rest before the tap */
    struct ts_samples around; /* none: what is around does not tell the exposure */
    float *start;             /* [blocks] the rests of the beginning */
    float exposure;           /* since then, as far as the rests have followed it */
    float around_seen;        /* its largest difference from that while at rest before the tap */
    size_t frames;
    bool tapped;
};

int ts_track_open(struct ts_track *track, const struct ts_vision_view *view,
                  const uint8_t *ignore) TS_MUST_CHECK;
void ts_track_close(struct ts_track *track);
/* As it was before the first frame. */
void ts_track_forget(struct ts_track *track);
/* As it was before the frame that begins at from_ms and shows these sums, but for what it has
 * learnt of noise and flicker: the frames since are to be given once more. */
void ts_track_rewind(struct ts_track *track, double from_ms, const uint16_t *sums);
void ts_track_frame(struct ts_track *track, double start_ms, const uint16_t *sums);

/* The back-th latest move, 0: the latest. */
static inline double ts_moves_back(const struct ts_moves *moves, size_t back)
{
    return (double)moves->ms[(moves->count - 1 - back) % TS_MOVES_KEPT];
}

static inline size_t ts_moves_known(const struct ts_moves *moves)
{
    return moves->count < TS_MOVES_KEPT ? moves->count : TS_MOVES_KEPT;
}

/* Distances are meant for a picture of 64 blocks across: `near` of those, here, 1 at least. */
static inline size_t ts_track_scaled(const struct ts_track *track, size_t near)
{
    const size_t here = (near * track->across + 32) / 64;
    return here > 0 ? here : 1;
}

/* So many blocks here are one of those. */
static inline size_t ts_track_scale(const struct ts_track *track)
{
    return ts_track_scaled(track, 1);
}

/* Standard deviation of one frame's mean code of a block. */
static inline double ts_track_noise_codes(const struct ts_track *track, size_t block)
{
    const double sums = fmax((double)track->noise[block], (double)track->expected[block]);
    const double noise = sums / (TS_MEAN_DIFFERENCE * TS_BLOCK_PX * TS_BLOCK_PX);
    return noise > 0.15 ? noise : 0.15; /* sums of 25 pixels are rounded too */
}

#endif
