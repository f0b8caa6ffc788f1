/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware's core on a scripted board. Time goes in steps of a sample; the "stylus" is a list
 * of accelerometer levels. */
#ifndef TESTS_FIRMWARE_BED_H
#define TESTS_FIRMWARE_BED_H

#include "board/host/script.h"
#include "wire/wire.h"

#define REST  405
#define FALL  342
#define SHOCK 520

extern struct bed {
    struct wire_decoder decoder;
    size_t read_at; /* of script.tx */
    bool pinging;   /* the host speaks by itself while time goes on */
} bed;

/* A cmocka setup: everything as after power-on. */
int bed_setup(void **state);
void bed_send(uint8_t type, uint8_t seq, const char *body, size_t size);
/* The next packet of a type; false when none has been sent. */
bool bed_receive(uint8_t type, struct wire_packet *packet);
/* Runs with the accelerometer at one level. */
void bed_run(unsigned ms, uint16_t level);
/* Returns the code of the acknowledgement, -1 when there is none. */
int bed_command(uint8_t type, uint8_t seq, const char *body, size_t size);

#endif
