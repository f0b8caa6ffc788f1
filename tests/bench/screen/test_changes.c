/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The reference values, against scenes worked out by hand or in small time steps. */
#include "world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#define MS TS_NS_PER_MS
/* A block is some 8 display lines high, so its middle is up to this share of the scan-out away
 * from the display's edge. */
#define BLOCK_SHARE 0.03
/* Towards the corners of the picture there is less light: a code is passed at another instant. */
#define SHADING_MS      1.0
#define SHADING_FADE_MS 1.5
#define RIM_FADE_MS     6.5 /* the rim shows little light, half of which is another code */

static const int64_t from_ns = 200 * MS, change_ns = 500 * MS, fade_ns = 300 * MS;

static struct sim_changes changes_of(struct world *world, int64_t until_ns)
{
    sim_camera_watch(world->camera, from_ns);
    return sim_camera_changes(world->camera, until_ns);
}

static void assert_ms(int64_t value_ns, double expected_ns, double tolerance_ms)
{
    assert_near((double)value_ns / 1e6, expected_ns / 1e6, tolerance_ms);
}

/* Time from the scan-out of a line to the instant at which its code is within `left` of `to`. */
static double response_ns(const struct world *world, double from, double to, double left)
{
    const double a = pow(from / 255, 2.2), b = pow(to / 255, 2.2);
    const double end = world_code(world, b) + (b < a ? left : -left);
    double mark = 0, step = 1; /* the light with that code, by bisection */
    for (int i = 0; i < 60; i++, step /= 2)
        mark += world_code(world, mark + step) < end ? step : 0;
    return world->setup.config.response_ms * 1e6 * log((a - b) / (mark - b));
}

static void nothing_changes(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(1);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(120, 0));
    world_add(&world, world_sheet(123, change_ns)); /* not visible: 1 % of full scale */
    const struct sim_changes changes = changes_of(&world, 2000 * MS);
    assert_int_equal(changes.first_ns, 0);
    assert_int_equal(changes.last_ns, 0);
    assert_int_equal(changes.settled_ns, 0);
    assert_false(changes.endless);
    world_close(&world);
}

static void a_cut(void **state)
{
    (void)state;
    static struct world world;
    static const double pairs[][2] = {{0, 255}, {255, 0}, {255, 245}, {40, 90}};
    static const double rates[] = {60, 90, 120};
    for (uint64_t seed = 0; seed < 12; seed++) {
        const double a = pairs[seed % 4][0], b = pairs[seed % 4][1];
        const struct sim_camera_config config = world_exact(100 + seed);
        world_open(&world, &config, rates[seed % 3]);
        world_add(&world, world_sheet(a, 0));
        world_add(&world, world_sheet(b, change_ns));
        const struct sim_changes changes = changes_of(&world, 2000 * MS);
        const double refresh_ns = (double)world_refresh(&world, change_ns);
        const double scan_ns = world_scan_ns(&world);
        const double step =
            fabs(world_code(&world, pow(a / 255, 2.2)) - world_code(&world, pow(b / 255, 2.2)));
        const double half_ns = response_ns(&world, a, b, step / 2);
        const double rest_ns = response_ns(&world, a, b, 5.1);
        const double margin_ms = BLOCK_SHARE / 2 * scan_ns / 1e6;
        const double within_ms = margin_ms + SHADING_MS;
        assert_ms(changes.first_ns, refresh_ns + half_ns + margin_ms * 1e6, within_ms);
        assert_ms(changes.last_ns, refresh_ns + scan_ns + half_ns - margin_ms * 1e6, within_ms);
        assert_ms(changes.settled_ns, refresh_ns + scan_ns + rest_ns - margin_ms * 1e6, within_ms);
        assert_false(changes.endless);
        world_close(&world);
    }
}

/* Display codes are whole numbers, opacity goes in 256 steps: near the end, where the light moves
 * slowly, half a code is milliseconds. */
static double fade_code(int64_t refresh_ns)
{
    const double p = (double)(refresh_ns - change_ns) / (double)fade_ns;
    const double opacity = rint(256 * (p < 0 ? 0 : p > 1 ? 1 : p));
    return floor((20 * (256 - opacity) + 250 * opacity) / 256 + 0.5);
}

/* When, for a line, the fade has passed that code. */
static double passes_ns(const struct world *world, double place, double code)
{
    struct world_line line;
    world_line_begin(&line, world, place, fade_code, 400 * MS);
    while (line.at_ns < 1000 * MS && world_code(world, line.light) <= code)
        world_line_step(&line);
    return (double)line.at_ns;
}

