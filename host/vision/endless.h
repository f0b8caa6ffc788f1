/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: regions that go on changing (spinner, video, caret, clock, carousel). */
#ifndef TS_VISION_ENDLESS_H
#define TS_VISION_ENDLESS_H

#include "vision/track.h"

/* scratch: [4][blocks]. Marks in endless[blocks] what goes on changing until end_ms; returns how
 * many blocks it takes. */
size_t ts_endless_find(const struct ts_track *track, double quiet_ms, double end_ms,
                       uint8_t *endless, uint8_t *scratch);

#endif
