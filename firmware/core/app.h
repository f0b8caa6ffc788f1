/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The firmware over board.h: no registers, no heap, no waiting. One loop calls fw_poll(). */
#ifndef CORE_APP_H
#define CORE_APP_H

#include "wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

#define FW_MS 2000ul /* ticks */

/* Forgets everything, as after a reset. */
void fw_init(void);
/* One round of everything. True: call again at once (something is about to be due). */
bool fw_poll(void);

/* Stops the motor and refuses to move until CLEAR. The first fault stands. */
void fw_latch(enum wire_fault_code code, uint32_t now);
enum wire_fault_code fw_fault(void); /* WIRE_FAULT_NONE = not latched */
/* What a command does; the answer goes into its acknowledgement. */
enum wire_ack_code fw_command(const struct wire_packet *command, uint32_t now);

/* `then` lies at or before `now`, at most half the 35 minutes that 32 bits last. */
static inline bool fw_passed(uint32_t now, uint32_t then)
{
    return (int32_t)(now - then) >= 0;
}

#endif
