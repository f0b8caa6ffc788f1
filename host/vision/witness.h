/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: blocks that go on tell of one beside them whether it moves with them. */
#ifndef TS_VISION_WITNESS_H
#define TS_VISION_WITNESS_H

#include "vision/track.h"

#define TS_WITNESS_NEAR 2 /* coarse blocks: next to each other */

/* Do the blocks next to it that go on tell why it moved? Each time they did, by more than chance;
 * or it moves nearly as often as they do, and still does. */
bool ts_witness_explains(const struct ts_track *track, const uint8_t *endless, double end_ms,
                         size_t block);

#endif
