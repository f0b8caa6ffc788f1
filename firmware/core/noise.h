/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long the same small piece of work takes again and again ("fixed work quantum"): runs of timer
 * readings, every interval reported, none judged here. An instant that the board states may be
 * wrong by as much as such an interval grows. */
#ifndef CORE_NOISE_H
#define CORE_NOISE_H

#include "wire/wire.h"

#include <stdint.h>

void fw_noise_init(void);
/* So many intervals; 0 stops. Only while nothing moves, and no longer. */
enum wire_ack_code fw_noise_start(uint16_t intervals);
void fw_noise_poll(void);

#endif
