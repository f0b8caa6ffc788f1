/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One launch's evidence with parts missing: the right flags, and whatever can still be known. */
#include "made.h"

#include "model/scene.h"
#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static double ms_of(int64_t host_ns)
{
    return (double)(host_ns - MADE_ZERO_NS) / (double)TS_NS_PER_MS;
}

static void has(const struct ts_result *result, enum ts_flag flag)
{
    if (!ts_result_has(result, flag))
        fail_msg("%s is not flagged", ts_flag_name(flag));
}

static void has_not(const struct ts_result *result, enum ts_flag flag)
{
    if (ts_result_has(result, flag))
        fail_msg("%s is flagged", ts_flag_name(flag));
}

static void has_no_times(const struct ts_result *result)
{
#define HAS_NO(name) assert_true(isnan(result->name.value));
    TS_METRIC_LIST(HAS_NO)
#undef HAS_NO
}

static void put_spot(struct made *made, double at_ms, uint32_t boot_id)
{
    const double ticks = at_ms * 1e6 * (1 + MADE_PPM * 1e-6) / (double)TS_MCU_TICK_NS;
    struct wire_packet packet;
    wire_put_edge(&packet, &(struct wire_edge){WIRE_EDGE_PHOTO0, 1, (uint32_t)ticks});
    made_mcu(made, packet.type, packet.body, packet.size);
    made->evidence.mcu[made->evidence.mcu_count - 1].message.boot_id = boot_id;
}

/* What a photodiode saw in another boot of the board has ticks of another clock. */
static void test_photodiode_of_another_boot(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    strcpy(made.evidence.intent.component, TS_SCENE_COMPONENT);
    put_spot(&made, made.pickup_ms + 100, 4);
    assert_true(isnan(made_measure(&made).photodiode_ms[0]));
    put_spot(&made, made.pickup_ms + 400, 3);
    assert_true(fabs(made_measure(&made).photodiode_ms[0] - 394.5) < 2);
    assert_true(isnan(made_measure(&made).photodiode_ms[1]));
    made_free(&made);
}

/* The evidence that the other tests spoil is good, and its times are right. */
static void test_whole(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    const struct ts_result result = made_measure(&made);
    has_not(&result, TS_FLAG_RIG_FAULT);
    has_not(&result, TS_FLAG_CLOCK_UNSURE);
    has_not(&result, TS_FLAG_NO_CONTACT);
    has_not(&result, TS_FLAG_NO_CHANGE);
    assert_int_equal(result.launch, 7);
    assert_string_equal(result.app, "One");
    assert_true(fabs(ms_of(result.pickup.host_ns) - made.pickup_ms) < 1.5);
    assert_true(fabs(ms_of(result.contact.host_ns) - made.contact_ms) < 1.5);
    assert_true(result.lift.host_ns > result.pickup.host_ns);
    /* Nominal calibration: nobody knows the camera's latency, lift 5.5 ms after pick-up. */
    assert_true(fabs(result.settled.value - MADE_CHANGE_MS) < 25);
    assert_true(fabs(result.first_visual_change.value - MADE_CHANGE_MS) < 25);
    assert_true(result.settled.u_common >= 3.0);
    made_free(&made);
}

static void test_empty(void **state)
{
    (void)state;
    struct made made;
    made_empty(&made);
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    has(&result, TS_FLAG_CLOCK_UNSURE);
    has(&result, TS_FLAG_START_TYPE_UNKNOWN);
    assert_false(ts_result_usable(&result));
    assert_string_equal(ts_result_verdict(&result), "rig_fault");
    has_no_times(&result);
    assert_true(isnan(result.lift.u_ns));
    made_free(&made);
}

/* Not even the picture's size. */
static void test_nothing_at_all(void **state)
{
    (void)state;
    struct made made;
    made_empty(&made);
    made.evidence = (struct ts_evidence){0};
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    has_no_times(&result);
    made_free(&made);
}

static void test_no_clock(void **state)
{
    (void)state;
    struct made made;
    made_empty(&made);
    made_tap(&made);
    made_frames(&made);
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_CLOCK_UNSURE);
    has(&result, TS_FLAG_START_TYPE_UNKNOWN);
    has_no_times(&result);
    assert_true(isnan(result.lift.u_ns));
    made_free(&made);
}

static void test_few_readings(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    made.evidence.clock_count = 5; /* three of the MCU */
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_CLOCK_UNSURE);
    has_no_times(&result);
    made_free(&made);
}

/* A reading that met a stall is seen, though the fit gets over it. */
static void test_stall(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    made.evidence.clocks[40].t4.ns += 150 * TS_NS_PER_MS;
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_CLOCK_UNSURE);
    assert_true(fabs(result.settled.value - MADE_CHANGE_MS) < 25);
    made_free(&made);
}

