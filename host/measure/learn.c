/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Part 0: what the campaign learns of its instrument. */
#include "measure/measure.h"

#include "instrument/camera.h"
#include "instrument/stylus.h"
#include "measure/timeline.h"
#include "vision/screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLATE_TAPS_MAX 1000 /* what a plan may ask for */

static double brightness(const uint16_t *blocks, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += blocks[i];
    return sum;
}

/* Averages the frames whose brightness lies within a tenth of the span from `level`. */
static bool average(const struct ts_evidence *evidence, size_t blocks, const double *bright,
                    double level, double span, double *mean)
{
    size_t used = 0;
    memset(mean, 0, blocks * sizeof *mean);
    for (size_t i = 0; i < evidence->frame_count; i++) {
        if (fabs(bright[i] - level) > span / 10)
            continue;
        used++;
        for (size_t b = 0; b < blocks; b++)
            mean[b] += evidence->frames[i].blocks[b];
    }
    for (size_t b = 0; b < blocks && used; b++)
        mean[b] /= (double)used * TS_BLOCK_PX * TS_BLOCK_PX;
    return used >= 10;
}

/* The part shows the display black, then white; which frame is which, their brightness says. */
static int learn_screen(const struct ts_evidence *evidence, struct ts_calibration *calibration,
                        struct ts_why *why)
{
    const size_t blocks = (size_t)evidence->camera.blocks_x * (size_t)evidence->camera.blocks_y;
    double *bright = malloc((evidence->frame_count + 1) * sizeof *bright);
    double *black = malloc(blocks * sizeof *black), *white = malloc(blocks * sizeof *white);
    int err = TS_ENOMEM;
    if (!bright || !black || !white)
        goto end;
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < evidence->frame_count; i++) {
        bright[i] = brightness(evidence->frames[i].blocks, blocks);
        low = fmin(low, bright[i]);
        high = fmax(high, bright[i]);
    }
    err = TS_EPROTO;
    if (!average(evidence, blocks, bright, low, high - low, black) ||
        !average(evidence, blocks, bright, high, high - low, white)) {
        ts_fail(why, err, "the camera did not see the display flash");
        goto end;
    }
    err = ts_screen_find(&evidence->camera, white, black, calibration->screen_px, why);
    calibration->screen_known = err == TS_OK;
end:
    free(bright);
    free(black);
    free(white);
    return err;
}

static int learn_camera(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                        struct ts_calibration *calibration, struct ts_why *why)
{
    struct ts_sync_fit fit;
    if (!timeline->mcu_known)
        return ts_fail(why, TS_EPROTO, "the MCU's clock could not be read");
    const struct ts_sync_frames frames = ts_timeline_frames(timeline, evidence);
    const int err =
        ts_camera_calibrate(&frames, timeline->edges, timeline->edge_count, calibration, &fit, why);
    /* Of all that the LEDs tell, the latency alone is a difference to the host's clock. */
    if (!err)
        calibration->latency_u_ms =
            hypot(calibration->latency_u_ms, timeline->mcu.u_ns / (double)TS_NS_PER_MS);
    return err;
}

/* The four instants of one plate tap, ms on the timeline; NAN where one was not seen. */
struct plate_tap {
    double contact_ms, pickup_ms, closed_ms, opened_ms;
};

static double on_timeline(const struct ts_timeline *timeline, double ticks)
{
    return ts_timeline_host_ns(timeline, ticks) / (double)TS_NS_PER_MS;
}

static int read_plate_tap(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                          int number, struct plate_tap *out)
{
    struct ts_tap_sample *samples;
    size_t count;
    int64_t motor_on, closed, opened;
    struct ts_tap tap;
    *out = (struct plate_tap){NAN, NAN, NAN, NAN};
    int err = ts_timeline_tap(timeline, evidence, number, &samples, &count, &motor_on);
    if (err)
        goto end;
    if (ts_tap_analyse(samples, count, motor_on, &tap, NULL) == TS_OK) {
        if (tap.contact_seen)
            out->contact_ms = on_timeline(timeline, tap.contact_ticks);
        if (tap.pickup_seen)
            out->pickup_ms = on_timeline(timeline, tap.pickup_ticks);
    }
    if (ts_timeline_plate(timeline, evidence, number, &closed, &opened)) {
        out->closed_ms = on_timeline(timeline, (double)closed);
        out->opened_ms = on_timeline(timeline, (double)opened);
    }
end:
    free(samples);
    return err;
}

