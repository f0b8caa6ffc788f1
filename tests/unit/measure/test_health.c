/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "measure/health.h"

#include "made.h"
#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define TURN       6.283185307179586
#define PERIOD_MS  8.0
#define READOUT_MS 6.0
#define DARK       100 /* frames */
#define FRAMES     220

static struct ts_health healthy(const struct made *made)
{
    struct ts_health health;
    assert_int_equal(ts_health_of(&made->evidence, &made->calibration, &health), TS_OK);
    return health;
}

static void evidence_of_nothing_says_nothing(void **state)
{
    (void)state;
    struct made made;
    double *deltas;
    size_t count;
    struct ts_why why = {""};
    made_empty(&made);
    const struct ts_health health = healthy(&made);
    assert_false(health.board_known || health.mcu.known || health.phone.known);
    assert_true(isnan(health.mcu.rtt_median_ms) && isnan(health.camera.rate_hz) &&
                isnan(health.light.flicker) && isnan(health.log_step_ms));
    assert_int_equal(health.taps, 0);
    assert_int_equal(ts_health_mcu_noise(&made.evidence, &deltas, &count, &why), TS_EPROTO);
    assert_true(why.text[0] != '\0');
    made_free(&made);
}

static void a_launch_is_read(void **state)
{
    (void)state;
    struct made made;
    struct wire_packet packet;
    made_launch(&made);
    wire_put_hello(&packet, &(struct wire_hello){.version = WIRE_VERSION, .build = "1.2"});
    made_mcu(&made, packet.type, packet.body, packet.size);
    made_line(&made, "         1.500 10001  2000  2000 I Touchstone: touch up 1400");
    const struct ts_health health = healthy(&made);
    assert_true(health.board_known);
    assert_int_equal(health.protocol, WIRE_VERSION);
    assert_true(fabs(health.mcu.ppm - MADE_PPM) < 1);
    assert_true(health.mcu.rtt_median_ms > 0.4 && health.mcu.rtt_median_ms < 0.7);
    assert_true(health.mcu.wander_ppm < 10);
    assert_true(fabs(health.camera.rate_hz - 125) < 0.01);
    assert_int_equal(health.taps, 1);
    assert_int_equal(health.taps_whole, 1);
    assert_int_equal(health.touches, 1);
    assert_int_equal(health.lost_messages + health.resets + health.latched, 0);
    made_free(&made);
}

static void faults_are_counted(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    const struct ts_item gap = {.kind = TS_ITEM_FAULT, .u.fault = {TS_FAULT_MCU_GAP, 3}};
    const struct ts_item absurd = {.kind = TS_ITEM_FAULT, .u.fault = {TS_FAULT_MCU_GAP, -5}};
    const struct ts_item latched = {.kind = TS_ITEM_FAULT, .u.fault = {TS_FAULT_MCU_LATCHED, 2}};
    assert_int_equal(ts_evidence_add(&made.evidence, &gap), TS_OK);
    assert_int_equal(ts_evidence_add(&made.evidence, &gap), TS_OK);
    assert_int_equal(ts_evidence_add(&made.evidence, &absurd), TS_OK);
    assert_int_equal(ts_evidence_add(&made.evidence, &latched), TS_OK);
    made_fault(&made, TS_FAULT_MCU_RESET);
    made_fault(&made, TS_FAULT_STREAM_ENDED);
    const struct ts_health health = healthy(&made);
    assert_int_equal(health.lost_messages, 6);
    assert_int_equal(health.resets, 1);
    assert_int_equal(health.latched, 2);
    assert_true(health.phone_lost);
    made_free(&made);
}

