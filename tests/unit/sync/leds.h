/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rolling-shutter camera that looks at two LEDs, pixel by pixel, for tests of sync: blurred
 * saturating spots on a lit background, every pixel row with its own exposure, code curve, noise,
 * rounding; late arrivals, lost frames. */
#ifndef TEST_SYNC_LEDS_H
#define TEST_SYNC_LEDS_H

#include "vision/sync.h"

#define LEDS_EDGES_MOST 400

struct leds {
    uint64_t seed;
    size_t frames, edges;
    double spacing_ms;     /* mean time between edges */
    double spot_px;        /* 0: drawn */
    bool whole_picture;    /* else only the blocks near the LEDs are made */
    bool video;            /* part of the picture changes by itself */
    bool flash;            /* the screen goes white for some frames, and stays grey after */
    bool wrong_edge;       /* one edge is stamped 2.5 ms late */
    double lost;           /* share of frames lost */
    unsigned hidden;       /* mask of LEDs that do not show */
    double arrival_off_ms; /* error of the map from host to MCU clock */
    /* True values, filled in. */
    double start_ms; /* row 0 of frame number 0 */
    double period_ms, exposure_ms, readout_ms, gamma, latency_ms;
    double x_px[TS_LED_COUNT], y_px[TS_LED_COUNT];
    struct ts_camera_geometry camera;
    struct ts_sync_edge edge[LEDS_EDGES_MOST];
    struct ts_sync_frames view;
};

/* Needs leds_close(). */
void leds_film(struct leds *leds);
void leds_close(struct leds *leds);
double leds_frame_start_ms(const struct leds *leds, uint32_t sequence);

#endif
