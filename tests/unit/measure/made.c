/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "made.h"

#include "stylus.h"
#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* Host ns since MADE_ZERO_NS -> ticks. */
static double ticks_at(double ns)
{
    return ns * (1 + MADE_PPM * 1e-6) / (double)TS_MCU_TICK_NS;
}

static double ms_at(double ticks)
{
    return ticks * (double)TS_MCU_TICK_NS / (1 + MADE_PPM * 1e-6) / (double)TS_NS_PER_MS;
}

static void add(struct made *made, const struct ts_item *item)
{
    assert_int_equal(ts_evidence_add(&made->evidence, item), TS_OK);
}

void made_empty(struct made *made)
{
    *made = (struct made){0};
    ts_plan_defaults(&made->plan);
    ts_calibration_nominal(&made->calibration);
    made->evidence.camera =
        (struct ts_camera_geometry){MADE_BLOCKS_X * TS_BLOCK_PX, MADE_BLOCKS_Y * TS_BLOCK_PX,
                                    MADE_BLOCKS_X, MADE_BLOCKS_Y, MADE_FRAME_NS};
    struct ts_evidence_intent *intent = &made->evidence.intent;
    intent->launch = 7;
    intent->start = TS_START_COLD;
    strcpy(intent->app, "One");
    strcpy(intent->component, "a.one/.Main");
    intent->tap_sent.ns = MADE_ZERO_NS + 700 * TS_NS_PER_MS;
    intent->watch_ended.ns = MADE_ZERO_NS + 3200 * TS_NS_PER_MS;
}

void made_free(struct made *made)
{
    ts_evidence_free(&made->evidence);
}

void made_mcu(struct made *made, uint8_t type, const void *body, size_t size)
{
    struct ts_item item = {.arrival = {MADE_ZERO_NS},
                           .kind = TS_ITEM_MCU,
                           .u.mcu = {.type = type, .size = (uint8_t)size, .boot_id = 3}};
    if (size)
        memcpy(item.u.mcu.body, body, size);
    add(made, &item);
}

void made_line(struct made *made, const char *text)
{
    add(made, &(struct ts_item){.arrival = {MADE_ZERO_NS + 3 * TS_NS_PER_S},
                                .kind = TS_ITEM_LINE,
                                .u.line = {TS_STREAM_LOG, text}});
}

void made_fault(struct made *made, enum ts_device_fault fault)
{
    add(made, &(struct ts_item){
                  .arrival = {MADE_ZERO_NS}, .kind = TS_ITEM_FAULT, .u.fault = {.fault = fault}});
}

void made_clocks(struct made *made)
{
    for (int i = 0; i < 60; i++) {
        const int64_t sent_ns = (int64_t)i * 52 * TS_NS_PER_MS;
        const int64_t out_ns = 150000 + i % 7 * 9000, back_ns = 150000 + i % 5 * 11000;
        const double there_ns = (double)(sent_ns + out_ns);
        add(made, &(struct ts_item){
                      .kind = TS_ITEM_CLOCK,
                      .u.clock = {.domain = TS_CLOCK_MCU,
                                  .boot_id = 3,
                                  .t1 = {MADE_ZERO_NS + sent_ns},
                                  .t2 = (int64_t)ticks_at(there_ns),
                                  .t3 = (int64_t)ticks_at(there_ns + 200000),
                                  .t4 = {MADE_ZERO_NS + sent_ns + out_ns + 200000 + back_ns}}});
        add(made, &(struct ts_item){.kind = TS_ITEM_CLOCK,
                                    .u.clock = {.domain = TS_CLOCK_PHONE_REAL,
                                                .t1 = {MADE_ZERO_NS + sent_ns},
                                                .t2 = MADE_EPOCH_NS + sent_ns + TS_NS_PER_MS,
                                                .t3 = MADE_EPOCH_NS + sent_ns + TS_NS_PER_MS,
                                                .t4 = {MADE_ZERO_NS + sent_ns + 2000000}}});
    }
}

static void put_state(struct made *made, enum wire_tap_state state, double ticks)
{
    struct wire_packet packet;
    wire_put_state(&packet, &(struct wire_state){(uint8_t)state, (uint32_t)ticks});
    made_mcu(made, packet.type, packet.body, packet.size);
}

void made_tap(struct made *made)
{
    static struct stylus stylus;
    stylus = (struct stylus){.seed = 5, .damping = 0.9, .rest_ms = 150};
    stylus_tap(&stylus);
    /* The stylus' own ticks, moved to 0.8 s after the first reading. */
    const double moved = ticks_at(800e6) - (double)stylus.motor_on_ticks;
    made->contact_ms = ms_at(stylus.contact_ticks + moved);
    made->pickup_ms = ms_at(stylus.pickup_ticks + moved);
    struct wire_packet packet;
    bool dropping = false;
    for (size_t i = 0; i + WIRE_SAMPLES_PER_BLOCK <= stylus.count; i += WIRE_SAMPLES_PER_BLOCK) {
        struct wire_samples block = {.ticks = (uint32_t)((double)stylus.samples[i].ticks + moved),
                                     .count = WIRE_SAMPLES_PER_BLOCK};
        for (unsigned k = 0; k < WIRE_SAMPLES_PER_BLOCK; k++)
            block.value[k] = stylus.samples[i + k].value;
        if (!dropping && stylus.samples[i].ticks >= stylus.motor_on_ticks) {
            put_state(made, WIRE_DROPPING, (double)stylus.motor_on_ticks + moved);
            dropping = true;
        }
        wire_put_samples(&packet, &block);
        made_mcu(made, packet.type, packet.body, packet.size);
    }
    assert_true(dropping);
    put_state(made, WIRE_HELD, (double)stylus.samples[stylus.count - 1].ticks + moved);
}