/* A computer with too much to do asks for the clock rarely; the LEDs go on and show that the MCU is
 * there. One that fell silent stamped what nobody has. */
static void test_rare_readings(void **state)
{
    (void)state;
    for (int heard = 0; heard < 2; heard++) {
        struct made made;
        struct wire_packet packet;
        made_launch(&made);
        made.evidence.clock_count = 40; /* until 1 s after the first; the watch ends at 3.2 s */
        wire_put_state(&packet, &(struct wire_state){WIRE_HELD, 0});
        if (heard) {
            made_mcu(&made, packet.type, packet.body, packet.size);
            made.evidence.mcu[made.evidence.mcu_count - 1].arrival.ns += 3 * TS_NS_PER_S;
        }
        const struct ts_result result = made_measure(&made);
        if (heard)
            has_not(&result, TS_FLAG_CLOCK_UNSURE);
        else
            has(&result, TS_FLAG_CLOCK_UNSURE);
        made_free(&made);
    }
}

/* The helper tells that it was denied a start; what any app says under its own name is nothing. */
static void test_denied_start(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool denied;
    } cases[] = {
        {"1700000002.000000 10211  4478  4478 W Touchstone: android.content."
         "ActivityNotFoundException: Unable to find explicit activity class {a.one/.Main}",
         true},
        {"1700000002.000000 10211  4478  4478 W Touchstone: java.lang.SecurityException: "
         "Permission Denial: starting Intent { cmp=a.one/.Main }",
         true},
        {"1700000002.000000 10211  4478  4478 I Touchstone: touch up 803257924", false},
        {"1700000002.000000 10211  4478  4478 W Shop: java.lang.SecurityException: no", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct made made;
        made_launch(&made);
        made_line(&made, cases[i].line);
        const struct ts_result result = made_measure(&made);
        if (cases[i].denied)
            has(&result, TS_FLAG_START_REFUSED);
        else
            has_not(&result, TS_FLAG_START_REFUSED);
        made_free(&made);
    }
}

/* Ticks that begin anew in the middle of a launch. */
static void test_reset_inside(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    for (size_t i = made.evidence.clock_count / 2; i < made.evidence.clock_count; i++) {
        if (made.evidence.clocks[i].domain != TS_CLOCK_MCU)
            continue;
        made.evidence.clocks[i].t2 -= 2000000;
        made.evidence.clocks[i].t3 -= 2000000;
    }
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_CLOCK_UNSURE);
    made_free(&made);
}

static void test_no_frames(void **state)
{
    (void)state;
    struct made made;
    made_empty(&made);
    made_clocks(&made);
    made_tap(&made);
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    has_not(&result, TS_FLAG_CLOCK_UNSURE);
    has_no_times(&result);
    assert_int_equal(result.frames, 0);
    assert_true(fabs(ms_of(result.pickup.host_ns) - made.pickup_ms) < 1.5);
    made_free(&made);
}

static void test_no_tap(void **state)
{
    (void)state;
    struct made made;
    made_empty(&made);
    made_clocks(&made);
    made_frames(&made);
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    has_no_times(&result);
    assert_true(isnan(result.contact.u_ns) && isnan(result.lift.u_ns));
    assert_int_equal(result.frames, MADE_FRAMES);
    made_free(&made);
}

/* Samples that stop when the motor starts: a tap was begun and nothing is known of it. */
static void test_tap_cut_off(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    size_t kept = 0;
    for (size_t i = 0; i < made.evidence.mcu_count; i++) {
        kept = i + 1;
        if (made.evidence.mcu[i].message.type == WIRE_STATE)
            break;
    }
    made.evidence.mcu_count = kept;
    const struct ts_result result = made_measure(&made);
    assert_false(ts_result_usable(&result));
    has_no_times(&result);
    made_free(&made);
}

static void test_samples_lost(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    struct ts_evidence *evidence = &made.evidence;
    const size_t at = evidence->mcu_count / 2;
    memmove(evidence->mcu + at, evidence->mcu + at + 4,
            (evidence->mcu_count - at - 4) * sizeof *evidence->mcu);
    evidence->mcu_count -= 4;
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    made_free(&made);
}

static void test_backwards(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    for (size_t i = 0; i < made.evidence.frame_count; i++)
        made.evidence.frames[i].sequence = 5000 - (uint32_t)i;
    struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    for (size_t i = 0; i < made.evidence.frame_count; i++)
        made.evidence.frames[i].sequence = 9; /* a driver that does not count */
    result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    made_free(&made);
}

