/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A video of a launch -> its instants on the screen. The film is a stream: memory does not grow
 * with its length. */
#ifndef TS_CLI_ANALYZE_VIDEO_H
#define TS_CLI_ANALYZE_VIDEO_H

#include "vision/detector.h"

#include <stdint.h>

/* What is said of when the frames of a film were taken. */
struct ts_film_given {
    const char *frames_csv; /* NULL: the container's time stamps, taken as the start of exposure */
    bool tap_given;
    int64_t tap_ns; /* host clock with frames_csv, else the container's time; without: frame 0 */
    double latency_ms, exposure_ms, readout_ms; /* NAN: a nominal value with a wide uncertainty.
                                                   exposure 0: a recording of a screen */
};

struct ts_analyze_options {
    const char *video; /* "-": standard input */
    struct ts_film_given given;
    double gamma; /* NAN: 2.2 */
    enum ts_rule rule;
    double quiet_ms;
    bool screen_given;
    bool screen_sought;     /* the film is gone through once before, for where it changes */
    double screen_px[4][2]; /* the display's corners in the picture, clockwise from its top left */
    /* Called now and then: so many frames of `expected` are done (0: nobody knows); or NULL. */
    void (*tell)(void *user, size_t done, size_t expected);
    void *tell_user;
};

struct ts_analyze_result {
    struct ts_vision_changes changes; /* ms from the tap */
    struct ts_camera_geometry camera;
    size_t frames, dropped;
    double frame_period_ms;
    bool screen_known; /* given, or found */
    double screen_px[4][2];
};

/* Those of a command line that names the film and no more. */
struct ts_analyze_options ts_analyze_usual(const char *video);

/* TS_EIO, TS_EPROTO, TS_ENOTSUP: the video or the CSV; TS_EINVAL: the screen's corners; TS_ENOMEM.
 */
int ts_analyze_video(const struct ts_analyze_options *options, struct ts_analyze_result *result,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
