/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames: what the camera collects, row by row. */
#include "world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define MS TS_NS_PER_MS

static const int64_t cut_ns = 300 * MS;
static const int64_t fade_ns = 200 * MS;

static void same_seed_same_bytes(void **state)
{
    (void)state;
    const struct sim_camera_config config = {.seed = 5, .width_px = WIDTH, .height_px = HEIGHT};
    struct sim_camera_config other = config;
    struct world *a = malloc(sizeof *a), *b = malloc(sizeof *b), *c = malloc(sizeof *c);
    assert_true(a && b && c);
    other.seed = 6;
    world_open(a, &config, 60);
    world_open(b, &config, 60);
    world_open(c, &other, 60);
    struct world *all[] = {a, b, c};
    int different = 0;
    for (int i = 0; i < 3; i++) {
        struct sim_element text = world_sheet(230, 200 * MS);
        text.paint = SIM_TEXT;
        text.contrast = 180;
        text.fade_ns = 100 * MS;
        world_add(all[i], world_sheet(40, 0));
        world_add(all[i], text);
        sim_camera_set(all[i]->camera, 0, true);
    }
    for (int frame = 0; frame < 60; frame++) {
        assert_int_equal(world_take(a), world_take(b));
        world_take(c);
        assert_memory_equal(a->pixels, b->pixels, sizeof a->pixels);
        assert_int_equal(a->arrival_ns, b->arrival_ns);
        different += memcmp(a->pixels, c->pixels, sizeof a->pixels) != 0;
    }
    assert_int_equal(different, 60);
    for (int i = 0; i < 3; i++) {
        world_close(all[i]);
        free(all[i]);
    }
}

static double cut_code(int64_t refresh_ns)
{
    return refresh_ns >= cut_ns ? 255 : 0;
}

static double fade_code(int64_t refresh_ns)
{
    const double p = (double)(refresh_ns - cut_ns) / (double)fade_ns;
    return 255 * (p < 0 ? 0 : p > 1 ? 1 : p);
}

/* The share of the way from dark to bright that each of some pixels had gone in each frame, against
 * the display followed in small steps. */
static void compare_change(uint64_t seed, double refresh_hz, int64_t length_ns,
                           double (*code)(int64_t))
{
    enum { ACROSS = 6, DOWN = 5, PIXELS = ACROSS * DOWN };
    static struct world world;
    struct sim_optics optics;
    struct ts_rng rng;
    struct world_line lines[PIXELS];
    int at[PIXELS];
    double dark[PIXELS], bright[PIXELS], expected[64][PIXELS], seen[64][PIXELS];
    int frames = 0, partial = 0;
    const struct sim_camera_config config = world_exact(seed);
    world_open(&world, &config, refresh_hz);
    ts_rng_seed(&rng, seed, SIM_STREAM_OPTICS);
    assert_int_equal(sim_optics_open(&optics, WIDTH, HEIGHT, &rng), TS_OK);
    struct sim_element sheet = world_sheet(255, cut_ns);
    sheet.fade_ns = length_ns;
    world_add(&world, world_sheet(0, 0));
    world_add(&world, sheet);
    sim_camera_set(world.camera, 0, true);
    for (int i = 0; i < PIXELS; i++) {
        const int x = 60 + 40 * (i % ACROSS), y = 60 + 18 * (i / ACROSS);
        double u, v;
        sim_optics_display(&optics, x + 0.5, y + 0.5, &u, &v);
        at[i] = y * WIDTH + x;
        world_line_begin(&lines[i], &world, u, code, 250 * MS);
    }
    const struct sim_camera_config *drawn = sim_camera_true(world.camera);
    for (world_run(&world, 250 * MS); frames < 40; frames++) {
        assert_true(world_take(&world));
        const int64_t start_ns = sim_camera_frame_start(world.camera, world.sequence);
        for (int i = 0; i < PIXELS; i++) {
            const double row_ns = at[i] / WIDTH * drawn->readout_ms * 1e6 / HEIGHT;
            struct world_line line = lines[i];
            expected[frames][i] = world_line_mean(&line, start_ns + llround(row_ns));
            seen[frames][i] = world_light(&world, world.pixels[at[i]]);
            if (frames == 0)
                dark[i] = seen[0][i];
        }
    }
    world_run(&world, cut_ns + length_ns + 200 * MS);
    for (int i = 0; i < PIXELS; i++)
        bright[i] = world_light(&world, world.pixels[at[i]]);
    for (int f = 0; f < frames; f++) {
        for (int i = 0; i < PIXELS; i++) {
            if (at[i] % WIDTH > 150 && at[i] % WIDTH < 230 && at[i] / WIDTH > 95)
                continue; /* the stylus */
            const double share = (seen[f][i] - dark[i]) / (bright[i] - dark[i]);
            assert_near(share, expected[f][i], 0.012);
            partial += share > 0.05 && share < 0.95;
        }
    }
    assert_true(partial > PIXELS / 2);
    sim_optics_close(&optics);
    world_close(&world);
}

