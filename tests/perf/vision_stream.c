/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision_speed.h"

#include "base/rng.h"
#include "media/decode.h"
#include "perf.h"
#include "vision/blocks.h"
#include "vision/detector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS       9
#define PERIOD_MS    (1000.0 / 120)
#define QUIET_MS     2000
#define RATE_LIMIT   20000 /* frames/s */
#define DECODE_LIMIT 2.0   /* decoding is at least half of it */

/* The detector's answer and how it was come by, kept so that no work can be left out. */
struct analysis {
    struct ts_detector *detector;
    struct ts_vision_changes changes;
    size_t certain;
    int err;
};

static void begin(struct analysis *analysis, const struct ts_camera_geometry *camera)
{
    const struct ts_vision_view view = {
        .camera = camera,
        .period_ms = PERIOD_MS,
        .exposure_ms = 0.5 * PERIOD_MS,
        .readout_ms = 0.8 * PERIOD_MS,
        .gamma = 2.2,
        .start_u_ms = 0.3,
        .exposure_u_ms = 0.5,
        .readout_u_ms = 0.5,
        .stylus_from_ms = NAN,
        .stylus_down_ms = NAN,
        .stylus_up_ms = NAN,
        .quiet_ms = QUIET_MS,
    };
    analysis->detector = NULL;
    analysis->err = ts_detector_open(&view, TS_RULE_ROBUST, &analysis->detector);
}

static void add(struct analysis *analysis, const struct ts_camera_geometry *camera, size_t n,
                double start_ms, const uint8_t *pixels, uint16_t *blocks)
{
    ts_blocks_sum(pixels, (size_t)camera->width_px, camera, blocks);
    if (!analysis->err)
        analysis->err = ts_detector_frame(analysis->detector, (uint32_t)n, start_ms, blocks);
    if (!analysis->err)
        analysis->certain += ts_detector_is_certain(analysis->detector);
}

static void finish(struct analysis *analysis)
{
    if (!analysis->err)
        analysis->err = ts_detector_result(analysis->detector, &analysis->changes);
    ts_detector_close(analysis->detector);
}

/* A launch as a camera sends it: rest, a cut, rest, a fade, a spinner on it, the content, rest. */
enum {
    WIDTH = 320,
    HEIGHT = 240,
    FRAMES = 600,
    BEFORE = 60, /* frames before t0 */
    CUT = 90,
    FADE = 130,
    FADE_FRAMES = 30,
    SPINNER = 160,
    CONTENT = 280,
    LAUNCHES = 3 /* in one pass, with a fresh detector each */
};

struct stream {
    struct ts_camera_geometry camera;
    uint8_t *pixels; /* [FRAMES][HEIGHT][WIDTH] */
    uint16_t *blocks;
    struct analysis analysis;
};

static int code_at(int frame, int x, int y)
{
    const bool in_list = y > 40 && y % 30 < 18 && x > 20 && x < 300;
    if (frame >= CONTENT)
        return in_list ? 90 : 215;
    const int turned = (frame - SPINNER) / 4 % 8;
    if (frame >= SPINNER && abs(x - 160) < 16 && abs(y - 120) < 16 && (x / 8 + y / 8) % 8 == turned)
        return 60;
    if (frame >= FADE)
        return 120 + 80 * (frame < FADE + FADE_FRAMES ? frame - FADE : FADE_FRAMES) / FADE_FRAMES;
    return frame >= CUT ? 120 : 60 + x / 20 % 4 * 30 + y / 20 % 4 * 10;
}

static void make_stream(struct stream *stream)
{
    enum { NOISE = 1 << 16 };
    *stream = (struct stream){.camera = {WIDTH, HEIGHT, WIDTH / TS_BLOCK_PX, HEIGHT / TS_BLOCK_PX,
                                         (int64_t)(PERIOD_MS * 1e6)}};
    stream->pixels = perf_alloc((size_t)FRAMES * WIDTH * HEIGHT);
    stream->blocks =
        perf_alloc((size_t)(WIDTH / TS_BLOCK_PX * (HEIGHT / TS_BLOCK_PX)) * sizeof *stream->blocks);
    int8_t *noise = perf_alloc(NOISE);
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (size_t n = 0; n < NOISE; n++)
        noise[n] = (int8_t)lround(fmax(-8, fmin(8, 2 * ts_rng_normal(&rng))));
    uint8_t *pixel = stream->pixels;
    for (int frame = 0; frame < FRAMES; frame++) {
        const size_t from = ts_rng_below(&rng, NOISE);
        for (int y = 0; y < HEIGHT; y++) {
            for (int x = 0; x < WIDTH; x++, pixel++)
                *pixel = (uint8_t)(code_at(frame, x, y) +
                                   noise[(from + (size_t)(y * WIDTH + x)) % NOISE]);
        }
    }
    free(noise);
}

static void sums_only(void *work)
{
    struct stream *stream = work;
    for (size_t launch = 0; launch < LAUNCHES; launch++) {
        for (size_t n = 0; n < FRAMES; n++)
            ts_blocks_sum(stream->pixels + n * WIDTH * HEIGHT, WIDTH, &stream->camera,
                          stream->blocks);
    }
}

