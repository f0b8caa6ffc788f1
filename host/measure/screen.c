/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/parts.h"

#include "instrument/stylus.h"
#include "measure/budget.h"
#include "model/scene.h"
#include "vision/detector.h"
#include "vision/progress.h"
#include "vision/screen.h"

#include <stdlib.h>
#include <string.h>

#define STATUS_BAR_SHARE 0.045 /* of the display's height: 24 dp of about 640 */
#define FRAMES_LEAST     10
#define SEQUENCE_LEAP    100000u
#define CAMERA_GAMMA     2.0 /* 1.8 to 2.2; moves a change inside an exposure by < 0.1 of it */

/* The camera must not see what the photodiodes see: it is judged by them. scratch: [blocks] */
static void mask_spots(const struct ts_camera_geometry *camera,
                       const struct ts_calibration *calibration, uint8_t *ignore, uint8_t *scratch)
{
    const double margin = 0.01;
    for (int spot = 0; spot < TS_SPOT_COUNT; spot++) {
        const struct ts_spot *at = &ts_spots[spot];
        ts_screen_part(camera, calibration->screen_px, at->x0 - margin, at->y0 - margin,
                       at->x1 + margin, at->y1 + margin, scratch);
        for (int i = 0; i < camera->blocks_x * camera->blocks_y; i++)
            ignore[i] |= scratch[i];
    }
}

/* [blocks] each, owned. */
struct masks {
    uint8_t *ignore, *bar; /* not the phone; the status bar */
};

static void free_masks(struct masks *masks)
{
    free(masks->ignore);
    free(masks->bar);
}

static int make_masks(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                      struct masks *masks)
{
    const size_t blocks = (size_t)evidence->camera.blocks_x * (size_t)evidence->camera.blocks_y;
    uint8_t *ignore = masks->ignore = calloc(blocks, 1);
    uint8_t *bar = masks->bar = calloc(blocks, 1);
    if (!ignore || !bar)
        return TS_ENOMEM;
    if (calibration->screen_known) {
        ts_screen_mask(&evidence->camera, calibration->screen_px, TS_SCREEN_MARGIN_PX, ignore);
        if (strcmp(evidence->intent.component, TS_SCENE_COMPONENT) == 0)
            mask_spots(&evidence->camera, calibration, ignore, bar);
        ts_screen_status_bar(&evidence->camera, calibration->screen_px, STATUS_BAR_SHARE, bar);
        return TS_OK;
    }
    for (int led = 0; led < TS_LED_COUNT; led++) {
        for (int i = 0; i < 12 && calibration->led[led].seen; i++) {
            const int block = calibration->led[led].blocks[i];
            if (block < 0)
                break;
            ignore[block] = 1;
        }
    }
    return TS_OK;
}

/* When each frame began, in ms from time zero; and how sure that is. Whether the LEDs tie them. */
static bool place_frames(const struct ts_timeline *timeline, const struct ts_sync_frames *frames,
                         const struct ts_calibration *calibration, double zero_ms,
                         struct ts_vision_view *view, double *start_ms, struct ts_result *result)
{
    const struct ts_frame_times times =
        ts_timeline_place_frames(timeline, frames, calibration, start_ms);
    for (size_t i = 0; i < frames->count; i++)
        start_ms[i] -= zero_ms;
    /* The fitted gamma absorbs the LEDs' saturation; pictures of the screen have the camera's. */
    view->gamma = CAMERA_GAMMA;
    view->period_ms = times.period_ms;
    view->exposure_ms = times.exposure_ms;
    view->readout_ms = times.readout_ms;
    view->start_u_ms = times.start_u_ms;
    view->exposure_u_ms = times.exposure_u_ms;
    view->readout_u_ms = times.readout_u_ms;
    if (!times.tied && calibration->camera_known)
        ts_result_flag(result, TS_FLAG_CLOCK_UNSURE); /* the LEDs should have tied them */
    result->frame_period_ms = times.period_ms;
    const uint32_t span = frames->sequence[frames->count - 1] - frames->sequence[0] + 1;
    result->dropped = (int)(span - (uint32_t)frames->count);
    return times.tied;
}

/* The slower one, if it changed; 0: the phone did not say. */
static double refresh_ms(const struct ts_conditions *conditions)
{
    const double hz = fmin(conditions->refresh_before_hz, conditions->refresh_after_hz);
    return hz > 0 ? 1000 / hz : 0;
}

/* All that a duration from time zero to the screen rests on, but for the place of the change.
 * MCU and LEDs tell lift and frames alike. Android's start comes by the phone's clock and the
 * host's, and there the whole of the MCU's clock stands between the two, its rate included. */
static struct ts_budget make_budget(const struct ts_vision_view *view, bool tied,
                                    const struct ts_timeline *timeline,
                                    const struct ts_calibration *calibration,
                                    const struct ts_result *result)
{
    struct ts_budget budget = {.terms = {
                                   [TS_TERM_CHANGE] = {0, 1, INFINITY},
                                   [TS_TERM_FRAMES] = {tied ? view->start_u_ms : 0, 1, INFINITY},
                                   [TS_TERM_EXPOSURE] = {view->exposure_u_ms, 0.5, INFINITY},
                                   [TS_TERM_READOUT] = {view->readout_u_ms, 0.5, INFINITY},
                                   [TS_TERM_LATENCY] = {tied ? 0 : view->start_u_ms, 1, INFINITY},
                               }};
    if (ts_result_from_am(result)) {
        const struct ts_term *start = result->budgets[TS_BUDGET_START].terms;
        const double host_ms = timeline->mcu.u_ns / (double)TS_NS_PER_MS;
        budget.terms[TS_TERM_PHONE] = start[TS_TERM_PHONE];
        budget.terms[TS_TERM_STAMP] = start[TS_TERM_STAMP];
        budget.terms[TS_TERM_HOST] = (struct ts_term){tied ? host_ms : 0, 1, INFINITY};
        return budget;
    }
    budget.terms[TS_TERM_CLOCK] =
        (struct ts_term){timeline->mcu_known ? timeline->mcu.rate_u : 0, 0, INFINITY};
    ts_measure_plate_terms(calibration->plate_taps, calibration->lift_delay_u_ms,
                           calibration->lift_common_u_ms, TS_PLATE_OPENS_U_MS, &budget);
    return budget;
}

