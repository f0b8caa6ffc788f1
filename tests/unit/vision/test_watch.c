/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "picture.h"
#include "vision/watch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS 1000.0

struct seen {
    double changed_ms, settled_ms; /* NAN: never */
    bool quiet_before;
};

static struct ts_host_time host(double ms)
{
    return (struct ts_host_time){(int64_t)((ms + 10000) * 1e6)};
}

static struct seen watch_picture(const struct picture *picture)
{
    struct seen seen = {NAN, NAN, false};
    struct ts_watch *watch;
    assert_int_equal(ts_watch_create(&picture->camera, QUIET_MS, &watch), TS_OK);
    ts_watch_ignore(watch, picture->ignore);
    bool armed = false;
    for (size_t n = 0; n < picture->frames; n++) {
        const double arrival =
            picture->start_ms[n] + picture->readout_ms + picture->exposure_ms + 2;
        if (!armed && arrival >= 0) {
            seen.quiet_before = ts_watch_is_quiet(watch);
            ts_watch_arm(watch, host(0));
            armed = true;
        }
        const struct ts_frame frame = {.sequence = picture->sequence[n],
                                       .arrival = host(arrival),
                                       .blocks = picture->blocks[n]};
        ts_watch_frame(watch, &frame);
        if (isnan(seen.changed_ms) && ts_watch_has_changed(watch))
            seen.changed_ms = arrival;
        if (isnan(seen.settled_ms) && ts_watch_has_settled(watch))
            seen.settled_ms = arrival;
    }
    ts_watch_destroy(watch);
    return seen;
}

/* It may say "settled" late. Early it is only where five changes in one place pass for a region
 * that goes on changing: one launch in a hundred of these, at most. */
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
        const struct seen seen = watch_picture(&picture);
        if (getenv("PICTURE_VERBOSE"))
            printf("%llu settled %.0f said %.0f endless %d\n", (unsigned long long)seed,
                   reference.settled_ms, seen.settled_ms, reference.endless);
        assert_true(!isnan(seen.changed_ms));
        assert_true(seen.changed_ms < reference.first_ms + 400);
        assert_true(!isnan(seen.settled_ms));
        early += seen.settled_ms < reference.settled_ms + QUIET_MS - 60;
        late += seen.settled_ms > reference.settled_ms + QUIET_MS + 2500;
        picture_free(&picture);
    }
    assert_true(early <= count / 100);
    assert_true(late <= count / 20);
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
        const struct seen seen = watch_picture(&picture);
        assert_true(seen.quiet_before);
        assert_true(seen.settled_ms > 1600 + QUIET_MS - 150);
        assert_true(seen.settled_ms < 1600 + QUIET_MS + 300);
        picture_free(&picture);
    }
}

static void knows_rest_and_unrest(void **state)
{
    (void)state;
    struct picture picture;
    picture_init(&picture, 3, 160, 120);
    picture.from_ms = -2000;
    picture.flicker_hz = 100;
    picture.flicker_depth = 0.015;
    picture_render(&picture);
    struct seen seen = watch_picture(&picture);
    assert_true(seen.quiet_before);
    assert_true(isnan(seen.changed_ms));
    assert_true(isnan(seen.settled_ms));
    picture_free(&picture);

    picture_init(&picture, 3, 160, 120);
    picture.from_ms = -2000;
    struct picture_element *late = picture_add(&picture, -500, 0);
    late->w = late->h = 15;
    late->level = 0;
    picture_render(&picture);
    seen = watch_picture(&picture);
    assert_false(seen.quiet_before);
    picture_free(&picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(waits_for_the_end),
        cmocka_unit_test(sees_a_slow_fade),
        cmocka_unit_test(knows_rest_and_unrest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
