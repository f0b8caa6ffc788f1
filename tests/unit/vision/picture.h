/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small display and camera, block by block, for tests of vision: elements appear at refreshes of
 * a display that scans out line by line; a rolling shutter collects their light; a stylus, flicker,
 * exposure control and noise do their worst. The same content without camera gives the reference
 * values. Elements live in the screen's own pixels, so that the screen can be moved in the view. */
#ifndef TESTS_PICTURE_H
#define TESTS_PICTURE_H

#include "base/rng.h"
#include "vision/detector.h"

#define PICTURE_ELEMENTS 16

enum picture_paint {
    PAINT_STILL,
    PAINT_SPINNER,
    PAINT_CARET,
    PAINT_VIDEO,
    PAINT_CAROUSEL,
    PAINT_LOOP
};

struct picture_element {
    double x, y, w, h; /* pixels of the screen */
    double level, contrast;
    double from_ms, fade_ms;
    double slide_px; /* comes from this far below while it fades in; then it is opaque at once */
    enum picture_paint paint;
    double period_ms;
    double swing; /* codes, of a spinner on its own level; 0: dark on light */
    uint64_t seed;
    bool eased; /* the fade or slide slows down towards its end */
};

enum picture_told { TOLD_FROM, TOLD_ALL, TOLD_NOTHING }; /* of the stylus, to the detector */

struct picture {
    uint64_t seed;
    struct ts_camera_geometry camera;
    double screen_x, screen_y, screen_w, screen_h; /* in the view, pixels */
    double period_ms, exposure_ms, readout_ms, gamma, noise_codes;
    double start_u_ms, exposure_u_ms, readout_u_ms;
    double start_error_ms, exposure_error_ms, readout_error_ms; /* told minus real */
    double flicker_hz, flicker_depth, pwm_hz, pwm_depth;        /* depth: of code values */
    bool pwm_is_sine;                                           /* its harmonics blur away */
    double refresh_ms, refresh_phase_ms, scan_ms, response_ms;
    bool scan_across; /* from left to right, not from above */
    double from_ms, until_ms;
    double stylus_from_ms, stylus_up_ms, stylus_gone_ms; /* NAN: no stylus */
    double stylus_x, stylus_y;                           /* its tip at rest on the glass, pixels */
    double stylus_shadow;                                /* share of light it takes beside it */
    enum picture_told stylus_told;
    double light_at_ms, light_factor; /* the room's and screen's gain changes at once */
    double gain, gain_at_ms, gain_change, gain_tau_ms; /* exposure control */
    double drift_per_s;
    double spill;                 /* share of a block's brightness that the lens shows around it */
    size_t lose_from, lose_count; /* frames */
    double lose_share;            /* of all frames, one by one */
    size_t count;
    struct picture_element element[PICTURE_ELEMENTS];
    /* made by picture_render */
    size_t frames;
    uint16_t **blocks;
    double *start_ms;
    uint32_t *sequence;
    uint8_t *ignore, *status_bar; /* given to the detector; NULL: not known */
};

struct picture_reference {
    double first_ms, settled_ms; /* NAN: none */
    bool endless;
};

void picture_init(struct picture *picture, uint64_t seed, int width_px, int height_px);
struct picture_element *picture_add(struct picture *picture, double from_ms, double fade_ms);
/* Display code of a block in the refresh that is composed at `ms`. */
double picture_code(const struct picture *picture, size_t block, double ms);
/* Can the element ever show in this block? */
bool picture_touches(const struct picture *picture, const struct picture_element *element,
                     size_t block);
/* Ignore what lies outside the screen. */
void picture_ignore_surroundings(struct picture *picture);
/* The top `high` pixels of the screen. */
void picture_mask_status_bar(struct picture *picture, double high);
/* What exposure control, which acts on whole frames, makes of a frame's light. */
double picture_gain(const struct picture *picture, double start_ms);
void picture_render(struct picture *picture);
void picture_free(struct picture *picture);
struct picture_reference picture_refer(const struct picture *picture);
struct ts_vision_frames picture_frames(const struct picture *picture, double quiet_ms);
/* A launch drawn at random; ends quiet_ms and a little after it has settled. */
void picture_launch(struct picture *picture, uint64_t seed, int width_px, int height_px,
                    double quiet_ms);

#endif
