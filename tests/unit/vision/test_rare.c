/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one launch in some hundred shows, one by one: each was seconds off until it had a rule. */
#include "rare.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static void add_film(struct picture *picture)
{
    struct picture_element *film = rare_add(picture, 300, 40, 30, 60, 50, 120);
    film->paint = PAINT_LOOP;
    film->contrast = 80;
    film->period_ms = 1000.0 / 30;
}

/* What the lens shows of a film on the blocks to its left, above and below the middle: less than
 * what counts as a change. */
static void add_rim(struct picture *picture, double period_ms)
{
    for (int i = 0; i < 2; i++) {
        struct picture_element *rim = rare_add(picture, 300, 30, i ? 65 : 30, 15, 15, 210);
        rim->paint = PAINT_SPINNER;
        rim->swing = 4.8;
        rim->period_ms = period_ms * (1 + 0.3 * i);
    }
    rare_add(picture, 300, 25, 0, 10, 120, 210);
}

/* So slowly that noise takes its few blocks out of bounds and back again where the fade ends. */
static void a_scroll_bar_fades_away(void **state)
{
    (void)state;
    for (int seed = 0; seed < 6; seed++) {
        struct picture picture;
        rare_start(&picture, 4200);
        picture.seed += (uint64_t)seed;
        picture_add(&picture, 300, 0)->level = 210;
        rare_add(&picture, 300, 140, 20, 5, 10, 190);
        struct picture_element *gone = rare_add(&picture, 1000, 140, 20, 5, 10, 210);
        gone->fade_ms = 1200;
        gone->eased = true;
        rare_settles(&picture, 60);
    }
}

static void a_film_hides_a_late_picture_but_for_a_sliver(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 5000);
    picture_add(&picture, 300, 0)->level = 210;
    rare_add(&picture, 1400, 70, 45, 35, 10, 175); /* a block's width beside the film */
    add_film(&picture);
    rare_settles(&picture, 8);
}

/* The lens shows the film above and below the sliver. */
static void a_rim_closes_around_a_late_picture(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 5000);
    picture_add(&picture, 300, 0)->level = 210;
    add_rim(&picture, 700);
    rare_add(&picture, 1400, 35, 50, 35, 10, 175);
    add_film(&picture);
    rare_settles(&picture, 8);
}

/* The lens shows some of it there, and so a cut to a darker scene, too. */
static void a_film_shows_in_the_blocks_beside_it(void **state)
{
    (void)state;
    for (int cut_ms = 800; cut_ms < 1800; cut_ms += 250) {
        struct picture picture;
        rare_start(&picture, 4000);
        picture.spill = 0.4;
        picture_add(&picture, 300, 0)->level = 210;
        for (int scene = 0; scene < 2; scene++) {
            struct picture_element *film =
                rare_add(&picture, scene ? cut_ms : 300, 40, 30, 60, 50, scene ? 80 : 150);
            film->paint = PAINT_VIDEO;
            film->contrast = 24;
            film->period_ms = 1000.0 / 30;
        }
        rare_settles_at(&picture, 315, 8);
    }
}

/* Behind the film and out on its other side, for a moment: who looked on for so short a time does
 * not know whether it comes back. */
static void a_bar_passes_by_after_a_long_rest(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 5300);
    picture_add(&picture, 300, 0)->level = 210;
    add_film(&picture);
    rare_add(&picture, 2700, 108, 40, 30, 20, 60);
    rare_add(&picture, 3100, 108, 40, 30, 20, 210);
    struct picture_reference reference;
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 1u << TS_FLAG_NEVER_SETTLED);
}

/* Something small that follows it shortly does not tell that the next page is not to come. */
static void a_page_turns_and_something_small_follows(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 6000);
    picture_add(&picture, 300, 0)->level = 210;
    struct picture_element *spinner = rare_add(&picture, 300, 130, 90, 20, 20, 0);
    spinner->paint = PAINT_SPINNER;
    spinner->period_ms = 900;
    struct picture_element *pages = rare_add(&picture, 300, 10, 30, 100, 40, 120);
    pages->paint = PAINT_CAROUSEL;
    pages->contrast = 80;
    pages->period_ms = 3100;
    rare_add(&picture, 1300, 10, 80, 50, 10, 120);
    rare_add(&picture, 3950, 115, 45, 10, 10, 120);
    struct picture_reference reference;
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 1u << TS_FLAG_NEVER_SETTLED);
}

