/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_video.h"

#include "base/buf.h"
#include "media/decode.h"
#include "media/frames_csv.h"
#include "vision/blocks.h"
#include "vision/detector.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CSV_MOST    (64u << 20)  /* bytes */
#define SUMS_MOST   (2ull << 30) /* bytes of block sums */
#define GAMMA       2.2
#define STAMP_GRAIN 1.1 /* ms: containers round time stamps to as much */
#define LOST_SHARE  1.5 /* periods between two frames: at least one is missing */

/* What a camera of this class does when nobody knows better (facts of the PS3 Eye and of 120 Hz
 * UVC cameras): shares of the frame period, and standard uncertainties. */
#define NOMINAL_LATENCY_MS   3.0
#define NOMINAL_LATENCY_U_MS 3.0
#define NOMINAL_EXPOSURE     0.5
#define NOMINAL_EXPOSURE_U   0.25
#define NOMINAL_READOUT      0.8
#define NOMINAL_READOUT_U    0.2
#define KNOWN_U_MS           0.1 /* of what the user states */

struct video {
    struct ts_camera_geometry camera;
    size_t count, capacity, pts_count, pts_capacity;
    uint16_t **blocks; /* owned, as are the sums */
    int64_t *pts_ns;
};

struct timing {
    double *start_ms; /* [frames], from the tap */
    uint32_t *sequence;
    double period_ms, exposure_ms, readout_ms;
    double start_u_ms, exposure_u_ms, readout_u_ms;
};

static int add_frame(struct video *video, const struct ts_decode_frame *frame, struct ts_why *why)
{
    if (video->count == 0)
        video->camera = (struct ts_camera_geometry){frame->width_px, frame->height_px,
                                                    frame->width_px / TS_BLOCK_PX,
                                                    frame->height_px / TS_BLOCK_PX, 0};
    const size_t size =
        (size_t)video->camera.blocks_x * (size_t)video->camera.blocks_y * sizeof(uint16_t);
    if (size == 0)
        return ts_fail(why, TS_EPROTO, "frames of %d x %d pixels are too small", frame->width_px,
                       frame->height_px);
    if ((video->count + 1) * (unsigned long long)size > SUMS_MOST)
        return ts_fail(why, TS_EPROTO,
                       "the video is too long: cut it to the launch (at this frame size, at most "
                       "%zu frames)",
                       video->count);
    void *blocks = video->blocks, *pts = video->pts_ns;
    uint16_t **slot = ts_grow(&blocks, &video->count, &video->capacity, sizeof *slot);
    video->blocks = blocks;
    int64_t *stamp = ts_grow(&pts, &video->pts_count, &video->pts_capacity, sizeof *stamp);
    video->pts_ns = pts;
    if (!slot || !stamp || !(*slot = malloc(size)))
        return TS_ENOMEM;
    *stamp = frame->pts_ns;
    ts_blocks_sum(frame->grey, (size_t)frame->width_px, &video->camera, *slot);
    return TS_OK;
}

static int read_video(const char *path, struct video *video, struct ts_why *why)
{
    struct ts_decode *decode;
    int err = ts_decode_open(path, &decode, why);
    if (err)
        return err;
    struct ts_decode_frame frame;
    while ((err = ts_decode_next(decode, &frame, why)) > 0) {
        err = add_frame(video, &frame, why);
        if (err)
            break;
    }
    ts_decode_close(decode);
    if (!err && video->count < 2)
        err = ts_fail(why, TS_EPROTO, "%s: %zu frames are not enough", path, video->count);
    return err;
}

static void free_video(struct video *video)
{
    for (size_t n = 0; n < video->count; n++)
        free(video->blocks[n]);
    free(video->blocks);
    free(video->pts_ns);
}

