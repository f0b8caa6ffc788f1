/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One camera frame as the machines above the seam see it: its block sums always, its pixels only
 * while somebody may still want to keep the video (replay has none). */
#ifndef TS_MODEL_FRAME_H
#define TS_MODEL_FRAME_H

#include "base/time.h"

#include <stdbool.h>
#include <stdint.h>

#define TS_BLOCK_PX 5

struct ts_camera_geometry {
    int width_px, height_px;   /* of the picture */
    int blocks_x, blocks_y;    /* width_px / TS_BLOCK_PX, height_px / TS_BLOCK_PX */
    int64_t nominal_period_ns; /* what the camera was asked for; never trusted as measured */
};

/* Reference counted: whoever keeps a frame past the call that handed it over takes a reference. */
struct ts_frame {
    const struct ts_frame_ops *ops;
    uint32_t sequence; /* counted by the source, lost frames included where it can tell */
    struct ts_host_time arrival;
    const uint8_t *pixels; /* grey, width_px x height_px, rows packed; NULL in replay */
    uint16_t *blocks;      /* blocks_x x blocks_y sums of 25 pixels, row by row; owned by the frame.
                              A live or simulated source leaves it to the recorder to fill in. */
};

struct ts_frame_ops {
    void (*retain)(struct ts_frame *frame);
    void (*release)(struct ts_frame *frame);
};

#endif
