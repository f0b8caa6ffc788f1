/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/health.h"

#include "android/logcat.h"
#include "clock/frames.h"
#include "clock/grain.h"
#include "measure/parts.h"
#include "wire/wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TAPS_MOST 1000

static int by_value(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

static bool packet_of(const struct ts_item_mcu *message, struct wire_packet *packet)
{
    *packet = (struct wire_packet){.type = message->type, .size = message->size};
    if (message->size > WIRE_BODY_MAX)
        return false;
    memcpy(packet->body, message->body, message->size);
    return true;
}

static void look_at_board(const struct ts_evidence *evidence, struct ts_health *out)
{
    out->messages = (int)evidence->mcu_count;
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        struct wire_packet packet;
        struct wire_hello hello;
        if (!packet_of(&evidence->mcu[i].message, &packet) || packet.type != WIRE_HELLO_IS ||
            !wire_get_hello(&packet, &hello))
            continue;
        out->board_known = true;
        out->protocol = hello.version;
    }
    for (size_t i = 0; i < evidence->fault_count; i++) {
        const struct ts_item_fault *fault = &evidence->faults[i].fault;
        out->resets += fault->fault == TS_FAULT_MCU_RESET;
        if (fault->fault == TS_FAULT_MCU_LATCHED)
            out->latched = fault->detail;
        if (fault->fault == TS_FAULT_MCU_GAP && fault->detail > 0 && fault->detail < 256)
            out->lost_messages += fault->detail;
        out->phone_lost |=
            fault->fault == TS_FAULT_PHONE_LOST || fault->fault == TS_FAULT_STREAM_ENDED;
    }
}

static int look_at_readings(const struct ts_evidence *evidence, enum ts_clock_domain domain,
                            struct ts_clock_health *out)
{
    double *trips = malloc((evidence->clock_count + 1) * sizeof *trips);
    size_t count = 0;
    if (!trips)
        return TS_ENOMEM;
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain == domain)
            trips[count++] = (double)ts_ns_between(clock->t4.ns, clock->t1.ns) / TS_NS_PER_MS;
    }
    qsort(trips, count, sizeof *trips, by_value);
    out->readings = (int)count;
    out->rtt_min_ms = out->rtt_median_ms = out->rtt_most_ms = NAN;
    if (count) {
        out->rtt_min_ms = trips[0];
        out->rtt_median_ms = trips[count / 2];
        out->rtt_most_ms = trips[count - 1];
    }
    free(trips);
    return TS_OK;
}

static void look_at_fit(bool known, const struct ts_clock_fit *fit, struct ts_clock_health *out)
{
    out->ppm = out->u_ms = out->bound_ms = out->wander_ppm = out->wander_u_ppm = NAN;
    out->known = known;
    if (!known)
        return;
    out->broken = fit->suspicious;
    out->used = (int)fit->used;
    out->ppm = 1e6 * (1 / fit->rate - 1);
    out->u_ms = fit->u_ns / TS_NS_PER_MS;
    out->bound_ms = (fit->bound_high_ns - fit->bound_low_ns) / TS_NS_PER_MS;
}

/* The same evidence with clock readings of one half of the part only. */
static int fit_half(const struct ts_evidence *evidence, bool second, struct ts_timeline *timeline)
{
    struct ts_evidence half = *evidence;
    half.clock_count = evidence->clock_count / 2;
    if (second)
        half.clocks += evidence->clock_count - half.clock_count;
    return ts_timeline_build(&half, timeline);
}

static void compare_rates(const struct ts_clock_fit *first, const struct ts_clock_fit *second,
                          struct ts_clock_health *out)
{
    out->wander_ppm = 1e6 * fabs(second->rate - first->rate);
    out->wander_u_ppm = 1e6 * hypot(first->rate_u, second->rate_u);
}

static int look_at_wander(const struct ts_evidence *evidence, struct ts_health *out)
{
    struct ts_timeline first, second;
    int err = fit_half(evidence, false, &first);
    if (err)
        return err;
    err = fit_half(evidence, true, &second);
    if (!err) {
        if (out->mcu.known && first.mcu_known && second.mcu_known)
            compare_rates(&first.mcu, &second.mcu, &out->mcu);
        if (out->phone.known && first.phone_known && second.phone_known)
            compare_rates(&first.phone, &second.phone, &out->phone);
        ts_timeline_free(&second);
    }
    ts_timeline_free(&first);
    return err;
}