static int read_csv(const char *path, struct ts_frames_csv_row **rows, long *count,
                    struct ts_why *why)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return ts_fail(why, TS_EIO, "%s: %s", path, strerror(errno));
    struct ts_buf text = {0};
    struct ts_why inner = {""};
    char part[65536];
    int err = TS_OK;
    for (size_t got; !err && (got = fread(part, 1, sizeof part, file)) > 0;)
        err = text.size > CSV_MOST ? ts_fail(&inner, TS_EPROTO, "too long")
                                   : ts_buf_append(&text, part, got);
    if (!err && ferror(file))
        err = ts_fail(&inner, TS_EIO, "cannot be read");
    if (!err) {
        *count = ts_frames_csv_parse((const char *)text.data, text.size, rows, &inner);
        err = *count < 0 ? (int)*count : TS_OK;
    }
    if (err && inner.text[0])
        ts_fail(why, err, "%s: %s", path, inner.text);
    ts_buf_free(&text);
    fclose(file);
    return err;
}

static double known(double given, double nominal, double nominal_u, double *u)
{
    *u = isnan(given) ? nominal_u : KNOWN_U_MS;
    return isnan(given) ? nominal : given;
}

static void assume_camera(const struct ts_analyze_options *options, struct timing *timing)
{
    const double period = timing->period_ms;
    timing->exposure_ms = known(options->exposure_ms, NOMINAL_EXPOSURE * period,
                                NOMINAL_EXPOSURE_U * period, &timing->exposure_u_ms);
    timing->readout_ms = known(options->readout_ms, NOMINAL_READOUT * period,
                               NOMINAL_READOUT_U * period, &timing->readout_u_ms);
}