static void a_cut_lies_in_the_right_rows(void **state)
{
    (void)state;
    compare_change(11, 60, 0, cut_code);
    compare_change(12, 90, 0, cut_code);
    compare_change(13, 120, 0, cut_code);
}

static void a_fade_is_followed(void **state)
{
    (void)state;
    compare_change(21, 60, fade_ns, fade_code);
    compare_change(22, 120, fade_ns, fade_code);
}

static void led_edges_are_integrated_exactly(void **state)
{
    (void)state;
    static struct world world;
    static uint8_t off[HEIGHT * WIDTH], on[HEIGHT * WIDTH];
    const struct sim_camera_config config = world_exact(31);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(128, 0));
    sim_camera_set(world.camera, 0, true);
    const int64_t first_ns = 400 * MS;
    for (int i = 0; i < 12; i++) {
        world.edges[i].at_ns = first_ns + i * (7300000 + 311000 * i);
        world.edges[i].mask = i % 2 ? 0 : 1u + (unsigned)(i % 3);
    }
    world_run(&world, 200 * MS);
    memcpy(off, world.pixels, sizeof off);
    world.leds = 3;
    world_run(&world, 250 * MS);
    memcpy(on, world.pixels, sizeof on);
    world.leds = 0;
    world.edge_count = 12;

    int place[2] = {0, 0};
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        assert_true(on[i] <= 240);
        const int which = i / WIDTH < HEIGHT / 2 ? 0 : 1;
        if (on[i] - off[i] > on[place[which]] - off[place[which]])
            place[which] = i;
    }
    assert_true(on[place[0]] - off[place[0]] > 120 && on[place[1]] - off[place[1]] > 120);
    assert_true(place[0] / WIDTH < 16 && place[1] / WIDTH > HEIGHT - 17);

    const struct sim_camera_config *drawn = sim_camera_true(world.camera);
    int partial = 0;
    for (int64_t at_ns = 300 * MS; at_ns < 560 * MS; at_ns += 8 * MS) {
        if (!world_take(&world))
            continue;
        for (int k = 0; k < 2; k++) {
            const double row_ns = place[k] / WIDTH * drawn->readout_ms * 1e6 / HEIGHT;
            const double a = (double)sim_camera_frame_start(world.camera, world.sequence) + row_ns;
            const double b = a + drawn->exposure_ms * 1e6;
            double lit = 0;
            for (int i = 0; i < 12; i++) {
                const double from = fmax(a, (double)world.edges[i].at_ns);
                const double to = i < 11 ? fmin(b, (double)world.edges[i + 1].at_ns) : b;
                if ((world.edges[i].mask >> k & 1) && to > from)
                    lit += (to - from) / (b - a);
            }
            const double dark = world_light(&world, off[place[k]]);
            const double bright = world_light(&world, on[place[k]]);
            const double share =
                (world_light(&world, world.pixels[place[k]]) - dark) / (bright - dark);
            assert_near(share, lit, 0.012);
            partial += lit > 0.02 && lit < 0.98;
        }
    }
    assert_true(partial >= 8);
    world_close(&world);
}

