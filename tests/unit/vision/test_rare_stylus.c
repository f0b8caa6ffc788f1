/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The same of a stylus that is in view while the app comes. */
#include "rare.h"

#include "vision/mask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void tell_stylus(struct picture *picture, double from_ms, double up_ms, double gone_ms,
                        double y)
{
    picture->stylus_from_ms = from_ms;
    picture->stylus_up_ms = up_ms;
    picture->stylus_gone_ms = gone_ms;
    picture->stylus_x = 80;
    picture->stylus_y = y;
    picture->stylus_told = TOLD_ALL;
}

/* Nobody sees a dark stylus over a dark screen, and the app that lights up behind it is uncovered
 * little by little. */
static void a_stylus_goes_unseen_over_a_dark_screen(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct picture picture;
        rare_start(&picture, 2500);
        picture.element[0].level = 150;
        rare_add(&picture, -1000, 0, 20, 160, 100, 12); /* above it the stylus is seen */
        tell_stylus(&picture, -300, -5, late ? 1000 : 600, 85);
        struct picture_element *app = picture_add(&picture, 40, 0);
        app->level = 180;
        app->contrast = 30;
        rare_settles(&picture, 9);
    }
}

/* Only its tip was seen over a dark screen. Once that has lit up, the rest of it uncovers so much
 * in every frame as elsewhere only a screen does. */
static void what_moves_on_the_way_of_a_moving_stylus_is_it(void **state)
{
    (void)state;
    uint8_t stylus[64 * 48] = {0}, way[64 * 48] = {0};
    uint32_t moved[30];
    for (uint32_t i = 0; i < 30; i++) { /* its two rims, and it is seen in a few blocks of them */
        moved[i] = (20 + i / 2) * 64 + 30 + 2 * (i % 2);
        stylus[moved[i]] = i < 8;
        way[moved[i]] = 1;
    }
    const struct ts_track track = {.across = 64,
                                   .down = 48,
                                   .blocks = 64 * 48,
                                   .period_ms = 8,
                                   .moved = moved,
                                   .moved_count = 30};
    assert_true(ts_mask_screen_moves(&track, stylus, NULL));
    assert_false(ts_mask_screen_moves(&track, stylus, way));
    for (int i = 10; i < 30; i++)
        way[moved[i]] = 0;
    assert_true(ts_mask_screen_moves(&track, stylus, way));
}

/* It begins to move when it lifts, and here and there its rim shows over what is dark. */
static void a_rim_of_the_stylus_moves_with_the_lift(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    rare_start(&picture, 2500);
    picture.element[0].level = 24;
    rare_add(&picture, 4, 78, 60, 5, 5, 38)->fade_ms = 44;
    picture_add(&picture, 400, 0)->level = 190;
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    if (!(fabs(changes.first.value - 400) <= 25))
        fail_msg("%.2f is not 400 or shortly after", changes.first.value);
}

/* It lifts at 0 and moves for 45 ms. Far from where it was seen before, so wide a piece of a row
 * fades a little. */
static double first_beside_the_stylus(double from_ms, double wide)
{
    struct picture picture;
    struct picture_reference reference;
    rare_start(&picture, 2500);
    picture.noise_codes = 6;
    picture.element[0].level = 50;
    picture.element[0].contrast = 0;
    rare_add(&picture, from_ms, 20, 105, wide, 5, 42)->fade_ms = 40;
    picture_add(&picture, 600, 0)->level = 190;
    tell_stylus(&picture, -200, 0, 45, 50);
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    return changes.first.value;
}

static void assert_shortly_after(double found, double from_ms)
{
    if (!(fabs(found - from_ms) <= 40))
        fail_msg("%.2f is not %.0f or shortly after", found, from_ms);
}

static void a_rim_of_the_stylus_shows_in_one_far_block(void **state)
{
    (void)state;
    assert_shortly_after(first_beside_the_stylus(20, 5), 600);
}

static void a_small_change_is_no_rim_of_the_stylus(void **state)
{
    (void)state;
    assert_shortly_after(first_beside_the_stylus(20, 20), 40);  /* so many blocks at once */
    assert_shortly_after(first_beside_the_stylus(200, 5), 220); /* it is gone */
}

/* A stylus that moves for longer than the app needs, and some blocks to its left fade. */
static void fade_beside_a_late_stylus(double left_px, double wide, double high, double level,
                                      double fade_ms)
{
    struct picture picture;
    picture_init(&picture, 11, 320, 240);
    picture.until_ms = 4000;
    picture.element[0].level = 150;
    picture_add(&picture, 300, 0)->level = 200;
    rare_add(&picture, 700, 160 - left_px, 90, wide, high, level)->fade_ms = fade_ms;
    tell_stylus(&picture, -250, 0, 2000, 100);
    picture.stylus_x = 160;
    rare_settles(&picture, 8);
}

/* The stylus would be seen all the way there. */
static void a_button_fades_beside_a_late_stylus(void **state)
{
    (void)state;
    fade_beside_a_late_stylus(45, 10, 10, 80, 150);
}

