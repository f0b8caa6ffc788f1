/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ends so slowly that noise hides it from frame to frame: a scroll bar fades away. */
#include "rare.h"

#include "base/rng.h"
#include "vision/slow.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define SEEDS 12

static struct ts_rng rng;

enum { COUNT = 200 };

/* From 40 codes away by `pace` codes a frame, as a block of noise 0.5 shows it. */
static size_t reach_of(double pace, double level, size_t frame)
{
    float values[COUNT];
    double sum[COUNT + 1] = {0};
    for (int n = 0; n < COUNT; n++) {
        values[n] = (float)(level + fmax(0, 40 - pace * n) + 0.5 * ts_rng_normal(&rng));
        sum[n + 1] = sum[n] + (double)values[n];
    }
    return ts_slow_reach(&(struct ts_slow){values, sum, 0, COUNT, 0.5, level, 8}, frame);
}

static void what_noise_hides_is_slow(void **state)
{
    (void)state;
    ts_rng_seed(&rng, 5, 0);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(reach_of(2, 100, 17), 0);
        assert_in_range(reach_of(0.25, 100, 140), 3, 8);
    }
}

/* It goes away from what it will be, so it does not arrive. */
static void what_goes_away_is_no_arrival(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++)
        assert_int_equal(reach_of(-0.2, 100, 100), 0);
}

static void the_end_of_a_tail_is_no_rest(void **state)
{
    (void)state;
    const struct ts_camera_geometry camera = {5, 5, 1, 1, 0};
    const struct ts_vision_view view = {.camera = &camera, .period_ms = 8, .gamma = 2.2};
    struct ts_window window;
    assert_int_equal(ts_window_open(&window, &view, 8.0 * COUNT), TS_OK);
    for (int n = 0; n < COUNT; n++) {
        const double code = 100 + fmax(0, 3 - 0.03 * n) + 0.4 * ts_rng_normal(&rng);
        const uint16_t sum = (uint16_t)lround(25 * code);
        ts_window_add(&window, 8 * n, &sum);
    }
    assert_in_range(ts_slow_rest(&window, 0, 5, 0.4), 60, 110);
    assert_in_range(ts_slow_rest(&window, 0, 120, 0.4), 120, 126);
    ts_window_close(&window);
}

/* Its blocks show a part of it, and all of them the same: the latest of so many is not to be told
 * by noise. */
static void a_scroll_bar_fades_away(void **state)
{
    (void)state;
    const double from_ms = 500, fade_ms = 1200, contrast = 100;
    double sum = 0, most = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct picture picture;
        struct picture_reference reference;
        rare_start(&picture, 4000);
        picture.seed = 100 + seed;
        picture.noise_codes = 2.5;
        picture_add(&picture, 300, 0)->level = 150;
        rare_add(&picture, 300, 147, 30, 2, 60, 150 - contrast);
        rare_add(&picture, from_ms, 147, 30, 2, 60, 150)->fade_ms = fade_ms;
        const struct ts_vision_changes changes = rare_find(&picture, &reference);
        assert_int_equal(changes.flags, 0);
        const double error = changes.settled.value - reference.settled_ms;
        if (!(fabs(error) <= 3 * changes.settled.u))
            fail_msg("%.2f +- %.2f is not %.2f", changes.settled.value, changes.settled.u,
                     reference.settled_ms);
        sum += error;
        most = fmax(most, fabs(error));
    }
    if (!(fabs(sum / SEEDS) <= 6 && most <= 25))
        fail_msg("off by %.2f on average, %.2f at most", sum / SEEDS, most);
}

/* The level at which a block rests follows slow drift: not by frames, of which a fast camera takes
 * many while something fades. */
static void a_faint_fade_takes_many_frames(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 4000);
    picture.period_ms = 4;
    picture.exposure_ms = picture.readout_ms = picture.period_ms / 2;
    picture.noise_codes = 0.2;
    picture_add(&picture, 300, 0)->level = 174;
    rare_add(&picture, 300, 20, 40, 10, 60, 167.5);
    rare_add(&picture, 1600, 20, 40, 10, 60, 174)->fade_ms = 500;
    rare_settles(&picture, 30);
}

/* So slowly that no frame shows a move. Noise, and what is not known of the level that it arrives
 * at, tell when. */
static void what_creeps_is_seen(void **state)
{
    (void)state;
    static const struct {
        double codes, fade_ms;
    } creeps[] = {{12, 3000}, {20, 4000}, {25, 6000}};
    for (size_t i = 0; i < sizeof creeps / sizeof *creeps; i++) {
        struct picture picture;
        struct picture_reference reference;
        const double codes = creeps[i].codes, fade_ms = creeps[i].fade_ms;
        rare_start(&picture, fade_ms + 4000);
        picture_add(&picture, 300, 0)->level = 150;
        rare_add(&picture, 900, 40, 40, 40, 40, 150 - codes)->fade_ms = fade_ms;
        const struct ts_vision_changes changes = rare_find(&picture, &reference);
        assert_int_equal(changes.flags, 1u << TS_FLAG_BARELY_VISIBLE);
        if (!(fabs(changes.settled.value - reference.settled_ms) <= 250))
            fail_msg("%.2f is not %.2f or near it", changes.settled.value, reference.settled_ms);
    }
}

/* The lens shows some of it. */
static void what_creeps_beside_a_clock_is_its(void **state)
{
    (void)state;
    struct picture picture;
    rare_start(&picture, 9000);
    picture_add(&picture, 300, 0)->level = 150;
    for (int second = 0; second < 8; second++)
        rare_add(&picture, 400 + 1000 * second, 80, 60, 10, 10, second % 2 ? 100 : 60);
    for (int row = 0; row < 2; row++)
        rare_add(&picture, 4500, 90, 60 + 5 * row, 5, 5, 142)->fade_ms = 1800;
    rare_settles_at(&picture, 300, 25);
}

/* Its pages show around it by less than noise lets a frame show, and the first does before it is
 * known to go on. */
static void what_creeps_beside_a_carousel_is_its(void **state)
{
    (void)state;
    for (int codes = 6; codes < 10; codes++) {
        struct picture picture;
        struct picture_reference reference;
        rare_start(&picture, 10500);
        picture.noise_codes = 11;
        picture_add(&picture, 300, 0)->level = 150;
        for (int i = 0; i < 4; i++) {
            rare_add(&picture, 2500 + 2600 * i, 80, 60, 30, 20, i % 2 ? 100 : 60);
            rare_add(&picture, 2500 + 2600 * i, 110, 60, 5, 20, i % 2 ? 150 : 150 - codes);
        }
        const double settled = rare_find(&picture, &reference).settled.value;
        if (!(fabs(settled - 300) <= 25))
            fail_msg("%.2f is not 300", settled);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_noise_hides_is_slow),
        cmocka_unit_test(what_goes_away_is_no_arrival),
        cmocka_unit_test(the_end_of_a_tail_is_no_rest),
        cmocka_unit_test(a_scroll_bar_fades_away),
        cmocka_unit_test(a_faint_fade_takes_many_frames),
        cmocka_unit_test(what_creeps_is_seen),
        cmocka_unit_test(what_creeps_beside_a_clock_is_its),
        cmocka_unit_test(what_creeps_beside_a_carousel_is_its),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