static double code_at(const struct world *world, double place, double at_ns)
{
    struct world_line line;
    world_line_begin(&line, world, place, fade_code, 400 * MS);
    while ((double)line.at_ns < at_ns)
        world_line_step(&line);
    return world_code(world, line.light);
}

/* Half of what the line does from 50 ms before to 50 ms after it is visibly brighter. */
static double begins_ns(const struct world *world, double place)
{
    const double low = world_code(world, pow(20 / 255.0, 2.2));
    const double left_ns = passes_ns(world, place, low + 5.1);
    const double begin = code_at(world, place, left_ns - 50 * MS);
    const double end = code_at(world, place, left_ns + 50 * MS);
    return passes_ns(world, place, (begin + end) / 2);
}

static void a_fade_is_one_step(void **state)
{
    (void)state;
    static struct world world;
    static const double rates[] = {60, 90, 120};
    for (uint64_t seed = 0; seed < 6; seed++) {
        const struct sim_camera_config config = world_exact(200 + seed);
        world_open(&world, &config, rates[seed % 3]);
        struct sim_element sheet = world_sheet(250, change_ns);
        sheet.fade_ns = fade_ns;
        world_add(&world, world_sheet(20, 0));
        world_add(&world, sheet);
        const struct sim_changes changes = changes_of(&world, 2000 * MS);
        const double tolerance_ms = SHADING_FADE_MS + BLOCK_SHARE * world_scan_ns(&world) / 1e6;
        const double low = world_code(&world, pow(20 / 255.0, 2.2));
        const double high = world_code(&world, pow(250 / 255.0, 2.2));
        assert_ms(changes.first_ns, begins_ns(&world, 0), tolerance_ms);
        assert_ms(changes.last_ns, passes_ns(&world, 1, (low + high) / 2),
                  tolerance_ms + RIM_FADE_MS);
        assert_ms(changes.settled_ns, passes_ns(&world, 1, high - 5.1), tolerance_ms);
        world_close(&world);
    }
}

/* A window that comes up from below, opaque almost at once: its upper edge moves one display
 * height in 300 ms, so a line at u is covered at (1 - u) of the way. */
static void a_slide(void **state)
{
    (void)state;
    static struct world world;
    for (uint64_t seed = 0; seed < 4; seed++) {
        const struct sim_camera_config config = world_exact(300 + seed);
        world_open(&world, &config, 120);
        struct sim_element window = world_sheet(240, change_ns);
        window.fade_ns = fade_ns;
        window.slide = 1;
        world_add(&world, world_sheet(30, 0));
        world_add(&world, window);
        const struct sim_changes changes = changes_of(&world, 2000 * MS);
        const double end_ns = (double)world_refresh(&world, change_ns + fade_ns);
        const double rest_ns = response_ns(&world, 30, 240, 5.1);
        /* The uppermost line comes with the last refresh of the slide, from 30 to 240 at once. */
        assert_ms(changes.settled_ns, end_ns + rest_ns, 8.5);
        assert_true(changes.settled_ns > change_ns + fade_ns - 9 * MS);
        assert_true(changes.first_ns > change_ns && changes.last_ns <= changes.settled_ns);
        assert_ms(changes.last_ns, end_ns, 9 + 3);
        world_close(&world);
    }
}

static void a_small_late_load_counts(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(400);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(10, 0));
    world_add(&world, world_sheet(230, change_ns));
    struct sim_element badge = world_sheet(60, 1300 * MS);
    badge.rect = (struct sim_rect){0.6, 0.7, 0.09, 0.05};
    world_add(&world, badge);
    const double scan_ns = world_scan_ns(&world);

    struct sim_changes changes = changes_of(&world, 1200 * MS);
    assert_ms(changes.last_ns, (double)world_refresh(&world, change_ns) + scan_ns, 4);
    changes = sim_camera_changes(world.camera, 2500 * MS);
    const double refresh_ns = (double)world_refresh(&world, 1300 * MS);
    assert_ms(changes.first_ns, (double)world_refresh(&world, change_ns), 4);
    const double step =
        world_code(&world, pow(230 / 255.0, 2.2)) - world_code(&world, pow(60 / 255.0, 2.2));
    const double half_ns = response_ns(&world, 230, 60, step / 2);
    const double rest_ns = response_ns(&world, 230, 60, 5.1);
    const double line_ns = 0.75 * scan_ns, within_ms = 0.3 + 0.01 * scan_ns / 1e6;
    assert_ms(changes.last_ns, refresh_ns + line_ns - 0.01 * scan_ns + half_ns, 1.2);
    assert_ms(changes.settled_ns, refresh_ns + line_ns - 0.01 * scan_ns + rest_ns, within_ms);
    world_close(&world);
}

