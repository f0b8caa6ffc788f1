/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rules one by one: what is found, what is flagged. */
#include "picture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#define QUIET_MS   1000.0
#define FLAG(name) (1u << TS_FLAG_##name)

/* down_ms: when the stylus is known to have come to rest on the glass; NAN: not known. */
static struct ts_vision_changes find_from(struct picture *picture, enum ts_rule rule,
                                          double down_ms)
{
    picture_render(picture);
    struct ts_vision_frames frames = picture_frames(picture, QUIET_MS);
    frames.view.stylus_down_ms = down_ms;
    frames.view.stylus_up_ms = picture->stylus_up_ms;
    struct ts_vision_changes changes;
    assert_int_equal(ts_detect(&frames, rule, &changes), TS_OK);
    picture_free(picture);
    return changes;
}

static struct ts_vision_changes find(struct picture *picture, enum ts_rule rule)
{
    return find_from(picture, rule, NAN);
}

static void start(struct picture *picture)
{
    picture_init(picture, 11, 160, 120);
    picture->until_ms = 2500;
}

static struct picture_element *app_at(struct picture *picture, double ms)
{
    struct picture_element *app = picture_add(picture, ms, 0);
    app->level = 200;
    app->contrast = 30;
    return app;
}

static void near(double value, double expected, double by)
{
    if (!(fabs(value - expected) <= by))
        fail_msg("%.2f is not within %.2f of %.2f", value, by, expected);
}

static void no_change(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture);
    picture.flicker_hz = 100;
    picture.flicker_depth = 0.015;
    const struct ts_vision_changes changes = find(&picture, TS_RULE_ROBUST);
    assert_int_equal(changes.flags, FLAG(NO_CHANGE));
    assert_true(isnan(changes.first.value) && isnan(changes.last.value) &&
                isnan(changes.settled.value));
    start(&picture);
    assert_int_equal(find(&picture, TS_RULE_LITERAL).flags, FLAG(NO_CHANGE));
}

static void never_settled(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture);
    app_at(&picture, 300);
    picture.until_ms = 900;
    const struct ts_vision_changes changes = find(&picture, TS_RULE_ROBUST);
    assert_int_equal(changes.flags, FLAG(NEVER_SETTLED));
    assert_true(!isnan(changes.first.value));
    assert_true(isnan(changes.last.value) && isnan(changes.settled.value));
}

static void screen_not_quiet(void **state)
{
    (void)state;
    for (int stylus = 0; stylus < 2; stylus++) {
        struct picture picture;
        start(&picture);
        app_at(&picture, 300);
        struct picture_element *toast = picture_add(&picture, -120, 0);
        toast->x = 10;
        toast->y = stylus ? 90 : 10; /* unless it is known when one moved, less may be a stylus */
        toast->w = stylus ? 40 : 140;
        toast->h = stylus ? 20 : 80;
        toast->level = 240;
        if (stylus) {
            picture.stylus_from_ms = -260;
            picture.stylus_up_ms = -5;
            picture.stylus_gone_ms = 120;
            picture.stylus_x = 110;
            picture.stylus_y = 50;
        }
        const struct ts_vision_changes changes =
            find_from(&picture, TS_RULE_ROBUST, stylus ? -180 : NAN);
        assert_true(changes.flags & FLAG(SCREEN_NOT_QUIET));
    }
}

/* Comes in while the stylus rests, and still moves when the arm does: its latest move tells
 * nothing. When it has come no further than the status bar, most of that is no clock that ticks. */
static void screen_not_quiet_until_after_the_lift(void **state)
{
    (void)state;
    for (int bar = 0; bar < 2; bar++) {
        struct picture picture;
        start(&picture);
        app_at(&picture, 300);
        struct picture_element *banner = picture_add(&picture, -140, 400);
        banner->x = 10;
        banner->y = 2;
        banner->w = 130;
        banner->h = bar ? 10 : 40;
        banner->level = 240;
        picture.stylus_from_ms = -260;
        picture.stylus_up_ms = -5;
        picture.stylus_gone_ms = 120;
        picture.stylus_x = 110;
        picture.stylus_y = 70;
        if (bar)
            picture_mask_status_bar(&picture, 12);
        const struct ts_vision_changes changes = find_from(&picture, TS_RULE_ROBUST, -180);
        assert_true(changes.flags & FLAG(SCREEN_NOT_QUIET));
    }
}

static void stylus_is_not_the_app(void **state)
{
    (void)state;
    struct picture picture;
    start(&picture);
    app_at(&picture, 300);
    picture.stylus_from_ms = -260;
    picture.stylus_up_ms = -5;
    picture.stylus_gone_ms = 180;
    picture.stylus_x = 80;
    picture.stylus_y = 70;
    const struct picture_reference reference = {.first_ms = 300};
    const struct ts_vision_changes changes = find(&picture, TS_RULE_ROBUST);
    assert_int_equal(changes.flags, 0);
    near(changes.first.value, reference.first_ms + picture.refresh_ms / 2, 12);
}

static void light_changed(void **state)
{
    (void)state;
    for (int witnesses = 0; witnesses < 2; witnesses++) {
        for (int step = 0; step < 2; step++) {
            struct picture picture;
            start(&picture);
            picture.flicker_hz = 100;
            picture.flicker_depth = 0.012;
            app_at(&picture, 300);
            picture.light_at_ms = 700;
            picture.light_factor = step ? 1.1 : 1;
            if (witnesses) {
                picture.ignore = calloc(32 * 24, 1);
                assert_non_null(picture.ignore);
                for (size_t i = 0; i < 32 * 4; i++)
                    picture.ignore[i] = 1;
                picture.element[1].y = 20; /* the app does not reach there */
                picture.element[1].h = 100;
            }
            const struct ts_vision_changes changes = find(&picture, TS_RULE_ROBUST);
            assert_int_equal(!!(changes.flags & FLAG(LIGHT_CHANGED)), step);
        }
    }
}

