/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tap sequencer. A wheel with two arms: HELD, the motor is off and an arm holds the stylus a
 * few mm up. A tap turns the wheel on: the arm slips off the collar, the stylus drops; half a turn
 * later the other arm takes the collar, and the motor stops when it has raised it. (Bissig et al.,
 * the robot's section.) Every state has a time limit, the motor a cap of its own. */
#ifndef CORE_TAP_H
#define CORE_TAP_H

#include "wire/wire.h"

#include <stdbool.h>
#include <stdint.h>

/* From TAP to motor on the samples show the host rest level and noise. */
#define FW_TAP_LEAD_MS 150u
/* HOME takes no arguments: full speed, and a raise well before the arm slips off. */
#define FW_HOME_DUTY     255u
#define FW_HOME_RAISE_MS 25u

#define FW_HOMING_LIMIT_MS   1500u /* a slow turn */
#define FW_DROPPING_LIMIT_MS 800u
#define FW_CONTACT_LIMIT_MS  400u /* bounces go on for 150 ms at most */
#define FW_RESTING_LIMIT_MS  900u
#define FW_LIFTING_LIMIT_MS  400u /* raise_ms ends it earlier */
#define FW_MOTOR_CAP_MS      2200u

void fw_tap_init(uint32_t now);
enum wire_tap_state fw_tap_state(void);
/* IDLE or HELD, and no tap has been asked for. */
bool fw_tap_at_rest(void);
enum wire_ack_code fw_tap_home(uint32_t now);
enum wire_ack_code fw_tap_start(uint8_t duty, uint8_t raise_ms, uint32_t now);
void fw_tap_stop(uint32_t now);
void fw_tap_sample(uint32_t ticks, uint16_t value);
void fw_tap_poll(uint32_t now, bool host_silent);

#endif
