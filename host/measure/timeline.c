/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/timeline.h"

#include "base/buf.h"
#include "clock/frames.h"
#include "measure/link.h"
#include "wire/wire.h"

#include <stdlib.h>
#include <string.h>

#define UNTIED_U_MS 1.0 /* of exposure and readout, which nothing but the LEDs shows */

#define PHONE_GRAIN_NS (1 * TS_NS_PER_US) /* of $EPOCHREALTIME */

/* Of the 150 ms of rest that the firmware streams before it switches the motor on. */
#define REST_TICKS (int64_t)(145 * TS_NS_PER_MS / TS_MCU_TICK_NS)

static struct wire_packet packet_of(const struct ts_item_mcu *message)
{
    const uint8_t size = message->size < WIRE_BODY_MAX ? message->size : WIRE_BODY_MAX;
    struct wire_packet packet = {.type = message->type, .size = size};
    memcpy(packet.body, message->body, size);
    return packet;
}

/* As packet_of(), but what another boot of the board said is nothing. */
static struct wire_packet packet_at(const struct ts_timeline *timeline,
                                    const struct ts_evidence *evidence, size_t i)
{
    const struct ts_item_mcu *message = &evidence->mcu[i].message;
    return message->boot_id == timeline->boot_id ? packet_of(message) : (struct wire_packet){0};
}

/* A stamp of the MCU, 32 bits as on the wire -> unwrapped ticks near the part. */
static int64_t unwrap(const struct ts_timeline *timeline, uint32_t ticks)
{
    return ts_ticks_unwrap(ticks, timeline->base_ticks);
}

double ts_timeline_host_ns(const struct ts_timeline *timeline, double ticks)
{
    const double ns = ticks * (double)TS_MCU_TICK_NS;
    const int64_t whole = (int64_t)ns;
    /* The fraction of a nanosecond is below anything we claim; the rate is 1 within 0.5 %. */
    return (double)ts_ns_between(ts_clock_to_host(&timeline->mcu, whole), timeline->zero_ns) +
           (ns - (double)whole);
}

double ts_timeline_ms(const struct ts_timeline *timeline, int64_t host_ns)
{
    return (double)ts_ns_between(host_ns, timeline->zero_ns) / (double)TS_NS_PER_MS;
}

static size_t collect(const struct ts_evidence *evidence, enum ts_clock_domain domain,
                      const struct ts_timeline *timeline, struct ts_reading *readings)
{
    size_t count = 0;
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain != domain)
            continue;
        if (domain != TS_CLOCK_MCU)
            readings[count++] = ts_reading_of(clock->t1.ns, clock->t2, clock->t3, clock->t4.ns,
                                              domain == TS_CLOCK_PHONE_REAL ? PHONE_GRAIN_NS : 1);
        else if (clock->boot_id == timeline->boot_id)
            readings[count++] =
                ts_reading_of(clock->t1.ns, unwrap(timeline, (uint32_t)clock->t2) * TS_MCU_TICK_NS,
                              unwrap(timeline, (uint32_t)clock->t3) * TS_MCU_TICK_NS, clock->t4.ns,
                              TS_MCU_TICK_NS);
    }
    return count;
}

/* No segments: not known. */
static int fit_clock(const struct ts_evidence *evidence, enum ts_clock_domain domain,
                     const struct ts_timeline *timeline, struct ts_clock_track *track)
{
    struct ts_reading *readings = malloc((evidence->clock_count + 1) * sizeof *readings);
    if (!readings)
        return TS_ENOMEM;
    const size_t count = collect(evidence, domain, timeline, readings);
    const int err = ts_clock_track_fit(readings, count, track, NULL);
    free(readings);
    return err == TS_ENOMEM ? err : TS_OK;
}

/* The stretch in which the tap was sent, or else the longest. */
static bool choose_fit(const struct ts_clock_track *track, const struct ts_evidence *evidence,
                       struct ts_clock_fit *fit)
{
    const struct ts_clock_fit *found = ts_clock_track_at_host(track, evidence->intent.tap_sent.ns);
    for (size_t i = 0; i < track->count && !found; i++) {
        size_t longer = 0;
        for (size_t k = 0; k < track->count; k++)
            longer += track->segments[k].fit.used > track->segments[i].fit.used;
        found = longer ? NULL : &track->segments[i].fit;
    }
    if (found)
        *fit = *found;
    return found != NULL;
}

