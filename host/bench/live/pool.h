/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A fixed pool of frames (some two seconds of them), owned by a camera: capture allocates nothing.
 * References are counted with atomics, since recorder and detector let go on other threads than
 * the one that fills. */
#ifndef TS_LIVE_POOL_H
#define TS_LIVE_POOL_H

#include "base/err.h"
#include "model/frame.h"

#include <stddef.h>

struct ts_frame_pool;

int ts_frame_pool_create(const struct ts_camera_geometry *geometry, size_t count,
                         struct ts_frame_pool **out) TS_MUST_CHECK;
/* Lives on until the last frame has come back. */
void ts_frame_pool_close(struct ts_frame_pool *pool);

/* A frame to fill, with one reference; *pixels is where (grey, rows packed; the frame's own
 * `pixels`). NULL: none is free, so this one is to be dropped and counted. */
struct ts_frame *ts_frame_pool_take(struct ts_frame_pool *pool, uint8_t **pixels);

#endif
