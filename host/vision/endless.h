/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: regions that go on changing (spinner, video, caret, clock, carousel). */
#ifndef TS_VISION_ENDLESS_H
#define TS_VISION_ENDLESS_H

#include "vision/track.h"
#include "vision/window.h"

/* scratch: [4][blocks]. Marks in endless[blocks] what goes on changing until end_ms; returns how
 * many blocks it takes. window: the frames, for a result; NULL, while one looks on, takes less time
 * and leaves out what no frame by itself shows. */
size_t ts_endless_find(const struct ts_track *track, const struct ts_window *window,
                       double quiet_ms, double end_ms, uint8_t *endless, uint8_t *scratch);

#endif
