/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one launch in some hundred shows, one by one: each was seconds off until it had a rule. */
#include "picture.h"
#include "vision/track.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS 1000.0

static void start(struct picture *picture, double until_ms)
{
    picture_init(picture, 11, 160, 120);
    picture->until_ms = until_ms;
}

static struct picture_element *add(struct picture *picture, double from_ms, double x, double y,
                                   double w, double h, double level)
{
    struct picture_element *element = picture_add(picture, from_ms, 0);
    element->x = x;
    element->y = y;
    element->w = w;
    element->h = h;
    element->level = level;
    return element;
}

static void add_film(struct picture *picture)
{
    struct picture_element *film = add(picture, 300, 40, 30, 60, 50, 120);
    film->paint = PAINT_LOOP;
    film->contrast = 80;
    film->period_ms = 1000.0 / 30;
}

/* What the lens shows of a film on the blocks to its left, above and below the middle: less than
 * what counts as a change. */
static void add_rim(struct picture *picture, double period_ms)
{
    for (int i = 0; i < 2; i++) {
        struct picture_element *rim = add(picture, 300, 30, i ? 65 : 30, 15, 15, 210);
        rim->paint = PAINT_SPINNER;
        rim->swing = 4.8;
        rim->period_ms = period_ms * (1 + 0.3 * i);
    }
    add(picture, 300, 25, 0, 10, 120, 210);
}

static struct ts_vision_changes find(struct picture *picture, struct picture_reference *reference)
{
    picture_render(picture);
    *reference = picture_refer(picture);
    const struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
    picture_free(picture);
    return changes;
}

static void settles(struct picture *picture, double within_ms)
{
    struct picture_reference reference;
    const struct ts_vision_changes changes = find(picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.settled.value - reference.settled_ms) <= within_ms))
        fail_msg("%.2f is not %.2f", changes.settled.value, reference.settled_ms);
}

/* One block of the last row is hardly lit, the others not at all: its noise is no flicker, which
 * all rows would be believed to have. */
static void a_dim_row_does_not_flicker(void **state)
{
    (void)state;
    struct picture picture;
    struct ts_track track;
    start(&picture, 100);
    picture.noise_codes = 3;
    picture.element[0].level = 120;
    picture.element[0].contrast = 0;
    add(&picture, -5000, 0, 115, 160, 5, 8);
    add(&picture, -5000, 80, 115, 5, 5, 24);
    picture_render(&picture);
    const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
    uint8_t *ignore = calloc(picture.frames, 1024);
    assert_non_null(ignore);
    assert_int_equal(ts_track_open(&track, &frames.view, ignore), TS_OK);
    for (size_t n = 0; n < picture.frames; n++)
        ts_track_frame(&track, picture.start_ms[n], picture.blocks[n]);
    assert_in_range((int)(1000 * track.gain_seen), 0, 10);
    ts_track_close(&track);
    free(ignore);
    picture_free(&picture);
}

static void a_film_hides_a_late_picture_but_for_a_sliver(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 5000);
    picture_add(&picture, 300, 0)->level = 210;
    add(&picture, 1400, 70, 45, 35, 10, 175); /* a block's width beside the film */
    add_film(&picture);
    settles(&picture, 8);
}

/* The lens shows the film above and below the sliver. */
static void a_rim_closes_around_a_late_picture(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 5000);
    picture_add(&picture, 300, 0)->level = 210;
    add_rim(&picture, 700);
    add(&picture, 1400, 35, 50, 35, 10, 175);
    add_film(&picture);
    settles(&picture, 8);
}

/* Behind the film and out on its other side, for a moment: who looked on for so short a time does
 * not know whether it comes back. */
static void a_bar_passes_by_after_a_long_rest(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 5300);
    picture_add(&picture, 300, 0)->level = 210;
    add_film(&picture);
    add(&picture, 2700, 108, 40, 30, 20, 60);
    add(&picture, 3100, 108, 40, 30, 20, 210);
    struct picture_reference reference;
    const struct ts_vision_changes changes = find(&picture, &reference);
    assert_int_equal(changes.flags, 1u << TS_FLAG_NEVER_SETTLED);
}