static struct sim_element spinner(int64_t begin_ns, int64_t until_ns)
{
    struct sim_element e = world_sheet(245, begin_ns);
    e.paint = SIM_SPINNER;
    e.contrast = 180;
    e.rect = (struct sim_rect){0.4, 0.4, 0.2, 0.1125};
    e.period_ns = 900 * MS;
    e.until_ns = until_ns;
    e.endless = true;
    return e;
}

static void a_spinner_never_ends_but_the_rest_settles(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(500);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(10, 0));
    world_add(&world, world_sheet(245, change_ns));
    world_add(&world, spinner(change_ns + 200 * MS, SIM_FOREVER));
    const struct sim_changes changes = changes_of(&world, 4000 * MS);
    assert_true(changes.endless);
    assert_int_equal(changes.last_ns, 0);
    const double refresh_ns = (double)world_refresh(&world, change_ns);
    const double rest_ns = response_ns(&world, 10, 245, 5.1);
    assert_ms(changes.settled_ns, refresh_ns + world_scan_ns(&world) + rest_ns, 0.5);
    world_close(&world);
}

static void a_spinner_that_goes_away_counts(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(501);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(245, 0));
    world_add(&world, spinner(change_ns, 1500 * MS));
    const struct sim_changes changes = changes_of(&world, 4000 * MS);
    assert_false(changes.endless);
    const double refresh_ns = (double)world_refresh(&world, 1500 * MS);
    assert_true((double)changes.last_ns > refresh_ns);
    assert_ms(changes.settled_ns, refresh_ns + world_scan_ns(&world) / 2, 20);
    world_close(&world);
}

/* A spinner that a card covers has ended, and its place settles with the card. */
static void what_is_hidden_does_not_go_on(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(502);
    world_open(&world, &config, 60);
    struct sim_element card = world_sheet(20, change_ns);
    card.rect = spinner(0, SIM_FOREVER).rect;
    world_add(&world, world_sheet(245, 0));
    world_add(&world, spinner(0, SIM_FOREVER));
    world_add(&world, card);
    const struct sim_changes changes = changes_of(&world, 4000 * MS);
    assert_false(changes.endless);
    assert_true(changes.first_ns > from_ns && changes.first_ns < change_ns);
    const double line_ns = (double)world_refresh(&world, change_ns) + world_scan_ns(&world) / 2;
    assert_ms(changes.last_ns, line_ns, 4);
    assert_ms(changes.settled_ns, line_ns + response_ns(&world, 245, 20, 5.1), 2);
    world_close(&world);
}

/* The reference does not depend on whether and when frames are taken. */
static void frames_do_not_disturb(void **state)
{
    (void)state;
    static struct world with, without;
    const struct sim_camera_config config = world_exact(600);
    struct world *worlds[] = {&with, &without};
    struct sim_changes changes[2];
    for (int i = 0; i < 2; i++) {
        struct sim_element window = world_sheet(200, change_ns);
        window.fade_ns = fade_ns;
        window.slide = 0.3;
        world_open(worlds[i], &config, 90);
        world_add(worlds[i], world_sheet(30, 0));
        world_add(worlds[i], window);
        sim_camera_watch(worlds[i]->camera, from_ns);
        sim_camera_set(worlds[i]->camera, from_ns, i == 0);
        if (i == 0)
            world_run(worlds[i], 1500 * MS);
        changes[i] = sim_camera_changes(worlds[i]->camera, 1600 * MS);
    }
    assert_true(changes[0].first_ns > change_ns);
    assert_int_equal(changes[0].first_ns, changes[1].first_ns);
    assert_int_equal(changes[0].last_ns, changes[1].last_ns);
    assert_int_equal(changes[0].settled_ns, changes[1].settled_ns);
    world_close(&with);
    world_close(&without);
}

