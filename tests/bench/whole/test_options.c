/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a rig's number and a phone's number hold fast, and what they leave to the session. */
#include "drive.h"

#include "sim_bench/sim_bench.h"
#include "sim_mcu/stylus.h"
#include "sim_phone/clocks.h"
#include "sim_phone/digitizer.h"
#include "sim_screen/setup.h"

#include <math.h>
#include <string.h>

static struct sim_options parse(uint64_t seed, const char *text)
{
    struct sim_options options;
    struct ts_why why = {""};
    if (sim_options_parse(text, seed, &options, &why) != TS_OK)
        fail_msg("%s", why.text);
    return options;
}

static struct sim_setup setup(uint64_t seed, const char *text)
{
    const struct sim_options options = parse(seed, text);
    struct sim_setup drawn;
    assert_int_equal(sim_setup_draw(&options.camera, 60, &drawn, NULL), TS_OK);
    return drawn;
}

static struct sim_stylus stylus(uint64_t seed, const char *text)
{
    const struct sim_options options = parse(seed, text);
    const struct sim_mcu_events events = {0};
    struct sim_stylus drawn;
    sim_stylus_init(&drawn, &options.mcu, &events);
    return drawn;
}

static bool same(double a, double b)
{
    return !(a < b || a > b);
}

static bool same_camera(const struct sim_setup *a, const struct sim_setup *b)
{
    const struct sim_camera_config *c = &a->config, *d = &b->config;
    return same(c->rate_hz, d->rate_hz) && same(c->exposure_ms, d->exposure_ms) &&
           same(c->readout_ms, d->readout_ms) && same(c->latency_ms, d->latency_ms) &&
           same(c->gamma, d->gamma) && same(a->blur_px, b->blur_px);
}

static bool same_display(const struct sim_setup *a, const struct sim_setup *b)
{
    return same(a->config.response_ms, b->config.response_ms) &&
           same(a->white_code, b->white_code) && same(a->black_code, b->black_code) &&
           same(a->scan_share, b->scan_share);
}

static void test_a_rig_lasts(void **state)
{
    (void)state;
    const struct sim_setup a = setup(1, "rig=5"), b = setup(2, "rig=5"), c = setup(1, "rig=6");
    assert_true(same_camera(&a, &b) && same_display(&a, &b));
    assert_false(same_camera(&a, &c));
    assert_false(same_display(&a, &c));
    assert_false(same(a.refresh_phase, b.refresh_phase));
    assert_false(same(a.config.drift_per_s, b.config.drift_per_s));

    const struct sim_stylus d = stylus(1, "rig=5"), e = stylus(2, "rig=5"), f = stylus(1, "rig=6");
    assert_true(same(d.full_speed, e.full_speed) && same(d.drop, e.drop) && same(d.rc, e.rc) &&
                same(d.delay, e.delay) && same(d.hum[1], e.hum[1]));
    assert_false(same(d.delay, f.delay));
    assert_false(same(d.stiffness, e.stiffness)); /* of the tap */
    assert_false(same(d.angle, e.angle));         /* where the last session left it */

    const struct sim_options g = parse(1, "rig=5"), h = parse(2, "rig=5");
    assert_int_equal(g.phone.android, h.phone.android);
    assert_int_equal(g.phone.log_step_ns, h.phone.log_step_ns);
    assert_true(same(g.phone.refresh_hz, h.phone.refresh_hz));
    assert_true(same(g.camera.rate_hz, h.camera.rate_hz));
}

/* The board's crystal: the rate lasts, where its wander stands does not. */
static void test_the_crystal(void **state)
{
    (void)state;
    double ticks[3];
    for (int i = 0; i < 3; i++) {
        const struct sim_options options = parse(1 + (uint64_t)i % 2, i < 2 ? "rig=5" : "rig=6");
        struct sim_mcu *mcu;
        assert_int_equal(sim_mcu_open(&options.mcu, NULL, &mcu, NULL), TS_OK);
        ticks[i] = sim_mcu_true_ticks(mcu, 2000 * TS_NS_PER_S) - sim_mcu_true_ticks(mcu, 0);
        sim_mcu_close(mcu);
    }
    assert_true(fabs(ticks[0] / ticks[1] - 1) < 20e-6 && !same(ticks[0], ticks[1]));
    assert_true(fabs(ticks[0] / ticks[2] - 1) > 20e-6);
}

static void test_a_phone_changes_nothing_else(void **state)
{
    (void)state;
    const struct sim_setup a = setup(1, "rig=5"), b = setup(1, "rig=5,phone_unit=9");
    const struct sim_setup c = setup(2, "phone_unit=9");
    assert_true(same_camera(&a, &b) && same_display(&b, &c));
    assert_false(same_display(&a, &b));
    const struct sim_stylus d = stylus(1, "rig=5"), e = stylus(1, "phone_unit=9,rig=5");
    assert_true(same(d.full_speed, e.full_speed) && same(d.stiffness, e.stiffness));

    struct sim_digitizer f, g;
    struct sim_clocks h, i, wanted = {.drift_ppm = NAN};
    sim_digitizer_open(&f, 1, 9);
    sim_digitizer_open(&g, 2, 9);
    assert_true(same(f.scan_hz, g.scan_hz) && same(f.latency_ms, g.latency_ms));
    assert_int_not_equal(f.phase_ns, g.phase_ns);
    sim_clocks_open(&h, 1, 9, &wanted);
    sim_clocks_open(&i, 2, 9, &wanted);
    assert_true(same(h.drift_ppm, i.drift_ppm));
    assert_int_not_equal(h.real_offset_ns, i.real_offset_ns);
}

/* Given values stand, wherever in the text the rig is named; without a rig all is as the seed's. */
static void test_given_values_stand(void **state)
{
    (void)state;
    const struct sim_options a = parse(1, "android=7,latency_ms=3,rig=5");
    assert_int_equal(a.phone.android, 7);
    assert_true(same(a.camera.latency_ms, 3));
    const struct sim_setup b = setup(5, ""), c = setup(1, "rig=5");
    assert_true(same_camera(&b, &c) && same_display(&b, &c));
    struct sim_options options;
    struct ts_why why = {""};
    assert_int_equal(sim_options_parse("rig=0", 1, &options, &why), TS_EINVAL);
    assert_int_equal(sim_options_parse("rig=a", 1, &options, &why), TS_EINVAL);
    assert_int_equal(sim_options_parse("stall_ms=0", 1, &options, &why), TS_EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_rig_lasts),
        cmocka_unit_test(test_the_crystal),
        cmocka_unit_test(test_a_phone_changes_nothing_else),
        cmocka_unit_test(test_given_values_stand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