static void whole_analysis(void *work)
{
    struct stream *stream = work;
    for (size_t launch = 0; launch < LAUNCHES; launch++) {
        begin(&stream->analysis, &stream->camera);
        for (size_t n = 0; n < FRAMES; n++)
            add(&stream->analysis, &stream->camera, n, ((double)n - BEFORE) * PERIOD_MS,
                stream->pixels + n * WIDTH * HEIGHT, stream->blocks);
        finish(&stream->analysis);
    }
}

static int race_stream(void)
{
    enum { SUMS, WHOLE, COUNT };
    struct perf_racer racers[COUNT] = {
        [SUMS] = {"block sums", sums_only, 0},
        [WHOLE] = {"block sums and detector, to the result", whole_analysis, 0},
    };
    struct stream stream;
    make_stream(&stream);
    perf_race(racers, COUNT, ROUNDS, &stream);
    printf("\non-line analysis of a %dx%d launch, %d frames, best of %d\n", WIDTH, HEIGHT, FRAMES,
           ROUNDS);
    for (size_t n = 0; n < COUNT; n++)
        printf("  %-40s %9.2f us/frame %8.0f frames/s\n", racers[n].name,
               racers[n].best_s * 1e6 / (LAUNCHES * FRAMES), LAUNCHES * FRAMES / racers[n].best_s);
    perf_say_rate("whole analysis", LAUNCHES * FRAMES / racers[WHOLE].best_s, "frames", RATE_LIMIT);
    printf("  (first change %.1f ms, settled %.1f ms)\n", stream.analysis.changes.first.value,
           stream.analysis.changes.settled.value);
    free(stream.pixels);
    free(stream.blocks);
    if (stream.analysis.err)
        fprintf(stderr, "vision-speed: the detector: %s\n", ts_err_text(stream.analysis.err));
    return stream.analysis.err ? 1 : 0;
}

/* A recording, and what became of the last pass over it. */
struct recording {
    char path[512];
    size_t frames;
    struct ts_why why;
    struct analysis analysis;
};

static int pass_over(struct recording *recording, bool analyse)
{
    struct ts_decode *decode;
    struct ts_decode_frame frame;
    struct ts_camera_geometry camera = {0};
    uint16_t *blocks = NULL;
    int err = ts_decode_open(recording->path, &decode, &recording->why);
    if (err)
        return err;
    recording->frames = 0;
    while ((err = ts_decode_next(decode, &frame, &recording->why)) > 0) {
        if (analyse && recording->frames == 0) {
            camera = (struct ts_camera_geometry){frame.width_px, frame.height_px,
                                                 frame.width_px / TS_BLOCK_PX,
                                                 frame.height_px / TS_BLOCK_PX, 0};
            blocks = perf_alloc((size_t)camera.blocks_x * (size_t)camera.blocks_y * sizeof *blocks);
            begin(&recording->analysis, &camera);
        }
        if (analyse)
            add(&recording->analysis, &camera, recording->frames, (double)frame.pts_ns / 1e6,
                frame.grey, blocks);
        recording->frames++;
    }
    if (blocks)
        finish(&recording->analysis);
    free(blocks);
    ts_decode_close(decode);
    return err ? err : recording->analysis.err;
}

static void decode_only(void *work)
{
    struct recording *recording = work;
    recording->analysis.err = pass_over(recording, false);
}

static void decode_and_analyse(void *work)
{
    struct recording *recording = work;
    recording->analysis.err = pass_over(recording, true);
}

static int race_recording(const char *name)
{
    struct recording recording = {0};
    enum { DECODE, ANALYSE, COUNT };
    struct perf_racer racers[COUNT] = {
        [DECODE] = {"decoding alone", decode_only, 0},
        [ANALYSE] = {"decoding, block sums and detector", decode_and_analyse, 0},
    };
    snprintf(recording.path, sizeof recording.path, "%s/fixtures/recordings/%s.nut", TS_SOURCE_DIR,
             name);
    perf_race(racers, COUNT, ROUNDS, &recording);
    if (recording.analysis.err) {
        fprintf(stderr, "vision-speed: %s: %s\n", recording.path,
                recording.why.text[0] ? recording.why.text : ts_err_text(recording.analysis.err));
        return 1;
    }
    printf("\n%s.nut, %zu frames, best of %d\n", name, recording.frames, ROUNDS);
    for (size_t n = 0; n < COUNT; n++)
        printf("  %-40s %9.2f us/frame\n", racers[n].name,
               racers[n].best_s * 1e6 / (double)recording.frames);
    perf_say_ratio("analyze / decoding", racers[ANALYSE].best_s / racers[DECODE].best_s,
                   PERF_AT_MOST, DECODE_LIMIT);
    return 0;
}

int perf_vision_stream(void)
{
    static const char *const recordings[] = {"gallery", "gallery_busy"};
    int status = race_stream();
    for (size_t n = 0; n < sizeof recordings / sizeof *recordings; n++)
        status |= race_recording(recordings[n]);
    return status;
}