/* No rim of it comes to so many blocks at once. */
static void a_bar_fades_beside_a_late_stylus(void **state)
{
    (void)state;
    fade_beside_a_late_stylus(35, 5, 30, 182, 300);
}

static void start_under_a_stylus(struct picture *picture, double until_ms, double gone_ms)
{
    picture_init(picture, 11, 320, 240);
    picture->until_ms = until_ms;
    picture->element[0].level = 150;
    tell_stylus(picture, -250, 0, gone_ms, 100);
    picture->stylus_x = 160;
}

static void start_under_a_late_stylus(struct picture *picture)
{
    start_under_a_stylus(picture, 4000, 2000);
    picture_add(picture, 300, 0)->level = 200;
}

/* Where the stylus slowly uncovers block after block, a list grows row by row. */
static void a_list_grows_under_a_late_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_late_stylus(&picture);
    for (int row = 0; row < 5; row++)
        rare_add(&picture, 800 + 40 * row, 140, 50 + 10 * row, 40, 10, 190);
    rare_settles(&picture, 8);
}

/* One that is gone somewhat sooner is seen on its way as well. */
static void a_button_fades_beside_a_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_stylus(&picture, 3000, 540);
    picture_add(&picture, 100, 0)->level = 200;
    rare_add(&picture, 320, 150, 108, 10, 10, 80)->fade_ms = 150;
    rare_settles(&picture, 8);
}

/* Letters follow each other, each by itself, and the stylus is far away. */
static void letters_come_beside_a_late_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_late_stylus(&picture);
    for (int letter = 0; letter < 4; letter++)
        rare_add(&picture, 1500 + 13 * letter, 105 + 5 * letter, 60, 5, 5, 120);
    rare_settles(&picture, 8);
}

/* What fades as one at another time tells nothing of its rim. */
static void a_rim_of_a_late_stylus_where_something_faded_before(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_late_stylus(&picture);
    picture.element[1].level = 30;
    rare_add(&picture, 420, 120, 45, 40, 30, 120)->fade_ms = 120;
    rare_add(&picture, 1100, 155, 65, 10, 10, 60)->fade_ms = 60;
    rare_settles_at(&picture, 540, 25);
}

/* Few blocks, and hardly more than noise, but otherwise the stylus shows in none for long. */
static void a_picture_brightens_a_little_beside_a_late_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_stylus(&picture, 8000, 6000);
    picture_add(&picture, 300, 0)->level = 30;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            rare_add(&picture, 3000, 125 + 20 * column, 30 + 20 * row, 5, 5, 38)->fade_ms = 60;
    }
    rare_settles(&picture, 8);
}

/* The rim of the stylus, where nobody expects it. */
static void a_block_beside_a_late_stylus_is_its_rim(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_late_stylus(&picture);
    rare_add(&picture, 1500, 120, 60, 5, 5, 120);
    rare_settles_at(&picture, 300, 25);
}

static void line_fades_under_a_late_stylus(double from_ms, double y, double fade_ms)
{
    struct picture picture;
    start_under_a_late_stylus(&picture);
    picture.until_ms = 6500;
    picture.stylus_gone_ms = 4000;
    rare_add(&picture, from_ms, 148, y, 25, 5, 170)->fade_ms = fade_ms;
    rare_settles(&picture, 8);
}

/* It was there before, and is far away by now; or it never was quite there. */
static void a_line_fades_where_a_late_stylus_is_not(void **state)
{
    (void)state;
    line_fades_under_a_late_stylus(1150, 85, 300);
    line_fades_under_a_late_stylus(380, 115, 150);
}

/* In the dark, where all is as dark as the stylus; and what fades by less is done sooner. */
static void start_in_the_dark(struct picture *picture, double from_ms, double fade_ms)
{
    start_under_a_late_stylus(picture);
    picture_add(picture, 301, 0)->level = 25;
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++)
            rare_add(picture, 301, 135 + 5 * column, 85 + 5 * row, 5, 5,
                     60 + 20 * (3 * row + column));
    }
    rare_add(picture, from_ms, 135, 85, 15, 15, 30)->fade_ms = fade_ms;
}

static void a_button_fades_in_the_dark_with_a_late_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_in_the_dark(&picture, 330, 300);
    rare_settles(&picture, 16);
}

/* Where the stylus stops, all of its rim comes to rest at once. */
static void a_late_stylus_stops_in_the_dark(void **state)
{
    (void)state;
    struct picture picture;
    start_in_the_dark(&picture, 1670, 300);
    rare_settles_at(&picture, 316, 24);
}

/* The app comes at 300 ms; beside the stylus something of one level becomes another row by row. */
static void start_by_rows(struct picture *picture, double from, double to)
{
    start_under_a_late_stylus(picture);
    rare_add(picture, 300, 230, 100, 10, 60, from);
    for (int row = 0; row < 12; row++)
        rare_add(picture, 600 + 60 * row, 230, 155 - 5 * row, 10, 5, to)->fade_ms = 120;
}

/* A part of it is as dark as the screen, and nobody sees that before the app lights up around it.
 * It goes the way of the rest, and uncovers row by row. */
