/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How much of a change a block shows: of a thin line's, and over the display's edge. */
#include "vision/story.h"
#include "vision/thin.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define ACROSS 3
#define BLOCKS (ACROSS * ACROSS)
#define BEFORE 4 /* frames; then as many after */

/* The middle block goes from 200 codes down by own, the one to its left by beside. */
static double share_of(double own, double beside, double above)
{
    const struct ts_camera_geometry camera = {.width_px = ACROSS * TS_BLOCK_PX,
                                              .height_px = ACROSS * TS_BLOCK_PX,
                                              .blocks_x = ACROSS,
                                              .blocks_y = ACROSS};
    const struct ts_vision_view view = {.camera = &camera, .period_ms = 8, .gamma = 2.2};
    const double change[BLOCKS] = {0, above, 0, beside, own, 0, 0, above, 0};
    struct ts_window window;
    assert_int_equal(ts_window_open(&window, &view, 100), TS_OK);
    for (int n = 0; n < 2 * BEFORE; n++) {
        uint16_t sums[BLOCKS];
        for (int i = 0; i < BLOCKS; i++)
            sums[i] = (uint16_t)lround(25 * (200 - (n < BEFORE ? 0 : change[i])));
        ts_window_add(&window, 8 * n, sums);
    }
    struct ts_finals finals;
    assert_int_equal(ts_finals_open(&finals, &window), TS_OK);
    const struct ts_thin_change down = {4, BEFORE - 1, BEFORE, 2 * BEFORE};
    const double share = ts_thin_share(&finals, &down);
    ts_finals_close(&finals);
    ts_window_close(&window);
    return share;
}

/* Half of the light in two blocks may be a line over both. */
static void a_line_leaves_light_beside_it(void **state)
{
    (void)state;
    assert_true(fabs(share_of(20, 0, 20) - 1) < 1e-3);
    assert_true(fabs(share_of(17.4, 2.6, 20) - 0.87) < 2e-3);
    assert_true(fabs(share_of(15, 5, 20) - 0.896) < 2e-3);
    assert_true(fabs(share_of(10, 10, 20) - 1) < 1e-3);
}

static void what_is_wide_is_no_line(void **state)
{
    (void)state;
    assert_true(fabs(share_of(20, 60, 20) - 1) < 1e-3);
    assert_true(fabs(share_of(20, -20, 20) - 1) < 1e-3); /* something else goes the other way */
}

/* A dot leaves light on all sides. */
static void no_share_is_less_than_the_least(void **state)
{
    (void)state;
    assert_true(fabs(share_of(17.4, 2.6, 1.3) - 0.87 * 0.87) < 5e-3);
    assert_true(share_of(14, 2.5, 2.5) >= TS_THIN_LEAST);
}

/* A screen fades down by 20 codes over 50 frames; the middle block shows `shown` of that. When it
 * has settled, ms. */
static double settled_ms(double shown, const float *shares)
{
    enum { REST = 20, FADE = 50, COUNT = 3 * REST + FADE };
    const struct ts_camera_geometry camera = {.width_px = ACROSS * TS_BLOCK_PX,
                                              .height_px = ACROSS * TS_BLOCK_PX,
                                              .blocks_x = ACROSS,
                                              .blocks_y = ACROSS};
    const struct ts_vision_view view = {
        .camera = &camera, .period_ms = 8, .exposure_ms = 4, .gamma = 2.2, .share = shares};
    struct ts_window window;
    assert_int_equal(ts_window_open(&window, &view, 8 * COUNT), TS_OK);
    for (int n = 0; n < COUNT; n++) {
        const double part = n < REST ? 0 : n < REST + FADE ? (double)(n - REST) / FADE : 1;
        uint16_t sums[BLOCKS];
        for (int i = 0; i < BLOCKS; i++)
            sums[i] = (uint16_t)lround(25 * (200 - 20 * part * (i == 4 ? shown : 1)));
        ts_window_add(&window, 8 * n, sums);
    }
    struct ts_story_reader reader;
    struct ts_story story = {.settled.kind = TS_EDGE_NONE};
    assert_int_equal(ts_story_open(&reader, &window), TS_OK);
    const struct ts_story_span span = {0, COUNT - REST, COUNT, COUNT, false};
    ts_story_end(&reader, 4, &span, 0.15, 0, &story);
    ts_story_close(&reader);
    ts_window_close(&window);
    assert_int_equal(story.settled.kind, TS_EDGE_FADE);
    return (double)story.settled.ms;
}

static void a_fade_arrives_over_the_rim_as_elsewhere(void **state)
{
    (void)state;
    const float shares[BLOCKS] = {1, 1, 1, 1, 0.6F, 1, 1, 1, 1};
    const double whole_ms = settled_ms(1, NULL);
    assert_true(settled_ms(0.6, NULL) < whole_ms - 40);
    assert_true(fabs(settled_ms(0.6, shares) - whole_ms) < 4);
}

/* What is less than half of a block is told by those beside it. */
static void the_least_of_a_rim_is_left_alone(void **state)
{
    (void)state;
    const float shares[BLOCKS] = {1, 1, 1, 1, 0.4F, 1, 1, 1, 1};
    assert_true(fabs(settled_ms(0.6, shares) - settled_ms(0.6, NULL)) < 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_leaves_light_beside_it),
        cmocka_unit_test(what_is_wide_is_no_line),
        cmocka_unit_test(no_share_is_less_than_the_least),
        cmocka_unit_test(a_fade_arrives_over_the_rim_as_elsewhere),
        cmocka_unit_test(the_least_of_a_rim_is_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
