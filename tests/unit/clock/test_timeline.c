/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What becomes of a launch in which a clock jumps: never a wrong time. */
#include "made.h"

#include "measure/timeline.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static bool has(const struct ts_result *result, enum ts_flag flag)
{
    return ts_result_has(result, flag);
}

/* Readings `from` and later of one clock are moved by so much. */
static void move(struct made *made, enum ts_clock_domain domain, size_t from, int64_t by)
{
    size_t seen = 0;
    for (size_t i = 0; i < made->evidence.clock_count; i++) {
        struct ts_item_clock *clock = &made->evidence.clocks[i];
        if (clock->domain != domain || seen++ < from)
            continue;
        clock->t2 += by;
        clock->t3 += by;
    }
}

static void reboot(struct made *made, size_t from)
{
    size_t seen = 0;
    for (size_t i = 0; i < made->evidence.clock_count; i++)
        if (made->evidence.clocks[i].domain == TS_CLOCK_MCU && seen++ >= from)
            made->evidence.clocks[i].boot_id = 4;
    move(made, TS_CLOCK_MCU, from, -1234567);
}

/* Two lines as made_clocks() has the phone: its clock is the host's since MADE_ZERO_NS. */
static void add_start(struct made *made, double ms, int64_t moved_ns)
{
    char text[200];
    const double s = 1e-3 * ms + 1e-9 * (double)moved_ns;
    snprintf(text, sizeof text,
             "%19.6f  1000  1379  1842 I ActivityTaskManager: START u0 {cmp=a.one/.Main} with "
             "LAUNCH_MULTIPLE from uid 10001 result code=0",
             s);
    made_line(made, text);
    struct ts_evidence_line *line = &made->evidence.lines[made->evidence.line_count - 1];
    line->arrival.ns = MADE_ZERO_NS + (int64_t)(ms * 1e6) + 3000000;
}

static void a_healthy_launch_is_one_stretch(void **state)
{
    (void)state;
    struct made made;
    struct ts_timeline timeline;
    made_launch(&made);
    assert_int_equal(ts_timeline_build(&made.evidence, &timeline), TS_OK);
    assert_true(timeline.mcu_known && !timeline.mcu.suspicious && timeline.phone_known);
    assert_int_equal(timeline.boot_id, 3);
    assert_int_equal(timeline.phone_real.count, 1);
    assert_int_equal(timeline.phone_up.count, 0);
    ts_timeline_free(&timeline);
    for (size_t i = 0; i < made.evidence.clock_count; i++)
        if (made.evidence.clocks[i].domain == TS_CLOCK_PHONE_REAL)
            made.evidence.clocks[i].domain = TS_CLOCK_PHONE_UP;
    assert_int_equal(ts_timeline_build(&made.evidence, &timeline), TS_OK);
    assert_int_equal(timeline.phone_up.count, 1);
    assert_false(timeline.phone_known);
    ts_timeline_free(&timeline);
    made_free(&made);
}

/* The other boot's readings are not of this clock, on whichever side of the tap it came. */
static void boots_are_never_mixed(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    const struct ts_result healthy = made_measure(&made);
    assert_false(has(&healthy, TS_FLAG_CLOCK_UNSURE));
    reboot(&made, 45);
    const struct ts_result result = made_measure(&made);
    assert_true(has(&result, TS_FLAG_CLOCK_UNSURE));
    struct ts_timeline timeline;
    assert_int_equal(ts_timeline_build(&made.evidence, &timeline), TS_OK);
    assert_int_equal(timeline.boot_id, 3);
    assert_int_equal(timeline.mcu.offered, 45);
    assert_int_equal(timeline.mcu.used, 45);
    assert_true(llabs(result.pickup.host_ns - healthy.pickup.host_ns) < 50000);
    ts_timeline_free(&timeline);
    made_free(&made);
}