static void an_unseen_part_of_a_late_stylus_is_it(void **state)
{
    (void)state;
    struct picture picture;
    start_by_rows(&picture, 10, 200);
    rare_settles_at(&picture, 300, 25);
}

/* Where it was never seen on its way, what gets as dark as it is by and by is the app's. */
static void a_picture_darkens_beside_a_late_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_by_rows(&picture, 70, 10);
    rare_settles(&picture, 12);
}

/* An icon is seen to be pressed, where only the stylus had moved before. */
static void an_icon_darkens_under_the_stylus(void **state)
{
    (void)state;
    struct picture picture;
    start_under_a_stylus(&picture, 3000, 500);
    rare_add(&picture, 60, 168, 90, 40, 40, 100);
    picture_add(&picture, 400, 0)->level = 200;
    rare_begins(&picture, 8);
}

/* A small splash, of which nothing lies beside where the stylus was seen. */
static void a_splash_shows_under_the_tip_of_a_stylus(void **state)
{
    (void)state;
    for (int late = 0; late < 2; late++) {
        struct picture picture;
        start_under_a_stylus(&picture, 4000, late ? 2000 : 300);
        rare_add(&picture, 800, 146, 86, 28, 24, 60);
        picture_add(&picture, 1500, 0)->level = 200;
        rare_begins(&picture, 8);
    }
}

/* Fallen and lifted in one place, and then a fade there: in equal steps, as if that went on for
 * ever, and nothing else moved. What hardly shows had moved before. */
static void a_fade_begins_in_step_with_the_stylus(void **state)
{
    (void)state;
    const double from_ms = 185, fade_ms = 800;
    struct picture picture;
    struct picture_reference reference;
    rare_start(&picture, 3000);
    picture.element[0].level = 140;
    picture.element[0].contrast = 0;
    rare_add(&picture, -225, 60, 40, 40, 40, 100);
    rare_add(&picture, 2, 60, 40, 40, 40, 140);
    rare_add(&picture, 110, 10, 5, 20, 10, 144.4);
    for (int part = 0; part < 6; part++)
        rare_add(&picture, from_ms + 6 * part, 40 + 10 * part, 20, 10, 80, 60)->fade_ms = fade_ms;
    tell_stylus(&picture, -225, 0, 38, 60);
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    assert_shortly_after(changes.first.value, from_ms + 0.08 * fade_ms);
}

/* When the stylus stops is not told. It is gone when a dark screen lights up, where it might have
 * gone unseen, and a block glimmers there now and then until something fades in. */
static void what_glimmers_where_the_stylus_was_is_not_it(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 3000);
    picture_add(&picture, 232, 0)->level = 25;
    picture_add(&picture, 484, 0)->level = 150;
    for (double at_ms = 520; at_ms < 1000; at_ms += 100) {
        rare_add(&picture, at_ms, 80, 60, 5, 5, 165);
        rare_add(&picture, at_ms + 17, 80, 60, 5, 5, 150);
    }
    rare_add(&picture, 975, 70, 68, 27, 13, 110)->fade_ms = 505;
    tell_stylus(&picture, -300, -5, 100, 85);
    picture.stylus_told = TOLD_FROM;
    rare_settles(&picture, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stylus_goes_unseen_over_a_dark_screen),
        cmocka_unit_test(what_moves_on_the_way_of_a_moving_stylus_is_it),
        cmocka_unit_test(a_rim_of_the_stylus_moves_with_the_lift),
        cmocka_unit_test(a_rim_of_the_stylus_shows_in_one_far_block),
        cmocka_unit_test(a_small_change_is_no_rim_of_the_stylus),
        cmocka_unit_test(a_button_fades_beside_a_late_stylus),
        cmocka_unit_test(a_bar_fades_beside_a_late_stylus),
        cmocka_unit_test(a_list_grows_under_a_late_stylus),
        cmocka_unit_test(a_button_fades_beside_a_stylus),
        cmocka_unit_test(letters_come_beside_a_late_stylus),
        cmocka_unit_test(a_rim_of_a_late_stylus_where_something_faded_before),
        cmocka_unit_test(a_picture_brightens_a_little_beside_a_late_stylus),
        cmocka_unit_test(a_block_beside_a_late_stylus_is_its_rim),
        cmocka_unit_test(a_line_fades_where_a_late_stylus_is_not),
        cmocka_unit_test(a_button_fades_in_the_dark_with_a_late_stylus),
        cmocka_unit_test(a_late_stylus_stops_in_the_dark),
        cmocka_unit_test(an_unseen_part_of_a_late_stylus_is_it),
        cmocka_unit_test(a_picture_darkens_beside_a_late_stylus),
        cmocka_unit_test(an_icon_darkens_under_the_stylus),
        cmocka_unit_test(a_splash_shows_under_the_tip_of_a_stylus),
        cmocka_unit_test(a_fade_begins_in_step_with_the_stylus),
        cmocka_unit_test(what_glimmers_where_the_stylus_was_is_not_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
