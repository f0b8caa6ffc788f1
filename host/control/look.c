/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The detector beside the launch under way. It decides nothing about the result, which measure gets
 * from the same detector with the two-sided clock fit; here a frame's arrival and the MCU's words
 * must do, good to some milliseconds, and no more is needed to know when to stop. */
#include "control/internal.h"

#include "vision/detector.h"
#include "vision/screen.h"

#include <math.h>
#include <stdlib.h>

#define NO_MEMORY "cannot watch the screen: out of memory"

static double since_begin_ms(const struct ts_control *control, struct ts_host_time at)
{
    return (double)ts_ns_between(at.ns, control->look_began.ns) / (double)TS_NS_PER_MS;
}

/* NULL: the whole picture counts. */
static uint8_t *outside_screen(const struct ts_control *control)
{
    const struct ts_camera_geometry *camera = &control->camera;
    if (!control->calibration.screen_known)
        return NULL;
    uint8_t *outside = malloc((size_t)camera->blocks_x * (size_t)camera->blocks_y);
    if (outside) /* else it takes longer to see that the screen rests, that is all */
        ts_screen_mask(camera, control->calibration.screen_px, 0, outside);
    return outside;
}

void ts_look_start(struct ts_control *control)
{
    const struct ts_calibration *known = &control->calibration;
    const double nominal_ms = (double)control->camera.nominal_period_ns / (double)TS_NS_PER_MS;
    uint8_t *outside = outside_screen(control);
    const struct ts_vision_view view = {
        .camera = &control->camera,
        .period_ms = known->period_ms > 0 ? known->period_ms : nominal_ms,
        .exposure_ms = known->exposure_ms,
        .readout_ms = known->readout_ms,
        .gamma = known->gamma,
        .start_u_ms = known->latency_u_ms,
        .ignore = outside,
        .stylus_from_ms = ts_start_by_am(control) ? INFINITY : (double)NAN, /* not moved yet */
        .stylus_down_ms = NAN,
        .stylus_up_ms = NAN,
        .quiet_ms = control->plan->quiet_ms,
    };
    ts_look_stop(control);
    const int err = ts_detector_open(&view, TS_RULE_ROBUST, &control->detector);
    free(outside);
    if (err == TS_ENOMEM)
        control->error = ts_fail(&control->why, err, NO_MEMORY);
    else if (err)
        control->error = ts_fail(&control->why, TS_EPROTO,
                                 "cannot watch the screen: the camera's frame period or geometry "
                                 "is missing or cannot be right");
    if (err)
        return;
    control->look_began = control->now;
    control->lift_told = false;
    ts_detector_tap(control->detector, INFINITY);
}

void ts_look_stop(struct ts_control *control)
{
    ts_detector_close(control->detector);
    control->detector = NULL;
}

void ts_look_frame(struct ts_control *control, const struct ts_frame *frame)
{
    if (!control->detector)
        return;
    const struct ts_calibration *known = &control->calibration;
    const double start_ms = since_begin_ms(control, frame->arrival) - known->latency_ms -
                            known->readout_ms - known->exposure_ms;
    /* Refused is a frame that comes twice, or not later than the one before. measure flags that;
     * the launch goes on. */
    const int err = ts_detector_frame(control->detector, frame->sequence, start_ms, frame->blocks);
    if (err == TS_ENOMEM)
        control->error = ts_fail(&control->why, err, NO_MEMORY);
}

void ts_look_lift(struct ts_control *control, double after_ms)
{
    if (!control->detector || control->lift_told)
        return;
    control->lift_told = true;
    ts_detector_tap(control->detector, since_begin_ms(control, control->now) + after_ms);
}

bool ts_look_rests(const struct ts_control *control)
{
    return ts_detector_is_certain(control->detector);
}
