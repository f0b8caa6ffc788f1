/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Certificates of made-up instruments, good and bad; the chart; the probabilities behind both. */
#include "base/rng.h"
#include "instrument/certificate.h"
#include "instrument/chances.h"
#include "stats/distribution.h"
#include "instrument/chart.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double got, double expected, double within)
{
    if (!(fabs(got - expected) <= within))
        fail_msg("%.9g instead of %.9g", got, expected);
}

/* Tables: Abramowitz and Stegun 26.9 and 26.10; sums of a few binomial terms by hand. */
static void chances_are_those_of_tables(void **state)
{
    (void)state;
    assert_near(ts_chance_t(0.95, 1), 12.706, 0.001);
    assert_near(ts_chance_t(0.95, 10), 2.228, 0.001);
    assert_near(ts_chance_t(0.999, 30), 3.646, 0.001);
    assert_near(ts_chance_t(0.95, INFINITY), 1.960, 0.001);
    assert_near(ts_chance_f(0.95, 3, 10), 3.708, 0.001);
    assert_near(ts_chance_f(0.99, 5, 20), 4.103, 0.001);
    assert_near(ts_beta_below(0.3, 2, 3), 0.3483, 1e-9); /* 1 - P(B < 2), B of 4 and 0.3 */
    assert_near(ts_chance_binomial(1, 4, 0.3), 0.6517, 1e-9);
    assert_near(ts_chance_binomial(0, 60, 0.02), pow(0.98, 60), 1e-12);
    assert_near(ts_chance_binomial(60, 60, 0.02), 1, 0);
    assert_near(ts_chance_binomial(-1, 60, 0.02), 0, 0);
}

/* An instrument that errs by `bias` and `spread`, and states u. */
static void make(struct ts_certificate *certificate, uint64_t seed, int scenes, double bias,
                 double spread, double u)
{
    struct ts_rng rng;
    ts_rng_seed(&rng, seed, 1);
    *certificate = (struct ts_certificate){
        .scene_count = scenes, .response_ms = 1, .refresh_hz = 90, .passed = true};
    for (int i = 0; i < scenes; i++) {
        struct ts_scene_pair *pair = &certificate->scenes[i];
        *pair = (struct ts_scene_pair){
            .kind = i % TS_SCENE_COUNT, .usable = true, .refresh_ms = 1000.0 / 90};
        for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
            const struct ts_display_share share =
                ts_display_share((enum ts_measurand)m, pair->kind, pair->refresh_ms, 1);
            const double of_display =
                share.middle_ms + 0.9 * share.half_width_ms * (i % TS_SCENE_COUNT % 2 ? 1 : -1);
            pair->difference_ms[m] = of_display + bias + spread * ts_rng_normal(&rng);
            pair->u_ms[m] = u;
            pair->half_95_ms[m] = 1.96 * u;
        }
    }
}

static bool passes(uint64_t seed, double bias, double spread, double u)
{
    static struct ts_certificate certificate;
    make(&certificate, seed, 60, bias, spread, u);
    ts_certificate_judge(&certificate);
    return certificate.passed;
}

static void a_good_instrument_passes(void **state)
{
    (void)state;
    int passed = 0;
    for (uint64_t seed = 1; seed <= 400; seed++)
        passed += passes(seed, 0, 0.5, 0.5);
    assert_in_range(passed, 392, 400);
}

static void a_bad_one_does_not(void **state)
{
    (void)state;
    int biased = 0, unsure = 0;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        biased += passes(seed, 5, 0.5, 0.5);
        unsure += passes(seed, 0, 8, 0.5); /* states less than it errs */
    }
    assert_int_equal(biased, 0);
    assert_int_equal(unsure, 0);
}

static void gross_errors_are_counted_and_judged(void **state)
{
    (void)state;
    static struct ts_certificate certificate;
    make(&certificate, 3, 60, 0, 0.3, 0.5);
    certificate.scenes[0].difference_ms[0] += 200;
    ts_certificate_judge(&certificate);
    assert_true(certificate.passed);
    assert_int_equal(certificate.lines[0][0].gross, 1);
    assert_int_equal(certificate.lines[0][0].n, 10);
    assert_true(certificate.lines[0][0].max_ms > 190);
    assert_true(certificate.lines[0][0].spread_ms < 1);
    for (int i = 6; i < 36; i += 6)
        certificate.scenes[i].difference_ms[0] -= 200;
    certificate.passed = true;
    ts_certificate_judge(&certificate);
    assert_false(certificate.passed);
    assert_false(certificate.lines[0][0].passed);
}

/* The end of a carousel is hard to see, its beginning is not. */
static void gross_errors_are_excused_only_where_ends_are_missed(void **state)
{
    static struct ts_certificate certificate;
    static const int carousel = 4;
    (void)state;
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        make(&certificate, 5, 60, 0, 0.3, 0.5);
        for (int i = 0; i < 4; i++)
            certificate.scenes[carousel + 6 * i].difference_ms[m] += 900;
        ts_certificate_judge(&certificate);
        assert_int_equal(certificate.passed, m == TS_MEASURAND_SETTLED);
        assert_int_equal(certificate.lines[m][carousel].passed, m == TS_MEASURAND_SETTLED);
    }
}

