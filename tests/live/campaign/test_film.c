/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A peer's stream over the film of the simulated camera: which picture comes when. No real time. */
#include "base/rng.h"
#include "base/time.h"
#include "sim_live_bench/film.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define WIDTH  160
#define HEIGHT 120
#define STEP   (200 * TS_NS_PER_US) /* how often the world looks */

struct rig {
    struct sim_scene scene;
    struct sim_camera *camera;
    struct sim_film film;
    struct ts_rng rng;
    int64_t now_ns;
    double period_ns;
    /* The peer. */
    int64_t start_ns;
    uint32_t first, next;
    unsigned to_drop, dropped;
    int64_t last_index, least_ns, most_ns; /* of delays */
    uint8_t grey[WIDTH * HEIGHT];
};

static void open_rig(struct rig *rig, double drop_rate)
{
    const struct sim_camera_config config = {
        .seed = 5,
        .width_px = WIDTH,
        .height_px = HEIGHT,
        .rate_hz = 120,
        .exposure_ms = 4,
        .readout_ms = 6,
        .latency_ms = 3,
        .gamma = 2,
        .noise_code = 2,
        .mains_hz = 100,
        .pwm_hz = 240,
        .response_ms = 1,
        .jitter_ms = 0.1,
        .drop_rate = drop_rate,
    };
    memset(rig, 0, sizeof *rig);
    ts_rng_seed(&rig->rng, 9, 9);
    assert_int_equal(
        sim_camera_open(&config, NULL, &rig->scene, 60, &rig->camera, &(struct ts_why){""}), TS_OK);
    rig->period_ns = 1e9 / sim_camera_true(rig->camera)->rate_hz;
    assert_int_equal(sim_film_open(&rig->film, rig->camera), TS_OK);
    rig->now_ns = TS_NS_PER_S / 2;
    sim_film_take(&rig->film, rig->camera, rig->now_ns);
}

static void close_rig(struct rig *rig)
{
    sim_film_close(&rig->film);
    sim_camera_close(rig->camera);
    sim_scene_free(&rig->scene);
}

static void start(struct rig *rig, uint32_t first)
{
    rig->start_ns = sim_film_begin(&rig->film, rig->camera, first, rig->now_ns);
    assert_true(rig->start_ns >= rig->now_ns);
    assert_true(rig->start_ns < rig->now_ns + llround(rig->period_ns));
    rig->first = rig->next = first;
    rig->last_index = -1;
    rig->least_ns = INT64_MAX;
    rig->most_ns = 0;
}

/* The peer draws a picture: it is the camera's next one. */
static void draw(struct rig *rig, int64_t due_ns)
{
    sim_film_show(&rig->film, rig->next, rig->now_ns, rig->grey);
    const int64_t index = rig->next + rig->film.offset;
    const struct sim_shot *shot = &rig->film.shots[index % SIM_FILM_SHOTS];
    assert_true(shot->kept);
    assert_memory_equal(rig->grey, shot->pixels, sizeof rig->grey);
    assert_true(shot->exposed_ns <= rig->now_ns);
    assert_true(index > rig->last_index);
    rig->last_index = index;
    const int64_t delay_ns = due_ns - shot->exposed_ns;
    rig->least_ns = delay_ns < rig->least_ns ? delay_ns : rig->least_ns;
    rig->most_ns = delay_ns > rig->most_ns ? delay_ns : rig->most_ns;
}

/* Lets time go by; a peer that streams draws each picture up to `late_ns` after it was due. */
static void pass(struct rig *rig, int64_t for_ns, int64_t late_ns)
{
    const int64_t end_ns = rig->now_ns + for_ns;
    while (rig->now_ns < end_ns) {
        const int64_t due_ns = rig->start_ns + llround((rig->next - rig->first) * rig->period_ns);
        const int64_t drawn_ns = due_ns + (int64_t)(ts_rng_uniform(&rig->rng) * (double)late_ns);
        for (; rig->now_ns < drawn_ns; rig->now_ns += STEP) {
            sim_film_take(&rig->film, rig->camera, rig->now_ns);
            rig->to_drop += sim_film_lost(&rig->film, rig->now_ns);
        }
        if (rig->to_drop) {
            rig->to_drop--;
            rig->dropped++;
        } else {
            draw(rig, due_ns);
        }
        rig->next++;
    }
}

