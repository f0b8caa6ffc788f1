/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A display and a camera with nothing but what a test puts before them, and the same display
 * worked out anew: small time steps instead of closed forms. */
#ifndef WORLD_H
#define WORLD_H

#include "base/time.h"
#include "sim_screen/optics.h"
#include "sim_screen/setup.h"
#include "sim_screen/sim_camera.h"

/* cmocka compares floats only in single precision, and does not say how far off they are. */
void assert_near(double value, double expected, double tolerance);

#define WIDTH  320
#define HEIGHT 240

struct world {
    struct sim_camera_config config;
    struct sim_camera_view view;
    struct sim_scene scene;
    struct sim_camera *camera;
    struct sim_setup setup; /* drawn from the same seed: the display's phase and scan-out */
    double refresh_hz;
    double tip_mm;
    unsigned leds; /* before the first edge */
    struct {
        int64_t at_ns;
        unsigned mask;
    } edges[16];
    int edge_count;
    uint8_t pixels[HEIGHT * WIDTH];
    uint32_t sequence;
    int64_t arrival_ns;
};

/* No noise, no flicker, no drift, no lost frames: exact frames. */
struct sim_camera_config world_exact(uint64_t seed);
void world_open(struct world *world, const struct sim_camera_config *config, double refresh_hz);
void world_close(struct world *world);
/* An element over the whole display. */
struct sim_element world_sheet(double level, int64_t from_ns);
void world_add(struct world *world, struct sim_element element);
/* Takes frames until one that is exposed after at_ns has been taken. */
void world_run(struct world *world, int64_t at_ns);
bool world_take(struct world *world);
/* Light, with 1 for code 255. */
double world_light(const struct world *world, double code);

/* The first refresh at or after at_ns. */
int64_t world_refresh(const struct world *world, int64_t at_ns);
double world_scan_ns(const struct world *world);
/* Code units of the display's light, 0..1, as the reference values count them. */
double world_code(const struct world *world, double light);

/* A display line that shows code(at) from each refresh on, followed in steps of step_ns. */
struct world_line {
    const struct world *world;
    double line; /* 0..1 of the scan-out */
    double (*code)(int64_t refresh_ns);
    int64_t at_ns, refresh_ns;
    double aim, light;
};
#define WORLD_STEP_NS 5000
void world_line_begin(struct world_line *line, const struct world *world, double place,
                      double (*code)(int64_t refresh_ns), int64_t at_ns);
void world_line_step(struct world_line *line);
/* The mean of its light from from_ns on, for the exposure. */
double world_line_mean(struct world_line *line, int64_t from_ns);

#endif
