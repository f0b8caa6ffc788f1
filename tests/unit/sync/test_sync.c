/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "leds.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CAMERAS 20

static struct leds leds;

struct errors {
    double square, worst, covered, count;
};

static void add(struct errors *errors, double error, double u)
{
    errors->square += error * error;
    errors->worst = fmax(errors->worst, fabs(error));
    errors->covered += fabs(error) <= 2 * u;
    errors->count++;
}

static void show(const char *what, const struct errors *errors)
{
    print_message("%-9s rms %.4f worst %.4f, within 2u %.0f %%\n", what,
                  sqrt(errors->square / errors->count), errors->worst,
                  100 * errors->covered / errors->count);
}

struct table {
    struct errors origin, period, exposure, readout, latency;
};

/* What a calibration with many edges would have learnt of the camera of this seed. */
static void calibrate(uint64_t seed, struct ts_calibration *calibration)
{
    struct ts_sync_fit fit;
    struct ts_why why = {""};
    leds = (struct leds){.seed = seed, .frames = 700, .edges = 110, .spacing_ms = 45};
    leds_film(&leds);
    ts_calibration_nominal(calibration);
    if (ts_sync_find_leds(&leds.view, leds.edge, leds.edges, calibration, &why) != TS_OK ||
        ts_sync_fit(&leds.view, leds.edge, leds.edges, calibration, &fit, &why) != TS_OK)
        fail_msg("seed %d: %s", (int)seed, why.text);
    calibration->camera_known = true;
    calibration->exposure_ms = fit.exposure_ms;
    calibration->readout_ms = fit.readout_ms;
    calibration->gamma = fit.gamma;
    leds_close(&leds);
}

static void check_one(const struct leds *like, uint64_t seed, bool calibrated, struct table *all)
{
    struct ts_calibration start;
    struct ts_sync_fit fit;
    struct ts_why why = {""};
    ts_calibration_nominal(&start);
    if (calibrated)
        calibrate(seed, &start);
    leds = *like;
    leds.seed = seed;
    leds_film(&leds);
    if (!calibrated && ts_sync_find_leds(&leds.view, leds.edge, leds.edges, &start, &why) != TS_OK)
        fail_msg("seed %d: %s", (int)seed, why.text);
    if (ts_sync_fit(&leds.view, leds.edge, leds.edges, &start, &fit, &why) != TS_OK)
        fail_msg("seed %d: %s", (int)seed, why.text);
    const double error = fit.origin_ms - leds_frame_start_ms(&leds, fit.first_sequence);
    add(&all->origin, error, fit.origin_u_ms);
    add(&all->period, fit.period_ms - leds.period_ms, fit.period_u_ms);
    add(&all->exposure, fit.exposure_ms - leds.exposure_ms, fit.exposure_u_ms);
    add(&all->readout, fit.readout_ms - leds.readout_ms, fit.readout_u_ms);
    add(&all->latency, fit.latency_ms - leds.latency_ms - leds.arrival_off_ms, 1);
    assert_true(fit.residual < 0.15 || like->wrong_edge);
    leds_close(&leds);
}

static void check(const struct leds *like, uint64_t seed, bool calibrated, struct table *all)
{
    *all = (struct table){0};
    for (uint64_t end = seed + CAMERAS; seed < end; seed++)
        check_one(like, seed, calibrated, all);
    show("origin", &all->origin);
    show("period", &all->period);
    show("exposure", &all->exposure);
    show("readout", &all->readout);
    show("latency", &all->latency);
}

static double rms(const struct errors *errors)
{
    return sqrt(errors->square / errors->count);
}

/* From nominal values alone. */
static void many_edges_give_everything(void **state)
{
    (void)state;
    static const struct leds like = {.frames = 1000, .edges = 150, .spacing_ms = 50};
    struct table all;
    check(&like, 1000, false, &all);
    assert_true(all.origin.worst <= 0.1 && rms(&all.origin) <= 0.05);
    assert_true(all.exposure.worst <= 0.1);
    assert_true(all.readout.worst <= 0.03 * 7);
    assert_true(all.period.worst <= 2e-4);
    assert_true(all.latency.worst <= 0.5); /* the jitter's own median is in it */
    assert_true(all.origin.covered >= 0.85 * CAMERAS && all.exposure.covered >= 0.8 * CAMERAS);
}

static void sixty_edges_give_everything(void **state)
{
    (void)state;
    static const struct leds like = {.frames = 1000, .edges = 60, .spacing_ms = 120};
    struct table all;
    check(&like, 2000, false, &all);
    assert_true(all.origin.worst <= 0.12 && rms(&all.origin) <= 0.05);
    assert_true(all.exposure.worst <= 0.15);
    assert_true(all.readout.worst <= 0.03 * 7);
    assert_true(all.origin.covered >= 0.85 * CAMERAS);
}

