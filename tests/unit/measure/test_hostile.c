/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A journal may be damaged or forged: whatever stands in it, measuring ends with a result. */
#include "made.h"

#include "wire/wire.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1,       0, 1, INT32_MAX, UINT32_MAX,
                                   1LL << 40, INT64_MAX - 1, INT64_MAX};
#define EXTREMES (sizeof extremes / sizeof *extremes)

static int64_t draw_extreme(struct ts_rng *rng)
{
    return extremes[ts_rng_below(rng, EXTREMES)];
}

static void learn(const struct made *made)
{
    struct ts_calibration calibration;
    struct ts_why why;
    assert_int_equal(ts_measure_calibration(&made->evidence, NULL, &calibration, &why), TS_OK);
    assert_true(calibration.lift_delay_u_ms >= 0 && isfinite(calibration.lift_delay_ms));
    assert_true(isfinite(calibration.exposure_ms) && isfinite(calibration.period_ms));
    assert_true(memchr(why.text, '\0', sizeof why.text) != NULL);
}

/* Bodies of every type and size, of random bytes. */
static void test_garbage_bodies(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 1, 1);
    for (int round = 0; round < 60; round++) {
        struct made made;
        made_launch(&made);
        for (int i = 0; i < 300; i++) {
            uint8_t body[WIRE_BODY_MAX];
            for (size_t k = 0; k < sizeof body; k++)
                body[k] = (uint8_t)ts_rng_next(&rng);
            const uint8_t type = (uint8_t)(ts_rng_below(&rng, 4) ? 0x81 + ts_rng_below(&rng, 8)
                                                                 : ts_rng_below(&rng, 256));
            made_mcu(&made, type, body, ts_rng_below(&rng, WIRE_BODY_MAX + 1));
        }
        /* Anywhere among the good ones. */
        struct ts_evidence *evidence = &made.evidence;
        for (size_t i = evidence->mcu_count - 1; i > 0 && round % 2; i--) {
            const size_t other = ts_rng_below(&rng, (uint32_t)i + 1);
            const struct ts_evidence_mcu swap = evidence->mcu[i];
            evidence->mcu[i] = evidence->mcu[other];
            evidence->mcu[other] = swap;
        }
        made_measure(&made);
        learn(&made);
        made_free(&made);
    }
}

/* One field after the other at each of the ends of its range. */
static void spoil(struct made *made, int field, struct ts_rng *rng)
{
    struct ts_evidence *evidence = &made->evidence;
    const size_t frame = ts_rng_below(rng, (uint32_t)evidence->frame_count);
    const size_t clock = ts_rng_below(rng, (uint32_t)evidence->clock_count);
    const int64_t value = draw_extreme(rng);
    switch (field) {
    case 0:
        evidence->frames[frame].arrival.ns = value;
        break;
    case 1:
        evidence->frames[frame].sequence = (uint32_t)value;
        break;
    case 2:
        evidence->clocks[clock].t1.ns = value;
        break;
    case 3:
        evidence->clocks[clock].t2 = value;
        break;
    case 4:
        evidence->clocks[clock].t3 = value;
        break;
    case 5:
        evidence->clocks[clock].t4.ns = value;
        break;
    case 6:
        evidence->intent.watch_ended.ns = value;
        evidence->intent.tap_sent.ns = value;
        break;
    default:
        evidence->clocks[0].t1.ns = value; /* from which everything counts */
        evidence->clocks[0].t2 = draw_extreme(rng);
    }
}

static void test_one_huge_number(void **state)
{
    (void)state;
    struct ts_rng rng;
    for (int field = 0; field < 8; field++) {
        ts_rng_seed(&rng, 2, (uint64_t)field);
        for (int round = 0; round < 25; round++) {
            struct made made;
            made_launch(&made);
            spoil(&made, field, &rng);
            made_measure(&made);
            learn(&made);
            made_free(&made);
        }
    }
}

static void test_many_huge_numbers(void **state)
{
    (void)state;
    struct ts_rng rng;
    ts_rng_seed(&rng, 3, 0);
    for (int round = 0; round < 100; round++) {
        struct made made;
        made_launch(&made);
        for (int i = 0; i < 40; i++)
            spoil(&made, (int)ts_rng_below(&rng, 8), &rng);
        made_measure(&made);
        learn(&made);
        made_free(&made);
    }
}