/* One frame out of order between good ends. */
static void test_one_backwards(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    made.evidence.frames[200].sequence = 1100;
    made.evidence.frames[201].sequence = 1399;
    const struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_RIG_FAULT);
    made_free(&made);
}

static void test_frames_lost(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    struct ts_evidence *evidence = &made.evidence;
    memmove(evidence->frames + 100, evidence->frames + 107,
            (evidence->frame_count - 107) * sizeof *evidence->frames);
    evidence->frame_count -= 7;
    const struct ts_result result = made_measure(&made);
    assert_int_equal(result.dropped, 7);
    made_free(&made);
}

static void test_faults(void **state)
{
    (void)state;
    static const struct {
        enum ts_device_fault fault;
        enum ts_flag flag;
    } table[] = {
        {TS_FAULT_MCU_RESET, TS_FLAG_RIG_FAULT},   {TS_FAULT_MCU_LOST, TS_FLAG_RIG_FAULT},
        {TS_FAULT_MCU_GAP, TS_FLAG_RIG_FAULT},     {TS_FAULT_CAMERA_LOST, TS_FLAG_RIG_FAULT},
        {TS_FAULT_MCU_LATCHED, TS_FLAG_RIG_FAULT}, {TS_FAULT_PHONE_LOST, TS_FLAG_LOG_LOST},
        {TS_FAULT_STREAM_ENDED, TS_FLAG_LOG_LOST},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct made made;
        made_launch(&made);
        made_fault(&made, table[i].fault);
        const struct ts_result result = made_measure(&made);
        has(&result, table[i].flag);
        made_free(&made);
    }
}

static void made_started(struct made *made)
{
    made_launch(made);
    made_line(
        made,
        "1700000001.250000  1000  1557  2242 I ActivityTaskManager: START u0 {act=android.intent"
        ".action.MAIN cmp=a.one/.Main} from uid 10001");
    made_line(made,
              "1700000001.700000  1000  1557  2242 I ActivityTaskManager: Displayed a.one/.Main: "
              "+440ms");
}

/* Android's numbers go, those of the camera stay. */
static void test_log_with_holes(void **state)
{
    (void)state;
    static const enum ts_device_fault faults[] = {TS_FAULT_PHONE_LOST, TS_FAULT_STREAM_ENDED};
    struct made made;
    made_started(&made);
    const struct ts_result whole = made_measure(&made);
    assert_int_equal((int)whole.time_to_initial_display_ms, 440);
    made_free(&made);
    for (size_t i = 0; i <= sizeof faults / sizeof *faults; i++) {
        made_started(&made);
        if (i < sizeof faults / sizeof *faults)
            made_fault(&made, faults[i]);
        else
            made_line(&made, "played a.one/.Main: +440ms"); /* what is left of a torn line */
        const struct ts_result result = made_measure(&made);
        has(&result, TS_FLAG_LOG_LOST);
        assert_true(isnan(result.time_to_initial_display_ms));
        assert_true(isnan(result.time_to_full_display_ms));
        assert_int_equal(ts_result_usable(&result), ts_result_usable(&whole));
        assert_int_equal(result.start_type, whole.start_type);
        assert_memory_equal(&result.settled, &whole.settled, sizeof whole.settled);
        made_free(&made);
    }
}

static void test_conditions(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    struct ts_conditions *conditions = &made.evidence.intent.conditions;
    conditions->refresh_before_hz = 120;
    conditions->refresh_after_hz = 60;
    conditions->thermal_status = 3;
    struct ts_result result = made_measure(&made);
    has(&result, TS_FLAG_DISPLAY_MODE_CHANGED);
    has(&result, TS_FLAG_TOO_HOT);
    conditions->refresh_before_hz = NAN;
    conditions->thermal_status = -1;
    result = made_measure(&made);
    has_not(&result, TS_FLAG_DISPLAY_MODE_CHANGED);
    has_not(&result, TS_FLAG_TOO_HOT);
    made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_photodiode_of_another_boot),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_empty),
        cmocka_unit_test(test_nothing_at_all),
        cmocka_unit_test(test_no_clock),
        cmocka_unit_test(test_few_readings),
        cmocka_unit_test(test_stall),
        cmocka_unit_test(test_rare_readings),
        cmocka_unit_test(test_denied_start),
        cmocka_unit_test(test_reset_inside),
        cmocka_unit_test(test_no_frames),
        cmocka_unit_test(test_no_tap),
        cmocka_unit_test(test_tap_cut_off),
        cmocka_unit_test(test_samples_lost),
        cmocka_unit_test(test_backwards),
        cmocka_unit_test(test_one_backwards),
        cmocka_unit_test(test_frames_lost),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_log_with_holes),
        cmocka_unit_test(test_conditions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
