/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/rng.h"
#include "instrument/camera.h"
#include "instrument/stylus.h"

#include "leds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TAPS_MOST 60

/* n taps of a rig with this true delay and offset. */
struct bed {
    double contact[TAPS_MOST], pickup[TAPS_MOST], closed[TAPS_MOST], opened[TAPS_MOST];
    struct ts_plate_taps taps;
};

static void make_taps(struct bed *bed, uint64_t seed, size_t n, double delay, double delay_sd)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 60);
    const double early = ts_rng_range(&rng, 0.11, 0.25), late = ts_rng_range(&rng, 0, 0.25);
    for (size_t i = 0; i < n; i++) {
        const double touched = 1000.0 * (double)i + ts_rng_range(&rng, 0, 200);
        const double taken = touched + ts_rng_range(&rng, 80, 300);
        bed->contact[i] = touched + 0.1 + 0.08 * ts_rng_normal(&rng);
        bed->closed[i] = touched + late;
        bed->pickup[i] = taken + 0.05 * ts_rng_normal(&rng);
        bed->opened[i] = taken + delay + delay_sd * ts_rng_normal(&rng) - early;
    }
    bed->taps = (struct ts_plate_taps){.count = n,
                                       .contact_ms = bed->contact,
                                       .pickup_ms = bed->pickup,
                                       .closed_ms = bed->closed,
                                       .opened_ms = bed->opened,
                                       .opens_early_ms = TS_PLATE_OPENS_EARLY_MS,
                                       .opens_u_ms = TS_PLATE_OPENS_U_MS,
                                       .closes_late_ms = TS_PLATE_CLOSES_LATE_MS,
                                       .closes_u_ms = TS_PLATE_CLOSES_U_MS};
}

static void delay_and_its_uncertainties_are_honest(void **state)
{
    (void)state;
    double covered = 0, offset_covered = 0, spread = 0;
    const int rigs = 400;
    for (int rig = 0; rig < rigs; rig++) {
        struct bed bed;
        struct ts_calibration calibration;
        struct ts_plate_report report;
        const double delay = 3 + 0.01 * rig;
        ts_calibration_nominal(&calibration);
        make_taps(&bed, 100 + (uint64_t)rig, 20, delay, 0.16);
        assert_int_equal(ts_stylus_calibrate(&bed.taps, &calibration, &report, NULL), TS_OK);
        assert_int_equal(calibration.plate_taps, 20);
        covered += fabs(calibration.lift_delay_ms - delay) <= 2 * calibration.lift_common_u_ms;
        offset_covered +=
            fabs(calibration.contact_offset_ms + 0.1) <= 2 * calibration.contact_common_u_ms;
        spread += calibration.lift_delay_u_ms / rigs;
    }
    print_message("within 2u: delay %.1f %%, offset %.1f %%; mean spread %.3f\n",
                  100 * covered / rigs, 100 * offset_covered / rigs, spread);
    assert_true(covered >= 0.92 * rigs && offset_covered >= 0.92 * rigs);
    assert_true(fabs(spread - hypot(0.16, 0.05)) < 0.02);
}

static void bad_taps_are_rejected_and_counted(void **state)
{
    (void)state;
    struct bed bed;
    struct ts_calibration calibration;
    struct ts_plate_report report;
    ts_calibration_nominal(&calibration);
    make_taps(&bed, 7, 20, 5, 0.1);
    bed.opened[3] = NAN;           /* never opened */
    bed.pickup[4] = NAN;           /* the accelerometer missed it */
    bed.opened[5] -= 70;           /* foil came loose in the middle of the tap */
    bed.closed[6] += 12;           /* dirt under the tip */
    bed.opened[7] = bed.closed[7]; /* a mere spark */
    bed.opened[8] += 9;            /* sane, but a gross error: the median bears it */
    assert_int_equal(ts_stylus_calibrate(&bed.taps, &calibration, &report, NULL), TS_OK);
    assert_int_equal(report.used, 15);
    assert_int_equal(report.not_seen, 2);
    assert_int_equal(report.not_sane, 3);
    assert_true(fabs(calibration.lift_delay_ms - 5) < 0.25);
    assert_true(calibration.lift_delay_u_ms < 0.4);
}

static void too_few_taps_keep_the_nominal_delay(void **state)
{
    (void)state;
    struct bed bed;
    struct ts_calibration calibration, nominal;
    struct ts_plate_report report;
    struct ts_why why = {""};
    ts_calibration_nominal(&nominal);
    calibration = nominal;
    make_taps(&bed, 8, 6, 5, 0.1);
    bed.opened[0] = bed.opened[1] = NAN;
    assert_int_equal(ts_stylus_calibrate(&bed.taps, &calibration, &report, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "are needed"));
    assert_int_equal(report.used, 4);
    assert_memory_equal(&calibration, &nominal, sizeof nominal);
    bed.taps.count = 0;
    assert_int_equal(ts_stylus_calibrate(&bed.taps, &calibration, &report, &why), TS_EPROTO);
}

static void camera_is_learnt_from_nominal_values(void **state)
{
    (void)state;
    static struct leds leds;
    for (uint64_t seed = 300; seed < 308; seed++) {
        struct ts_calibration calibration;
        struct ts_sync_fit fit;
        struct ts_why why = {""};
        leds = (struct leds){.seed = seed, .frames = 600, .edges = 100, .spacing_ms = 40};
        leds_film(&leds);
        ts_calibration_nominal(&calibration);
        if (ts_camera_calibrate(&leds.view, leds.edge, leds.edges, &calibration, &fit, &why))
            fail_msg("%s", why.text);
        assert_true(calibration.camera_known && calibration.led[0].seen && calibration.led[1].seen);
        /* These LEDs fill their blocks: one end of what the correction allows for. */
        assert_true(fabs(calibration.exposure_ms - leds.exposure_ms) <
                    2.5 * calibration.exposure_u_ms);
        assert_true(calibration.exposure_u_ms < 0.1);
        assert_true(fabs(calibration.readout_ms - leds.readout_ms) < 0.03 * leds.readout_ms);
        assert_true(fabs(calibration.period_ms - leds.period_ms) < 5e-4);
        assert_true(fabs(calibration.latency_ms - leds.latency_ms) < 0.6);
        assert_true(calibration.camera_u_ms < 0.1);
        leds_close(&leds);
    }
}

static void camera_without_leds_stays_nominal(void **state)
{
    (void)state;
    static struct leds leds;
    struct ts_calibration calibration, nominal;
    struct ts_sync_fit fit;
    struct ts_why why = {""};
    leds = (struct leds){.seed = 9, .frames = 300, .edges = 60, .spacing_ms = 30, .hidden = 3};
    leds_film(&leds);
    ts_calibration_nominal(&nominal);
    calibration = nominal;
    assert_int_equal(
        ts_camera_calibrate(&leds.view, leds.edge, leds.edges, &calibration, &fit, &why),
        TS_EPROTO);
    assert_memory_equal(&calibration, &nominal, sizeof nominal);
    assert_int_equal(ts_camera_calibrate(&leds.view, leds.edge, 10, &calibration, &fit, &why),
                     TS_EPROTO);
    assert_non_null(strstr(why.text, "only 10 edges"));
    leds_close(&leds);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delay_and_its_uncertainties_are_honest),
        cmocka_unit_test(bad_taps_are_rejected_and_counted),
        cmocka_unit_test(too_few_taps_keep_the_nominal_delay),
        cmocka_unit_test(camera_is_learnt_from_nominal_values),
        cmocka_unit_test(camera_without_leds_stays_nominal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
