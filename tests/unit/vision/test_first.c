/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The first change, where the screen does more than one thing at once or frames are missing. */
#include "rare.h"

#include "vision/pool.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define ACROSS  20
#define DOWN    20
#define OLD     67.0
#define PERIOD  10.0
#define NOISE   0.5
#define BEGINS  1300.0
#define PICTURE 12 /* blocks of the picture in the window */

static struct ts_rng rng;

/* A block as a fade shows it that takes takes_ms, and when it has come as far as `share`. */
static struct ts_edge edge_of(uint32_t block, double new, double takes_ms, double share)
{
    const uint32_t row = block / ACROSS;
    const double row_ms = PERIOD * row / DOWN;
    const double ms = BEGINS + share * takes_ms, rate = (new - OLD) / takes_ms;
    struct ts_edge edge = {.kind = TS_EDGE_FADE,
                           .block = block,
                           .u_ms = (float)hypot(2, NOISE / fabs(rate)),
                           .share = (float)share,
                           .old_code = (float)OLD,
                           .new_code = (float)new,
                           .noise = (float)NOISE,
                           .frames = TS_EDGE_FRAMES};
    edge.ms = (float)(ms + (double)edge.u_ms * ts_rng_normal(&rng));
    for (int n = 0; n < TS_EDGE_FRAMES; n++) {
        const double at = floor(ms / PERIOD) * PERIOD + (n - 4) * PERIOD + row_ms;
        const double gone = fmin(fmax((at - BEGINS) / takes_ms, 0), 1);
        edge.begin_ms[n] = (float)at;
        edge.code[n] = (float)(OLD + gone * (new - OLD) + NOISE * ts_rng_normal(&rng));
    }
    return edge;
}

/* A launcher fades to a dark window, and in it a picture comes in that is brighter than both. There
 * it gets a little darker at first, and half of that is over before half of what the rest does. */
static void part_of_a_fade_turns_back(void **state)
{
    (void)state;
    const struct ts_vision_view view = {
        .period_ms = PERIOD, .refresh_ms = 11.1, .gamma = 2.2, .exposure_ms = 0};
    const struct ts_window window = {.view = &view, .across = ACROSS, .down = DOWN};
    static struct ts_edge all[ACROSS * DOWN];
    const struct ts_edge *edges[ACROSS * DOWN];
    for (uint64_t seed = 0; seed < 10; seed++) {
        ts_rng_seed(&rng, seed, 0);
        for (uint32_t i = 0; i < ACROSS * DOWN; i++) {
            all[i] = i < PICTURE ? edge_of(190 + i, OLD - 8, 50, 0.5) : edge_of(i, 14, 250, 0.19);
            edges[i] = &all[i];
        }
        const struct ts_metric first =
            ts_edges_pool(&window, edges, ACROSS * DOWN, TS_POOL_EARLIEST, false, NULL);
        if (!(fabs(first.value - (BEGINS + 25)) <= 2 * first.u))
            fail_msg("%.2f +- %.2f is not %.2f", first.value, first.u, BEGINS + 25);
    }
}

/* It began somewhere where nothing was seen, and not after that. */
static void a_fade_begins_where_frames_are_missing(void **state)
{
    (void)state;
    struct picture picture;
    struct picture_reference reference;
    rare_start(&picture, 2500);
    rare_add(&picture, -1000, 0, 0, 160, 120, 67);
    rare_add(&picture, 310, 0, 0, 160, 120, 200)->fade_ms = 230;
    picture.lose_from = (size_t)((300 - picture.from_ms) / picture.period_ms);
    picture.lose_count = 14;
    const struct ts_vision_changes changes = rare_find(&picture, &reference);
    assert_int_equal(changes.flags, 1u << TS_FLAG_FRAMES_DROPPED);
    if (!(fabs(changes.first.value - reference.first_ms) <= 2 * changes.first.u))
        fail_msg("%.2f +- %.2f is not %.2f", changes.first.value, changes.first.u,
                 reference.first_ms);
}

/* What was before fades out of sight, all of it as the film begins or soon after, or a part of it:
 * that is no flicker, and no noise. */
static void before_the_tap_the_screen_comes_to_rest(void **state)
{
    (void)state;
    static const struct {
        double from_ms, fade_ms, high;
    } befores[] = {{-950, 400, 120}, {-780, 120, 120}, {-850, 250, 40}};
    for (uint64_t seed = 0; seed < 12; seed++) {
        struct picture picture;
        struct picture_reference reference;
        const size_t kind = seed % 3;
        const double high = befores[kind].high;
        rare_start(&picture, 2500);
        picture.seed = seed;
        picture.from_ms = -900;
        picture.flicker_hz = 100;
        picture.flicker_depth = 0.005;
        rare_add(&picture, -1e6, 0, 0, 160, 120, 90);
        rare_add(&picture, -1e6, 0, 120 - high, 160, high, seed % 2 ? 245 : 20);
        rare_add(&picture, befores[kind].from_ms, 0, 120 - high, 160, high, 90)->fade_ms =
            befores[kind].fade_ms;
        rare_add(&picture, 310, 40, 20, 80, 80, 130)->fade_ms = 600;
        rare_add(&picture, 1100, 100, 60, 20, 20, 84);
        const struct ts_vision_changes changes = rare_find(&picture, &reference);
        assert_int_equal(changes.flags, 0);
        if (!(fabs(changes.first.value - reference.first_ms) <= 2 * changes.first.u))
            fail_msg("%.2f is not %.2f", changes.first.value, reference.first_ms);
        if (!(fabs(changes.settled.value - reference.settled_ms) <= picture.period_ms / 2))
            fail_msg("%.2f is not %.2f", changes.settled.value, reference.settled_ms);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(part_of_a_fade_turns_back),
        cmocka_unit_test(a_fade_begins_where_frames_are_missing),
        cmocka_unit_test(before_the_tap_the_screen_comes_to_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
