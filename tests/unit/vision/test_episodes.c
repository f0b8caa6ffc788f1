/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "vision/episodes.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

/* On a screen of 64 x 48 blocks. */
static struct ts_vision_episode episode(double end_ms, double share, double gain, int y0, int y1)
{
    return (struct ts_vision_episode){.begin_ms = end_ms - 20,
                                      .end_ms = end_ms,
                                      .share = share,
                                      .gain = gain,
                                      .x0 = 0,
                                      .y0 = y0,
                                      .x1 = 63,
                                      .y1 = y1};
}

static void check(const struct ts_vision_episode *episodes, size_t count, double splash,
                  double first, double main_content)
{
    struct ts_vision_changes changes = {.first = {100, 2, 0}, .settled = {900, 3, 0}};
    for (size_t i = 0; i < count; i++)
        changes.episodes[changes.episode_count++] = episodes[i];
    ts_episodes_name(&changes);
    const struct ts_metric *const named[] = {&changes.splash, &changes.first_app_frame,
                                             &changes.main_content};
    const double expected[] = {splash, first, main_content};
    for (int i = 0; i < 3; i++) {
        if (isnan(expected[i])) {
            assert_true(isnan(named[i]->value) && isnan(named[i]->u));
        } else {
            assert_float_equal(named[i]->value, expected[i], 0);
            assert_float_equal(named[i]->u, 3, 0);
        }
    }
}

static void splash_then_app(void **state)
{
    (void)state;
    const struct ts_vision_episode list[] = {
        episode(150, 0.02, 0.01, 40, 44), /* the icon answers the touch */
        episode(200, 0.9, -0.5, 0, 47),
        episode(500, 0.8, 1.0, 0, 47),
        episode(900, 0.2, 0.49, 10, 30),
    };
    check(list, 4, 200, 500, 500);
    check(list, 3, 200, 500, 500);
    check(list, 2, NAN, 200, 150); /* one window: no splash; the only gain */
}

/* Text and pictures on the splash's own white: few blocks change, but all over the window. */
static void white_window_then_content(void **state)
{
    (void)state;
    const struct ts_vision_episode list[] = {
        episode(200, 0.95, 0.5, 0, 47),
        episode(500, 0.25, 0.2, 2, 46),
        episode(900, 0.15, 0.3, 20, 40),
    };
    check(list, 3, 200, 500, 900);
}

/* A dark launcher and a dark splash: only the picture in the middle changes. It is no splash. */
static void small_splash(void **state)
{
    (void)state;
    const struct ts_vision_episode list[] = {
        episode(200, 0.05, 0.1, 20, 27),
        episode(500, 0.7, 0.8, 0, 47),
        episode(900, 0.05, 0.1, 40, 47),
    };
    check(list, 3, NAN, 500, 500);
}

static void parts_only(void **state)
{
    (void)state;
    const struct ts_vision_episode list[] = {
        episode(200, 0.08, 0.3, 0, 10),
        episode(500, 0.2, 0.6, 11, 30),
        episode(900, 0.05, 0.1, 31, 47),
    };
    check(list, 3, NAN, NAN, 500); /* nothing covers most: any episode may bring the content */
}

static void endless_never_counts(void **state)
{
    (void)state;
    struct ts_vision_episode list[] = {
        episode(200, 0.9, 0.6, 0, 47),
        episode(500, 0.6, 0.3, 0, 47), /* a video */
        episode(700, 0.1, 0.2, 40, 47),
    };
    list[1].endless = true;
    check(list, 3, NAN, 200, 200);
}

static void nothing(void **state)
{
    (void)state;
    struct ts_vision_changes unplaced = {
        .first = {NAN, NAN, 0}, .settled = {NAN, NAN, 0}, .episode_count = 1};
    unplaced.episodes[0] = episode(200, 0.9, 0.6, 0, 47);
    ts_episodes_name(&unplaced);
    assert_true(isnan(unplaced.first_app_frame.value) && isnan(unplaced.main_content.value));
    check(NULL, 0, NAN, NAN, NAN);
    struct ts_vision_episode unknown = episode(200, 0.9, NAN, 0, 47);
    check(&unknown, 1, NAN, 200, NAN); /* not settled: gains are not known */
    unknown.endless = true;
    check(&unknown, 1, NAN, NAN, NAN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(splash_then_app),      cmocka_unit_test(white_window_then_content),
        cmocka_unit_test(small_splash),         cmocka_unit_test(parts_only),
        cmocka_unit_test(endless_never_counts), cmocka_unit_test(nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