/* A minute of moving picture: memory stays bounded and the beginning is still known. */
static void a_long_video(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(700);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(30, 0));
    struct sim_element video = world_sheet(128, change_ns);
    video.paint = SIM_VIDEO;
    video.contrast = 100;
    video.rect = (struct sim_rect){0.3, 0.3, 0.3, 0.2};
    video.period_ns = 33 * MS;
    video.endless = true;
    world_add(&world, video);
    const struct sim_changes changes = changes_of(&world, 60000 * MS);
    assert_true(changes.endless);
    assert_int_equal(changes.last_ns, 0);
    assert_int_equal(changes.settled_ns, 0);
    assert_ms(changes.first_ns, (double)world_refresh(&world, change_ns), 50);
    world_close(&world);
}

static void photodiodes_see_the_light(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(800);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(0, 0));
    world_add(&world, world_sheet(255, change_ns));
    assert_near(sim_camera_photodiode(world.camera, 0, 400 * MS), 0, 1e-6);
    const double refresh_ns = (double)world_refresh(&world, change_ns);
    const double tau_ns = world.setup.config.response_ms * 1e6;
    double last = 0;
    for (int64_t at_ns = change_ns - 5 * MS; at_ns < change_ns + 60 * MS; at_ns += 250000) {
        const double since_ns = (double)at_ns - refresh_ns - world_scan_ns(&world) / 12;
        const double light = sim_camera_photodiode(world.camera, 0, at_ns);
        assert_near(light, since_ns > 0 ? 1 - exp(-since_ns / tau_ns) : 0, 1e-3);
        assert_true(light >= last);
        last = light;
    }
    assert_near(sim_camera_photodiode(world.camera, 1, 700 * MS), 1, 1e-4);
    world_close(&world);
}

/* All but the patches is white, or black: each photodiode sees its own patch and nothing else. */
static void photodiodes_see_their_patches(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(810);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(255, 0));
    for (int i = 0; i < SIM_PATCHES; i++) {
        struct sim_element patch = world_sheet(0, 0);
        patch.rect = sim_patches[i];
        world_add(&world, patch);
        patch.level = 255;
        patch.from_ns = change_ns * (1 + i);
        world_add(&world, patch);
    }
    assert_near(sim_camera_photodiode(world.camera, 0, 400 * MS), 0, 1e-6);
    assert_near(sim_camera_photodiode(world.camera, 1, 400 * MS), 0, 1e-6);
    assert_near(sim_camera_photodiode(world.camera, 0, 900 * MS), 1, 1e-4);
    assert_near(sim_camera_photodiode(world.camera, 1, 900 * MS), 0, 1e-6);
    assert_near(sim_camera_photodiode(world.camera, 1, 1400 * MS), 1, 1e-4);
    world_close(&world);
}

/* The display falls from 120 to 30 refreshes a second: a cut then waits longer. */
static void the_refresh_rate_can_change(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(900);
    world_open(&world, &config, 120);
    world_add(&world, world_sheet(0, 0));
    sim_camera_watch(world.camera, from_ns);
    sim_camera_refresh_rate(world.camera, 300 * MS, 30);
    const double begin_ns = (double)world_refresh(&world, 300 * MS + 1);
    world_add(&world, world_sheet(255, change_ns));
    const struct sim_changes changes = sim_camera_changes(world.camera, 1000 * MS);
    const double slow_ns = 1e9 / 30;
    const double cut_ns = begin_ns + ceil(((double)change_ns - begin_ns) / slow_ns) * slow_ns;
    const double half_ns =
        response_ns(&world, 0, 255, (world_code(&world, 1) - world_code(&world, 0)) / 2);
    assert_ms(changes.first_ns, cut_ns + half_ns, BLOCK_SHARE * world.setup.scan_share * 34);
    assert_ms(changes.last_ns, cut_ns + world.setup.scan_share * slow_ns + half_ns,
              BLOCK_SHARE * world.setup.scan_share * 34);
    world_close(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changes),
        cmocka_unit_test(a_cut),
        cmocka_unit_test(a_fade_is_one_step),
        cmocka_unit_test(a_slide),
        cmocka_unit_test(a_small_late_load_counts),
        cmocka_unit_test(a_spinner_never_ends_but_the_rest_settles),
        cmocka_unit_test(a_spinner_that_goes_away_counts),
        cmocka_unit_test(what_is_hidden_does_not_go_on),
        cmocka_unit_test(frames_do_not_disturb),
        cmocka_unit_test(a_long_video),
        cmocka_unit_test(photodiodes_see_the_light),
        cmocka_unit_test(photodiodes_see_their_patches),
        cmocka_unit_test(the_refresh_rate_can_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
