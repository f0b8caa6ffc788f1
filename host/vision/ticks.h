/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: small places that tick, a clock's seconds or a timer. Each digit is drawn in
 * other blocks, and some change hardly visibly: no block keeps time, the place does. */
#ifndef TS_VISION_TICKS_H
#define TS_VISION_TICKS_H

#include "vision/track.h"

/* Adds to endless[blocks]. scratch: [2][blocks]. */
void ts_ticks_add(const struct ts_track *track, double end_ms, uint8_t *endless, uint8_t *scratch);

#endif
