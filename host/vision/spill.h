/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what the lens shows, in one block, of the blocks beside it that go on: a
 * film's rim glimmers as the film does. While the block rests, all that it does in step with them
 * is that. */
#ifndef TS_VISION_SPILL_H
#define TS_VISION_SPILL_H

#include "vision/window.h"

struct ts_spill {
    const struct ts_window *window;
    const uint8_t *endless; /* [blocks] */
    size_t beside;          /* blocks: so far away are those that are looked at */
};

/* Takes it off the block's values[from .. to - 1], learning from the frames rest .. until - 1.
 * False, and nothing done, where none of it is seen. */
bool ts_spill_remove(const struct ts_spill *spill, size_t block, size_t rest, size_t until,
                     size_t from, size_t to, float *values);

#endif
