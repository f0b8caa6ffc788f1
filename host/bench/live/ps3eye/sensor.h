/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The PS3 Eye inside: a bridge (OV534 or OV538) with registers of its own, behind which an OV772x
 * sensor hangs on a two-wire bus (SCCB). No document of either is public; what the registers do is
 * known from the drivers ov534 of Linux (J.-F. Moine, A. Ospite, M. Purcell and others) and
 * PS3EYEDriver, and from OmniVision's data sheet of the OV7725. */
#ifndef TS_LIVE_PS3EYE_SENSOR_H
#define TS_LIVE_PS3EYE_SENSOR_H

#include "base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* How the bridge's registers are reached. TS_EIO: the device is gone, or says no. */
struct ts_eye_bus {
    void *context;
    int (*write)(void *context, uint8_t reg, uint8_t value);
    int (*read)(void *context, uint8_t reg, uint8_t *value);
    void (*sleep_ms)(void *context, unsigned ms);
};

/* fps = K * PLL / (2 * (CLKRC + 1) * (divider + 1)), K = 375 at 320 x 240 and 150 at 640 x 480: it
 * gives the rates of every row of the drivers' tables, but for those where the PLL would have to
 * exceed its limit, which are not here. There is none of 120. */
struct ts_eye_mode {
    int width_px, height_px;
    double rate_hz;
    uint8_t clkrc, com4, divider; /* sensor 0x11 and 0x0d; bridge 0xe5 */
};

/* Ends with width_px 0. */
extern const struct ts_eye_mode ts_eye_modes[];

struct ts_eye_settings {
    const struct ts_eye_mode *mode;
    bool yuyv;    /* else Bayer, GRGR / BGBG */
    bool pattern; /* the sensor's colour bars instead of what it sees */
    int exposure; /* rows; -1: half of a picture's */
    int gain;     /* 0..63; -1: 20 */
    int white;    /* 0 blue .. 128 .. 255 red: gains of both against green; -1: as it wakes up */
};

/* Wakes the bridge, looks whether a sensor is there that is known, and sets everything; the picture
 * stands still. TS_ENOTSUP: another sensor; TS_EIO. */
int ts_eye_set_up(const struct ts_eye_bus *bus, const struct ts_eye_settings *settings,
                  struct ts_why *why) TS_MUST_CHECK;
/* Payloads come, with the red light, or stop. */
int ts_eye_run(const struct ts_eye_bus *bus, bool on) TS_MUST_CHECK;

#endif
