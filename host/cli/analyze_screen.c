/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_screen.h"

#include "media/decode.h"
#include "vision/blocks.h"
#include "vision/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 0.2f /* of a new picture in the smoothed one: noise does not widen the span */

struct span {
    struct ts_camera_geometry camera;
    uint16_t *sums;                   /* owned, all [blocks] */
    float *smooth, *lowest, *highest; /* mean codes */
    size_t frames;
};

static int open_span(struct span *span, const struct ts_decode_frame *frame, struct ts_why *why)
{
    const int across = frame->width_px / TS_BLOCK_PX, down = frame->height_px / TS_BLOCK_PX;
    const size_t blocks = (size_t)across * (size_t)down;
    if (!blocks)
        return ts_fail(why, TS_EPROTO, "frames of %d x %d pixels are too small", frame->width_px,
                       frame->height_px);
    span->camera = (struct ts_camera_geometry){frame->width_px, frame->height_px, across, down, 0};
    span->sums = calloc(blocks, sizeof *span->sums);
    span->smooth = calloc(blocks, sizeof *span->smooth);
    span->lowest = calloc(blocks, sizeof *span->lowest);
    span->highest = calloc(blocks, sizeof *span->highest);
    return span->sums && span->smooth && span->lowest && span->highest ? TS_OK : TS_ENOMEM;
}

static void close_span(struct span *span)
{
    free(span->sums);
    free(span->smooth);
    free(span->lowest);
    free(span->highest);
}

static int take(struct span *span, const struct ts_decode_frame *frame, struct ts_why *why)
{
    const int err = span->frames ? TS_OK : open_span(span, frame, why);
    if (err)
        return err;
    ts_blocks_sum(frame->grey, (size_t)frame->width_px, &span->camera, span->sums);
    const size_t blocks = (size_t)span->camera.blocks_x * (size_t)span->camera.blocks_y;
    for (size_t b = 0; b < blocks; b++) {
        const float code = (float)span->sums[b] / (TS_BLOCK_PX * TS_BLOCK_PX);
        float *smooth = &span->smooth[b];
        *smooth = span->frames ? *smooth + KEPT * (code - *smooth) : code;
        span->lowest[b] = span->frames ? fminf(span->lowest[b], *smooth) : code;
        span->highest[b] = span->frames ? fmaxf(span->highest[b], *smooth) : code;
    }
    span->frames++;
    return TS_OK;
}

int ts_analyze_find_screen(const char *video, struct ts_analyze_options *options,
                           struct ts_why *why)
{
    struct span span = {.frames = 0};
    struct ts_decode *decode = NULL;
    struct ts_decode_frame frame;
    struct ts_why reason = {""};
    if (strcmp(video, "-") == 0)
        return ts_fail(why, TS_EINVAL,
                       "--screen auto goes through the film twice, which a pipe does not allow: "
                       "name a file, or give the corners");
    int err = ts_decode_open(video, &decode, why);
    while (!err) {
        const int more = ts_decode_next(decode, &frame, why);
        if (more <= 0) {
            err = more;
            break;
        }
        err = take(&span, &frame, why);
    }
    if (!err && !span.frames)
        err = ts_fail(why, TS_EPROTO, "%s: no frame that can be decoded", video);
    if (!err &&
        ts_screen_find_moving(&span.camera, span.lowest, span.highest, options->screen_px, &reason))
        err =
            ts_fail(why, TS_EPROTO, "%s: --screen auto: %s; give the corners", video, reason.text);
    options->screen_given = !err;
    ts_decode_close(decode);
    close_span(&span);
    return err;
}