/* All readings alike, and all of them far away. */
static void test_frozen_clock(void **state)
{
    (void)state;
    for (size_t e = 0; e < EXTREMES; e++) {
        struct made made;
        made_launch(&made);
        for (size_t i = 0; i < made.evidence.clock_count; i++) {
            struct ts_item_clock *clock = &made.evidence.clocks[i];
            clock->t1.ns = clock->t2 = clock->t3 = clock->t4.ns = extremes[e];
        }
        const struct ts_result result = made_measure(&made);
        assert_false(ts_result_usable(&result));
        made_free(&made);
    }
}

/* A first frame number near the counter's end, and a leap over the whole counter. */
static void test_frame_numbers(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    const struct ts_result plain = made_measure(&made);
    for (size_t i = 0; i < made.evidence.frame_count; i++)
        made.evidence.frames[i].sequence = UINT32_MAX - 100 + (uint32_t)i;
    const struct ts_result wrapped = made_measure(&made);
    assert_int_equal(wrapped.dropped, 0);
    assert_true(fabs(wrapped.settled.value - plain.settled.value) < 0.5);
    for (size_t i = 0; i < made.evidence.frame_count; i++)
        made.evidence.frames[i].sequence = (uint32_t)i + (i > 200 ? 4000000000u : 0);
    const struct ts_result leapt = made_measure(&made);
    assert_false(ts_result_usable(&leapt));
    made_free(&made);
}

/* Frames that a host took late all at once: equal stamps, or the clock's resolution is coarse. */
static void test_equal_arrivals(void **state)
{
    (void)state;
    struct made made;
    made_launch(&made);
    for (size_t i = 100; i < 110; i++)
        made.evidence.frames[i].arrival = made.evidence.frames[99].arrival;
    made_measure(&made);
    made_free(&made);
}

/* Levels that no camera gives, flicker between the ends, a picture of one colour. */
static void test_block_levels(void **state)
{
    (void)state;
    for (int pattern = 0; pattern < 5; pattern++) {
        struct made made;
        made_launch(&made);
        struct ts_rng rng;
        ts_rng_seed(&rng, 4, (uint64_t)pattern);
        for (size_t i = 0; i < made.evidence.kept_count; i++) {
            uint16_t *blocks = made.evidence.kept[i];
            for (int b = 0; b < MADE_BLOCKS_X * MADE_BLOCKS_Y; b++)
                blocks[b] = pattern == 0   ? 0
                            : pattern == 1 ? UINT16_MAX
                            : pattern == 2 ? (uint16_t)(i % 2 ? UINT16_MAX : 0)
                            : pattern == 3 ? (uint16_t)ts_rng_next(&rng)
                                           : (uint16_t)(i * 17);
        }
        made_measure(&made);
        learn(&made);
        made_free(&made);
    }
}

/* A calibration that learnt half of what it should. */
static void test_odd_calibration(void **state)
{
    (void)state;
    static const double corners[] = {0, 1e300, -1e300, NAN};
    for (size_t way = 0; way < sizeof corners / sizeof *corners; way++) {
        struct made made;
        made_launch(&made);
        made.calibration.camera_known = true; /* and no LED seen */
        made.calibration.screen_known = true; /* its corners all in one place */
        for (int i = 0; i < 4; i++)
            made.calibration.screen_px[i][0] = made.calibration.screen_px[i][1] = corners[way];
        made_measure(&made);
        made_free(&made);
    }
}

static void test_log_lines(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "",
        " ",
        "99999999999999999999.999999999  1000  1557  2242 I ActivityManager: Displayed a.one/.Main",
        ("1715529512.085000  1000  1557  2242 I ActivityManager: Displayed a.one/.Main: "
         "+99999999999999999999d23h"),
        "%s%n%s%n",
        "\xff\xfe\x80 I am_crash: [",
        "-1.5 0 0 0 I Touchstone: touch up",
    };
    struct made made;
    made_launch(&made);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        made_line(&made, lines[i]);
    char endless[5000];
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    made_line(&made, endless);
    made_measure(&made);
    made_free(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_garbage_bodies),    cmocka_unit_test(test_one_huge_number),
        cmocka_unit_test(test_many_huge_numbers), cmocka_unit_test(test_frozen_clock),
        cmocka_unit_test(test_frame_numbers),     cmocka_unit_test(test_equal_arrivals),
        cmocka_unit_test(test_block_levels),      cmocka_unit_test(test_odd_calibration),
        cmocka_unit_test(test_log_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