static void drop_windows_lose_frames_and_use_up_numbers(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(41);
    world_open(&world, &config, 60);
    sim_camera_set(world.camera, 0, true);
    sim_camera_drop(world.camera, 200 * MS, 300 * MS);
    int lost = 0;
    for (uint32_t n = 0; n < 60; n++) {
        int64_t exposed_ns;
        sim_camera_next(world.camera, &exposed_ns);
        const bool taken = world_take(&world);
        assert_int_equal(world.sequence, n);
        assert_int_equal(taken, exposed_ns < 200 * MS || exposed_ns >= 300 * MS);
        lost += !taken;
    }
    assert_in_range(lost, 12, 13);
    world_close(&world);
}

static void arrivals_rise_and_start_times_follow_the_crystal(void **state)
{
    (void)state;
    static struct world world;
    for (uint64_t seed = 50; seed < 56; seed++) {
        const struct sim_camera_config config = {
            .seed = seed, .width_px = WIDTH, .height_px = HEIGHT, .jitter_ms = 0.2};
        world_open(&world, &config, 60);
        const struct sim_camera_config *drawn = sim_camera_true(world.camera);
        const double nominal = drawn->rate_hz > 122 ? 125 : 120;
        assert_true(fabs(drawn->rate_hz / nominal - 1) <= 75e-6);
        int64_t exposed_ns, last_ns = 0;
        assert_true(sim_camera_next(world.camera, &exposed_ns) == SIM_FOREVER);
        sim_camera_set(world.camera, 1000 * MS, true);
        double late = 0;
        for (int i = 0; i < 2000; i++) {
            const int64_t arrival_ns = sim_camera_next(world.camera, &exposed_ns);
            world_take(&world);
            assert_int_equal(arrival_ns, world.arrival_ns);
            assert_true(arrival_ns > last_ns);
            last_ns = arrival_ns;
            const int64_t start_ns = sim_camera_frame_start(world.camera, world.sequence);
            assert_near((double)(exposed_ns - start_ns) / 1e6,
                        drawn->readout_ms + drawn->exposure_ms, 1e-5);
            const double wait_ms = (double)(arrival_ns - exposed_ns) / 1e6;
            assert_true(wait_ms >= drawn->latency_ms - 1e-5);
            late += wait_ms - drawn->latency_ms;
        }
        assert_true(late / 2000 > 0.17 && late / 2000 < 0.26);
        const double span = (double)(sim_camera_frame_start(world.camera, 1999) -
                                     sim_camera_frame_start(world.camera, 0));
        assert_near(span / 1999, 1e9 / drawn->rate_hz, 0.01);
        /* Off and on again: a new phase, the numbers go on. */
        sim_camera_set(world.camera, last_ns, false);
        assert_true(sim_camera_next(world.camera, &exposed_ns) == SIM_FOREVER);
        sim_camera_set(world.camera, last_ns + 500 * MS, true);
        world_take(&world);
        assert_int_equal(world.sequence, 2000);
        assert_true(sim_camera_frame_start(world.camera, 2000) > last_ns + 500 * MS);
        world_close(&world);
    }
}

static void noise_and_flicker_are_moderate(void **state)
{
    (void)state;
    enum { FRAMES = 60, SEEDS = 8 };
    static struct world world;
    static uint8_t last[HEIGHT * WIDTH];
    for (uint64_t seed = 60; seed < 60 + SEEDS; seed++) {
        const struct sim_camera_config config = {
            .seed = seed, .width_px = WIDTH, .height_px = HEIGHT};
        world_open(&world, &config, 60);
        world_add(&world, world_sheet(255, 0));
        sim_camera_set(world.camera, 0, true);
        world_run(&world, 200 * MS);
        double low = 1e9, high = 0, squares = 0;
        for (int f = 0; f < FRAMES; f++) {
            memcpy(last, world.pixels, sizeof last);
            if (!world_take(&world))
                continue;
            double sum = 0;
            for (int x = 60; x < 140; x++) {
                const int at = 120 * WIDTH + x;
                sum += world.pixels[at];
                squares += pow(world.pixels[at] - last[at], 2);
            }
            low = fmin(low, sum / 80);
            high = fmax(high, sum / 80);
        }
        const double sd = sqrt(squares / FRAMES / 80 / 2);
        assert_true(sd > 1.2 && sd < 4);
        assert_true(high - low < 0.025 * high);
        assert_true(high > 185 && high < 242);
        world_close(&world);
    }
}