static void wait_for(struct rig *rig, int64_t for_ns)
{
    const int64_t end_ns = rig->now_ns + for_ns;
    for (; rig->now_ns < end_ns; rig->now_ns += STEP)
        sim_film_take(&rig->film, rig->camera, rig->now_ns);
}

/* All were drawn as long after their exposure as ever: what a camera's latency is made of. */
static void assert_steady(const struct rig *rig)
{
    const int64_t delay_ns = llround(rig->period_ns / 2);
    assert_in_range(rig->least_ns, delay_ns - 2000, rig->most_ns);
    assert_in_range(rig->most_ns, rig->least_ns, delay_ns + 2000);
}

static void test_delay_never_changes(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, 0);
    for (int i = 0; i < 20; i++) {
        wait_for(&rig, ts_rng_below(&rig.rng, 20000000));
        start(&rig, 0);
        pass(&rig, TS_NS_PER_S / 2, TS_NS_PER_MS);
        assert_steady(&rig);
    }
    assert_int_equal(rig.film.repeated, 0);
    close_rig(&rig);
}

/* As many as the camera has lost, and each of them instead of itself: draw() looks at that. */
static void test_losses_are_the_cameras(void **state)
{
    struct rig rig;
    unsigned lost = 0;
    (void)state;
    open_rig(&rig, 0.05);
    start(&rig, 0);
    pass(&rig, 20 * TS_NS_PER_S, TS_NS_PER_MS);
    assert_steady(&rig);
    lost = rig.dropped;
    assert_in_range(lost, 80, 160); /* 5 % of 2,400 */
    assert_int_equal(rig.film.repeated, 0);
    close_rig(&rig);
}

/* A peer that counts on over a stop, even a short one, gets the pictures of its new stream. */
static void test_counting_on_over_a_stop(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, 0);
    start(&rig, 0);
    pass(&rig, TS_NS_PER_S, TS_NS_PER_MS);
    wait_for(&rig, 50 * TS_NS_PER_MS);
    start(&rig, rig.next);
    pass(&rig, 100 * TS_NS_PER_MS, TS_NS_PER_MS);
    start(&rig, rig.next);
    pass(&rig, TS_NS_PER_S, 0);
    assert_steady(&rig);
    assert_int_equal(rig.film.repeated, 0);
    close_rig(&rig);
}

/* One that had to wait draws at once what it has missed, and all is as before. */
static void test_burst_is_no_new_stream(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, 0);
    start(&rig, 0);
    pass(&rig, TS_NS_PER_S, TS_NS_PER_MS);
    wait_for(&rig, 70 * TS_NS_PER_MS);
    pass(&rig, TS_NS_PER_S, TS_NS_PER_MS);
    assert_steady(&rig);
    assert_int_equal(rig.film.repeated, 0);
    close_rig(&rig);
}

static void test_end_is_told_once(void **state)
{
    struct rig rig;
    (void)state;
    open_rig(&rig, 0);
    start(&rig, 0);
    assert_false(sim_film_has_ended(&rig.film, rig.now_ns));
    pass(&rig, TS_NS_PER_S, TS_NS_PER_MS);
    assert_false(sim_film_has_ended(&rig.film, rig.now_ns + 300 * TS_NS_PER_MS));
    assert_true(sim_film_has_ended(&rig.film, rig.now_ns + 1100 * TS_NS_PER_MS));
    assert_false(sim_film_has_ended(&rig.film, rig.now_ns + 1300 * TS_NS_PER_MS));
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_delay_never_changes),
        cmocka_unit_test(test_losses_are_the_cameras),
        cmocka_unit_test(test_counting_on_over_a_stop),
        cmocka_unit_test(test_burst_is_no_new_stream),
        cmocka_unit_test(test_end_is_told_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
