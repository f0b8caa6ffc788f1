/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: which blocks belong to regions of which a part is known to go on changing. */
#ifndef TS_VISION_BELONG_H
#define TS_VISION_BELONG_H

#include "vision/track.h"

/* Adds to endless[blocks]. scratch: [4][blocks]. */
void ts_belong_add(const struct ts_track *track, double end_ms, uint8_t *endless, uint8_t *scratch);
/* The block's moves are spread until end_ms: it has rested for no longer than moves that go on at
 * their own rate leave to chance. */
bool ts_belong_goes_on(const struct ts_moves *moves, double end_ms);
/* It is visibly at another level now than before its latest moves. */
bool ts_belong_changed(const struct ts_track *track, size_t block);

#endif