static void jumps_of_the_mcu_are_flagged(void **state)
{
    (void)state;
    static const int64_t ticks[] = {2400, -2400, 65536, -65536, 20000000}; /* 1.2 ms and more */
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        struct made made;
        made_launch(&made);
        const struct ts_result healthy = made_measure(&made);
        move(&made, TS_CLOCK_MCU, 48, ticks[i]);
        const struct ts_result result = made_measure(&made);
        assert_true(has(&result, TS_FLAG_CLOCK_UNSURE));
        /* The tap was before the jump: its times do not change with it. */
        assert_true(llabs(result.pickup.host_ns - healthy.pickup.host_ns) < 100000);
        made_free(&made);
    }
}

/* Wherever a stall of 100 ms begins, some reading shows it. */
static void stalls_are_flagged(void **state)
{
    (void)state;
    for (int64_t at_ms = 0; at_ms < 54; at_ms += 3) {
        struct made made;
        made_launch(&made);
        const int64_t from = MADE_ZERO_NS + (1000 + at_ms) * TS_NS_PER_MS;
        const int64_t to = from + 100 * TS_NS_PER_MS;
        for (size_t i = 0; i < made.evidence.clock_count; i++) {
            struct ts_item_clock *clock = &made.evidence.clocks[i];
            if (clock->domain == TS_CLOCK_MCU && clock->t4.ns > from && clock->t4.ns < to)
                clock->t4.ns = to;
        }
        const struct ts_result result = made_measure(&made);
        assert_true(has(&result, TS_FLAG_CLOCK_UNSURE));
        made_free(&made);
    }
}

/* One reading that is stamped late by a busy computer, among messages that came in time, costs
 * nothing: neither a flag nor what is known. With nothing else from the board for as long as a
 * stall takes, it is one. */
static void a_late_reading_is_only_a_worse_one(void **state)
{
    (void)state;
    for (int64_t late_ms = 41; late_ms < 100; late_ms += 4) {
        for (int others = 1; others >= 0; others--) {
            struct made made;
            made_launch(&made);
            const struct ts_result healthy = made_measure(&made);
            struct ts_item_clock *late = NULL;
            for (size_t i = 0; i < made.evidence.clock_count; i++)
                if (made.evidence.clocks[i].domain == TS_CLOCK_MCU &&
                    made.evidence.clocks[i].t1.ns < MADE_ZERO_NS + 1000 * TS_NS_PER_MS)
                    late = &made.evidence.clocks[i];
            assert_non_null(late);
            late->t4.ns = late->t1.ns + late_ms * TS_NS_PER_MS;
            for (size_t i = 0; i < made.evidence.mcu_count && others; i++)
                made.evidence.mcu[i].arrival.ns += (int64_t)(100 + 30 * i) * TS_NS_PER_MS;
            for (size_t i = 0; i < made.evidence.clock_count && !others; i++) {
                struct ts_item_clock *clock = &made.evidence.clocks[i];
                if (clock->domain == TS_CLOCK_MCU && clock != late &&
                    llabs(clock->t4.ns - late->t4.ns) < 100 * TS_NS_PER_MS)
                    clock->domain = TS_CLOCK_PHONE_UP; /* as if nobody had asked */
            }
            const struct ts_result result = made_measure(&made);
            if (has(&result, TS_FLAG_CLOCK_UNSURE) != !others)
                fail_msg("%d ms late, others %d", (int)late_ms, others);
            assert_true(llabs(result.pickup.host_ns - healthy.pickup.host_ns) < 50000);
            assert_true(others == 0 || result.pickup.u_ns < 1.2 * healthy.pickup.u_ns);
            made_free(&made);
        }
    }
}

/* The phone's clock is nothing to the rig's own times, and a line from after the jump still counts
 * when it is clear which side it is of. */