/* Nobody sees a dark stylus over a dark screen, and the app that lights up behind it is uncovered
 * little by little. */
static void a_stylus_goes_unseen_over_a_dark_screen(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct picture picture;
        start(&picture, 2500);
        picture.element[0].level = 150;
        add(&picture, -500, 0, 20, 160, 100, 12); /* above it the stylus is seen */
        picture.stylus_from_ms = -300;
        picture.stylus_up_ms = -5;
        picture.stylus_gone_ms = late ? 1000 : 600;
        picture.stylus_x = 80;
        picture.stylus_y = 85;
        picture.stylus_told = TOLD_ALL;
        struct picture_element *app = picture_add(&picture, 40, 0);
        app->level = 180;
        app->contrast = 30;
        settles(&picture, 8);
    }
}

/* Brighter by a third at first, more than half of the picture is at full scale. */
static void an_exposure_cuts_off_most_of_the_picture(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 3500);
    picture.element[0].level = 60;
    struct picture_element *app = picture_add(&picture, 300, 0);
    app->level = 200;
    app->contrast = 8;
    add(&picture, 300, 0, 90, 160, 30, 90)->contrast = 60;
    picture.gain = 1.35;
    picture.gain_at_ms = 310;
    picture.gain_change = -0.26;
    picture.gain_tau_ms = 250;
    settles(&picture, 8);
}

/* In proportion it is a gain, but what lies around the phone knows of none. */
static void a_page_fades_in_beside_what_stays(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 3500);
    picture.screen_x = picture.screen_y = 10;
    picture.screen_w = 140;
    picture.screen_h = 100;
    picture_ignore_surroundings(&picture);
    for (int part = 0; part < 7; part++) {
        add(&picture, -2000, 20 * part, 0, 20, 100, 72 + 6 * part);
        add(&picture, 300, 20 * part, 0, 20, 100, 122 + 10.2 * part)->fade_ms = 500;
    }
    settles(&picture, 16);
}

/* Lines of two pixels change by more than the blocks of five that show them, and arrive later. */
static void a_frame_of_thin_lines_fades_in(void **state)
{
    (void)state;
    const double from_ms = 300, fade_ms = 1000, step = 100, pixels = 2;
    const double settled_ms = from_ms + fade_ms * (1 - 0.02 * 255 / step);
    const double line[4][4] = {
        {20, 20, 120, pixels}, {20, 100, 120, pixels}, {20, 20, pixels, 80}, {140, 20, pixels, 80}};
    struct picture picture;
    struct picture_reference reference;
    start(&picture, 3500);
    picture.element[0].level = 150 + step / 2;
    picture.element[0].contrast = 0;
    for (int i = 0; i < 4; i++)
        add(&picture, from_ms, line[i][0], line[i][1], line[i][2], line[i][3], 150 - step / 2)
            ->fade_ms = fade_ms;
    const struct ts_vision_changes changes = find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.settled.value - settled_ms) <= 2 * changes.settled.u &&
          changes.settled.u <= 50))
        fail_msg("%.2f +- %.2f is not %.2f", changes.settled.value, changes.settled.u, settled_ms);
}

/* It begins to move when it lifts, and here and there its rim shows over what is dark. */
static void a_rim_of_the_stylus_moves_with_the_lift(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    start(&picture, 2500);
    picture.element[0].level = 24;
    add(&picture, 4, 78, 60, 5, 5, 38)->fade_ms = 44;
    picture_add(&picture, 400, 0)->level = 190;
    const struct ts_vision_changes changes = find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.first.value - 400) <= 25))
        fail_msg("%.2f is not 400 or shortly after", changes.first.value);
}

/* With a film in view one looks on until it is known to be one; a campaign's launch is over by
 * then. */
