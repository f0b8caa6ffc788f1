/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accelerometer samples of one tap -> contact and pick-up. The lift is not in the trace: it is
 * pick-up plus a calibrated delay, which the caller adds. */
#ifndef TS_TAP_TAP_H
#define TS_TAP_TAP_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_tap_sample {
    int64_t ticks;  /* unwrapped MCU ticks of 0.5 us */
    uint16_t value; /* ADC, 0..1023; ADXL335 at 3.3 V on a 5 V reference: 67.6 per g */
};

struct ts_tap {
    bool contact_seen, pickup_seen;
    double contact_ticks, pickup_ticks;     /* fractions of a tick */
    double contact_u_ticks, pickup_u_ticks; /* of one tap: noise and onset fit, type A */
    double rest_level, noise;               /* ADC units, from before the motor started */
    int contacts;          /* separate contacts at least 3 ms apart before the pick-up */
    double longest_gap_ms; /* between them */
    double contact_to_pickup_ms;
};

/* Samples from the motor's start to held, in order. motor_on_ticks: when the motor was switched
 * on (everything before it shows rest and noise). TS_EPROTO: too few samples, or a hole in them. */
int ts_tap_analyse(const struct ts_tap_sample *samples, size_t count, int64_t motor_on_ticks,
                   struct ts_tap *out, struct ts_why *why) TS_MUST_CHECK;

#endif
