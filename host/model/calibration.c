/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/calibration.h"

#include <math.h>

void ts_calibration_nominal(struct ts_calibration *calibration)
{
    /* Pick-up to lift over many rigs: 2.4-10.8 ms, so the middle of it with its half range taken
     * as a uniform distribution would give 2.4 ms; speed adds to that: +-6 ms at 95 %. */
    *calibration = (struct ts_calibration){
        .lift_delay_ms = 5.5,
        .lift_delay_u_ms = 0.6,
        .lift_common_u_ms = 3.0,
        .contact_offset_ms = -0.1,
        .contact_u_ms = 0.25,
        .contact_common_u_ms = 0.25,
        .exposure_ms = 4.0,
        .readout_ms = 7.0,
        .latency_ms = 4.0,
        .gamma = 2.2,
        .exposure_u_ms = 2.0,
        .readout_u_ms = 2.0,
        .latency_u_ms = 4.0,
        .period_u_ms = NAN,
        .camera_u_ms = 4.0,
    };
}