/* What the detector states holds the frames' own place already; what is left of it is the place of
 * the change inside them. */
static struct ts_metric state(struct ts_metric metric, struct ts_budget *budget, double *half_95_ms)
{
    double frames = 0;
    for (int i = TS_TERM_FRAMES; i <= TS_TERM_LATENCY; i++)
        frames = hypot(frames, budget->terms[i].sensitivity * budget->terms[i].u);
    budget->terms[TS_TERM_CHANGE].u =
        metric.u > frames ? sqrt(metric.u * metric.u - frames * frames) : 0;
    if (isnan(metric.value) || isnan(metric.u)) {
        *half_95_ms = metric.u = metric.u_common = NAN;
        return metric;
    }
    budget->terms[TS_TERM_CLOCK].sensitivity = metric.value; /* a rate acts on all of it */
    metric.u = ts_budget_u_ms(budget);
    metric.u_common = ts_budget_common_ms(budget);
    *half_95_ms = ts_budget_half_ms(budget, 0.95);
    return metric;
}

/* The budget that state() has just filled; nothing of what did not happen. */
static struct ts_budget stated(struct ts_metric metric, const struct ts_budget *budget)
{
    const bool known = isfinite(metric.value) && isfinite(metric.u);
    return known ? *budget : (struct ts_budget){.terms = {{0, 0, 0}}};
}

/* One after the other, in number and in time; a leap of minutes is no loss but nonsense. */
static bool frames_rise(const struct ts_sync_frames *frames)
{
    for (size_t i = 1; i < frames->count; i++) {
        const uint32_t step = frames->sequence[i] - frames->sequence[i - 1];
        if (step == 0 || step > SEQUENCE_LEAP ||
            !(frames->arrival_ms[i] > frames->arrival_ms[i - 1]))
            return false;
    }
    return true;
}

int ts_measure_screen(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                      const struct ts_calibration *calibration, const struct ts_plan *plan,
                      const struct ts_begin_times *times, struct ts_result *result,
                      struct ts_vision_changes *changes)
{
    const struct ts_sync_frames frames = ts_timeline_frames(timeline, evidence);
    if (frames.count < FRAMES_LEAST || !frames_rise(&frames)) {
        ts_result_flag(result, TS_FLAG_RIG_FAULT);
        return TS_OK;
    }
    if (isnan(times->zero_ms))
        return TS_OK; /* flagged by the stylus, or the phone: there is nothing to count from */
    double *start_ms = malloc(frames.count * sizeof *start_ms);
    struct masks masks = {0};
    struct ts_vision_changes literal;
    int err = start_ms ? make_masks(evidence, calibration, &masks) : TS_ENOMEM;
    if (err)
        goto end;
    const double zero_ms = times->zero_ms;
    struct ts_vision_frames input = {.view = {.camera = &evidence->camera,
                                              .ignore = masks.ignore,
                                              .status_bar = masks.bar,
                                              .stylus_from_ms = times->motor_ms - zero_ms,
                                              .stylus_down_ms = times->contact_ms - zero_ms,
                                              .stylus_up_ms = times->pickup_ms - zero_ms,
                                              .stylus_held_ms = times->held_ms - zero_ms,
                                              .quiet_ms = plan->quiet_ms,
                                              .refresh_ms = refresh_ms(&result->conditions)},
                                     .count = frames.count,
                                     .blocks = frames.blocks,
                                     .start_ms = start_ms,
                                     .sequence = frames.sequence};
    const bool tied =
        place_frames(timeline, &frames, calibration, zero_ms, &input.view, start_ms, result);
    err = ts_detect(&input, TS_RULE_ROBUST, changes);
    if (err == TS_OK)
        err = ts_detect(&input, TS_RULE_LITERAL, &literal);
    if (err)
        goto end;
    result->flags |= changes->flags;
    struct ts_budget budget = make_budget(&input.view, tied, timeline, calibration, result);
#define STATE(member, from)                                                                        \
    result->member = state(from, &budget, &result->half_95_ms[TS_METRIC_##member]);
    STATE(first_visual_change, changes->first)
    result->budgets[TS_BUDGET_FIRST] = stated(changes->first, &budget);
    STATE(last_visual_change, changes->last)
    STATE(literal_settled, literal.settled)
    STATE(visually_complete_85, changes->visually_complete_85)
    STATE(speed_index, changes->speed_index)
    STATE(splash, changes->splash)
    STATE(first_app_frame, changes->first_app_frame)
    STATE(main_content, changes->main_content)
    STATE(settled, changes->settled)
#undef STATE
    result->budgets[TS_BUDGET_SETTLED] = stated(changes->settled, &budget);
    result->progress_25_ms = ts_progress_passes_ms(changes, 0.25);
    result->progress_50_ms = ts_progress_passes_ms(changes, 0.5);
end:
    free(start_ms);
    free_masks(&masks);
    return err;
}