static bool has_other_boot(const struct ts_evidence *evidence, const struct ts_timeline *timeline)
{
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain == TS_CLOCK_MCU && clock->boot_id != timeline->boot_id)
            return true;
    }
    return false;
}

static int fit_clocks(const struct ts_evidence *evidence, struct ts_timeline *timeline)
{
    struct ts_clock_track mcu;
    int err = fit_clock(evidence, TS_CLOCK_MCU, timeline, &mcu);
    if (err)
        return err;
    timeline->mcu_known = choose_fit(&mcu, evidence, &timeline->mcu);
    timeline->mcu.suspicious |=
        mcu.stepped || mcu.lost || has_other_boot(evidence, timeline) || ts_link_stalled(evidence);
    ts_clock_track_free(&mcu);
    err = fit_clock(evidence, TS_CLOCK_PHONE_REAL, timeline, &timeline->phone_real);
    if (err)
        return err;
    timeline->phone_known = choose_fit(&timeline->phone_real, evidence, &timeline->phone);
    return fit_clock(evidence, TS_CLOCK_PHONE_UP, timeline, &timeline->phone_up);
}

/* The boot that the part's tap belongs to: of its last motion, else of the first reading. */
static void find_boot(const struct ts_evidence *evidence, struct ts_timeline *timeline)
{
    for (size_t i = evidence->clock_count; i-- > 0;)
        if (evidence->clocks[i].domain == TS_CLOCK_MCU)
            timeline->boot_id = evidence->clocks[i].boot_id;
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct wire_packet packet = packet_of(&evidence->mcu[i].message);
        struct wire_state state;
        if (packet.type == WIRE_STATE && wire_get_state(&packet, &state) &&
            state.state == WIRE_DROPPING)
            timeline->boot_id = evidence->mcu[i].message.boot_id;
    }
}

static void find_base(const struct ts_evidence *evidence, struct ts_timeline *timeline)
{
    find_boot(evidence, timeline);
    for (size_t i = 0; i < evidence->clock_count; i++) {
        const struct ts_item_clock *clock = &evidence->clocks[i];
        if (clock->domain != TS_CLOCK_MCU || clock->boot_id != timeline->boot_id)
            continue;
        /* Far from zero, so that a stamp somewhat earlier than this one stays positive. */
        timeline->base_ticks = ((int64_t)1 << 40) + (uint32_t)clock->t2;
        timeline->zero_ns = clock->t1.ns;
        return;
    }
    timeline->zero_ns = evidence->frame_count ? evidence->frames[0].arrival.ns : 0;
}

static int add_edges(const struct ts_evidence *evidence, struct ts_timeline *timeline)
{
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct wire_packet packet = packet_at(timeline, evidence, i);
        struct wire_edge edge;
        if (packet.type != WIRE_EDGE || !wire_get_edge(&packet, &edge) ||
            edge.kind != WIRE_EDGE_LED)
            continue;
        struct ts_sync_edge *added = ts_grow((void **)&timeline->edges, &timeline->edge_count,
                                             &timeline->edge_capacity, sizeof *added);
        if (!added)
            return TS_ENOMEM;
        const double ticks = (double)unwrap(timeline, edge.ticks);
        added->ms = ts_timeline_host_ns(timeline, ticks) / (double)TS_NS_PER_MS;
        added->mask = edge.state;
    }
    return TS_OK;
}

