/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a part's evidence says of the instrument itself: link, clocks, camera, light, touches. It
 * judges nothing; who asks has the limits. NAN, 0 or false: the evidence does not say. */
#ifndef TS_MEASURE_HEALTH_H
#define TS_MEASURE_HEALTH_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/evidence.h"

struct ts_clock_health {
    bool known;
    bool broken; /* stepped, stalled, or of more than one boot */
    int readings, used;
    double rtt_min_ms, rtt_median_ms, rtt_most_ms;
    double ppm;      /* ahead of the host */
    double u_ms;     /* standard uncertainty within the part */
    double bound_ms; /* width of the hard bound, which assumes no symmetry */
    /* By how much the rate differs between the part's halves, and the standard uncertainty of
     * that. */
    double wander_ppm, wander_u_ppm;
};

struct ts_camera_health {
    int frames, lost, duplicates;
    double rate_hz, asked_hz;
    double late_p99_ms; /* arrivals behind the even clock */
};

/* Of the display while it showed black, then white: codes of 0..255. */
struct ts_light_health {
    int frames;
    double black, white;
    double clipped;    /* share of the screen's blocks that cannot get brighter */
    double flicker;    /* amplitude of its strongest sinusoid, share of white */
    double flicker_hz; /* of the light itself: rows are read one after the other, so that what is
                          faster than the frames can be told apart */
};

struct ts_health {
    bool board_known;
    int protocol; /* version that the board speaks */
    int messages, lost_messages, resets, latched;
    bool phone_lost;
    struct ts_clock_health mcu, phone;
    int log_lines;
    double log_step_ms;
    bool log_step_sure;
    struct ts_camera_health camera;
    struct ts_light_health light;
    /* Taps: how many came down, how many of those the accelerometer shows whole, how many the
     * helper's button felt. */
    int taps, taps_whole, touches;
};

/* TS_ENOMEM. */
int ts_health_of(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                 struct ts_health *out) TS_MUST_CHECK;

/* The light alone; ts_health_of() calls it. period_ms: of the frames; NAN: unknown. */
int ts_health_light(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                    double period_ms, struct ts_light_health *out) TS_MUST_CHECK;

/* The intervals that the MCU measured of its own loop, ns: *deltas_ns is owned by the caller.
 * TS_EPROTO: there are none. */
int ts_health_mcu_noise(const struct ts_evidence *evidence, double **deltas_ns, size_t *count,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