void made_frames(struct made *made)
{
    struct ts_rng rng;
    uint16_t blocks[MADE_BLOCKS_X * MADE_BLOCKS_Y];
    ts_rng_seed(&rng, 3, 3);
    for (int i = 0; i < MADE_FRAMES; i++) {
        const int64_t begins_ns = i * MADE_FRAME_NS;
        const bool changed =
            (double)begins_ns / (double)TS_NS_PER_MS > made->pickup_ms + MADE_CHANGE_MS;
        for (int b = 0; b < MADE_BLOCKS_X * MADE_BLOCKS_Y; b++)
            blocks[b] = (uint16_t)((changed ? 4500 : 1500) + ts_rng_below(&rng, 9));
        struct ts_frame frame = {.sequence = 1000u + (uint32_t)i,
                                 .arrival = {MADE_ZERO_NS + begins_ns + 15 * TS_NS_PER_MS},
                                 .blocks = blocks};
        add(made,
            &(struct ts_item){.arrival = frame.arrival, .kind = TS_ITEM_FRAME, .u.frame = &frame});
    }
}

void made_launch(struct made *made)
{
    made_empty(made);
    made_clocks(made);
    made_tap(made);
    made_frames(made);
}

static void same_number(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void same_metric(const struct ts_metric *a, const struct ts_metric *b)
{
    same_number(a->value, b->value);
    same_number(a->u, b->u);
    same_number(a->u_common, b->u_common);
}

static void same_instant(const struct ts_instant *a, const struct ts_instant *b)
{
    assert_true(a->host_ns == b->host_ns);
    same_number(a->u_ns, b->u_ns);
    same_number(a->half_95_ns, b->half_95_ns);
}

static void same(const struct ts_result *a, const struct ts_result *b)
{
    assert_int_equal(a->launch, b->launch);
    assert_string_equal(a->app, b->app);
    assert_string_equal(a->component, b->component);
    assert_string_equal(a->detector_version, b->detector_version);
    assert_int_equal(a->start_type, b->start_type);
    assert_int_equal(a->flags, b->flags);
    same_instant(&a->contact, &b->contact);
    same_instant(&a->pickup, &b->pickup);
    same_instant(&a->lift, &b->lift);
#define SAME_METRIC(name) same_metric(&a->name, &b->name);
    TS_METRIC_LIST(SAME_METRIC)
#undef SAME_METRIC
    same_number(a->time_to_initial_display_ms, b->time_to_initial_display_ms);
    same_number(a->time_to_full_display_ms, b->time_to_full_display_ms);
    same_number(a->frame_period_ms, b->frame_period_ms);
    assert_int_equal(a->frames, b->frames);
    assert_int_equal(a->dropped, b->dropped);
}

struct ts_result made_measure(const struct made *made)
{
    struct ts_result results[2];
    for (int i = 0; i < 2; i++) {
        memset(&results[i], i * 0xff, sizeof results[i]);
        const int err =
            ts_measure_launch(&made->evidence, &made->calibration, &made->plan, &results[i]);
        if (err)
            fail_msg("measuring gave up: %s", ts_err_text(err));
    }
    same(&results[0], &results[1]);
    made_check(&results[0]);
    return results[0];
}

static void check_metric(const struct ts_metric *metric)
{
    if (isnan(metric->value))
        return;
    assert_true(fabs(metric->value) < 1e12);
    assert_true(metric->u >= 0 && metric->u < 1e12);
    assert_true(metric->u_common >= 0 && metric->u_common <= metric->u);
}

void made_check(const struct ts_result *result)
{
#define CHECK_METRIC(name) check_metric(&result->name);
    TS_METRIC_LIST(CHECK_METRIC)
#undef CHECK_METRIC
    const struct ts_instant *instants[] = {&result->contact, &result->pickup, &result->lift};
    for (int i = 0; i < 3; i++)
        assert_true(isnan(instants[i]->u_ns)
                        ? isnan(instants[i]->half_95_ns)
                        : instants[i]->u_ns >= 0 && /* Student's are longer */
                              instants[i]->half_95_ns >= 1.6 * instants[i]->u_ns);
    assert_true(result->frames >= 0 && result->dropped >= 0);
    assert_int_equal(result->flags >> TS_FLAG_COUNT, 0);
}
