/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same of lights that flicker nearly in step with the camera or with one another. */
#include "rare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* So near a multiple of the frame rate that its bands take a second or two to roll by: not half of
 * one has been seen before the tap. */
static void a_display_flickers_in_step_with_the_camera(void **state)
{
    (void)state;
    static const struct {
        double beat_hz, depth;
    } cases[] = {{0.43, 0.015}, {0.7, 0.03}, {1.2, 0.05}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        rare_start(&picture, 5000);
        picture.pwm_hz = 2000 / picture.period_ms + cases[i].beat_hz;
        picture.pwm_depth = cases[i].depth;
        picture.element[0].level = 120;
        picture_add(&picture, 300, 0)->level = 215;
        rare_settles(&picture, 8);
    }
}

/* Not seen before the app lit the screen, and after a second of it half a turn of its bands. */
static void a_dark_display_hides_its_slow_bands(void **state)
{
    (void)state;
    static const struct {
        double beat_hz, depth;
    } cases[] = {{0.5, 0.05}, {-0.7, 0.05}, {0.7, 0.035}, {0.9, 0.035}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        rare_start(&picture, 2500);
        picture.pwm_hz = 2000 / picture.period_ms + cases[i].beat_hz;
        picture.pwm_depth = cases[i].depth;
        picture.pwm_is_sine = true;
        picture.element[0].level = 6;
        picture.element[0].contrast = 0;
        picture_add(&picture, 300, 0)->level = 200;
        rare_settles(&picture, 8);
    }
}

/* A lamp and a display, of such depths. 100 and 225 or 275 Hz, seen 125 times a second, are of one
 * frequency. */
static void start_under_two_lights(struct picture *picture, uint64_t seed, double lamp,
                                   double pwm_hz, double display)
{
    picture_init(picture, seed, 160, 240);
    picture->from_ms = -800;
    picture->flicker_hz = 100;
    picture->flicker_depth = lamp;
    picture->pwm_hz = pwm_hz;
    picture->pwm_depth = display;
    picture->pwm_is_sine = true;
}

/* Before the tap one wave that is neither fits them well, and so do slopes that neither has. */
static void a_lamp_and_a_display_beat_nearly_alike(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        double apart_hz;
    } cases[] = {{1, -0.4}, {4, 0.4}, {4, -0.4}, {7, 0.4}, {8, 0.55}, {12, 0.55}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        start_under_two_lights(&picture, cases[i].seed, 0.06, 225 - cases[i].apart_hz, 0.04);
        picture.element[0].level = 60;
        picture.element[0].contrast = 20;
        picture_add(&picture, 300, 0)->level = 200;
        rare_settles(&picture, 8);
    }
}

static void a_lamp_and_a_display_beat_alike(void **state)
{
    (void)state;
    static const double pwm_hz[] = {224.96, 274.9, 225, 275.05};
    for (size_t i = 0; i < 2 * sizeof pwm_hz / sizeof *pwm_hz; i++) {
        struct picture picture;
        start_under_two_lights(&picture, 11, 0.08, pwm_hz[i / 2], 0.05);
        picture.until_ms = 2500;
        picture.element[0].level = i % 2 ? 6 : 60; /* dark before the tap, or not */
        picture.element[0].contrast = i % 2 ? 0 : 20;
        picture_add(&picture, 300, 0)->level = 200;
        rare_settles(&picture, 8);
    }
}

/* So alike that seconds would tell them apart: until then half of both is left in some rows, and is
 * no change. */
static void what_is_left_of_two_alike_is_noise(void **state)
{
    (void)state;
    static const struct {
        uint64_t seed;
        double pwm_hz;
    } cases[] = {{1, 274.97}, {4, 274.9}, {5, 224.9}, {12, 225.03}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        start_under_two_lights(&picture, cases[i].seed, 0.08, cases[i].pwm_hz, 0.05);
        picture.from_ms = -700;
        picture.until_ms = 2500;
        picture.noise_codes = 2.5;
        picture.element[0].level = 150;
        picture.element[0].contrast = 0;
        picture_add(&picture, 440, 0)->level = 205;
        rare_begins(&picture, 8);
    }
}

