/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "instrument/camera.h"

#include "stats/order.h"

#include <math.h>
#include <stdlib.h>

/* Below this the edges do not tell exposure, readout and curve apart (vision/sync.h). */
#define EDGES_LEAST 30

/* A fit that starts at an exposure far from the true one may end beside it, so several begin and
 * the one with the smallest misfit is kept. */
static int fit_best(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                    size_t edge_count, const struct ts_calibration *found, struct ts_sync_fit *fit,
                    struct ts_why *why)
{
    static const double shares[] = {0.15, 0.5, 0.9}; /* of the nominal period */
    int best = ts_sync_fit(frames, edges, edge_count, found, fit, why);
    for (int i = 0; i < 3; i++) {
        struct ts_calibration start = *found;
        struct ts_sync_fit other;
        start.exposure_ms = shares[i] * 1e-6 * (double)frames->camera->nominal_period_ns;
        if (ts_sync_fit(frames, edges, edge_count, &start, &other, NULL))
            continue;
        if (best == TS_OK && other.residual >= fit->residual)
            continue;
        best = TS_OK;
        *fit = other;
    }
    return best;
}

/* The latency is a median over frames, whose scatter is the bridge's: its standard uncertainty is
 * sqrt(pi / 2) * 1.4826 MAD / sqrt(n), beside that of the frames' own place. */
static double latency_u_ms(const struct ts_sync_frames *frames, const struct ts_sync_fit *fit)
{
    double *off = malloc((frames->count + 1) * sizeof *off);
    if (!off)
        return NAN;
    for (size_t i = 0; i < frames->count; i++)
        off[i] = frames->arrival_ms[i] - ts_sync_frame_start_ms(fit, frames->sequence[i]);
    ts_sort(off, frames->count);
    const double spread = 1.4826 * ts_mad(off, frames->count);
    free(off);
    return hypot(fit->origin_u_ms, 1.2533 * spread / sqrt((double)frames->count));
}

int ts_camera_calibrate(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                        size_t edge_count, struct ts_calibration *calibration,
                        struct ts_sync_fit *fit, struct ts_why *why)
{
    struct ts_calibration found = *calibration;
    if (edge_count < EDGES_LEAST)
        return ts_fail(why, TS_EPROTO,
                       "only %zu edges of the sync LEDs; a camera is calibrated with %d or more",
                       edge_count, EDGES_LEAST);
    int err = ts_sync_find_leds(frames, edges, edge_count, &found, why);
    if (err)
        return err;
    err = fit_best(frames, edges, edge_count, &found, fit, why);
    if (err)
        return err;
    found.camera_known = true;
    found.exposure_ms = fit->exposure_ms - TS_CAMERA_CURVE_MS;
    found.readout_ms = fit->readout_ms;
    found.latency_ms = fit->latency_ms;
    found.gamma = fit->gamma;
    found.period_ms = fit->period_ms;
    found.camera_u_ms = fit->origin_u_ms;
    found.camera_edges = (int)edge_count;
    found.exposure_u_ms = hypot(fit->exposure_u_ms, TS_CAMERA_CURVE_U_MS);
    found.readout_u_ms = fit->readout_u_ms;
    found.period_u_ms = fit->period_u_ms;
    found.latency_u_ms = latency_u_ms(frames, fit);
    *calibration = found;
    return TS_OK;
}