static int learn_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                        struct ts_calibration *calibration, struct ts_why *why)
{
    double *instants[4] = {NULL}; /* contact, pick-up, closed, opened */
    size_t count = 0;
    int err = TS_OK;
    if (!timeline->mcu_known)
        return TS_OK; /* said already */
    for (int i = 0; i < 4; i++) {
        instants[i] = malloc(PLATE_TAPS_MAX * sizeof *instants[i]);
        if (!instants[i])
            err = TS_ENOMEM;
    }
    while (!err && count < PLATE_TAPS_MAX) {
        struct plate_tap tap;
        err = read_plate_tap(evidence, timeline, (int)count, &tap);
        if (err)
            break;
        instants[0][count] = tap.contact_ms;
        instants[1][count] = tap.pickup_ms;
        instants[2][count] = tap.closed_ms;
        instants[3][count++] = tap.opened_ms;
    }
    if (err == TS_EOF || !err) {
        const struct ts_plate_taps taps = {.count = count,
                                           .contact_ms = instants[0],
                                           .pickup_ms = instants[1],
                                           .closed_ms = instants[2],
                                           .opened_ms = instants[3],
                                           .opens_early_ms = TS_PLATE_OPENS_EARLY_MS,
                                           .opens_u_ms = TS_PLATE_OPENS_U_MS,
                                           .closes_late_ms = TS_PLATE_CLOSES_LATE_MS,
                                           .closes_u_ms = TS_PLATE_CLOSES_U_MS};
        struct ts_plate_report report;
        err = ts_stylus_calibrate(&taps, calibration, &report, why);
    }
    for (int i = 0; i < 4; i++)
        free(instants[i]);
    return err;
}

static void say(struct ts_why *why, const struct ts_why *reason, const char *then)
{
    if (!why)
        return;
    const size_t used = strlen(why->text);
    snprintf(why->text + used, sizeof why->text - used, "%s%.120s: %s", used ? "; " : "",
             reason->text, then);
}

/* The plate lay there, or there is nothing else to go by; where nobody taps, nothing need be known.
 */
static bool wants_stylus(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                         const struct ts_calibration *given)
{
    int64_t closed, opened;
    if (ts_conditions_from_am(&evidence->intent.conditions))
        return false;
    return !given || !given->plate_taps ||
           ts_timeline_plate(timeline, evidence, 0, &closed, &opened);
}

int ts_measure_calibration(const struct ts_evidence *evidence, const struct ts_calibration *given,
                           struct ts_calibration *calibration, struct ts_why *why)
{
    struct ts_timeline timeline;
    struct ts_why reason = {""};
    if (given)
        *calibration = *given;
    else
        ts_calibration_nominal(calibration);
    if (why)
        why->text[0] = '\0';
    int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    err = learn_screen(evidence, calibration, &reason);
    if (err && err != TS_ENOMEM)
        say(why, &reason, "the whole picture counts as screen");
    if (err != TS_ENOMEM) {
        err = learn_camera(evidence, &timeline, calibration, &reason);
        if (err && err != TS_ENOMEM)
            say(why, &reason, "camera times rest on nominal values, +-4 ms");
    }
    if (err != TS_ENOMEM && wants_stylus(evidence, &timeline, given)) {
        err = learn_stylus(evidence, &timeline, calibration, &reason);
        if (err && err != TS_ENOMEM)
            say(why, &reason, "the lift is known as pick-up only, +-6 ms");
    }
    ts_timeline_free(&timeline);
    return err == TS_ENOMEM ? err : TS_OK;
}
