/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sync LEDs: what ties the camera to the MCU without USB in between. The MCU stamps each LED edge;
 * the camera integrates the LED's light row by row; the fraction of the exposure that was lit
 * places every frame on the MCU clock. */
#ifndef TS_VISION_SYNC_H
#define TS_VISION_SYNC_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/frame.h"

#include <stddef.h>

struct ts_sync_edge {
    double ms;     /* on the MCU clock, from any zero near the frames */
    unsigned mask; /* LEDs after the edge */
};

struct ts_sync_frames {
    const struct ts_camera_geometry *camera;
    size_t count;
    const uint16_t *const *blocks;
    const uint32_t *sequence;
    const double *arrival_ms; /* host clock mapped to the same zero; rough (+-10 ms) is enough */
};

/* Finds the two LEDs from frames during which they toggled: blocks that follow one LED's state and
 * nothing else. Fills camera->led[]. TS_EPROTO: an LED does not show; *why says which. */
int ts_sync_find_leds(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                      size_t edge_count, struct ts_calibration *calibration,
                      struct ts_why *why) TS_MUST_CHECK;

struct ts_sync_fit {
    double origin_ms;        /* row 0 of sequence number first_sequence starts its exposure */
    uint32_t first_sequence; /* a frame in the middle of the edges: there origin and period do not
                                depend on each other, so that the uncertainty of frame n's start is
                                hypot(origin_u_ms, (n - first_sequence) * period_u_ms) */
    double period_ms, exposure_ms, readout_ms, gamma;
    double origin_u_ms, period_u_ms, exposure_u_ms, readout_u_ms;
    double latency_ms; /* median of arrival - (start + readout + exposure) */
    double residual;   /* rms, share of the LED's step */
    size_t partial;    /* how many frames showed an edge inside their exposure; with fewer than 3
                          the origin is only bracketed by the frames beside the edges, and its
                          uncertainty says so */
};

/* Least squares over all frames and edges (method: sync_model.h). `start` gives exposure, readout,
 * gamma and LED places to begin with; with few edges (< 30) exposure, readout and gamma are kept at
 * those values. */
int ts_sync_fit(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                size_t edge_count, const struct ts_calibration *start, struct ts_sync_fit *fit,
                struct ts_why *why) TS_MUST_CHECK;

static inline double ts_sync_frame_start_ms(const struct ts_sync_fit *fit, uint32_t sequence)
{
    return fit->origin_ms + fit->period_ms * ((double)sequence - (double)fit->first_sequence);
}

#endif
