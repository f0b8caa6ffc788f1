/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The bytes are a film: its stamps, its frames, and what the detector makes of the first of them.
 */
#include "media/decode.h"
#include "vision/blocks.h"
#include "vision/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define FRAMES_MOST 40
#define PIXELS_MOST (8l << 20) /* of all frames together, so that no input takes long */
#define STAMPS_MOST 10000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct count {
    int64_t last_ns;
    int stamps, falls;
};

static bool take(void *user, int64_t pts_ns)
{
    struct count *count = user;
    if (count->stamps++ && pts_ns < count->last_ns)
        count->falls++;
    count->last_ns = pts_ns;
    return count->stamps < STAMPS_MOST;
}

static int open_detector(const struct ts_camera_geometry *camera, struct ts_detector **out)
{
    const struct ts_vision_view view = {.camera = camera,
                                        .period_ms = 8,
                                        .exposure_ms = 4,
                                        .readout_ms = 6,
                                        .gamma = 2.2,
                                        .start_u_ms = 1,
                                        .exposure_u_ms = 1,
                                        .readout_u_ms = 1,
                                        .stylus_from_ms = NAN,
                                        .stylus_down_ms = NAN,
                                        .stylus_up_ms = NAN,
                                        .quiet_ms = 100};
    return ts_detector_open(&view, TS_RULE_ROBUST, out);
}

static void watch(struct ts_decode *decode)
{
    struct ts_decode_frame frame;
    struct ts_why why;
    struct ts_detector *detector = NULL;
    struct ts_camera_geometry camera = {0};
    uint16_t *blocks = NULL;
    long pixels = 0;
    for (uint32_t n = 0; n < FRAMES_MOST && pixels < PIXELS_MOST; n++) {
        if (ts_decode_next(decode, &frame, &why) <= 0)
            break;
        pixels += (long)frame.width_px * frame.height_px;
        if (n == 0) {
            camera = (struct ts_camera_geometry){frame.width_px, frame.height_px,
                                                 frame.width_px / 5, frame.height_px / 5, 0};
            blocks = calloc((size_t)camera.blocks_x * (size_t)camera.blocks_y + 1, 2);
            if (!blocks || camera.blocks_x < 1 || camera.blocks_y < 1 || pixels > PIXELS_MOST / 8 ||
                open_detector(&camera, &detector))
                break;
        }
        ts_blocks_sum(frame.grey, (size_t)frame.width_px, &camera, blocks);
        if (ts_detector_frame(detector, n, 8.0 * n - 40, blocks))
            break;
    }
    struct ts_vision_changes changes;
    if (detector && ts_detector_result(detector, &changes) == TS_OK && changes.flags == ~0u)
        abort();
    ts_detector_close(detector);
    free(blocks);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    struct ts_decode *decode;
    struct ts_why why = {""};
    struct count count = {0};
    const int file = memfd_create("film", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (ts_decode_stamps(path, take, &count, &why) == TS_OK && count.stamps < 0)
        abort();
    if (ts_decode_open(path, &decode, &why) == TS_OK) {
        watch(decode);
        ts_decode_close(decode);
    } else if (!why.text[0]) {
        abort(); /* a reason is always told */
    }
    close(file);
    return 0;
}