/* What follows is not visible: it does not make the last visible change of the same blocks
 * undone. */
static void something_invisible_follows_the_last_change(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 4000);
    picture_add(&picture, 300, 0)->level = 210;
    rare_add(&picture, 1400, 60, 40, 20, 20, 160);
    rare_add(&picture, 2500, 60, 40, 20, 20, 156.5);
    rare_settles(&picture, 8);
}

/* With a film in view one looks on until it is known to be one; a campaign's launch is over by
 * then. */
static void tick_after_the_verdict(bool rim)
{
    struct picture_reference without, with;
    double settled_ms[2];
    for (int ticks = 0; ticks < 2; ticks++) {
        struct picture picture;
        rare_start(&picture, 13000);
        picture_add(&picture, 300, 0)->level = 210;
        if (rim)
            add_rim(&picture, 6000);
        add_film(&picture);
        if (ticks)
            rare_add(&picture, 5600, 125, 95, 5, 15, 120);
        const struct ts_vision_changes changes = rare_find(&picture, ticks ? &with : &without);
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

/* The next page is seconds away when it appears: no rim of a page. */
static void a_carousel_hides_a_late_picture_but_for_a_sliver(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 9000);
    picture_add(&picture, 300, 0)->level = 210;
    rare_add(&picture, 1200, 80, 45, 25, 10, 175);
    struct picture_element *pages = rare_add(&picture, 300, 40, 30, 60, 50, 120);
    pages->paint = PAINT_CAROUSEL;
    pages->contrast = 80;
    pages->period_ms = 2600;
    rare_settles(&picture, 8);
}

/* The blocks that it shares with the pages move with it, and between two pages: it is no part of
 * them. */
static void a_line_appears_at_the_edge_of_a_carousel(void **state)
{
    (void)state;
    for (int shared = 1; shared <= 3; shared++) {
        struct picture picture;
        rare_start(&picture, 13500);
        picture_add(&picture, 300, 0)->level = 210;
        rare_add(&picture, 1200, 20, 100, 60, 10, 150);
        rare_add(&picture, 2050, 60, 80 + shared, 10, 20 - shared, 120);
        struct picture_element *pages = rare_add(&picture, 300, 5, 30, 150, 50 + shared, 120);
        pages->paint = PAINT_CAROUSEL;
        pages->contrast = 80;
        pages->period_ms = 3300;
        rare_settles(&picture, 8);
    }
}

/* In a picture so fine, what the app does shows in more than one block. */
static void something_tiny_goes_on_and_seldom_shows(void **state)
{
    (void)state;
    struct picture picture;
    picture_init(&picture, 11, 640, 480);
    picture.until_ms = 4000;
    picture_add(&picture, 300, 0)->level = 210;
    for (int turn = 0; turn < 4; turn++)
        rare_add(&picture, 1150 + 470 * turn, 300, 200, 5, 5, turn % 2 ? 210 : 195);
    rare_settles_at(&picture, 315, 8);
}

/* Whether an app goes on in such steps is waited for; a clock goes on, and does not matter. */
static void a_minute_turns_in_the_status_bar(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 4500);
    picture_mask_status_bar(&picture, 5);
    picture_add(&picture, 300, 0)->level = 210;
    rare_add(&picture, 3200, 20, 0, 40, 5, 120);
    rare_settles(&picture, 8);
}

static void a_minute_turns_before_the_app_shows(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 4500);
    picture_mask_status_bar(&picture, 5);
    rare_add(&picture, 120, 20, 0, 40, 5, 120);
    picture_add(&picture, 700, 0)->level = 210;
    rare_begins(&picture, 8);
}

/* Which digit of a clock lies behind a film. */
enum hidden { NONE_HIDDEN, ONES_HIDDEN, TENS_HIDDEN };

/* A clock's last digit, which changes twice in period_ms, and beside it something of a digit's size
 * that changes but once. */