/* A display that turns white, in a light that flickers; rows are read one after the other. */
static void film(struct made *made, double hz, double depth, double lamp_hz, double lamp_depth)
{
    uint16_t blocks[MADE_BLOCKS_X * MADE_BLOCKS_Y];
    struct ts_frame frame = {.blocks = blocks};
    for (int i = 0; i < FRAMES; i++) {
        for (int row = 0; row < MADE_BLOCKS_Y; row++) {
            const double s = (i * PERIOD_MS + (row + 0.5) * READOUT_MS / MADE_BLOCKS_Y) / 1e3;
            const double lamp = 20 * (1 + lamp_depth * sin(TURN * lamp_hz * s));
            const double shown = i < DARK ? 0 : 180 * (1 + depth * sin(TURN * hz * s));
            for (int x = 0; x < MADE_BLOCKS_X; x++)
                blocks[row * MADE_BLOCKS_X + x] = (uint16_t)lround(25 * (lamp + shown));
        }
        frame.sequence = (uint32_t)i;
        frame.arrival.ns = MADE_ZERO_NS + i * MADE_FRAME_NS;
        const struct ts_item item = {
            .arrival = frame.arrival, .kind = TS_ITEM_FRAME, .u.frame = &frame};
        assert_int_equal(ts_evidence_add(&made->evidence, &item), TS_OK);
    }
    made->calibration.readout_ms = READOUT_MS;
}

/* All of these are far above half the frame rate, and fold to 10 to 60 Hz over frames alone. */
static void flicker_is_told_from_its_alias(void **state)
{
    (void)state;
    static const double rates[] = {90, 100, 120, 240, 360, 483, 800};
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        struct made made;
        struct ts_light_health light;
        made_empty(&made);
        film(&made, rates[i], 0.05, 100, 0);
        assert_int_equal(ts_health_light(&made.evidence, &made.calibration, PERIOD_MS, &light),
                         TS_OK);
        assert_true(fabs(light.white - 200) < 1 && fabs(light.black - 20) < 0.1);
        assert_true(fabs(light.flicker - 0.05 * 180 / 200) < 0.002);
        if (fabs(light.flicker_hz - rates[i]) > 2)
            fail_msg("%g Hz is taken for %g", rates[i], light.flicker_hz);
        assert_true(light.clipped < 1e-9);
        made_free(&made);
    }
}

static void a_lamp_is_seen_on_black(void **state)
{
    (void)state;
    struct made made;
    struct ts_light_health light;
    made_empty(&made);
    film(&made, 100, 0, 120, 0.4);
    assert_int_equal(ts_health_light(&made.evidence, &made.calibration, PERIOD_MS, &light), TS_OK);
    assert_true(fabs(light.flicker_hz - 120) < 2);
    assert_true(fabs(light.flicker - 0.4 * 20 / 200) < 0.004);
    made_free(&made);
}

static void steady_light_does_not_flicker(void **state)
{
    (void)state;
    struct made made;
    struct ts_light_health light;
    made_empty(&made);
    film(&made, 100, 0, 100, 0);
    assert_int_equal(ts_health_light(&made.evidence, &made.calibration, PERIOD_MS, &light), TS_OK);
    assert_true(light.flicker < 0.0005);
    made_free(&made);
}

static void intervals_of_the_mcu_are_collected(void **state)
{
    (void)state;
    struct made made;
    double *deltas;
    size_t count;
    struct wire_packet packet;
    made_empty(&made);
    const struct wire_noise noise = {.count = 3, .interval = {1, 2, 255}};
    wire_put_noise(&packet, &noise);
    made_mcu(&made, packet.type, packet.body, packet.size);
    made_mcu(&made, WIRE_NOISE_IS, "\1\2", 2); /* too short to be one */
    made_mcu(&made, packet.type, packet.body, packet.size);
    assert_int_equal(ts_health_mcu_noise(&made.evidence, &deltas, &count, NULL), TS_OK);
    assert_int_equal(count, 6);
    assert_true(deltas[0] == 500 && deltas[1] == 1000 && deltas[5] == 127500);
    free(deltas);
    made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_of_nothing_says_nothing),
        cmocka_unit_test(a_launch_is_read),
        cmocka_unit_test(faults_are_counted),
        cmocka_unit_test(flicker_is_told_from_its_alias),
        cmocka_unit_test(a_lamp_is_seen_on_black),
        cmocka_unit_test(steady_light_does_not_flicker),
        cmocka_unit_test(intervals_of_the_mcu_are_collected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
