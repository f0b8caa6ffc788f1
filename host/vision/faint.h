/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: steps of a small place too weak for a frame to show. The means of the frames
 * before and after do. */
#ifndef TS_VISION_FAINT_H
#define TS_VISION_FAINT_H

#include "vision/region.h"
#include "vision/track.h"
#include "vision/window.h"

#define TS_FAINT_STEPS_MOST 16

struct ts_faint_steps {
    size_t count;
    double ms[TS_FAINT_STEPS_MOST]; /* latest first */
};

/* Every step that a block in the box makes and the window's frames show, weak or not; those less
 * than apart_ms after another are one with it. Of more than TS_FAINT_STEPS_MOST: some. */
void ts_faint_find(const struct ts_track *track, const struct ts_window *window,
                   struct ts_region_box box, double apart_ms, struct ts_faint_steps *steps);

#endif