static void jumps_of_the_phone_touch_only_the_log(void **state)
{
    (void)state;
    static const int64_t jumps[] = {4000000000, -4000000000, 30000000, -30000000, 0};
    for (size_t i = 0; i < sizeof jumps / sizeof *jumps; i++) {
        struct made made;
        struct ts_timeline timeline;
        made_launch(&made);
        const struct ts_result healthy = made_measure(&made);
        move(&made, TS_CLOCK_PHONE_REAL, 40, jumps[i]); /* at 2.08 s */
        assert_int_equal(ts_timeline_build(&made.evidence, &timeline), TS_OK);
        assert_int_equal(timeline.phone_real.count, jumps[i] ? 2 : 1);
        const struct ts_clock_track *real = &timeline.phone_real;
        const int64_t after = MADE_EPOCH_NS + 2500 * TS_NS_PER_MS + jumps[i];
        const struct ts_clock_fit *fit =
            ts_clock_track_at_other(real, after, MADE_ZERO_NS + 2503 * TS_NS_PER_MS);
        /* 4 s earlier, before the first reading, the clock showed that too. */
        assert_int_equal(fit == NULL, jumps[i] == -4000000000);
        assert_true(!fit || llabs(ts_clock_to_host(fit, after) - MADE_ZERO_NS -
                                  2500 * TS_NS_PER_MS) < 1000000);
        ts_timeline_free(&timeline);
        add_start(&made, 1400, 0);
        add_start(&made, 2500, jumps[i]);
        const struct ts_result result = made_measure(&made);
        assert_false(has(&result, TS_FLAG_CLOCK_UNSURE));
        assert_true(result.pickup.host_ns == healthy.pickup.host_ns);
        assert_true(result.settled.value == healthy.settled.value);
        made_free(&made);
    }
}

/* Time zero is then the START line's stamp, as well as both clocks' bounds let it be known; without
 * the line there is none, and nothing counts. */
static void a_launch_that_nobody_taps_begins_in_the_log(void **state)
{
    (void)state;
    for (int told = 1; told >= 0; told--) {
        struct made made;
        made_launch(&made);
        snprintf(made.evidence.intent.conditions.launch_from,
                 sizeof made.evidence.intent.conditions.launch_from, "am");
        made.evidence.intent.tap_sent.ns = MADE_ZERO_NS + 1100 * TS_NS_PER_MS;
        add_start(&made, 1000, MADE_EPOCH_NS); /* before anybody told Android */
        if (told)
            add_start(&made, 1250, MADE_EPOCH_NS);
        const struct ts_result result = made_measure(&made);
        assert_true(isnan(result.contact.u_ns) && isnan(result.pickup.u_ns) &&
                    isnan(result.lift.u_ns));
        assert_false(has(&result, TS_FLAG_NO_CONTACT));
        assert_int_equal(has(&result, TS_FLAG_START_NOT_SEEN), !told);
        assert_int_equal(isnan(result.start.u_ns), !told);
        assert_true(told || (isnan(result.settled.value) && !ts_result_usable(&result)));
        const int64_t off_ns = result.start.host_ns - MADE_ZERO_NS - 1250 * TS_NS_PER_MS;
        assert_true(!told || (llabs(off_ns) < (int64_t)result.start.half_95_ns &&
                              result.start.half_95_ns < 20e6));
        const struct ts_term *terms = result.budgets[TS_BUDGET_SETTLED].terms;
        assert_true(!told || (terms[TS_TERM_PHONE].u > 0 && terms[TS_TERM_STAMP].u > 0 &&
                              terms[TS_TERM_LATENCY].u > 0 && !(terms[TS_TERM_LIFT_TAP].u > 0)));
        made_free(&made);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_healthy_launch_is_one_stretch),
        cmocka_unit_test(boots_are_never_mixed),
        cmocka_unit_test(jumps_of_the_mcu_are_flagged),
        cmocka_unit_test(stalls_are_flagged),
        cmocka_unit_test(a_late_reading_is_only_a_worse_one),
        cmocka_unit_test(a_launch_that_nobody_taps_begins_in_the_log),
        cmocka_unit_test(jumps_of_the_phone_touch_only_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
