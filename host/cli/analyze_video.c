/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/analyze_video.h"

#include "cli/analyze_clock.h"
#include "cli/analyze_screen.h"
#include "media/decode.h"
#include "vision/blocks.h"
#include "vision/screen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GAMMA        2.2
#define PASSES_MOST  3
#define REPEATS_MOST 2000 /* of a picture that stands */
#define TELL_EVERY   16   /* frames */
#define QUIET_MS     1000

struct film {
    const struct ts_analyze_options *options;
    struct ts_decode *decode;
    struct ts_decode_about about;
    struct ts_film_clock clock;
    struct ts_times_learner decoded; /* what the decoded frames' stamps say */
    struct ts_detector *detector;
    struct ts_camera_geometry camera;
    uint16_t *blocks, *before; /* owned, [blocks]; of this frame and the one before */
    uint8_t *outside;          /* owned, [blocks] 1: not the display; NULL: all of it is */
    size_t frames, dropped;
    struct ts_film_place last;
    uint32_t fed; /* sequence given last, repeats counted */
};

/* Forgets all but the options and the clock. */
static void rewind_film(struct film *film)
{
    ts_decode_close(film->decode);
    ts_detector_close(film->detector);
    free(film->blocks);
    free(film->before);
    free(film->outside);
    *film = (struct film){.options = film->options, .clock = film->clock, .about = film->about};
}

static int find_outside(struct film *film, struct ts_why *why)
{
    if (!film->options->screen_given)
        return TS_OK;
    const size_t blocks = (size_t)film->camera.blocks_x * (size_t)film->camera.blocks_y;
    size_t outside = 0;
    film->outside = malloc(blocks);
    if (!film->outside)
        return TS_ENOMEM;
    ts_screen_mask(&film->camera, film->options->screen_px, TS_SCREEN_MARGIN_PX, film->outside);
    for (size_t b = 0; b < blocks; b++)
        outside += film->outside[b];
    if (outside < blocks)
        return TS_OK;
    return ts_fail(why, TS_EINVAL,
                   "--screen: nothing of the picture (%d x %d pixels) is inside these corners; "
                   "they go clockwise from the display's top left",
                   film->camera.width_px, film->camera.height_px);
}

/* What waits for the first frame: its size. */
static int start(struct film *film, const struct ts_decode_frame *frame, struct ts_why *why)
{
    const struct ts_film_clock *clock = &film->clock;
    const int across = frame->width_px / TS_BLOCK_PX, down = frame->height_px / TS_BLOCK_PX;
    const size_t blocks = (size_t)across * (size_t)down;
    if (blocks == 0)
        return ts_fail(why, TS_EPROTO, "%s: frames of %d x %d pixels are too small",
                       film->options->video, frame->width_px, frame->height_px);
    film->camera = (struct ts_camera_geometry){frame->width_px, frame->height_px, across, down, 0};
    film->blocks = calloc(blocks, sizeof *film->blocks);
    film->before = calloc(blocks, sizeof *film->before);
    const int err = film->blocks && film->before ? find_outside(film, why) : TS_ENOMEM;
    if (err)
        return err;
    const struct ts_vision_view view = {
        .camera = &film->camera,
        .period_ms = clock->period_ms,
        .exposure_ms = clock->exposure_ms,
        .readout_ms = clock->readout_ms,
        .gamma = isnan(film->options->gamma) ? GAMMA : film->options->gamma,
        .start_u_ms = clock->start_u_ms,
        .exposure_u_ms = clock->exposure_u_ms,
        .readout_u_ms = clock->readout_u_ms,
        .ignore = film->outside,
        .stylus_from_ms = NAN,
        .stylus_down_ms = NAN,
        .stylus_up_ms = NAN,
        .quiet_ms = film->options->quiet_ms,
    };
    return ts_detector_open(&view, film->options->rule, &film->detector);
}

/* A screen recorder writes nothing while nothing changes: the picture stood, which is seen as rest
 * only when it is given again and again. */
static int repeat(struct film *film, const struct ts_film_place *place)
{
    const double gap = place->start_ms - film->last.start_ms;
    const double step = fmax(film->clock.period_ms, gap / REPEATS_MOST);
    int err = TS_OK;
    for (int n = 1; !err && (n + 0.5) * step < gap; n++)
        err = ts_detector_frame(film->detector, ++film->fed, film->last.start_ms + n * step,
                                film->before);
    return err;
}