static void what_is_not_usable_does_not_count(void **state)
{
    (void)state;
    static struct ts_certificate certificate;
    make(&certificate, 4, 60, 0, 0.3, 0.5);
    for (int i = 0; i < 9; i++) {
        certificate.scenes[i].usable = false;
        certificate.scenes[i].difference_ms[1] = 1e4;
    }
    certificate.scenes[20].difference_ms[1] = NAN;
    ts_certificate_judge(&certificate);
    assert_true(certificate.passed);
    assert_int_equal(certificate.usable, 51);
    assert_int_equal(certificate.lines[1][TS_SCENE_COUNT].n, 50);
    assert_int_equal(certificate.lines[1][TS_SCENE_COUNT].gross, 0);
    for (int i = 0; i < 40; i++)
        certificate.scenes[i].usable = false;
    certificate.passed = true;
    ts_certificate_judge(&certificate);
    assert_false(certificate.passed);
    for (int i = 0; i < 60; i++)
        certificate.scenes[i].usable = false;
    certificate.passed = true;
    ts_certificate_judge(&certificate);
    assert_false(certificate.passed);
}

static struct ts_calibration rig(void)
{
    struct ts_calibration calibration;
    ts_calibration_nominal(&calibration);
    calibration.plate_taps = 60;
    calibration.lift_delay_ms = 8;
    calibration.lift_delay_u_ms = 0.15;
    calibration.lift_common_u_ms = hypot(0.025, 0.04);
    calibration.contact_offset_ms = 0.05;
    calibration.contact_common_u_ms = hypot(0.01, 0.07);
    calibration.camera_known = true;
    calibration.camera_edges = 300;
    calibration.exposure_ms = 5;
    calibration.readout_ms = 7;
    calibration.latency_ms = 4;
    calibration.period_ms = 8;
    calibration.exposure_u_ms = calibration.readout_u_ms = calibration.latency_u_ms = 0.05;
    calibration.period_u_ms = 1e-4;
    return calibration;
}

static bool agree(const struct ts_calibration *given, const struct ts_calibration *found)
{
    static struct ts_certificate certificate;
    ts_certificate_compare(&certificate, given, found);
    assert_int_equal(certificate.value_count, 6);
    return certificate.passed;
}

static void falsified_values_are_found(void **state)
{
    (void)state;
    const struct ts_calibration now = rig();
    struct ts_calibration given = now;
    assert_true(agree(&given, &now));
    given.lift_delay_ms += 0.06;
    given.latency_ms -= 0.1;
    assert_true(agree(&given, &now));
    double *const members[] = {&given.lift_delay_ms, &given.contact_offset_ms, &given.exposure_ms,
                               &given.readout_ms,    &given.period_ms,         &given.latency_ms};
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            given = now;
            *members[i] += 5 * sign;
            assert_false(agree(&given, &now));
        }
    }
    /* A camera that is off, and a plate that is not there. */
    struct ts_calibration blind = now;
    blind.camera_known = false;
    assert_false(agree(&now, &blind));
    blind = now;
    blind.plate_taps = 0;
    assert_false(agree(&now, &blind));
}

static void the_chart_finds_a_shift(void **state)
{
    (void)state;
    static struct ts_certificate certificate, check;
    int inside = 0, shifted = 0;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        make(&certificate, seed, 60, 0, 0.3, 0.5);
        ts_certificate_judge(&certificate);
        make(&check, 1000 + seed, TS_CHECK_SCENES, 0, 0.3, 0.5);
        struct ts_check_point point =
            ts_check_point(certificate.control, check.scenes, check.scene_count);
        inside += ts_check_judge(&point, NULL) == TS_OK;
        make(&check, 1000 + seed, TS_CHECK_SCENES, 2, 0.3, 0.5);
        point = ts_check_point(certificate.control, check.scenes, check.scene_count);
        shifted += ts_check_judge(&point, NULL) == TS_OK;
    }
    assert_in_range(inside, 294, 300);
    assert_int_equal(shifted, 0);
    for (int i = 0; i < check.scene_count; i++)
        check.scenes[i].usable = false;
    const struct ts_check_point none =
        ts_check_point(certificate.control, check.scenes, check.scene_count);
    assert_true(isnan(none.value_ms[0]));
    assert_int_equal(ts_check_judge(&none, NULL), TS_EPROTO);
}

static void runs_are_counted(void **state)
{
    (void)state;
    const double values[] = {0.1, -0.2, 0.3, 0.1, 0.2};
    assert_int_equal(ts_chart_run(values, 5), 3);
    assert_int_equal(ts_chart_run(values, 2), 1);
    assert_int_equal(ts_chart_run(values, 0), 0);
    assert_int_equal(ts_chart_run((double[]){NAN}, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chances_are_those_of_tables),
        cmocka_unit_test(a_good_instrument_passes),
        cmocka_unit_test(a_bad_one_does_not),
        cmocka_unit_test(gross_errors_are_counted_and_judged),
        cmocka_unit_test(gross_errors_are_excused_only_where_ends_are_missed),
        cmocka_unit_test(what_is_not_usable_does_not_count),
        cmocka_unit_test(falsified_values_are_found),
        cmocka_unit_test(the_chart_finds_a_shift),
        cmocka_unit_test(runs_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