static void few_edges_give_the_origin(void **state)
{
    (void)state;
    static const struct leds like = {.frames = 600, .edges = 15, .spacing_ms = 200};
    struct table all;
    check(&like, 3000, true, &all);
    assert_true(all.origin.worst <= 0.15 && rms(&all.origin) <= 0.05);
    assert_true(all.origin.covered >= 0.85 * CAMERAS);
}

static void a_rough_map_to_the_mcu_clock_is_enough(void **state)
{
    (void)state;
    struct leds like = {.frames = 600, .edges = 20, .spacing_ms = 150, .arrival_off_ms = 10};
    struct table all;
    check(&like, 4000, true, &all);
    assert_true(all.origin.worst <= 0.15);
    like.arrival_off_ms = -10;
    check(&like, 4100, true, &all);
    assert_true(all.origin.worst <= 0.15);
}

static void a_launch_with_everything_wrong_still_fits(void **state)
{
    (void)state;
    static const struct leds like = {.frames = 1000,
                                     .edges = 80,
                                     .spacing_ms = 90,
                                     .flash = true,
                                     .wrong_edge = true,
                                     .lost = 0.02};
    struct table all;
    check(&like, 5000, true, &all);
    assert_true(all.origin.worst <= 0.12 && rms(&all.origin) <= 0.05);
    assert_true(all.origin.covered >= 0.85 * CAMERAS);
}

static void leds_are_found_beside_a_busy_screen(void **state)
{
    (void)state;
    for (uint64_t seed = 6000; seed < 6010; seed++) {
        struct ts_calibration found;
        struct ts_why why = {""};
        leds = (struct leds){.seed = seed,
                             .frames = 400,
                             .edges = 60,
                             .spacing_ms = 50,
                             .whole_picture = true,
                             .video = true,
                             .flash = true};
        leds_film(&leds);
        ts_calibration_nominal(&found);
        if (ts_sync_find_leds(&leds.view, leds.edge, leds.edges, &found, &why) != TS_OK)
            fail_msg("seed %d: %s", (int)seed, why.text);
        for (int led = 0; led < TS_LED_COUNT; led++) {
            const struct ts_led_view *view = &found.led[led];
            assert_true(view->seen);
            assert_true(fabs(view->block_x * TS_BLOCK_PX - leds.x_px[led]) < 2);
            assert_true(fabs(view->row_px - leds.y_px[led]) < 2);
            assert_true(view->on > view->off + 500);
            assert_true(view->blocks[0] >= 0 && view->blocks[11] == -1);
        }
        leds_close(&leds);
    }
}

static void a_hidden_led_is_named(void **state)
{
    (void)state;
    struct ts_calibration found;
    struct ts_why why = {""};
    leds = (struct leds){.seed = 7000,
                         .frames = 400,
                         .edges = 60,
                         .spacing_ms = 50,
                         .whole_picture = true,
                         .video = true,
                         .hidden = 2};
    leds_film(&leds);
    ts_calibration_nominal(&found);
    assert_int_equal(ts_sync_find_leds(&leds.view, leds.edge, leds.edges, &found, &why), TS_EPROTO);
    assert_non_null(strstr(why.text, "second"));
    assert_false(found.led[0].seen);
    leds_close(&leds);
}

static void leds_that_do_not_follow_are_refused(void **state)
{
    (void)state;
    int refused = 0;
    for (uint64_t seed = 8000; seed < 8010; seed++) {
        struct ts_calibration start;
        struct ts_sync_fit fit;
        struct ts_why why = {""};
        calibrate(seed, &start);
        leds = (struct leds){.seed = seed, .frames = 600, .edges = 60, .spacing_ms = 70};
        leds_film(&leds);
        for (size_t i = 0; i < leds.edges; i++)
            leds.edge[i].ms += 3000; /* stamps of another time */
        refused += ts_sync_fit(&leds.view, leds.edge, leds.edges, &start, &fit, &why) == TS_EPROTO;
        assert_int_equal(ts_sync_fit(&leds.view, leds.edge, 0, &start, &fit, &why), TS_EPROTO);
        leds.view.count = 3;
        assert_int_equal(ts_sync_fit(&leds.view, leds.edge, leds.edges, &start, &fit, &why),
                         TS_EPROTO);
        leds_close(&leds);
    }
    assert_int_equal(refused, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many_edges_give_everything),
        cmocka_unit_test(sixty_edges_give_everything),
        cmocka_unit_test(few_edges_give_the_origin),
        cmocka_unit_test(a_rough_map_to_the_mcu_clock_is_enough),
        cmocka_unit_test(a_launch_with_everything_wrong_still_fits),
        cmocka_unit_test(leds_are_found_beside_a_busy_screen),
        cmocka_unit_test(a_hidden_led_is_named),
        cmocka_unit_test(leds_that_do_not_follow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