int ts_timeline_build(const struct ts_evidence *evidence, struct ts_timeline *out)
{
    *out = (struct ts_timeline){0};
    find_base(evidence, out);
    const int err = fit_clocks(evidence, out);
    const size_t count = evidence->frame_count + 1;
    out->blocks = malloc(count * sizeof *out->blocks);
    out->sequence = malloc(count * sizeof *out->sequence);
    out->arrival_ms = malloc(count * sizeof *out->arrival_ms);
    if (err || !out->blocks || !out->sequence || !out->arrival_ms ||
        (out->mcu_known && add_edges(evidence, out))) {
        ts_timeline_free(out);
        return TS_ENOMEM;
    }
    for (size_t i = 0; i < evidence->frame_count; i++) {
        out->blocks[i] = evidence->frames[i].blocks;
        out->sequence[i] = evidence->frames[i].sequence;
        out->arrival_ms[i] = ts_timeline_ms(out, evidence->frames[i].arrival.ns);
    }
    return TS_OK;
}

void ts_timeline_free(struct ts_timeline *timeline)
{
    free(timeline->blocks);
    free(timeline->sequence);
    free(timeline->arrival_ms);
    free(timeline->edges);
    ts_clock_track_free(&timeline->phone_real);
    ts_clock_track_free(&timeline->phone_up);
    *timeline = (struct ts_timeline){0};
}

struct ts_sync_frames ts_timeline_frames(const struct ts_timeline *timeline,
                                         const struct ts_evidence *evidence)
{
    return (struct ts_sync_frames){.camera = &evidence->camera,
                                   .count = evidence->frame_count,
                                   .blocks = (const uint16_t *const *)timeline->blocks,
                                   .sequence = timeline->sequence,
                                   .arrival_ms = timeline->arrival_ms};
}

/* The even clock behind the arrivals; a frame is as late as most are, which the latency counts in.
 * The period, or 0: frames stay at their arrivals. */
static double even_arrivals(const struct ts_sync_frames *frames, double *arrival_ms)
{
    struct ts_frame_line line;
    double period_ms = 0;
    int64_t *arrival_ns = malloc(frames->count * sizeof *arrival_ns);
    uint32_t *number = malloc(frames->count * sizeof *number);
    for (size_t i = 0; i < frames->count; i++) {
        arrival_ms[i] = frames->arrival_ms[i];
        if (arrival_ns)
            arrival_ns[i] = (int64_t)(frames->arrival_ms[i] * (double)TS_NS_PER_MS);
    }
    const struct ts_frame_arrivals arrivals = {frames->count, arrival_ns, frames->sequence};
    if (arrival_ns && number && ts_frames_fit(&arrivals, number, &line, NULL) == TS_OK) {
        period_ms = line.period_ns / (double)TS_NS_PER_MS;
        const double first_ms =
            arrival_ms[0] + (line.start_ns + line.late_p50_ns) / (double)TS_NS_PER_MS;
        for (size_t i = 0; i < frames->count; i++)
            arrival_ms[i] = first_ms + period_ms * number[i];
    }
    free(arrival_ns);
    free(number);
    return period_ms;
}

struct ts_frame_times ts_timeline_place_frames(const struct ts_timeline *timeline,
                                               const struct ts_sync_frames *frames,
                                               const struct ts_calibration *calibration,
                                               double *start_ms)
{
    struct ts_sync_fit fit;
    if (timeline->mcu_known && calibration->camera_known &&
        ts_sync_fit(frames, timeline->edges, timeline->edge_count, calibration, &fit, NULL) ==
            TS_OK) {
        for (size_t i = 0; i < frames->count; i++)
            start_ms[i] = ts_sync_frame_start_ms(&fit, frames->sequence[i]);
        return (struct ts_frame_times){.tied = true,
                                       .period_ms = fit.period_ms,
                                       .exposure_ms = fit.exposure_ms,
                                       .readout_ms = fit.readout_ms,
                                       .start_u_ms = fit.origin_u_ms,
                                       .exposure_u_ms = fit.exposure_u_ms,
                                       .readout_u_ms = fit.readout_u_ms};
    }
    const double period_ms = even_arrivals(frames, start_ms);
    for (size_t i = 0; i < frames->count; i++)
        start_ms[i] -= calibration->latency_ms + calibration->readout_ms + calibration->exposure_ms;
    return (struct ts_frame_times){
        .period_ms = period_ms > 0 ? period_ms : calibration->period_ms,
        .exposure_ms = calibration->exposure_ms,
        .readout_ms = calibration->readout_ms,
        .start_u_ms = hypot(calibration->latency_u_ms, timeline->mcu.u_ns / (double)TS_NS_PER_MS),
        .exposure_u_ms = UNTIED_U_MS,
        .readout_u_ms = UNTIED_U_MS};
}

