/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices that the assembly is tested with: they do nothing but say what they were told. */
#ifndef TEST_UNIT_LIVE_FAKES_H
#define TEST_UNIT_LIVE_FAKES_H

#include "bench/live/camera.h"
#include "bench/live/phone.h"
#include "bench/live/serial.h"

enum fake { FAKE_MCU, FAKE_CAMERA, FAKE_PHONE, FAKES };

struct fake_state {
    bool refuse; /* to open */
    bool open;
    unsigned opened;
    char spec[80];
    struct ts_inbox *inbox;
    struct ts_command last;
    unsigned commands;
};

extern struct fake_state fakes[FAKES];

#endif
