/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: which blocks do not count. Masks are [blocks], 1 = of that kind. */
#ifndef TS_VISION_MASK_H
#define TS_VISION_MASK_H

#include "vision/track.h"

/* Regions that go on changing until end_ms; returns how many blocks they take. */
size_t ts_mask_endless(const struct ts_track *track, double quiet_ms, double end_ms,
                       uint8_t *endless, uint8_t *scratch);
/* The stylus and its shadow: what moved before the tap and hangs together. True when something else
 * changed on the screen before the tap, or too much. */
bool ts_mask_stylus(const struct ts_track *track, const struct ts_vision_view *view, double tap_ms,
                    uint8_t *stylus, uint8_t *scratch);

#endif
