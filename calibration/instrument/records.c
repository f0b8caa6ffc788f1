/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/records.h"

#include "instrument/camera.h"

#include <math.h>

#define SIGMAS 3.3

/* In *to; NULL: the record must have it all the same. */
struct wanted {
    const char *name;
    double low, high;
    double *to, *u_to;
};

static int take(const struct ts_record *record, const struct wanted *wanted, size_t count,
                struct ts_why *why)
{
    for (size_t i = 0; i < count; i++) {
        const struct ts_known *known = ts_record_find(record, wanted[i].name);
        const bool sound = known && known->value >= wanted[i].low && known->value <= wanted[i].high;
        if (!sound || (wanted[i].u_to && !(known->u > 0 && isfinite(known->u))))
            return ts_fail(
                why, TS_EPROTO, "the %s calibration has no sound %s; run `touchstone calibrate %s`",
                ts_record_names[record->kind], wanted[i].name, ts_record_names[record->kind]);
        if (wanted[i].to)
            *wanted[i].to = known->value;
        if (wanted[i].u_to)
            *wanted[i].u_to = known->u;
    }
    return TS_OK;
}

int ts_record_apply(const struct ts_record *record, struct ts_calibration *calibration,
                    struct ts_why *why)
{
    struct ts_calibration found = *calibration;
    int err = TS_OK;
    if (record->kind == TS_RECORD_STYLUS) {
        const struct wanted stylus[] = {
            {"lift_delay_ms", -1, 30, &found.lift_delay_ms, &found.lift_common_u_ms},
            {"lift_spread_ms", 0, 30, &found.lift_delay_u_ms, NULL},
            {"contact_offset_ms", -10, 10, &found.contact_offset_ms, &found.contact_common_u_ms},
            {"contact_spread_ms", 0, 10, &found.contact_u_ms, NULL},
        };
        found.plate_taps = record->n;
        err = take(record, stylus, sizeof stylus / sizeof *stylus, why);
    } else if (record->kind == TS_RECORD_CAMERA) {
        const struct wanted camera[] = {
            {"exposure_ms", 0, 1000, &found.exposure_ms, &found.exposure_u_ms},
            {"readout_ms", 0, 1000, &found.readout_ms, &found.readout_u_ms},
            {"latency_ms", -100, 1000, &found.latency_ms, &found.latency_u_ms},
            {"period_ms", 0.5, 1000, &found.period_ms, &found.period_u_ms},
            {"gamma", 0.5, 5, &found.gamma, NULL},
        };
        found.camera_edges = record->n;
        err = take(record, camera, sizeof camera / sizeof *camera, why);
    } else if (record->kind == TS_RECORD_POWER) {
        const struct wanted power[] = {
            {"shunt_mohm", 0.1, 1000, &found.shunt_mohm, &found.shunt_u_mohm},
            {"shunt_zero_uv", -1000, 1000, &found.shunt_zero_uv, &found.shunt_zero_u_uv},
        };
        err = take(record, power, sizeof power / sizeof *power, why);
    }
    if (!err)
        *calibration = found;
    return err;
}

/* The rest is the same in both. */
static double of_fit(double exposure_u_ms)
{
    const double curve = TS_CAMERA_CURVE_U_MS;
    return exposure_u_ms > curve ? sqrt(exposure_u_ms * exposure_u_ms - curve * curve) : 0;
}

int ts_camera_agrees(const struct ts_calibration *then, const struct ts_calibration *now,
                     struct ts_why *why)
{
    const struct {
        const char *name;
        double then, then_u, now, now_u, resolved;
    } values[] = {
        {"exposure", then->exposure_ms, of_fit(then->exposure_u_ms), now->exposure_ms,
         of_fit(now->exposure_u_ms), 0.02},
        {"row time (readout)", then->readout_ms, then->readout_u_ms, now->readout_ms,
         now->readout_u_ms, 0.05},
        {"frame period", then->period_ms, then->period_u_ms, now->period_ms, now->period_u_ms,
         0.002},
    };
    if (!then->camera_edges || !now->camera_edges)
        return TS_OK;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const double off = fabs(values[i].now - values[i].then);
        const double most = SIGMAS * hypot(values[i].then_u, values[i].now_u) + values[i].resolved;
        if (off > most)
            return ts_fail(why, TS_EPROTO,
                           "the camera's %s was %.3f ms and is %.3f ms now, more than %.3f ms "
                           "apart: fix exposure and frame rate, leave the camera where it is, and "
                           "run `touchstone calibrate camera`",
                           values[i].name, values[i].then, values[i].now, most);
    }
    return TS_OK;
}
