/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: steps of a small place too weak for a frame to show. The means of the frames
 * before and after do. */
#ifndef TS_VISION_FAINT_H
#define TS_VISION_FAINT_H

#include "vision/region.h"
#include "vision/track.h"
#include "vision/window.h"

/* Fills ms, latest first, with every step that a block in the box makes and the window's frames
 * show, weak or not; those less than apart_ms after another are one with it. Returns how many; of
 * more than `most`: some. */
size_t ts_faint_find(const struct ts_track *track, const struct ts_window *window,
                     struct ts_region_box box, double apart_ms, double *ms, size_t most);

#endif