static void tick_after_the_verdict(bool rim)
{
    struct picture_reference without, with;
    double settled_ms[2];
    for (int ticks = 0; ticks < 2; ticks++) {
        struct picture picture;
        start(&picture, 13000);
        picture_add(&picture, 300, 0)->level = 210;
        if (rim)
            add_rim(&picture, 6000);
        add_film(&picture);
        if (ticks)
            add(&picture, 5600, 125, 95, 5, 15, 120);
        const struct ts_vision_changes changes = find(&picture, ticks ? &with : &without);
        assert_int_equal(changes.flags, 0);
        settled_ms[ticks] = changes.settled.value;
    }
    assert_true(with.settled_ms > 5600);
    assert_true(fabs(settled_ms[0] - without.settled_ms) <= 8);
    if (!(fabs(settled_ms[1] - settled_ms[0]) <= 0.5))
        fail_msg("%.2f is not %.2f", settled_ms[1], settled_ms[0]);
}

static void a_clock_ticks_after_the_verdict(void **state)
{
    (void)state;
    tick_after_the_verdict(false);
}

/* Now and then the lens shows the film beside it: no verdict waits for that. */
static void a_rim_keeps_no_verdict_waiting(void **state)
{
    (void)state;
    tick_after_the_verdict(true);
}

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
        start(&picture, 5000);
        picture.pwm_hz = 2000 / picture.period_ms + cases[i].beat_hz;
        picture.pwm_depth = cases[i].depth;
        picture.element[0].level = 120;
        picture_add(&picture, 300, 0)->level = 215;
        settles(&picture, 8);
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
        start(&picture, 2500);
        picture.pwm_hz = 2000 / picture.period_ms + cases[i].beat_hz;
        picture.pwm_depth = cases[i].depth;
        picture.pwm_is_sine = true;
        picture.element[0].level = 6;
        picture.element[0].contrast = 0;
        picture_add(&picture, 300, 0)->level = 200;
        settles(&picture, 8);
    }
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
        picture_init(&picture, cases[i].seed, 160, 240);
        picture.from_ms = -800;
        picture.flicker_hz = 100;
        picture.flicker_depth = 0.06;
        picture.pwm_hz = 225 - cases[i].apart_hz;
        picture.pwm_depth = 0.04;
        picture.pwm_is_sine = true;
        picture.element[0].level = 60;
        picture.element[0].contrast = 20;
        picture_add(&picture, 300, 0)->level = 200;
        settles(&picture, 8);
    }
}

/* The next page is seconds away when it appears: no rim of a page. */
static void a_carousel_hides_a_late_picture_but_for_a_sliver(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 9000);
    picture_add(&picture, 300, 0)->level = 210;
    add(&picture, 1200, 80, 45, 25, 10, 175);
    struct picture_element *pages = add(&picture, 300, 40, 30, 60, 50, 120);
    pages->paint = PAINT_CAROUSEL;
    pages->contrast = 80;
    pages->period_ms = 2600;
    settles(&picture, 8);
}

/* Whether an app goes on in such steps is waited for; a clock goes on, and does not matter. */
static void a_minute_turns_in_the_status_bar(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 4500);
    picture_mask_status_bar(&picture, 5);
    picture_add(&picture, 300, 0)->level = 210;
    add(&picture, 3200, 20, 0, 40, 5, 120);
    settles(&picture, 8);
}

/* Among hundreds of blocks noise takes one out of bounds for two frames, shortly after all of them
 * have changed. */
static void noise_is_loud_just_after_a_change(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    start(&picture, 2500);
    picture_add(&picture, 300, 0)->level = 210;
    picture.noise_codes = 6;
    picture.refresh_ms = 1000.0 / 120;
    add(&picture, 312, 60, 60, 5, 5, 203);
    add(&picture, 327, 60, 60, 5, 5, 210);
    const struct ts_vision_changes changes = find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.settled.value - 315) <= 8))
        fail_msg("%.2f is not 315", changes.settled.value);
}

/* Where few blocks still show its end, noise made another one of it. */
static void a_fade_in_low_light_ends_once(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {1, 20, 21};
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        struct picture picture;
        picture_init(&picture, seeds[i], 160, 120);
        picture.until_ms = 2600;
        picture.noise_codes = 6;
        picture.element[0].level = 100;
        struct picture_element *app = picture_add(&picture, 300, 600);
        app->level = 170;
        app->contrast = 20;
        add(&picture, 300, 20, 20, 30, 5, 113)->fade_ms = 600;
        settles(&picture, 4);
    }
}