static double settle_beside_a_beat(double period_ms, double once_ms, enum hidden hidden)
{
    struct picture picture;
    struct picture_reference reference;
    picture_init(&picture, 11, 320, 240);
    picture.until_ms = 9500;
    picture_add(&picture, 300, 0)->level = 210;
    struct picture_element *beats = rare_add(&picture, 300, 135, 70, hidden ? 20 : 5, 25, 0);
    beats->paint = PAINT_CARET;
    beats->period_ms = period_ms;
    rare_add(&picture, once_ms, 110, 65, 20, 30, 120);
    if (hidden) {
        const double from = hidden == ONES_HIDDEN ? 140 : 0, to = hidden == ONES_HIDDEN ? 260 : 115;
        struct picture_element *loop = rare_add(&picture, 300, from, 60, to - from, 100, 120);
        loop->paint = PAINT_LOOP;
        loop->contrast = 80;
        loop->period_ms = 1000.0 / 30;
    }
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    return changes.settled.value;
}

static void assert_settles(double found_ms, double wanted_ms)
{
    if (!(found_ms > wanted_ms - 8 && found_ms < wanted_ms + 40)) /* up to a refresh and a scan */
        fail_msg("%.2f is not %.2f or shortly after", found_ms, wanted_ms);
}

/* The tens of its seconds change for the first time long after the app has settled. */
static void a_film_hides_a_clock_but_for_a_sliver(void **state)
{
    (void)state;
    assert_settles(settle_beside_a_beat(1900, 4100, NONE_HIDDEN), 300);
    assert_settles(settle_beside_a_beat(1900, 2200, ONES_HIDDEN), 300);
    assert_settles(settle_beside_a_beat(1900, 4100, TENS_HIDDEN), 300);
}

/* Out of the beat, or in one that is as fast as a caret's, it is the app's own. */
static void a_late_picture_beside_a_clock_is_no_digit(void **state)
{
    (void)state;
    assert_settles(settle_beside_a_beat(1900, 4600, NONE_HIDDEN), 4600);
    assert_settles(settle_beside_a_beat(1900, 2600, ONES_HIDDEN), 2600);
    assert_settles(settle_beside_a_beat(1060, 2950, NONE_HIDDEN), 2950);
    assert_settles(settle_beside_a_beat(1060, 2950, ONES_HIDDEN), 2950);
    assert_settles(settle_beside_a_beat(1900, 4600, TENS_HIDDEN), 4600);
}

/* Soon after a digit has changed, noise shows in one block of it; or its rim is seen to move later
 * than all of it. */
static void a_digit_glimmers(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    picture_init(&picture, 11, 320, 240);
    picture.until_ms = 9500;
    picture_add(&picture, 300, 0)->level = 210;
    struct picture_element *ones = rare_add(&picture, 300, 135, 65, 20, 30, 0);
    ones->paint = PAINT_CARET;
    ones->period_ms = 1900;
    rare_add(&picture, 4100, 110, 65, 20, 30, 120);
    rare_add(&picture, 4160, 105, 80, 5, 5, 199);
    rare_add(&picture, 4740, 120, 80, 5, 5, 124.8);
    rare_add(&picture, 4790, 120, 80, 5, 5, 120);
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 0);
    assert_settles(changes.settled.value, 300);
}

/* Of its seconds a frame shows the first, and the means of many the last ones; `off`: one of these
 * comes so much later, and it is no timer. */
static void start_timer(struct picture *picture, double off_ms)
{
    static const double level[] = {190, 191.3, 190.1, 191.2, 189.9, 191.2, 190.1};
    rare_start(picture, 8000);
    picture_add(picture, 300, 0)->level = 210;
    for (int i = 0; i < (int)(sizeof level / sizeof *level); i++)
        rare_add(picture, 1300 + 1000 * i + (i == 5 ? off_ms : 0), 60, 80, 5, 5, level[i]);
}

static void a_timer_shows_one_of_its_seconds(void **state)
{
    (void)state;
    for (int no_timer = 0; no_timer < 2; no_timer++) {
        struct picture picture;
        start_timer(&picture, no_timer ? 250 : 0);
        rare_settles_at(&picture, no_timer ? 1311 : 311, 16);
    }
}

/* A clock ticks from 1300 ms on, and the blocks above and below change once, at these times (0: not
 * at all); the app comes at 400. */
static void start_clock(struct picture *picture, double period_ms, double below_ms, double above_ms,
                        double until_ms)
{
    rare_start(picture, until_ms);
    picture_add(picture, 400, 0)->level = 210;
    for (int i = 0; i < 7; i++)
        rare_add(picture, 1300 + period_ms * i, 60, 80, 5, 5, i % 2 ? 200 : 190);
    if (below_ms > 0)
        rare_add(picture, below_ms, 60, 85, 5, 5, 200);
    if (above_ms > 0)
        rare_add(picture, above_ms, 60, 75, 5, 5, 200);
}

