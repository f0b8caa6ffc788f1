/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boards on USB for the tests beside: they live in a process of their own, as a rig's do, and are
 * told over a socket what to suffer. The tests run in its child. */
#ifndef TEST_LIVE_SERIAL_BOARDS_H
#define TEST_LIVE_SERIAL_BOARDS_H

#include "base/time.h"
#include "sim_mcu/sim_mcu.h"

enum board {
    BOARD_UNO,     /* /dev/ttyACM0 usb:2341:0043:RIG0001 */
    BOARD_MEGA,    /* /dev/ttyACM1 usb:2341:0042:RIG0002 */
    BOARD_BRIDGED, /* /dev/ttyUSB0 usb:1a86:7523, no serial number: an Uno on a bridge */
    BOARD_COUNT,
};

/* main(): makes the boards, then runs itself again with `tests` as the child. */
int boards_main(char **argv, int (*tests)(void));

void board_plug(enum board board);
void board_unplug(enum board board);
void board_permit(enum board board, bool all);
void board_reset(enum board board);
void board_mute(enum board board, bool mute);
void board_garble(enum board board, unsigned bytes, unsigned every);
double board_true_ticks(enum board board, struct ts_host_time at);
/* In the host's time. */
struct sim_tap board_last_tap(enum board board);

#endif
