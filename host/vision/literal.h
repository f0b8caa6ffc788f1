/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: the original's rule, literally. Paper E, section 3: |sum25(t) - sum25(t-1)|
 * >= 638 in at least one 5x5 block; the end is the last changed frame. */
#ifndef TS_VISION_LITERAL_H
#define TS_VISION_LITERAL_H

#include "vision/losses.h"

struct ts_literal {
    const struct ts_vision_view *view; /* borrowed */
    uint16_t *before;                  /* [blocks] of the latest frame */
    size_t blocks, frames;
    double start_ms;
    struct ts_metric first, last;
};

int ts_literal_open(struct ts_literal *literal, const struct ts_vision_view *view) TS_MUST_CHECK;
void ts_literal_close(struct ts_literal *literal);
void ts_literal_frame(struct ts_literal *literal, double start_ms, double tap_ms,
                      const uint16_t *sums);
void ts_literal_result(const struct ts_literal *literal, double tap_ms,
                       struct ts_vision_changes *out);

#endif