static void begins(struct picture *picture, double within_ms)
{
    struct picture_reference reference;
    const struct ts_vision_changes changes = find(picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.first.value - reference.first_ms) <= within_ms))
        fail_msg("%.2f is not %.2f", changes.first.value, reference.first_ms);
}

/* Its half way is known when it is over. */
static void a_page_takes_two_seconds_to_fade_in(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture, 5000);
    picture.element[0].level = 20;
    picture_add(&picture, 300, 2000)->level = 215;
    begins(&picture, 8);
}

/* What fades faintly moves by less, in the time of a rest, than noise hides, and seems to rest on
 * its way. */
static void a_faint_fade_never_rests_beside_a_large_one(void **state)
{
    (void)state;
    static const double levels[] = {36, 42, 50};
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++) {
        struct picture picture;
        start(&picture, 4600);
        picture.noise_codes = 1;
        picture.element[0].level = 20;
        add(&picture, 300, 0, 0, 160, 80, 215)->fade_ms = 2000;
        for (int part = 0; part < 8; part++)
            add(&picture, 300, 20 * part, 80, 20, 40, levels[i] + part)->fade_ms = 2000;
        begins(&picture, 16);
    }
}

/* From one fine picture to another the blocks go different ways. This film has no lens; one with
 * it shows the few that are ahead of most later than they are, whether they fit one fade or not. */
static void a_few_blocks_are_ahead_in_a_fine_fade(void **state)
{
    (void)state;
    static const double widths[] = {15, 30};
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        struct picture picture;
        struct picture_reference reference;
        start(&picture, 4000);
        picture.element[0].level = 20;
        add(&picture, 300, 0, 0, 160, 100, 215)->fade_ms = 800;
        for (int row = 0; row < 3; row++)
            add(&picture, 300, 20, 100 + 5 * row, widths[i], 5, 215)->fade_ms = 500 + 100 * row;
        const struct ts_vision_changes changes = find(&picture, &reference);
        assert_int_equal(changes.flags, 0);
        const double further = (reference.first_ms - changes.first.value) / (500 - 90);
        if (!(further > 0.15 && further < 0.45))
            fail_msg("%.2f is not well before %.2f", changes.first.value, reference.first_ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_blocks_are_ahead_in_a_fine_fade),
        cmocka_unit_test(a_page_takes_two_seconds_to_fade_in),
        cmocka_unit_test(a_faint_fade_never_rests_beside_a_large_one),
        cmocka_unit_test(a_fade_in_low_light_ends_once),
        cmocka_unit_test(noise_is_loud_just_after_a_change),
        cmocka_unit_test(a_minute_turns_in_the_status_bar),
        cmocka_unit_test(a_carousel_hides_a_late_picture_but_for_a_sliver),
        cmocka_unit_test(a_display_flickers_in_step_with_the_camera),
        cmocka_unit_test(a_dark_display_hides_its_slow_bands),
        cmocka_unit_test(a_lamp_and_a_display_beat_nearly_alike),
        cmocka_unit_test(a_clock_ticks_after_the_verdict),
        cmocka_unit_test(a_rim_keeps_no_verdict_waiting),
        cmocka_unit_test(a_page_fades_in_beside_what_stays),
        cmocka_unit_test(a_frame_of_thin_lines_fades_in),
        cmocka_unit_test(a_rim_of_the_stylus_moves_with_the_lift),
        cmocka_unit_test(a_dim_row_does_not_flicker),
        cmocka_unit_test(a_film_hides_a_late_picture_but_for_a_sliver),
        cmocka_unit_test(a_rim_closes_around_a_late_picture),
        cmocka_unit_test(a_bar_passes_by_after_a_long_rest),
        cmocka_unit_test(a_stylus_goes_unseen_over_a_dark_screen),
        cmocka_unit_test(an_exposure_cuts_off_most_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
