/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The link to the host: frames in and out, acknowledgements, clock readings. */
#ifndef CORE_LINK_H
#define CORE_LINK_H

#include "wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

void fw_link_init(void);
void fw_link_poll(void);
bool fw_link_busy(void); /* a clock reading waits for the transmitter */
/* When the last correct packet came from the host. */
uint32_t fw_link_heard(void);

/* Each gives the packet its sequence number; without room it is dropped, counted, and seen by the
 * host as a gap in the numbers. */
void fw_link_send_hello(void);
void fw_link_send_state(enum wire_tap_state state, uint32_t ticks);
void fw_link_send_edge(enum wire_edge_kind kind, uint8_t state, uint32_t ticks);
void fw_link_send_fault(enum wire_fault_code code, uint32_t ticks);
void fw_link_send_samples(const struct wire_samples *samples);
void fw_link_send_noise(const struct wire_noise *noise);
/* Gives way to samples, which control the motor. */
void fw_link_send_power(const struct wire_power *power);
/* A packet of any size would not be dropped, and events would still have room. */
bool fw_link_has_room(void);

#endif