/* Before the app had rested for the quiet time, what comes with a clock's first second and stays is
 * the app's, however long one looks on. Later, or one by one, or where it seldom ticks, it is the
 * clock's. */
static void what_a_clock_changes_once_is_the_launch_if_it_is_not_over(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    for (double until_ms = 3050; until_ms < 9000; until_ms += 1000) {
        start_clock(&picture, 1000, 1300, 0, until_ms);
        rare_settles_at(&picture, 1311, 16);
        start_clock(&picture, 1000, 0, 0, until_ms);
        rare_settles_at(&picture, 415, 16);
    }
    start_clock(&picture, 1000, 2300, 0, 8050);
    rare_settles_at(&picture, 415, 16);
    start_clock(&picture, 1000, 1300, 3300, 8050);
    rare_settles_at(&picture, 415, 16);
    start_clock(&picture, 3000, 1300, 0, 12050);
    rare_settles_at(&picture, 415, 16);
    start_clock(&picture, 1000, 1300, 0, 8050); /* and it changes again, which noise hides */
    picture.noise_codes = 8;
    for (int i = 1; i < 5; i++)
        rare_add(&picture, 1300 + 1000 * i, 60, 85, 5, 5, i % 2 ? 195 : 200);
    assert_settles(rare_find(&picture, &reference).settled.value, 415);
}

/* What is found by who stops looking as soon as the verdict is certain. */
static double settles_online(struct picture *picture)
{
    picture_render(picture);
    const struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    struct ts_vision_changes changes;
    struct ts_detector *detector;
    assert_int_equal(ts_detector_open(&frames.view, TS_RULE_ROBUST, &detector), TS_OK);
    for (size_t n = 0; n < frames.count && !ts_detector_is_certain(detector); n++)
        assert_int_equal(
            ts_detector_frame(detector, frames.sequence[n], frames.start_ms[n], frames.blocks[n]),
            TS_OK);
    assert_true(ts_detector_is_certain(detector));
    assert_int_equal(ts_detector_result(detector, &changes), TS_OK);
    ts_detector_close(detector);
    picture_free(picture);
    assert_int_equal(changes.flags, 0);
    return changes.settled.value;
}

static void who_looks_on_waits_for_a_timer(void **state)
{
    (void)state;
    struct picture picture;
    start_timer(&picture, 0);
    const double timer = settles_online(&picture);
    assert_true(timer > 295 && timer < 327);
    start_clock(&picture, 1000, 1300, 0, 8050);
    const double clock = settles_online(&picture);
    assert_true(clock > 1295 && clock < 1327);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_hides_a_clock_but_for_a_sliver),
        cmocka_unit_test(a_late_picture_beside_a_clock_is_no_digit),
        cmocka_unit_test(a_digit_glimmers),
        cmocka_unit_test(what_a_clock_changes_once_is_the_launch_if_it_is_not_over),
        cmocka_unit_test(a_minute_turns_in_the_status_bar),
        cmocka_unit_test(a_minute_turns_before_the_app_shows),
        cmocka_unit_test(a_carousel_hides_a_late_picture_but_for_a_sliver),
        cmocka_unit_test(a_line_appears_at_the_edge_of_a_carousel),
        cmocka_unit_test(something_tiny_goes_on_and_seldom_shows),
        cmocka_unit_test(a_page_turns_and_something_small_follows),
        cmocka_unit_test(something_invisible_follows_the_last_change),
        cmocka_unit_test(a_clock_ticks_after_the_verdict),
        cmocka_unit_test(a_rim_keeps_no_verdict_waiting),
        cmocka_unit_test(a_scroll_bar_fades_away),
        cmocka_unit_test(a_film_hides_a_late_picture_but_for_a_sliver),
        cmocka_unit_test(a_rim_closes_around_a_late_picture),
        cmocka_unit_test(a_film_shows_in_the_blocks_beside_it),
        cmocka_unit_test(a_bar_passes_by_after_a_long_rest),
        cmocka_unit_test(a_timer_shows_one_of_its_seconds),
        cmocka_unit_test(who_looks_on_waits_for_a_timer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