/* Dark before the tap, so near a multiple of the frame rate. */
static void start_in_bands(struct picture *picture, double beat_hz)
{
    picture_init(picture, 11, 160, 240);
    picture->from_ms = -800;
    picture->until_ms = 5000;
    picture->pwm_hz = 2000 / picture->period_ms + beat_hz;
    picture->pwm_depth = 0.05;
    picture->pwm_is_sine = true;
    picture->element[0].level = 6;
    picture->element[0].contrast = 0;
    picture_add(picture, 300, 0)->level = 200;
}

/* Its bands hardly move in the second that is looked at. */
static void a_dark_display_hides_bands_that_stand_still(void **state)
{
    (void)state;
    static const double beats_hz[] = {0.14, 0.18, -0.22};
    for (size_t i = 0; i < sizeof beats_hz / sizeof *beats_hz; i++) {
        struct picture picture;
        start_in_bands(&picture, beats_hz[i]);
        rare_settles(&picture, 8);
    }
}

/* The app's own lines change while its bands are learnt. */
static void bands_are_known_beside_what_changes(void **state)
{
    (void)state;
    static const double beats_hz[] = {0.2, -0.3};
    for (size_t i = 0; i < sizeof beats_hz / sizeof *beats_hz; i++) {
        struct picture picture;
        start_in_bands(&picture, beats_hz[i]);
        for (int line = 0; line < 4; line++)
            rare_add(&picture, 700 + 150 * line, 20, 40 + 40 * line, 60, 5, 175);
        rare_settles(&picture, 8);
    }
}

/* Lit before the tap, so that its bands are known when the app comes. */
struct known_bands {
    double beat_hz, lit, at_ms, fade_ms, level, lines; /* level of the app, and of its lines or 0 */
};

static void start_known(struct picture *picture, const struct known_bands *bands)
{
    picture_init(picture, 11, 160, 240);
    picture->from_ms = -800;
    picture->until_ms = bands->at_ms + 3200;
    picture->pwm_hz = 2000 / picture->period_ms + bands->beat_hz;
    picture->pwm_depth = 0.05;
    picture->pwm_is_sine = true;
    picture->element[0].level = bands->lit;
    picture->element[0].contrast = 20;
    picture_add(picture, bands->at_ms, bands->fade_ms)->level = bands->level;
    for (int line = 0; line < 5 && bands->lines > 0; line++)
        rare_add(picture, bands->at_ms + 200 * (line + 1), 20, 20 + 40 * line, 120, 30,
                 bands->lines);
}

/* Not rendered yet: each question renders its own. */
static void assert_right(struct picture picture, double begins_within, double settles_within)
{
    struct picture again = picture;
    rare_begins(&picture, begins_within);
    rare_settles(&again, settles_within);
}

static void assert_known(const struct known_bands *bands, double begins_within, double within)
{
    struct picture picture;
    start_known(&picture, bands);
    assert_right(picture, begins_within, within);
}

/* In the second in which they turn but once, what an app does tells nothing new of them. */
static void an_app_teaches_no_slow_bands(void **state)
{
    (void)state;
    static const struct known_bands cases[] = {
        {-0.98, 171, 1470, 270, 209, 103}, {1.37, 162, 1460, 300, 207, 128},
        {-1.2, 157, 1360, 300, 194, 141},  {-1.02, 155, 1300, 130, 208, 173},
        {-0.84, 163, 1110, 160, 202, 167},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_known(&cases[i], 16, 8);
}

/* Nor how often they turn, where that was seen for longer. */
static void a_fade_teaches_no_frequency(void **state)
{
    (void)state;
    static const struct known_bands cases[] = {{-9.04, 78, 230, 670, 206, 0},
                                               {7.04, 175, 120, 650, 192, 0}};
    assert_known(&cases[0], 8, 8);
    assert_known(&cases[1], 8, 16);
}

/* Strip after strip of the page grows a little darker and brighter again, which looks like a light
 * of a second; then something comes. */
static void a_shimmer_is_no_new_light(void **state)
{
    (void)state;
    static const struct {
        struct known_bands bands;
        double by, apart_ms, late_ms;
    } cases[] = {{{-61.9, 143, 420, 380, 205, 0}, 4.3, -143, 1380},
                 {{61.4, 152, 870, 360, 190, 0}, 4.7, -143, 2040}};
    enum { STRIPS = 6 };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct known_bands *bands = &cases[i].bands;
        struct picture picture;
        start_known(&picture, bands);
        picture.pwm_depth = 0.06;
        picture.element[1].fade_ms = 0;
        for (int turn = 0; turn < 2 * STRIPS; turn++) {
            const int strip = turn / 2;
            const double middle_ms = bands->at_ms + 500 + cases[i].apart_ms * (strip - 2.5);
            rare_add(&picture, middle_ms + bands->fade_ms * (turn % 2 - 0.5), 0, 40 * strip, 160,
                     40, bands->level - (turn % 2 ? 0 : cases[i].by))
                ->fade_ms = bands->fade_ms;
        }
        rare_add(&picture, cases[i].late_ms, 20, 100, 100, 60, bands->level - 30);
        assert_right(picture, 8, 8);
    }
}

