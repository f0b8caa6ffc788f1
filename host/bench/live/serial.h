/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MCU at the end of a serial port (libserialport) or of a TCP connection to one (ser2net): a
 * thread that owns port and link (bench/common/link.h), stamps bytes as soon as it has them, sees
 * an unplugged board at once and takes the same board up again when it is back. */
#ifndef TS_LIVE_SERIAL_H
#define TS_LIVE_SERIAL_H

#include "bench/live/inbox.h"

struct ts_mcu;

/* `spec`: "auto" (every port that may be one of our boards is asked HELLO; two that answer are an
 * error that names both), "usb:VID:PID[:SERIAL]", "/dev/ttyACM0", "tcp:host:port". The port is
 * closed to others; opening resets a board, which is waited for. MCU items, clock readings, DONE
 * and faults go to the inbox, which outlives the MCU. */
int ts_mcu_open(const char *spec, struct ts_inbox *inbox, struct ts_mcu **out,
                struct ts_why *why) TS_MUST_CHECK;
/* TS_COMMAND_MCU_SEND or TS_COMMAND_CLOCK_READ of the MCU; any thread. While the board is away a
 * command ends in DONE with TS_EIO once it has not come back within TS_MCU_BACK_NS. */
int ts_mcu_submit(struct ts_mcu *mcu, const struct ts_command *command) TS_MUST_CHECK;
/* Waits for what was sent, lets the port go. */
void ts_mcu_close(struct ts_mcu *mcu);

#define TS_MCU_BACK_NS (10 * TS_NS_PER_S)

#endif