/* Messages of one tap: from the state that switched the motor on (and a little before, where the
 * samples of the rest begin) to the next such state. */
static int tap_span(const struct ts_timeline *timeline, const struct ts_evidence *evidence, int tap,
                    size_t *from, size_t *to, uint32_t *motor_on)
{
    int seen = -1;
    *from = 0;
    *to = evidence->mcu_count;
    for (size_t i = 0; i < evidence->mcu_count; i++) {
        const struct wire_packet packet = packet_at(timeline, evidence, i);
        struct wire_state state;
        if (packet.type != WIRE_STATE || !wire_get_state(&packet, &state))
            continue;
        if (state.state == WIRE_HELD && seen < tap)
            *from = i;
        if (state.state == WIRE_DROPPING && ++seen == tap)
            *motor_on = state.ticks;
        if (state.state == WIRE_HELD && seen == tap) {
            *to = i;
            return TS_OK;
        }
    }
    return seen >= tap ? TS_OK : TS_EOF;
}

int ts_timeline_tap(const struct ts_timeline *timeline, const struct ts_evidence *evidence, int tap,
                    struct ts_tap_sample **samples, size_t *count, int64_t *motor_on)
{
    size_t from, to, capacity = 0;
    uint32_t motor_ticks = 0;
    *samples = NULL;
    *count = 0;
    const int err = tap_span(timeline, evidence, tap, &from, &to, &motor_ticks);
    if (err)
        return err;
    *motor_on = unwrap(timeline, motor_ticks);
    for (size_t i = from; i < to; i++) {
        const struct wire_packet packet = packet_at(timeline, evidence, i);
        struct wire_samples block;
        if (packet.type != WIRE_SAMPLES || !wire_get_samples(&packet, &block))
            continue;
        const int64_t first = unwrap(timeline, block.ticks);
        if (first < *motor_on - REST_TICKS)
            continue; /* the tail of the tap before */
        for (uint8_t k = 0; k < block.count; k++) {
            struct ts_tap_sample *sample =
                ts_grow((void **)samples, count, &capacity, sizeof *sample);
            if (!sample)
                return TS_ENOMEM;
            *sample =
                (struct ts_tap_sample){first + (int64_t)k * WIRE_SAMPLE_TICKS, block.value[k]};
        }
    }
    return TS_OK;
}

bool ts_timeline_held(const struct ts_timeline *timeline, const struct ts_evidence *evidence,
                      int tap, int64_t *held)
{
    size_t from, to;
    uint32_t motor_ticks;
    struct wire_state state;
    if (tap_span(timeline, evidence, tap, &from, &to, &motor_ticks) || to == evidence->mcu_count)
        return false;
    const struct wire_packet packet = packet_at(timeline, evidence, to);
    if (!wire_get_state(&packet, &state))
        return false;
    *held = unwrap(timeline, state.ticks);
    return true;
}

bool ts_timeline_plate(const struct ts_timeline *timeline, const struct ts_evidence *evidence,
                       int tap, int64_t *closed, int64_t *opened)
{
    size_t from, to;
    uint32_t motor_ticks;
    bool is_closed = false, is_opened = false;
    if (tap_span(timeline, evidence, tap, &from, &to, &motor_ticks))
        return false;
    for (size_t i = from; i < to; i++) {
        const struct wire_packet packet = packet_at(timeline, evidence, i);
        struct wire_edge edge;
        if (packet.type != WIRE_EDGE || !wire_get_edge(&packet, &edge) ||
            edge.kind != WIRE_EDGE_PLATE)
            continue;
        if (edge.state && !is_closed) {
            *closed = unwrap(timeline, edge.ticks);
            is_closed = true;
        } else if (!edge.state && is_closed) {
            *opened = unwrap(timeline, edge.ticks);
            is_opened = true;
        }
    }
    return is_closed && is_opened;
}
