/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "footage/footage.h"

#include "measure/timeline.h"
#include "media/decode.h"
#include "media/picture.h"
#include "store/files.h"
#include "store/layout.h"

#include <math.h>
#include <stdlib.h>

#define VIDEO "video.mkv"

struct ts_footage {
    struct ts_result result;
    struct ts_calibration calibration;
    double *ms; /* owned, [count] */
    int count;
    struct ts_decode *decode;
    int next;                  /* the picture that the decoder gives next */
    struct ts_picture upright; /* owned */
    struct ts_picture camera;  /* borrowed from the decoder */
};

static int place(struct ts_footage *footage, const struct ts_evidence *evidence)
{
    struct ts_timeline timeline;
    const int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    const struct ts_sync_frames frames = ts_timeline_frames(&timeline, evidence);
    const struct ts_frame_times known =
        ts_timeline_place_frames(&timeline, &frames, &footage->calibration, footage->ms);
    const double middle_ms = (known.exposure_ms + known.readout_ms) / 2 -
                             ts_timeline_ms(&timeline, ts_result_zero(&footage->result)->host_ns);
    for (int n = 0; n < footage->count; n++)
        footage->ms[n] += middle_ms;
    ts_timeline_free(&timeline);
    return TS_OK;
}

/* The times of the pictures. */
static int learn(struct ts_footage *footage, const struct ts_session *session, int launch,
                 struct ts_why *why)
{
    struct ts_evidence evidence = {0};
    int err = ts_session_load_evidence(session, launch, &evidence, why);
    if (err)
        return err;
    footage->count = (int)evidence.frame_count;
    footage->ms = calloc(evidence.frame_count + 1, sizeof *footage->ms);
    if (footage->count < 1)
        err = ts_fail(why, TS_EPROTO, "launch %d has no frames", launch);
    else if (!footage->ms || place(footage, &evidence))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    ts_evidence_free(&evidence);
    return err;
}

bool ts_footage_kept(const struct ts_session *session, int launch)
{
    struct ts_path path;
    return !ts_layout_file(ts_session_get_folder(session), launch, VIDEO, &path, NULL) &&
           ts_file_exists(path.text);
}

int ts_footage_open(const struct ts_session *session, int launch, struct ts_footage **out,
                    struct ts_why *why)
{
    struct ts_path path;
    *out = NULL;
    int err = ts_layout_file(ts_session_get_folder(session), launch, VIDEO, &path, why);
    if (err)
        return err;
    if (!ts_file_exists(path.text))
        return ts_fail(why, TS_EOF, "no video was kept of launch %d", launch);
    struct ts_footage *footage = calloc(1, sizeof *footage);
    if (!footage)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    err = ts_session_load_result(session, launch, &footage->result, why);
    if (!err && isnan(ts_result_zero(&footage->result)->u_ns))
        err = ts_fail(why, TS_ENOTSUP, "launch %d has no %s to count from", launch,
                      ts_result_zero_words(&footage->result));
    if (!err && ts_session_load_calibration(session, &footage->calibration, NULL))
        ts_calibration_nominal(&footage->calibration);
    if (!err)
        err = learn(footage, session, launch, why);
    if (!err)
        err = ts_decode_open(path.text, &footage->decode, why);
    if (err) {
        ts_footage_close(footage);
        return err;
    }
    *out = footage;
    return TS_OK;
}

void ts_footage_close(struct ts_footage *footage)
{
    if (!footage)
        return;
    ts_decode_close(footage->decode);
    ts_picture_free(&footage->upright);
    free(footage->ms);
    free(footage);
}

const struct ts_result *ts_footage_result(const struct ts_footage *footage)
{
    return &footage->result;
}

int ts_footage_count(const struct ts_footage *footage)
{
    return footage->count;
}

double ts_footage_ms(const struct ts_footage *footage, int n)
{
    return footage->ms[n];
}

int ts_footage_at(const struct ts_footage *footage, double ms)
{
    int n = 0;
    while (n + 1 < footage->count && footage->ms[n] < ms)
        n++;
    return n;
}

int ts_footage_picture(struct ts_footage *footage, int n, const struct ts_picture **picture,
                       struct ts_why *why)
{
    const bool anew = footage->next <= n;
    while (footage->next <= n) {
        struct ts_decode_frame frame;
        const int got = ts_decode_next(footage->decode, &frame, why);
        if (got <= 0)
            return got ? got
                       : ts_fail(why, TS_EPROTO, "the video of launch %d ends at picture %d of %d",
                                 footage->result.launch, footage->next, footage->count);
        footage->next++;
        footage->camera = (struct ts_picture){frame.width_px, frame.height_px, 1,
                                              (uint8_t *)(uintptr_t)frame.grey}; /* only read */
    }
    *picture = &footage->camera;
    if (!footage->calibration.screen_known)
        return TS_OK;
    if (anew) {
        ts_picture_free(&footage->upright);
        const int err = ts_picture_rectify(&footage->camera, footage->calibration.screen_px,
                                           &footage->upright, why);
        if (err)
            return err;
    }
    *picture = &footage->upright;
    return TS_OK;
}
