/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A video of a launch -> its instants on the screen. */
#ifndef TS_CLI_ANALYZE_VIDEO_H
#define TS_CLI_ANALYZE_VIDEO_H

#include "base/err.h"
#include "model/result.h"

#include <stdint.h>

struct ts_analyze_options {
    const char *video;
    const char *frames_csv; /* NULL: the container's time stamps, taken as the start of exposure */
    bool tap_given;
    int64_t tap_ns; /* host clock with frames_csv, else the container's time; without: frame 0 */
    double latency_ms, exposure_ms, readout_ms; /* NAN: a nominal value with a wide uncertainty */
    double gamma;                               /* NAN: 2.2 */
    enum ts_rule rule;
    double quiet_ms;
};

struct ts_analyze_result {
    struct ts_metric first, last, settled; /* ms from the tap; value NAN: there is none */
    uint32_t flags;
    int frames, dropped;
    double frame_period_ms;
};

/* TS_EIO, TS_EPROTO, TS_ENOTSUP: the video or the CSV; TS_ENOMEM. */
int ts_analyze_video(const struct ts_analyze_options *options, struct ts_analyze_result *result,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