/* A frame arrives readout, exposure and latency after its first row began. */
static int time_by_csv(const struct ts_analyze_options *options, const struct video *video,
                       struct timing *timing, struct ts_why *why)
{
    struct ts_frames_csv_row *rows = NULL;
    long count = 0;
    int err = read_csv(options->frames_csv, &rows, &count, why);
    if (err)
        return err;
    struct ts_frames_line line;
    if ((size_t)count != video->count) {
        err =
            ts_fail(why, TS_EPROTO, "%s has %ld frames, the video %zu: they do not belong together",
                    options->frames_csv, count, video->count);
        goto end;
    }
    err = ts_frames_csv_line(rows, video->count, &line);
    if (err)
        goto end;
    if (!(line.period_ns >= 1e5)) {
        err = ts_fail(why, TS_EPROTO, "%s: the arrivals give no frame rate", options->frames_csv);
        goto end;
    }
    timing->period_ms = line.period_ns / 1e6;
    assume_camera(options, timing);
    double latency_u;
    const double latency =
        known(options->latency_ms, NOMINAL_LATENCY_MS, NOMINAL_LATENCY_U_MS, &latency_u);
    const double zero_ms = options->tap_given ? (double)(rows[0].arrival_ns - options->tap_ns) / 1e6
                                              : latency + timing->readout_ms + timing->exposure_ms -
                                                    line.start_ns / 1e6;
    for (size_t n = 0; n < video->count; n++) {
        timing->sequence[n] = rows[n].sequence;
        timing->start_ms[n] =
            zero_ms +
            (line.start_ns + line.period_ns * (rows[n].sequence - rows[0].sequence)) / 1e6 -
            timing->readout_ms - timing->exposure_ms - latency;
    }
    timing->start_u_ms = hypot(hypot(timing->exposure_u_ms, timing->readout_u_ms), latency_u);
    if (!options->tap_given)
        timing->start_u_ms = 0;
end:
    free(rows);
    return err;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int time_by_container(const struct ts_analyze_options *options, const struct video *video,
                             struct timing *timing, struct ts_why *why)
{
    const size_t count = video->count;
    double *gap = malloc(count * sizeof *gap);
    if (!gap)
        return TS_ENOMEM;
    const int64_t zero_ns = options->tap_given ? options->tap_ns : video->pts_ns[0];
    timing->start_ms[0] = (double)(video->pts_ns[0] - zero_ns) / 1e6;
    for (size_t n = 1; n < count; n++) {
        timing->start_ms[n] = (double)(video->pts_ns[n] - zero_ns) / 1e6;
        gap[n - 1] = timing->start_ms[n] - timing->start_ms[n - 1];
        if (!(gap[n - 1] > 0)) {
            free(gap);
            return ts_fail(why, TS_EPROTO, "frame %zu is not later than the one before it", n);
        }
    }
    qsort(gap, count - 1, sizeof *gap, by_size);
    double period = gap[(count - 1) / 2];
    free(gap);
    for (size_t n = 1; n < count; n++) {
        const double periods = (timing->start_ms[n] - timing->start_ms[n - 1]) / period;
        timing->sequence[n] = timing->sequence[n - 1] +
                              (periods > LOST_SHARE ? (uint32_t)fmin(1e6, round(periods)) : 1);
    }
    /* Stamps rounded to a millisecond lie on a line; stamps of a screen recorder do not. */
    const double steps = timing->sequence[count - 1];
    const double even = (timing->start_ms[count - 1] - timing->start_ms[0]) / steps;
    double worst = 0;
    for (size_t n = 0; n < count; n++)
        worst = fmax(worst,
                     fabs(timing->start_ms[n] - timing->start_ms[0] - even * timing->sequence[n]));
    if (worst < STAMP_GRAIN) {
        const double from = timing->start_ms[0];
        for (size_t n = 1; n < count; n++)
            timing->start_ms[n] = from + even * timing->sequence[n];
        period = even;
    }
    timing->period_ms = period;
    assume_camera(options, timing);
    timing->start_u_ms = worst < STAMP_GRAIN ? 0.3 : 0.1 * period;
    return TS_OK;
}

static int run_rule(const struct ts_analyze_options *options, const struct video *video,
                    const struct timing *timing, struct ts_analyze_result *result)
{
    const struct ts_vision_frames frames = {
        .view =
            {
                .camera = &video->camera,
                .period_ms = timing->period_ms,
                .exposure_ms = timing->exposure_ms,
                .readout_ms = timing->readout_ms,
                .gamma = isnan(options->gamma) ? GAMMA : options->gamma,
                .start_u_ms = timing->start_u_ms,
                .exposure_u_ms = timing->exposure_u_ms,
                .readout_u_ms = timing->readout_u_ms,
                .stylus_from_ms = NAN,
                .stylus_down_ms = NAN,
                .stylus_up_ms = NAN,
                .quiet_ms = options->quiet_ms,
            },
        .count = video->count,
        .blocks = (const uint16_t *const *)video->blocks,
        .start_ms = timing->start_ms,
        .sequence = timing->sequence,
    };
    struct ts_vision_changes changes;
    const int err = ts_detect(&frames, options->rule, &changes);
    if (err)
        return err;
    *result = (struct ts_analyze_result){
        .first = changes.first,
        .last = changes.last,
        .settled = changes.settled,
        .flags = changes.flags,
        .frames = (int)video->count,
        .dropped = (int)(timing->sequence[video->count - 1] - timing->sequence[0] + 1 -
                         (uint32_t)video->count),
        .frame_period_ms = timing->period_ms,
    };
    return TS_OK;
}

int ts_analyze_video(const struct ts_analyze_options *options, struct ts_analyze_result *result,
                     struct ts_why *why)
{
    struct video video = {0};
    struct timing timing = {0};
    int err = read_video(options->video, &video, why);
    if (err)
        goto end;
    timing.start_ms = calloc(video.count + 1, sizeof *timing.start_ms);
    timing.sequence = calloc(video.count + 1, sizeof *timing.sequence);
    if (!timing.start_ms || !timing.sequence)
        err = TS_ENOMEM;
    else if (options->frames_csv)
        err = time_by_csv(options, &video, &timing, why);
    else
        err = time_by_container(options, &video, &timing, why);
    if (!err)
        err = run_rule(options, &video, &timing, result);
end:
    if (err == TS_ENOMEM)
        ts_fail(why, err, "not enough memory for this video");
    free(timing.start_ms);
    free(timing.sequence);
    free_video(&video);
    return err;
}
