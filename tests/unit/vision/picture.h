/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small display and camera, block by block, for tests of vision: elements appear at refreshes of
 * a display that scans out line by line; a rolling shutter collects their light; flicker and noise
 * are added. The same content without camera gives the reference values. */
#ifndef TESTS_PICTURE_H
#define TESTS_PICTURE_H

#include "base/rng.h"
#include "vision/detector.h"

#define PICTURE_ELEMENTS 12

enum picture_paint { PAINT_STILL, PAINT_SPINNER, PAINT_CARET, PAINT_VIDEO, PAINT_CAROUSEL };

struct picture_element {
    double x, y, w, h; /* pixels */
    double level, contrast;
    double from_ms, fade_ms;
    enum picture_paint paint;
    double period_ms;
    uint64_t seed;
    bool eased; /* the fade slows down towards its end */
};

struct picture {
    uint64_t seed;
    struct ts_camera_geometry camera;
    double period_ms, exposure_ms, readout_ms, gamma, noise_codes;
    double flicker_hz, flicker_depth; /* of code values */
    double refresh_ms, refresh_phase_ms, scan_ms;
    double from_ms, until_ms;
    double stylus_from_ms, stylus_up_ms, stylus_gone_ms; /* NAN: no stylus */
    double stylus_x, stylus_y;                           /* its tip at rest on the glass, pixels */
    double light_at_ms, light_factor;                    /* the room's and screen's gain changes */
    size_t lose_from, lose_count;                        /* frames */
    size_t count;
    struct picture_element element[PICTURE_ELEMENTS];
    /* made by picture_render */
    size_t frames;
    uint16_t **blocks;
    double *start_ms;
    uint32_t *sequence;
    uint8_t *ignore;
};

struct picture_reference {
    double first_ms, settled_ms; /* NAN: none */
    bool endless;
};

void picture_init(struct picture *picture, uint64_t seed, int width_px, int height_px);
struct picture_element *picture_add(struct picture *picture, double from_ms, double fade_ms);
/* Display code of a block in the refresh that is composed at `ms`. */
double picture_code(const struct picture *picture, size_t block, double ms);
void picture_render(struct picture *picture);
void picture_free(struct picture *picture);
struct picture_reference picture_refer(const struct picture *picture);
struct ts_vision_frames picture_frames(const struct picture *picture, double quiet_ms);
/* A launch drawn at random; ends quiet_ms and a little after it has settled. */
void picture_launch(struct picture *picture, uint64_t seed, int width_px, int height_px,
                    double quiet_ms);

#endif
