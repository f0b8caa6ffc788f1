/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a rise in the samples begins; for tap.c alone. */
#ifndef TS_TAP_ONSET_H
#define TS_TAP_ONSET_H

#include "tap/tap.h"

/* The accelerometer's output is 32 kOhm into 3.3 nF (hardware/WIRING.md): about 1.6 kHz. A
 * step is seen through 1 - exp(-t / RC), half microseconds. */
#define TS_TAP_RC_TICKS (2e6 / (2 * 3.14159265358979323846 * 1600))

struct ts_onset {
    double ticks;
    double u_ticks;
};

/* samples[crossing] is the first one clearly above `level`. Fits, to the samples before and just
 * after it, the answer of the RC filter to a force that is constant (`level`) until the onset and
 * then makes a step and goes on as a ramp: a damped spring that is met at speed does both. The
 * filter's delay is thereby taken out. noise: sd of the samples around `level`. */
struct ts_onset ts_onset_fit(const struct ts_tap_sample *samples, size_t count, size_t crossing,
                             double level, double noise);

#endif
