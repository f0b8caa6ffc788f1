/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A stylus for tests of the tap analysis: a mass in one dimension on a damped tip, held, dropped
 * and taken up again by an arm; its accelerometer with clipping, RC filter, noise and 10-bit
 * steps. Written from the mechanics, not from the detector. */
#ifndef TEST_TAP_STYLUS_H
#define TEST_TAP_STYLUS_H

#include "tap/tap.h"

#include <stdbool.h>

#define STYLUS_SAMPLES_MOST 4000

struct stylus {
    uint64_t seed;
    bool motionless;    /* the motor runs, the arm is stuck */
    bool end_stop;      /* falls on its own hard stop above the glass */
    double damping;     /* of the tip: ratio; 0: drawn, little bounce */
    double rest_ms;     /* time from contact to the arm's return; 0: drawn, 80-300 */
    double vibration_g; /* 0: drawn, 0.05-0.1 */
    bool soft_collar;   /* foam: the pick-up is a slow ramp */
    bool late_start;    /* samples begin when the motor does */
    /* Filled in. */
    int64_t motor_on_ticks;
    double contact_ticks, pickup_ticks;
    int gaps_sure, gaps_hinted; /* flights between contact and pick-up: over 5 ms, over 1.5 ms */
    double gap_ms;              /* the longest */
    size_t count;
    struct ts_tap_sample samples[STYLUS_SAMPLES_MOST];
};

void stylus_tap(struct stylus *stylus);

#endif
