/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames during which the sync LEDs toggled -> the camera's part of the calibration: where the
 * LEDs show, exposure, readout, latency, code curve, period. The formulas are in vision/sync.h. */
#ifndef TS_INSTRUMENT_CAMERA_H
#define TS_INSTRUMENT_CAMERA_H

#include "vision/sync.h"

/* A LED's blocks are not one light: its core is bright on a dark ground, its halo faint on a
 * lighter one, and their codes are summed. Near darkness that sum rises less steeply than the one
 * curve that is fitted to it, which makes up for it with a longer exposure: by 0 (a LED that fills
 * its blocks) to 0.2 ms (a small one behind glass). Taken as uniform: the middle is corrected, the
 * width / sqrt(12) is uncertainty. It is the same in every fit on the same LEDs and cancels between
 * them.
 */
#define TS_CAMERA_CURVE_MS   0.10
#define TS_CAMERA_CURVE_U_MS 0.058

/* Finds the LEDs and fits the camera, from the values *calibration has (nominal ones will do; wide
 * of the mark they are tried again from other exposures). On failure *calibration is left as it
 * was and *why says what to do. *fit may be of interest for the journal. */
int ts_camera_calibrate(const struct ts_sync_frames *frames, const struct ts_sync_edge *edges,
                        size_t edge_count, struct ts_calibration *calibration,
                        struct ts_sync_fit *fit, struct ts_why *why) TS_MUST_CHECK;

#endif