static void a_lamp_lights_row_after_row(void **state)
{
    (void)state;
    static struct world world;
    const struct sim_camera_config config = world_exact(71);
    world_open(&world, &config, 60);
    sim_camera_set(world.camera, 0, true);
    sim_camera_room_light(world.camera, 400 * MS, 2);
    world_run(&world, 300 * MS);
    double before[HEIGHT], after[HEIGHT];
    for (int y = 0; y < HEIGHT; y++)
        before[y] = world_light(&world, world.pixels[y * WIDTH + 2]);
    const struct sim_camera_config *drawn = sim_camera_true(world.camera);
    int partial = 0;
    for (int f = 0; f < 20; f++) {
        world_take(&world);
        const int64_t start_ns = sim_camera_frame_start(world.camera, world.sequence);
        for (int y = 0; y < HEIGHT; y++) {
            const double a = (double)start_ns + y * drawn->readout_ms * 1e6 / HEIGHT;
            const double share = (a + drawn->exposure_ms * 1e6 - 400e6) / drawn->exposure_ms / 1e6;
            after[y] = world_light(&world, world.pixels[y * WIDTH + 2]) / before[y] - 1;
            assert_near(after[y], share < 0 ? 0 : share > 1 ? 1 : share, 0.12);
            partial += share > 0.2 && share < 0.8;
        }
    }
    assert_true(partial > 50);
    world_close(&world);
}

static void the_stylus_moves_with_its_height(void **state)
{
    (void)state;
    static struct world world;
    static uint8_t high[HEIGHT * WIDTH];
    const struct sim_camera_config config = world_exact(81);
    world_open(&world, &config, 60);
    world_add(&world, world_sheet(255, 0));
    sim_camera_set(world.camera, 0, true);
    world_run(&world, 200 * MS);
    memcpy(high, world.pixels, sizeof high);
    world.tip_mm = 0;
    world_run(&world, 260 * MS);
    int darker = 0, brighter = 0;
    for (int i = 0; i < HEIGHT * WIDTH; i++) {
        darker += world.pixels[i] < high[i] - 100;
        brighter += world.pixels[i] > high[i] + 100;
    }
    assert_true(darker > 30 && darker < 2000 && brighter < 2000);
    world.tip_mm = 6;
    world_run(&world, 320 * MS);
    assert_memory_equal(world.pixels, high, sizeof high);
    world_close(&world);
}

static void impossible_cameras_are_refused(void **state)
{
    (void)state;
    struct sim_scene scene = {0};
    struct sim_camera *camera;
    struct ts_why why;
    struct sim_camera_config config = world_exact(1);
    config.exposure_ms = 20;
    assert_int_equal(sim_camera_open(&config, NULL, &scene, 60, &camera, &why), TS_EINVAL);
    config = world_exact(1);
    config.width_px = 3;
    assert_int_equal(sim_camera_open(&config, NULL, &scene, 60, &camera, &why), TS_EINVAL);
    config = world_exact(1);
    assert_int_equal(sim_camera_open(&config, NULL, &scene, 0, &camera, &why), TS_EINVAL);
    assert_null(camera);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_seed_same_bytes),
        cmocka_unit_test(a_cut_lies_in_the_right_rows),
        cmocka_unit_test(a_fade_is_followed),
        cmocka_unit_test(led_edges_are_integrated_exactly),
        cmocka_unit_test(drop_windows_lose_frames_and_use_up_numbers),
        cmocka_unit_test(arrivals_rise_and_start_times_follow_the_crystal),
        cmocka_unit_test(noise_and_flicker_are_moderate),
        cmocka_unit_test(a_lamp_lights_row_after_row),
        cmocka_unit_test(the_stylus_moves_with_its_height),
        cmocka_unit_test(impossible_cameras_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
