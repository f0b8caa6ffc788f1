/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: what the stylus covers. */
#ifndef TS_VISION_MASK_H
#define TS_VISION_MASK_H

#include "vision/track.h"

/* The stylus and its shadow: what moved before the tap and hangs together. True when something else
 * changed on the screen before the tap, or too much. */
bool ts_mask_stylus(const struct ts_track *track, const struct ts_vision_view *view, double tap_ms,
                    uint8_t *stylus, uint8_t *scratch);

#endif
