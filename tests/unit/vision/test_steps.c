/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch's last pictures follow each other with few refreshes in between. */
#include "rare.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define PHASES    8
#define WITHIN_MS 2.0 /* a quarter of a frame; one step of the display is 11 or 17 */

static void start(struct picture *picture, double refresh_hz, int phase)
{
    rare_start(picture, 2500);
    picture->refresh_ms = 1000 / refresh_hz;
    picture->scan_ms = 0.95 * picture->refresh_ms;
    picture->refresh_phase_ms = picture->refresh_ms * phase / PHASES;
}

/* A display of 90 Hz shows what an app draws in turns of 60 Hz: one or two refreshes apart. */
static void a_part_comes_two_refreshes_after_the_page(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 90, phase);
        picture_add(&picture, 300, 0)->level = 210;
        rare_add(&picture, 300 + 2 * picture.refresh_ms, 20, 40, 60, 10, 190);
        rare_settles(&picture, WITHIN_MS);
    }
}

/* Dark, bright, and a part of it darker again: two refreshes would not explain it. */
static void a_page_comes_in_three_refreshes(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture_add(&picture, 300, 0)->level = 20;
        picture_add(&picture, 300 + picture.refresh_ms, 0)->level = 235;
        rare_add(&picture, 300 + 2 * picture.refresh_ms, 0, 30, 160, 40, 100)->contrast = 90;
        rare_settles(&picture, WITHIN_MS);
    }
}

/* A page is there at once but for a few blocks, which come to within 3 % of what they will be: one
 * refresh refines them. */
static void a_page_is_refined(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture_add(&picture, 300, 0)->level = 210;
        rare_add(&picture, 300 + picture.refresh_ms, 70, 50, 20, 15, 202);
        rare_settles(&picture, WITHIN_MS);
    }
}

/* A page fades in by a few refreshes; one block of it, once there, is dimmed again. */
static void a_mark_is_dimmed_after_its_page(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture.response_ms = 4;
        picture_add(&picture, 300, 0)->level = 120;
        picture_add(&picture, 300 + picture.refresh_ms, 0)->level = 195;
        rare_add(&picture, 300 + 3 * picture.refresh_ms, 80, 60, 5, 5, 183);
        rare_settles(&picture, 5);
    }
}

/* One block of it comes a refresh later: frames still show its way when all others have come. */
static void a_mark_comes_a_refresh_after_its_page(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture.response_ms = 2.5;
        picture.element[0].level = 53;
        picture_add(&picture, 300, 0)->level = 190;
        rare_add(&picture, 300, 80, 60, 5, 5, 215);
        rare_add(&picture, 300 + picture.refresh_ms, 80, 60, 5, 5, 195);
        rare_settles(&picture, 5);
    }
}

/* White for one refresh or two, then what the app shows: the white begins it. */
static void a_flash_begins_the_launch(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture_add(&picture, 300, 0)->level = 255;
        picture_add(&picture, 300 + (1 + phase % 2) * picture.refresh_ms, 0)->level = 60;
        rare_begins(&picture, WITHIN_MS);
    }
}

/* What came before the flash is no part of how the page comes after it. */
static void a_page_comes_out_of_a_flash(void **state)
{
    (void)state;
    for (int phase = 0; phase < PHASES; phase++) {
        struct picture picture;
        start(&picture, 60, phase);
        picture.period_ms = 1000.0 / 60;
        picture.response_ms = 3;
        picture.element[0].level = 72;
        picture_add(&picture, 300, 0)->level = 190;
        picture_add(&picture, 300 + picture.refresh_ms, 0)->level = 118;
        rare_settles(&picture, 10);
    }
}

/* All of its change is after all else has ended: it is no late end of a change. */
static void a_mark_comes_long_after_its_page(void **state)
{
    (void)state;
    for (int phase = 0; phase < 2 * PHASES; phase++) {
        struct picture picture;
        start(&picture, 90, phase % PHASES);
        picture.period_ms = 1000.0 / 240;
        picture.response_ms = 2.4;
        picture_add(&picture, 300, 0)->level = 190;
        rare_add(&picture, 1100, 80, 60, 5, 5, 214);
        if (phase >= PHASES) /* and goes */
            rare_add(&picture, 1140, 80, 60, 5, 5, 190);
        rare_settles(&picture, WITHIN_MS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_part_comes_two_refreshes_after_the_page),
        cmocka_unit_test(a_page_comes_in_three_refreshes),
        cmocka_unit_test(a_page_is_refined),
        cmocka_unit_test(a_mark_is_dimmed_after_its_page),
        cmocka_unit_test(a_mark_comes_a_refresh_after_its_page),
        cmocka_unit_test(a_mark_comes_long_after_its_page),
        cmocka_unit_test(a_flash_begins_the_launch),
        cmocka_unit_test(a_page_comes_out_of_a_flash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