static int look_at_log(const struct ts_evidence *evidence, struct ts_health *out)
{
    int64_t *stamps = malloc((evidence->line_count + 1) * sizeof *stamps);
    size_t count = 0;
    if (!stamps)
        return TS_ENOMEM;
    for (size_t i = 0; i < evidence->line_count; i++) {
        const struct ts_evidence_line *line = &evidence->lines[i];
        struct ts_log_line parsed;
        if (line->stream != TS_STREAM_LOG ||
            ts_logcat_parse_line(line->text, strlen(line->text), &parsed))
            continue;
        out->log_lines++;
        if (parsed.stamp_kind == TS_STAMP_EPOCH)
            stamps[count++] = parsed.stamp_ns;
        out->touches += ts_measure_is_touch(&parsed);
    }
    const struct ts_clock_grain grain = ts_clock_grain(stamps, count);
    out->log_step_ms = count ? (double)grain.step_ns / TS_NS_PER_MS : NAN;
    out->log_step_sure = count && grain.sure;
    free(stamps);
    return TS_OK;
}

static int look_at_taps(const struct ts_evidence *evidence, const struct ts_timeline *timeline,
                        struct ts_health *out)
{
    for (int tap = 0; tap < TAPS_MOST; tap++) {
        struct ts_tap_sample *samples;
        size_t count;
        int64_t motor_on;
        struct ts_tap found;
        const int err = ts_timeline_tap(timeline, evidence, tap, &samples, &count, &motor_on);
        if (err < 0) {
            free(samples);
            return err == TS_ENOMEM ? err : TS_OK;
        }
        out->taps++;
        if (ts_tap_analyse(samples, count, motor_on, &found, NULL) == TS_OK)
            out->taps_whole += found.contact_seen && found.pickup_seen;
        free(samples);
    }
    return TS_OK;
}

static int look_at_camera(const struct ts_evidence *evidence, struct ts_camera_health *out)
{
    const size_t count = evidence->frame_count;
    int64_t *arrivals = malloc((count + 1) * sizeof *arrivals);
    uint32_t *sequence = malloc((count + 1) * sizeof *sequence);
    uint32_t *number = malloc((count + 1) * sizeof *number);
    struct ts_frame_line line;
    int err = arrivals && sequence && number ? TS_OK : TS_ENOMEM;
    *out = (struct ts_camera_health){.frames = (int)count, .rate_hz = NAN, .late_p99_ms = NAN};
    if (evidence->camera.nominal_period_ns > 0)
        out->asked_hz = 1e9 / (double)evidence->camera.nominal_period_ns;
    for (size_t i = 0; i < count && !err; i++) {
        arrivals[i] = evidence->frames[i].arrival.ns;
        sequence[i] = evidence->frames[i].sequence;
    }
    const struct ts_frame_arrivals frames = {count, arrivals, sequence};
    if (!err)
        err = ts_frames_fit(&frames, number, &line, NULL);
    if (!err) {
        out->rate_hz = 1e9 / line.period_ns;
        out->late_p99_ms = line.late_p99_ns / TS_NS_PER_MS;
        out->lost = (int)line.lost;
        out->duplicates = (int)line.duplicates;
    }
    free(arrivals);
    free(sequence);
    free(number);
    return err == TS_ENOMEM ? err : TS_OK;
}

int ts_health_of(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                 struct ts_health *out)
{
    struct ts_timeline timeline;
    *out = (struct ts_health){.log_step_ms = NAN};
    int err = ts_timeline_build(evidence, &timeline);
    if (err)
        return err;
    look_at_board(evidence, out);
    err = look_at_readings(evidence, TS_CLOCK_MCU, &out->mcu);
    if (!err)
        err = look_at_readings(evidence, TS_CLOCK_PHONE_REAL, &out->phone);
    look_at_fit(timeline.mcu_known, &timeline.mcu, &out->mcu);
    look_at_fit(timeline.phone_known, &timeline.phone, &out->phone);
    if (!err)
        err = look_at_wander(evidence, out);
    if (!err)
        err = look_at_log(evidence, out);
    if (!err && timeline.mcu_known)
        err = look_at_taps(evidence, &timeline, out);
    if (!err)
        err = look_at_camera(evidence, &out->camera);
    if (!err)
        err = ts_health_light(evidence, calibration, 1e3 / out->camera.rate_hz, &out->light);
    ts_timeline_free(&timeline);
    return err;
}

int ts_health_mcu_noise(const struct ts_evidence *evidence, double **deltas_ns, size_t *count,
                        struct ts_why *why)
{
    *count = 0;
    *deltas_ns = malloc((evidence->mcu_count + 1) * WIRE_INTERVALS_PER_BLOCK * sizeof **deltas_ns);
    if (!*deltas_ns)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        struct wire_packet packet;
        struct wire_noise noise;
        if (!packet_of(&evidence->mcu[i].message, &packet) || packet.type != WIRE_NOISE_IS ||
            !wire_get_noise(&packet, &noise))
            continue;
        for (unsigned k = 0; k < noise.count && k < WIRE_INTERVALS_PER_BLOCK; k++)
            (*deltas_ns)[(*count)++] = (double)noise.interval[k] * (double)TS_MCU_TICK_NS;
    }
    if (*count)
        return TS_OK;
    free(*deltas_ns);
    *deltas_ns = NULL;
    return ts_fail(why, TS_EPROTO,
                   "the MCU sent no intervals of its own loop; is its firmware of this version?");
}
