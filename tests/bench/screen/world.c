/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "world.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.9g is not %.9g +- %g", value, expected, tolerance);
}

struct sim_camera_config world_exact(uint64_t seed)
{
    return (struct sim_camera_config){.seed = seed,
                                      .width_px = WIDTH,
                                      .height_px = HEIGHT,
                                      .noise_code = 1e-9,
                                      .mains_depth = 1e-12,
                                      .pwm_depth = 1e-12,
                                      .drift_per_s = 1e-12,
                                      .drop_rate = 1e-12};
}

static double tip_mm(void *context, int64_t at_ns)
{
    (void)at_ns;
    return ((struct world *)context)->tip_mm;
}

static unsigned led(void *context, int64_t at_ns)
{
    const struct world *world = context;
    unsigned mask = world->leds;
    for (int i = 0; i < world->edge_count && world->edges[i].at_ns <= at_ns; i++)
        mask = world->edges[i].mask;
    return mask;
}

static int64_t led_edge(void *context, int64_t after_ns, unsigned *mask)
{
    const struct world *world = context;
    for (int i = 0; i < world->edge_count; i++) {
        if (world->edges[i].at_ns <= after_ns)
            continue;
        *mask = world->edges[i].mask;
        return world->edges[i].at_ns;
    }
    return SIM_FOREVER;
}

void world_open(struct world *world, const struct sim_camera_config *config, double refresh_hz)
{
    struct ts_why why = {""};
    *world = (struct world){.config = *config, .refresh_hz = refresh_hz, .tip_mm = 6};
    world->view = (struct sim_camera_view){world, tip_mm, led, led_edge};
    assert_int_equal(sim_setup_draw(config, refresh_hz, &world->setup, &why), TS_OK);
    assert_int_equal(
        sim_camera_open(config, &world->view, &world->scene, refresh_hz, &world->camera, &why),
        TS_OK);
}

void world_close(struct world *world)
{
    sim_camera_close(world->camera);
    sim_scene_free(&world->scene);
}

struct sim_element world_sheet(double level, int64_t from_ns)
{
    return (struct sim_element){.rect = {0, 0, 1, 1},
                                .paint = SIM_FILL,
                                .level = level,
                                .from_ns = from_ns,
                                .until_ns = SIM_FOREVER};
}

void world_add(struct world *world, struct sim_element element)
{
    assert_true(sim_scene_add(&world->scene, &element) >= 0);
}

bool world_take(struct world *world)
{
    return sim_camera_take(world->camera, world->pixels, &world->sequence, &world->arrival_ns);
}

void world_run(struct world *world, int64_t at_ns)
{
    int64_t exposed_ns;
    do {
        sim_camera_next(world->camera, &exposed_ns);
        world_take(world);
    } while (exposed_ns <= at_ns);
}

double world_light(const struct world *world, double code)
{
    return pow(code / 255, world->setup.config.gamma);
}

int64_t world_refresh(const struct world *world, int64_t at_ns)
{
    const double period_ns = 1e9 / world->refresh_hz;
    const double phase_ns = world->setup.refresh_phase * period_ns;
    return llround(phase_ns + ceil(((double)at_ns - phase_ns) / period_ns - 1e-9) * period_ns);
}

double world_scan_ns(const struct world *world)
{
    return world->setup.scan_share * 1e9 / world->refresh_hz;
}

double world_code(const struct world *world, double light)
{
    const double white = world_light(world, world->setup.white_code);
    const double black = world_light(world, world->setup.black_code);
    return 255 * pow(black + light * (white - black), 1 / world->setup.config.gamma);
}

void world_line_begin(struct world_line *line, const struct world *world, double place,
                      double (*code)(int64_t refresh_ns), int64_t at_ns)
{
    *line = (struct world_line){.world = world, .line = place, .code = code, .at_ns = at_ns};
    line->refresh_ns = world_refresh(world, at_ns);
    line->light = line->aim = pow(code(at_ns) / 255, 2.2);
}

void world_line_step(struct world_line *line)
{
    const struct world *world = line->world;
    line->at_ns += WORLD_STEP_NS;
    while (line->refresh_ns + llround(line->line * world_scan_ns(world)) <= line->at_ns) {
        line->aim = pow(line->code(line->refresh_ns) / 255, 2.2);
        line->refresh_ns = world_refresh(world, line->refresh_ns + 1000);
    }
    line->light +=
        (line->aim - line->light) * WORLD_STEP_NS / (world->setup.config.response_ms * 1e6);
}

double world_line_mean(struct world_line *line, int64_t from_ns)
{
    const int64_t end_ns = from_ns + llround(line->world->setup.config.exposure_ms * 1e6);
    double sum = 0;
    int count = 0;
    while (line->at_ns < from_ns)
        world_line_step(line);
    while (line->at_ns < end_ns) {
        world_line_step(line);
        sum += line->light;
        count++;
    }
    return sum / count;
}
