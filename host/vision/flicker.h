/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: mains light and pulse-width dimmed displays modulate brightness by a per cent
 * or two, in bands that roll over the picture. */
#ifndef TS_VISION_FLICKER_H
#define TS_VISION_FLICKER_H

#include "vision/window.h"

#define TS_FLICKERS 3

/* One sinusoid of relative brightness as the frame rate samples it; each row of blocks has its own
 * amplitude and phase, so that neither the true frequency nor the readout time need be known. */
struct ts_flicker {
    size_t count; /* sinusoids */
    size_t down;  /* rows of blocks */
    double hz[TS_FLICKERS];
    float *cosine[TS_FLICKERS], *sine[TS_FLICKERS]; /* [down] amplitudes */
    bool sure;      /* its frequencies have been learnt well enough to stay */
    double zero_ms; /* of its phases */
    float *turn;    /* [2][down] working memory */
    float *ratio;   /* [capacity][down] working memory: relative brightness - 1 */
    float *weight;  /* [down] steady blocks */
};

int ts_flicker_open(struct ts_flicker *flicker, const struct ts_window *window) TS_MUST_CHECK;
void ts_flicker_close(struct ts_flicker *flicker);
/* What has been learnt; both are for windows of one size. */
void ts_flicker_copy(struct ts_flicker *to, const struct ts_flicker *from);
/* Learns it from frames from .. to - 1, in which all blocks but those with skip[block] != 0 are
 * believed to rest. As before, when there are too few frames or blocks. */
void ts_flicker_learn(struct ts_flicker *flicker, const struct ts_window *window, size_t from,
                      size_t to, const uint8_t *skip);
/* Divides it out of all frames of the window (multiplies into scale). */
void ts_flicker_remove(const struct ts_flicker *flicker, struct ts_window *window);

#endif
