/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inside vision only: stretches of change between rests, as the tracker sees them. */
#ifndef TS_VISION_SCENES_H
#define TS_VISION_SCENES_H

#include "vision/story.h"
#include "vision/track.h"

struct ts_scenes {
    size_t blocks, count;
    struct ts_scene {
        double begin_ms, end_ms;
        uint8_t *seen; /* [blocks] 1: moved in it */
    } scene[TS_EPISODES_MOST];
};

int ts_scenes_open(struct ts_scenes *scenes, size_t blocks) TS_MUST_CHECK;
void ts_scenes_close(struct ts_scenes *scenes);
/* The block moved in the frame of now_ms. */
void ts_scenes_move(struct ts_scenes *scenes, double now_ms, size_t block);
/* Fills episodes[] of *out, whose first and settled are known. counts: [blocks] 1: neither ignored
 * nor endless. */
void ts_scenes_result(const struct ts_scenes *scenes, const struct ts_vision_view *view,
                      double tap_ms, const struct ts_story *stories, const uint8_t *counts,
                      struct ts_vision_changes *out);

#endif