static void frames_dropped(void **state)
{
    (void)state;
    static const struct {
        double at_ms;
        size_t count;
        bool matters;
    } cases[] = {
        {295, 3, true}, {150, 1, false}, {120, 8, true}, {1500, 8, false}, {-300, 8, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct picture picture;
        start(&picture);
        app_at(&picture, 300);
        picture.lose_from = (size_t)((cases[i].at_ms - picture.from_ms) / picture.period_ms);
        picture.lose_count = cases[i].count;
        const struct ts_vision_changes changes = find(&picture, TS_RULE_ROBUST);
        assert_int_equal(changes.flags, cases[i].matters ? FLAG(FRAMES_DROPPED) : 0);
    }
}

static void leaves_out_what_goes_on(void **state)
{
    (void)state;
    static const enum picture_paint paints[] = {PAINT_SPINNER, PAINT_CARET, PAINT_VIDEO,
                                                PAINT_CAROUSEL};
    for (size_t i = 0; i < sizeof paints / sizeof *paints; i++) {
        struct picture picture;
        start(&picture);
        picture.until_ms = paints[i] == PAINT_CAROUSEL ? 9000 : 4000;
        app_at(&picture, 300);
        struct picture_element *endless = picture_add(&picture, 300, 0);
        endless->paint = paints[i];
        endless->x = 40;
        endless->y = 30;
        endless->w = paints[i] == PAINT_CARET ? 1 : 40;
        endless->h = paints[i] == PAINT_CARET ? 8 : 40;
        endless->contrast = 80;
        endless->period_ms = paints[i] == PAINT_CAROUSEL ? 3000
                             : paints[i] == PAINT_VIDEO  ? 33.3
                                                         : 1000;
        struct picture_element *load = picture_add(&picture, 800, 0);
        load->x = 110;
        load->y = 90;
        load->w = 12;
        load->h = 6;
        load->level = 40;
        picture_render(&picture);
        const struct picture_reference reference = picture_refer(&picture);
        const struct ts_vision_frames frames = picture_frames(&picture, QUIET_MS);
        struct ts_vision_changes changes;
        assert_int_equal(ts_detect(&frames, TS_RULE_ROBUST, &changes), TS_OK);
        assert_int_equal(changes.flags, 0);
        assert_true(changes.endless_blocks > 0);
        assert_true(isnan(changes.last.value));
        near(changes.settled.value, reference.settled_ms, 6);
        picture_free(&picture);
    }
}

/* Paper E compares consecutive frames with a tenth of full scale, so it is blind to a fade that
 * takes more than ten frames; that is the property that sets the two rules apart. */
static void literal_misses_slow_fades(void **state)
{
    (void)state;
    for (int slow = 0; slow < 2; slow++) {
        struct picture picture;
        start(&picture);
        picture.element[0].level = 20;
        picture.element[0].contrast = 0;
        picture.refresh_ms = 4;
        picture.scan_ms = 0;
        picture_add(&picture, 300, slow ? 240 : 40)->level = 240;
        const struct ts_vision_changes changes = find(&picture, TS_RULE_LITERAL);
        assert_int_equal(changes.flags, slow ? FLAG(NO_CHANGE) : 0);
    }
}

static void literal_takes_638_and_not_637(void **state)
{
    (void)state;
    const struct ts_camera_geometry camera = {5, 5, 1, 1, 0};
    for (int step = 637; step <= 638; step++) {
        uint16_t sums[200];
        const uint16_t *blocks[200];
        double start_ms[200];
        uint32_t sequence[200];
        for (int n = 0; n < 200; n++) {
            sums[n] = (uint16_t)(n < 20 ? 3000 : 3000 - step);
            blocks[n] = &sums[n];
            start_ms[n] = n * 10;
            sequence[n] = (uint32_t)n;
        }
        const struct ts_vision_frames frames = {.view = {.camera = &camera,
                                                         .period_ms = 10,
                                                         .exposure_ms = 4,
                                                         .gamma = 1,
                                                         .stylus_from_ms = NAN,
                                                         .stylus_down_ms = NAN,
                                                         .stylus_up_ms = NAN,
                                                         .quiet_ms = QUIET_MS},
                                                .count = 200,
                                                .blocks = blocks,
                                                .start_ms = start_ms,
                                                .sequence = sequence};
        struct ts_vision_changes changes;
        assert_int_equal(ts_detect(&frames, TS_RULE_LITERAL, &changes), TS_OK);
        assert_int_equal(changes.flags, step == 638 ? 0 : FLAG(NO_CHANGE));
        if (step == 638)
            near(changes.settled.value, 197, 1e-9); /* between 190 + 2 and 200 + 2 */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_change),
        cmocka_unit_test(never_settled),
        cmocka_unit_test(screen_not_quiet),
        cmocka_unit_test(screen_not_quiet_until_after_the_lift),
        cmocka_unit_test(stylus_is_not_the_app),
        cmocka_unit_test(light_changed),
        cmocka_unit_test(frames_dropped),
        cmocka_unit_test(leaves_out_what_goes_on),
        cmocka_unit_test(literal_misses_slow_fades),
        cmocka_unit_test(literal_takes_638_and_not_637),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
