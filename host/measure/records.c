/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/measure.h"

#include "instrument/stylus.h"
#include "measure/timeline.h"
#include "wire/wire.h"

#include <stdio.h>
#include <string.h>

void ts_measure_identity(const struct ts_evidence *evidence, struct ts_identity *identity)
{
    static const char *const boards[] = {"host", "uno", "mega"};
    const struct ts_camera_geometry *camera = &evidence->camera;
    memset(identity, 0, sizeof *identity);
    memcpy(identity->phone, evidence->intent.phone, sizeof identity->phone);
    if (camera->nominal_period_ns > 0)
        snprintf(identity->camera, sizeof identity->camera, "%dx%d at %.0f", camera->width_px,
                 camera->height_px, 1e9 / (double)camera->nominal_period_ns);
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct ts_item_mcu *message = &evidence->mcu[i].message;
        struct wire_packet packet = {.type = message->type};
        struct wire_hello hello;
        if (message->type != WIRE_HELLO_IS || message->size > WIRE_BODY_MAX)
            continue;
        packet.size = message->size;
        memcpy(packet.body, message->body, message->size);
        if (!wire_get_hello(&packet, &hello))
            continue;
        snprintf(identity->board, sizeof identity->board, "%s",
                 hello.board < 3 ? boards[hello.board] : "other");
        snprintf(identity->firmware, sizeof identity->firmware, "%.*s", (int)sizeof hello.build,
                 hello.build);
    }
}

/* Rates are known to how well a line fits; a clock's own wander comes on top of it. */
static int clock_record(const struct ts_evidence *evidence, struct ts_record *record,
                        struct ts_why *why)
{
    struct ts_timeline timeline;
    const int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    const bool mcu = timeline.mcu_known, phone = timeline.phone_known;
    if (mcu) {
        const struct ts_clock_fit *fit = &timeline.mcu;
        const double dof = (double)fit->used - 2;
        ts_record_add(record, "mcu_ppm", 1e6 * (1 / fit->rate - 1), 1e6 * fit->rate_u, dof);
        ts_record_add(record, "mcu_rtt_min_ms", fit->rtt_min_ns / 1e6, NAN, dof);
        ts_record_add(record, "mcu_offset_u_ms", fit->u_ns / 1e6, NAN, dof);
        ts_record_add(record, "mcu_bound_ms", (fit->bound_high_ns - fit->bound_low_ns) / 1e6, NAN,
                      dof);
        record->n = (int)fit->used;
    }
    if (phone) {
        const struct ts_clock_fit *fit = &timeline.phone;
        const double dof = (double)fit->used - 2;
        ts_record_add(record, "phone_ppm", 1e6 * (1 / fit->rate - 1), 1e6 * fit->rate_u, dof);
        ts_record_add(record, "phone_rtt_min_ms", fit->rtt_min_ns / 1e6, NAN, dof);
        ts_record_add(record, "phone_bound_ms", (fit->bound_high_ns - fit->bound_low_ns) / 1e6, NAN,
                      dof);
    }
    ts_timeline_free(&timeline);
    snprintf(record->method, sizeof record->method,
             "line between the edges of readings t1..t4, bounds without symmetry");
    return mcu ? TS_OK : ts_fail(why, TS_EPROTO, "the MCU's clock could not be read");
}

static int camera_record(const struct ts_calibration *calibration, struct ts_record *record,
                         struct ts_why *why)
{
    if (!calibration->camera_known || !calibration->camera_edges)
        return ts_fail(why, TS_EPROTO, "the sync LEDs were not seen");
    const double dof = calibration->camera_edges - 5; /* parameters of the fit */
    record->n = calibration->camera_edges;
    ts_record_add(record, "period_ms", calibration->period_ms, calibration->period_u_ms, dof);
    ts_record_add(record, "exposure_ms", calibration->exposure_ms, calibration->exposure_u_ms, dof);
    ts_record_add(record, "readout_ms", calibration->readout_ms, calibration->readout_u_ms, dof);
    ts_record_add(record, "latency_ms", calibration->latency_ms, calibration->latency_u_ms, dof);
    ts_record_add(record, "gamma", calibration->gamma, NAN, dof);
    snprintf(record->method, sizeof record->method,
             "two sync LEDs toggled at random phase, least squares over their partial exposures");
    return TS_OK;
}

static int stylus_record(const struct ts_calibration *calibration, struct ts_record *record,
                         struct ts_why *why)
{
    if (!calibration->plate_taps)
        return ts_fail(why, TS_EPROTO, "no taps on the contact plate were seen");
    const double dof = ts_plate_dof(calibration->plate_taps);
    record->n = calibration->plate_taps;
    ts_record_add(record, "lift_delay_ms", calibration->lift_delay_ms,
                  calibration->lift_common_u_ms, dof);
    ts_record_add(record, "lift_spread_ms", calibration->lift_delay_u_ms, NAN, dof);
    ts_record_add(record, "contact_offset_ms", calibration->contact_offset_ms,
                  calibration->contact_common_u_ms, dof);
    ts_record_add(record, "contact_spread_ms", calibration->contact_u_ms, NAN, dof);
    snprintf(record->method, sizeof record->method,
             "taps on the contact plate, medians and 1.4826 MAD");
    return TS_OK;
}

static int screen_record(const struct ts_calibration *calibration, struct ts_record *record,
                         struct ts_why *why)
{
    static const char *const corners[] = {"top_left", "top_right", "bottom_right", "bottom_left"};
    if (!calibration->screen_known)
        return ts_fail(why, TS_EPROTO, "the display was not seen to flash");
    record->n = 1;
    for (int corner = 0; corner < 4; corner++) {
        char name[32];
        snprintf(name, sizeof name, "%s_x_px", corners[corner]);
        ts_record_add(record, name, calibration->screen_px[corner][0], NAN, NAN);
        snprintf(name, sizeof name, "%s_y_px", corners[corner]);
        ts_record_add(record, name, calibration->screen_px[corner][1], NAN, NAN);
    }
    snprintf(record->method, sizeof record->method,
             "display black, then white; four edges of what lit up");
    return TS_OK;
}

int ts_measure_record(enum ts_record_kind kind, const struct ts_evidence *evidence,
                      const struct ts_calibration *calibration, struct ts_record *record,
                      struct ts_why *why)
{
    *record = (struct ts_record){.kind = kind};
    switch (kind) {
    case TS_RECORD_CLOCK:
        return clock_record(evidence, record, why);
    case TS_RECORD_CAMERA:
        return camera_record(calibration, record, why);
    case TS_RECORD_STYLUS:
        return stylus_record(calibration, record, why);
    case TS_RECORD_SCREEN:
        return screen_record(calibration, record, why);
    default:
        return ts_fail(why, TS_EINVAL, "a %s calibration does not come from part 0",
                       ts_record_names[kind]);
    }
}
