/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of this board share. */
#ifndef BOARD_AVR_AVR_H
#define BOARD_AVR_AVR_H

#include <stdbool.h>
#include <stdint.h>

/* An interrupt has left something for the main loop; board_wait() takes it back. */
extern volatile bool board_stirred;

/* A stamp of timer 1, not older than its 32 ms. */
uint32_t board_widen(uint16_t low);
void board_init_bus(void);

#endif
