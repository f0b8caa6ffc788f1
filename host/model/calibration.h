/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the campaign knows about its instrument before it measures the first launch. Wide nominal
 * values hold until the procedures at campaign start have learnt better ones. */
#ifndef TS_MODEL_CALIBRATION_H
#define TS_MODEL_CALIBRATION_H

#include <stdbool.h>

#define TS_LED_COUNT 2

/* Where a sync LED shows in the block grid, and how bright. */
struct ts_led_view {
    bool seen;
    double block_x, block_y; /* centre of gravity, block units */
    double row_px;           /* centre of gravity, picture row */
    int blocks[12];          /* indices of the blocks that follow it, strongest first; -1 ends */
    double off, on;          /* their summed level, dark and lit */
};

struct ts_calibration {
    /* Stylus: pick-up and contact as the accelerometer shows them against the contact plate. */
    int plate_taps;           /* how many the values rest on; 0: nominal */
    double lift_delay_ms;     /* pick-up -> lift */
    double lift_delay_u_ms;   /* spread of one tap */
    double lift_common_u_ms;  /* standard uncertainty of the mean */
    double contact_offset_ms; /* plate contact minus accelerometer contact */
    double contact_u_ms;
    double contact_common_u_ms;
    /* Camera: known from sync LEDs; per launch the fit starts from these. */
    bool camera_known;
    int camera_edges; /* of the sync LEDs that the values rest on */
    double exposure_ms, readout_ms, latency_ms, gamma, period_ms;
    double exposure_u_ms, readout_u_ms, latency_u_ms, period_u_ms;
    double camera_u_ms; /* standard uncertainty of frame start on the MCU clock */
    struct ts_led_view led[TS_LED_COUNT];
    /* Power meter: what its shunt and amplifier make of a current, together. shunt_mohm 0: nobody
     * has measured it, and it is as the plan says. */
    double shunt_mohm, shunt_u_mohm;
    double shunt_zero_uv, shunt_zero_u_uv; /* what it shows of no current */
    /* Screen: corners in picture pixels, clockwise from the display's own top left corner. */
    bool screen_known;
    double screen_px[4][2];
};

/* Nominal values for a rig nobody has calibrated. */
void ts_calibration_nominal(struct ts_calibration *calibration);

#endif
