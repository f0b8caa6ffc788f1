/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: blocks that a screen fades as one. What a moving thing covers or uncovers
 * goes on from block to block instead: at most those along its rim change at one time. */
#ifndef TS_VISION_AS_ONE_H
#define TS_VISION_AS_ONE_H

#include "vision/edge.h"
#include "vision/track.h"

/* Whether a block beside the edge's and one above or below it go the way that it goes, in the same
 * frames. frame: of the window, at the edge's instant. */
bool ts_fades_as_one(const struct ts_track *track, const struct ts_window *window,
                     const struct ts_edge *edge, size_t frame);

#endif
