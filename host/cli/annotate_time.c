/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/annotate_films.h"

#include "cli/analyze_clock.h"
#include "measure/timeline.h"
#include "media/decode.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct times {
    double *start_ms; /* [frames], when row 0 begins to collect light */
    double exposure_ms, readout_ms;
    const char *zero;
};

/* Places every frame; clock->misfit when the film does not keep to an even clock. */
static int place_all(struct ts_film_clock *clock, const int64_t *stamps_ns, int frames,
                     struct times *times, struct ts_why *why)
{
    for (int n = 0; n < frames; n++) {
        struct ts_film_place place;
        const int err = ts_film_clock_place(clock, stamps_ns[n], &place, why);
        if (err || clock->misfit)
            return err;
        times->start_ms[n] = place.start_ms;
    }
    return ts_film_clock_end(clock, why);
}

/* Takes the stamps of the decoded frames, which the packets' stamps promise but do not always keep.
 */
static void learn_stamps(struct ts_film_clock *clock, const struct ts_decode_about *about,
                         const int64_t *stamps_ns, int frames)
{
    struct ts_times_learner learner = {.grain_ms = about->grain_ms, .recording = clock->recording};
    struct ts_times learnt;
    for (int n = 0; n < frames; n++)
        ts_times_learn(&learner, stamps_ns[n]);
    if (!ts_times_learnt(&learner, &learnt))
        ts_film_clock_set(clock, &learnt);
}

/* As analyze places them. */
static int time_by_clock(const char *video, const struct ts_film_given *given,
                         const int64_t *stamps_ns, int frames, struct times *times,
                         struct ts_why *why)
{
    struct ts_analyze_options options = ts_analyze_usual(video);
    struct ts_film_clock clock = {0};
    struct ts_decode *decode;
    options.given = *given;
    int err = ts_decode_open(video, &decode, why);
    if (err)
        return err;
    const struct ts_decode_about about = ts_decode_about(decode);
    ts_decode_close(decode);
    err = ts_film_clock_learn(&clock, &options, &about, why);
    if (!err && !clock.fixed)
        learn_stamps(&clock, &about, stamps_ns, frames);
    if (!err)
        err = clock.known ? place_all(&clock, stamps_ns, frames, times, why)
                          : ts_fail(why, TS_EPROTO, "%s: its frames have no times", video);
    if (!err && clock.misfit) {
        struct ts_times uneven = clock.times;
        uneven.even = false;
        ts_film_clock_set(&clock, &uneven);
        err = place_all(&clock, stamps_ns, frames, times, why);
    }
    times->exposure_ms = clock.exposure_ms;
    times->readout_ms = clock.readout_ms;
    times->zero = given->tap_given ? "tap" : "first frame";
    ts_film_clock_free(&clock);
    return err;
}

/* As measure places them: by the sync LEDs, or by arrival where those did not tie the frames. */
static int place(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                 const struct ts_result *result, struct times *times)
{
    struct ts_timeline timeline;
    const int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    const struct ts_sync_frames frames = ts_timeline_frames(&timeline, evidence);
    const struct ts_frame_times placed =
        ts_timeline_place_frames(&timeline, &frames, calibration, times->start_ms);
    const struct ts_instant *zero = ts_result_zero(result);
    const bool known = !isnan(zero->u_ns);
    times->exposure_ms = placed.exposure_ms;
    times->readout_ms = placed.readout_ms;
    const double zero_ms = known ? ts_timeline_ms(&timeline, zero->host_ns) : times->start_ms[0];
    for (size_t n = 0; n < frames.count; n++)
        times->start_ms[n] -= zero_ms;
    times->zero = known ? ts_result_zero_words(result) : "first frame";
    ts_timeline_free(&timeline);
    return TS_OK;
}

static int time_by_session(const struct ts_shown_film *film, int frames, struct times *times,
                           struct ts_why *why)
{
    struct ts_session *session;
    struct ts_evidence evidence = {0};
    struct ts_calibration calibration;
    struct ts_result result;
    int err = ts_session_open(film->session.text, &session, why);
    if (err)
        return err;
    if (ts_session_load_calibration(session, &calibration, NULL))
        ts_calibration_nominal(&calibration);
    err = ts_session_load_result(session, film->launch, &result, why);
    if (!err)
        err = ts_session_load_evidence(session, film->launch, &evidence, why);
    if (!err && evidence.frame_count != (size_t)frames)
        err = ts_fail(why, TS_EPROTO, "%s has %d frames, events.jsonl beside it %zu",
                      film->video.text, frames, evidence.frame_count);
    if (!err)
        err = place(&evidence, &calibration, &result, times);
    ts_evidence_free(&evidence);
    ts_session_free(session);
    return err;
}

static double between(const struct times *times, int frame)
{
    return frame < 1
               ? (double)NAN
               : (times->start_ms[frame - 1] + times->start_ms[frame]) / 2 + times->readout_ms / 2;
}

int ts_annotation_time(const struct ts_shown_film *film, const struct ts_film_given *given,
                       const int64_t *stamps_ns, int frames, struct ts_annotation *one,
                       struct ts_why *why)
{
    struct times times = {.start_ms = calloc((size_t)frames, sizeof(double))};
    if (!times.start_ms)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = *film->session.text
                        ? time_by_session(film, frames, &times, why)
                        : time_by_clock(film->video.text, given, stamps_ns, frames, &times, why);
    if (!err) {
        one->frames = frames;
        one->first_change_ms = between(&times, one->marks.first_change_frame) + times.exposure_ms;
        one->settled_ms = between(&times, one->marks.settled_frame);
        snprintf(one->zero, sizeof one->zero, "%s", times.zero);
        one->tap_given = given->tap_given;
        one->tap_ns = given->tap_ns;
        snprintf(one->frames_csv, sizeof one->frames_csv, "%s",
                 given->frames_csv ? given->frames_csv : "");
        one->latency_ms = given->latency_ms;
        one->exposure_ms = given->exposure_ms;
        one->readout_ms = given->readout_ms;
    }
    free(times.start_ms);
    return err;
}
