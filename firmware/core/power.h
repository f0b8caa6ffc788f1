/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The INA226 (Texas Instruments, data sheet SBOS547) in the phone's supply line, where there is
 * one: found by its identity, set up, read once for each pair that it has converted, streamed as
 * POWER_IS. It is asked for nothing until the host wants it, and a rig without one differs by one
 * empty block.
 *
 * It takes four tenths of the ATmega328P's time while it streams; beside the accelerometer at 4 kHz
 * a quarter is left (in the simulated bench).
 *
 * Shunt and bus voltage go to the host as they are. The part could multiply them by its calibration
 * register to a current and a power, but would round both again, and the shunt is the rig's and not
 * the board's to know. */
#ifndef CORE_POWER_H
#define CORE_POWER_H

#include <stdbool.h>
#include <stdint.h>

#define FW_POWER_ADDRESS 0x40u /* both address pins at GND */

void fw_power_init(void);
void fw_power_stream(bool on, uint32_t now);
void fw_power_poll(uint32_t now);

#endif
