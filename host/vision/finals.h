/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the codes at which blocks came to rest, each worked out once: blocks that
 * change together are asked for again and again by those beside them. */
#ifndef TS_VISION_FINALS_H
#define TS_VISION_FINALS_H

#include "vision/window.h"

struct ts_final {
    size_t rest, until, round;
    double code;
};

struct ts_finals {
    const struct ts_window *window; /* borrowed */
    struct ts_final *latest;        /* [blocks] */
    size_t round;                   /* what was worked out in an earlier one is forgotten */
};

int ts_finals_open(struct ts_finals *finals, const struct ts_window *window) TS_MUST_CHECK;
void ts_finals_close(struct ts_finals *finals);
/* To be called when frames or gains of the window have changed. */
void ts_finals_forget(struct ts_finals *finals);
/* A block's mean code over frames rest .. until - 1, or some of them. */
double ts_finals_code(const struct ts_finals *finals, size_t block, size_t rest, size_t until);

#endif