struct camera {
    double period_ms, exposure_ms, readout_ms;
};

/* At rest for a second before the tap. */
static void start_filming(struct picture *picture, const struct camera *camera, double at_ms)
{
    picture_init(picture, 11, 320, 240);
    picture->from_ms = -1100;
    picture->until_ms = at_ms + 2500;
    picture->period_ms = camera->period_ms;
    picture->exposure_ms = camera->exposure_ms;
    picture->readout_ms = camera->readout_ms;
    struct picture_element *app = picture_add(picture, at_ms, 0);
    app->level = 170;
    app->contrast = 40;
}

/* At half the frame rate each row shows its own part of how strong it is. */
static void a_lamp_goes_up_in_one_frame_and_down_in_the_next(void **state)
{
    (void)state;
    static const struct {
        struct camera camera;
        double depth, earlier_ms;
    } cases[] = {{{1000 / 240.0, 1.2, 3.9}, 0.007, 7.7},
                 {{1000 / 240.0, 3.3, 1.5}, 0.006, 3.3},
                 {{1000 / 240.0, 3.8, 2.5}, 0.004, 7.7},
                 {{1000 / 240.0, 3.75, 2.2}, 0.006, 2.2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        start_filming(&picture, &cases[i].camera, 217);
        picture.from_ms -= cases[i].earlier_ms;
        picture.noise_codes = 1.5;
        picture.flicker_hz = 119.98;
        picture.flicker_depth = cases[i].depth;
        assert_right(picture, 4, 4);
    }
}

/* Light of so many times the frame rate turns by a radian and more from row to row. */
static void a_slow_camera_sees_steep_bands(void **state)
{
    (void)state;
    static const struct {
        struct camera camera;
        double hz, depth;
    } cases[] = {{{1000 / 30.0, 12.2, 21.1}, 461.5, 0.037},
                 {{1000 / 30.0, 15.8, 15.7}, 462.85, 0.024},
                 {{1000 / 30.0, 17, 20}, 457.35, 0.023},
                 {{1000 / 60.0, 4.5, 6.5}, 388.37, 0.016},
                 {{1000 / 60.0, 9, 5.1}, 394.74, 0.015}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        start_filming(&picture, &cases[i].camera, 217);
        picture.pwm_hz = cases[i].hz;
        picture.pwm_depth = cases[i].depth;
        assert_right(picture, picture.period_ms, picture.period_ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_display_flickers_in_step_with_the_camera),
        cmocka_unit_test(a_dark_display_hides_its_slow_bands),
        cmocka_unit_test(a_lamp_and_a_display_beat_nearly_alike),
        cmocka_unit_test(a_lamp_and_a_display_beat_alike),
        cmocka_unit_test(what_is_left_of_two_alike_is_noise),
        cmocka_unit_test(a_dark_display_hides_bands_that_stand_still),
        cmocka_unit_test(bands_are_known_beside_what_changes),
        cmocka_unit_test(an_app_teaches_no_slow_bands),
        cmocka_unit_test(a_fade_teaches_no_frequency),
        cmocka_unit_test(a_shimmer_is_no_new_light),
        cmocka_unit_test(a_lamp_goes_up_in_one_frame_and_down_in_the_next),
        cmocka_unit_test(a_slow_camera_sees_steep_bands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
