/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The detector as a campaign uses it while it looks on: frames at their arrival, the lift told when
 * it has happened, the stylus not told at all. */
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS 1000.0
#define LATE_MS  2.0 /* the camera's latency, and the time that the word of the lift takes */

struct seen {
    double changed_ms, certain_ms; /* frames' arrivals; NAN: never */
};

static struct seen look_on(const struct picture *picture, double quiet_ms)
{
    struct seen seen = {NAN, NAN};
    struct ts_vision_view view = picture_frames(picture, quiet_ms).view;
    view.stylus_from_ms = view.stylus_down_ms = view.stylus_up_ms = NAN;
    view.status_bar = NULL;
    struct ts_detector *detector;
    assert_int_equal(ts_detector_open(&view, TS_RULE_ROBUST, &detector), TS_OK);
    ts_detector_tap(detector, INFINITY);
    bool told = false;
    for (size_t n = 0; n < picture->frames; n++) {
        const double arrival_ms =
            picture->start_ms[n] + picture->readout_ms + picture->exposure_ms + LATE_MS;
        if (!told && arrival_ms > LATE_MS) {
            ts_detector_tap(detector, LATE_MS);
            told = true;
        }
        assert_int_equal(ts_detector_frame(detector, picture->sequence[n],
                                           picture->start_ms[n] + LATE_MS, picture->blocks[n]),
                         TS_OK);
        if (isnan(seen.changed_ms) && ts_detector_has_changed(detector))
            seen.changed_ms = arrival_ms;
        if (isnan(seen.certain_ms) && ts_detector_is_certain(detector))
            seen.certain_ms = arrival_ms;
    }
    ts_detector_close(detector);
    return seen;
}

/* It may be certain late, or never within the picture. Early it is only where changes in one place
 * pass for a region that goes on changing: one launch in a hundred of these, at most. */
static void waits_for_the_end(void **state)
{
    (void)state;
    size_t late = 0, early = 0;
    const uint64_t from = 20000, count = 120;
    for (uint64_t seed = from; seed < from + count; seed++) {
        struct picture picture;
        picture_launch(&picture, seed, 160, 120, QUIET_MS);
        picture.until_ms += 3500; /* it takes a while to know an endless region */
        picture_render(&picture);
        const struct picture_reference reference = picture_refer(&picture);
        const struct seen seen = look_on(&picture, QUIET_MS);
        if (getenv("PICTURE_VERBOSE"))
            printf("%llu settled %.0f certain %.0f endless %d\n", (unsigned long long)seed,
                   reference.settled_ms, seen.certain_ms, reference.endless);
        assert_true(!isnan(seen.changed_ms));
        assert_true(seen.changed_ms < reference.first_ms + 400);
        early += seen.certain_ms < reference.settled_ms + QUIET_MS - 60;
        late += !(seen.certain_ms <= reference.settled_ms + QUIET_MS + 2500);
        picture_free(&picture);
    }
    if (early > count / 100 || late > count / 20)
        fail_msg("of %d launches %zu are certain early, %zu late", (int)count, early, late);
}

/* One level per frame over the whole screen, with flicker: no frame differs much from the last. */
static void sees_a_slow_fade(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct picture picture;
        picture_init(&picture, seed, 160, 120);
        picture.element[0].contrast = 0;
        picture.element[0].level = 150;
        picture.from_ms = -1500;
        picture.until_ms = 4000;
        picture.flicker_hz = 100;
        picture.flicker_depth = 0.015;
        picture_add(&picture, 200, 0)->level = 160; /* something happens first */
        struct picture_element *fade = picture_add(&picture, 1000, 600);
        fade->level = 85; /* 75 levels in 75 frames */
        picture_render(&picture);
        const struct seen seen = look_on(&picture, QUIET_MS);
        assert_true(seen.certain_ms > 1600 + QUIET_MS - 150);
        assert_true(seen.certain_ms < 1600 + QUIET_MS + 300);
        picture_free(&picture);
    }
}

/* What happened before the lift is no change, be it told as late as it may. */
static void counts_from_the_lift(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        struct picture picture;
        picture_init(&picture, seed, 160, 120);
        picture.from_ms = -2000;
        picture.until_ms = 2500;
        struct picture_element *button = picture_add(&picture, -60 - 40 * (double)seed, 0);
        button->w = button->h = 20;
        button->level = 0;
        picture_render(&picture);
        const struct seen seen = look_on(&picture, QUIET_MS);
        assert_true(isnan(seen.changed_ms));
        assert_true(isnan(seen.certain_ms));
        picture_free(&picture);
    }
}

/* Three fifths of the screen change after a rest that was nearly as long as the quiet time.
 * Afterwards, with better times, these may be counted as less than half of it, which could be the
 * next page of a carousel: who looks on had better see that it does not come. */
static void looks_on_after_a_long_rest(void **state)
{
    (void)state;
    struct picture picture;
    picture_init(&picture, 5, 160, 120);
    picture.until_ms = 5000;
    picture_add(&picture, 200, 0)->level = 200;
    struct picture_element *page = picture_add(&picture, 1650, 0);
    page->w = 96;
    page->h = 120;
    page->level = 90;
    picture_render(&picture);
    const struct seen seen = look_on(&picture, 1500);
    assert_true(seen.certain_ms > 1650 + 1450 + 200);
    assert_true(seen.certain_ms < 1650 + 1450 + 500);
    picture_free(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_the_end),
        cmocka_unit_test(sees_a_slow_fade),
        cmocka_unit_test(counts_from_the_lift),
        cmocka_unit_test(looks_on_after_a_long_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
