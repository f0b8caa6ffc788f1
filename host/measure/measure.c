/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/measure.h"

#include "measure/link.h"
#include "measure/parts.h"
#include "model/scene.h"
#include "vision/detector.h"

#include <stdio.h>
#include <string.h>

static void begin(const struct ts_evidence *evidence, struct ts_result *result)
{
    const struct ts_metric unknown = {NAN, NAN, NAN};
    const struct ts_instant never = {0, NAN, NAN};
    const struct ts_evidence_intent *intent = &evidence->intent;
    *result = (struct ts_result){.launch = intent->launch,
                                 .rule = TS_RULE_ROBUST,
                                 .detector_version = TS_DETECTOR_VERSION,
                                 .contact = never,
                                 .pickup = never,
                                 .lift = never,
                                 .start = never,
                                 .progress_25_ms = NAN,
                                 .progress_50_ms = NAN,
                                 .photodiode_ms = {NAN, NAN},
                                 .time_to_initial_display_ms = NAN,
                                 .time_to_full_display_ms = NAN,
                                 .conditions = intent->conditions,
                                 .frame_period_ms = NAN,
                                 .frames = (int)evidence->frame_count};
    memcpy(result->app, intent->app, sizeof result->app);
    ts_costs_unknown(&result->costs);
#define METRIC_UNKNOWN(name)                                                                       \
    result->name = unknown;                                                                        \
    result->half_95_ms[TS_METRIC_##name] = NAN;
    TS_METRIC_LIST(METRIC_UNKNOWN)
#undef METRIC_UNKNOWN
}

static void flag_faults(const struct ts_evidence *evidence, struct ts_result *result)
{
    for (size_t i = 0; i < evidence->fault_count; i++) {
        switch (evidence->faults[i].fault.fault) {
        case TS_FAULT_STREAM_ENDED:
        case TS_FAULT_PHONE_LOST: /* before its streams were opened, it cost the launch nothing */
            if (evidence->faults[i].arrival.ns >= evidence->intent.observed_from.ns)
                ts_result_flag(result, TS_FLAG_LOG_LOST);
            break;
        default:
            ts_result_flag(result, TS_FLAG_RIG_FAULT);
        }
    }
}

/* What control's guard saw on the phone before or after the tap: names of flags. */
static void flag_guard(struct ts_result *result)
{
    const char *at = result->conditions.guard;
    while (*at) {
        char name[32];
        const size_t size = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)size, at);
        const enum ts_flag flag = ts_flag_by_name(name);
        if (flag < TS_FLAG_COUNT)
            ts_result_flag(result, flag);
        at += size;
        at += *at == ' ';
    }
}

static void flag_conditions(struct ts_result *result)
{
    const struct ts_conditions *conditions = &result->conditions;
    flag_guard(result);
    if (fabs(conditions->refresh_before_hz - conditions->refresh_after_hz) > 1)
        ts_result_flag(result, TS_FLAG_DISPLAY_MODE_CHANGED);
    if (conditions->thermal_status >= 3) /* THERMAL_STATUS_SEVERE */
        ts_result_flag(result, TS_FLAG_TOO_HOT);
}

/* A log with holes may have lost the launch's own line, and kept another's: its durations are not
 * given, and so enter no median, no agreement and no estimator. What the camera saw stands, and
 * the start type, which only a line that is there can tell. The lines stay in the evidence. */
static void withhold_log(struct ts_result *result)
{
    if (ts_result_has(result, TS_FLAG_LOG_LOST))
        result->time_to_initial_display_ms = result->time_to_full_display_ms = NAN;
}

int ts_measure_launch(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                      const struct ts_plan *plan, struct ts_result *result)
{
    struct ts_vision_changes changes;
    return ts_measure_changes(evidence, calibration, plan, result, &changes);
}

static struct ts_vision_changes nothing_seen(void)
{
    const struct ts_metric unknown = {NAN, NAN, 0};
    return (struct ts_vision_changes){.first = unknown,
                                      .last = unknown,
                                      .settled = unknown,
                                      .visually_complete_85 = unknown,
                                      .speed_index = unknown,
                                      .splash = unknown,
                                      .first_app_frame = unknown,
                                      .main_content = unknown};
}

int ts_measure_changes(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                       const struct ts_plan *plan, struct ts_result *result,
                       struct ts_vision_changes *changes)
{
    struct ts_timeline timeline;
    struct ts_begin_times times = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    begin(evidence, result);
    *changes = nothing_seen();
    flag_faults(evidence, result);
    flag_conditions(result);
    int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    if (!timeline.mcu_known || timeline.mcu.suspicious ||
        ts_link_fell_silent(evidence, timeline.boot_id))
        ts_result_flag(result, TS_FLAG_CLOCK_UNSURE);
    const bool scene = strcmp(evidence->intent.component, TS_SCENE_COMPONENT) == 0;
    if (ts_result_from_am(result))
        times.motor_ms = INFINITY;
    else
        err = ts_measure_stylus(evidence, &timeline, calibration, &times, result);
    if (!err && !scene)
        err = ts_measure_phone(evidence, &timeline, &times, result);
    if (err)
        goto end;
    err = ts_measure_screen(evidence, &timeline, calibration, plan, &times, result, changes);
    if (err)
        goto end;
    if (scene) {
        ts_measure_photodiodes(evidence, &timeline, &times, result);
        goto end;
    }
    result->costs.asked = plan->meters;
    if (evidence->intent.metered)
        ts_costs_take(&evidence->intent.readings, &result->costs);
    err = ts_measure_power(evidence, &timeline, calibration, plan, &times, result);
    ts_measure_first_change(&times, result);
    withhold_log(result);
end:
    ts_timeline_free(&timeline);
    return err;
}