static int take_frame(struct film *film, const struct ts_decode_frame *frame,
                      const struct ts_film_place *place, struct ts_why *why)
{
    int err = film->frames == 0 ? start(film, frame, why) : TS_OK;
    if (err)
        return err;
    ts_blocks_sum(frame->grey, (size_t)frame->width_px, &film->camera, film->blocks);
    const uint32_t step = film->frames ? place->sequence - film->last.sequence : 1;
    if (film->clock.recording && step > 1)
        err = repeat(film, place);
    else if (step > 1)
        film->dropped += step - 1;
    if (!err) {
        film->fed += film->clock.recording ? 1 : step;
        err = ts_detector_frame(film->detector, film->fed, place->start_ms, film->blocks);
    }
    uint16_t *spare = film->before;
    film->before = film->blocks;
    film->blocks = spare;
    film->last = *place;
    film->frames++;
    return err;
}

/* Once through the film, as far as the clock fits it; nothing but its stamps when there is none. */
static int watch(struct film *film, struct ts_why *why)
{
    struct ts_decode_frame frame;
    struct ts_film_place place;
    film->decoded = (struct ts_times_learner){.grain_ms = film->about.grain_ms,
                                              .recording = film->clock.recording};
    int err;
    while ((err = ts_decode_next(film->decode, &frame, why)) > 0) {
        ts_times_learn(&film->decoded, frame.pts_ns);
        if (!film->clock.known)
            continue;
        err = ts_film_clock_place(&film->clock, frame.pts_ns, &place, why);
        if (!err && film->clock.misfit)
            return TS_OK;
        if (!err)
            err = take_frame(film, &frame, &place, why);
        if (err)
            return err;
        if (film->options->tell && film->frames % TELL_EVERY == 0)
            film->options->tell(film->options->tell_user, film->frames, film->clock.frames);
    }
    return err;
}

/* After a pass: packets promise pictures that decoding may not give, and stamp them otherwise.
 * Then the film is gone through once more, by what decoding gave. */
static bool try_again(struct film *film)
{
    struct ts_times times;
    if (film->clock.misfit) {
        times = film->clock.times;
        times.even = false;
        film->clock.fixed = true;
    } else if (film->clock.fixed || ts_times_learnt(&film->decoded, &times) ||
               (film->clock.known && ts_times_agree(&film->clock.times, &times))) {
        return false;
    }
    ts_film_clock_set(&film->clock, &times);
    return true;
}

static int watch_well(struct film *film, struct ts_why *why)
{
    for (int pass = 0; pass < PASSES_MOST; pass++) {
        int err = film->decode ? TS_OK : ts_decode_open(film->options->video, &film->decode, why);
        if (!err)
            err = watch(film, why);
        if (err || !try_again(film))
            return err;
        rewind_film(film);
    }
    return ts_fail(why, TS_EPROTO, "%s: its frames have other times whenever they are decoded",
                   film->options->video);
}

static int give_result(struct film *film, struct ts_analyze_result *result, struct ts_why *why)
{
    if (film->frames < 2)
        return ts_fail(why, TS_EPROTO, "%s: %s: there is nothing to compare", film->options->video,
                       film->decoded.count ? "only one frame" : "no frame that can be decoded");
    int err = ts_film_clock_end(&film->clock, why);
    if (err)
        return err;
    err = ts_detector_result(film->detector, &result->changes);
    result->camera = film->camera;
    result->frames = film->frames;
    result->dropped = film->dropped;
    result->frame_period_ms = film->clock.period_ms;
    result->screen_known = film->options->screen_given;
    memcpy(result->screen_px, film->options->screen_px, sizeof result->screen_px);
    return err;
}

struct ts_analyze_options ts_analyze_usual(const char *video)
{
    const double unsaid = (double)NAN;
    return (struct ts_analyze_options){
        .video = video,
        .given = {.latency_ms = unsaid, .exposure_ms = unsaid, .readout_ms = unsaid},
        .gamma = unsaid,
        .rule = TS_RULE_ROBUST,
        .quiet_ms = QUIET_MS};
}

int ts_analyze_video(const struct ts_analyze_options *options, struct ts_analyze_result *result,
                     struct ts_why *why)
{
    struct ts_analyze_options found = *options;
    struct film film = {.options = &found};
    int err = options->screen_sought ? ts_analyze_find_screen(options->video, &found, why) : TS_OK;
    if (!err)
        err = ts_decode_open(options->video, &film.decode, why);
    if (err)
        return err;
    film.about = ts_decode_about(film.decode);
    err = ts_film_clock_learn(&film.clock, &found, &film.about, why);
    if (!err)
        err = watch_well(&film, why);
    if (!err)
        err = give_result(&film, result, why);
    rewind_film(&film);
    ts_film_clock_free(&film.clock);
    return err == TS_ENOMEM ? ts_fail(why, err, "not enough memory for this video") : err;
}
