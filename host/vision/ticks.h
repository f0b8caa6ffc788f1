/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: small places that tick, a clock's seconds or a timer. Each digit is drawn in
 * other blocks, and some change hardly visibly: no block keeps time, the place does. */
#ifndef TS_VISION_TICKS_H
#define TS_VISION_TICKS_H

#include "vision/track.h"
#include "vision/window.h"

/* Adds to endless[blocks]. window: where ticks too weak for the tracker are looked for, NULL:
 * nowhere. scratch: [2][blocks]. */
void ts_ticks_add(const struct ts_track *track, const struct ts_window *window, double end_ms,
                  uint8_t *endless, uint8_t *scratch);

#define TS_TICKS_FOLLOW_MS 2600.0

/* While one looks on: something small has changed by itself since most of the screen came to rest,
 * and may tick, if too weakly for the tracker: one has to look on for TS_TICKS_FOLLOW_MS to tell.
 * scratch: [2][blocks]. */
bool ts_ticks_may_follow(const struct ts_track *track, double now_ms, uint8_t *endless,
                         uint8_t *scratch);

#endif
