/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which ports a spec may mean, and where a port is now that was away. */
#ifndef TS_LIVE_SERIAL_FIND_H
#define TS_LIVE_SERIAL_FIND_H

#include "bench/live/serial/port.h"

#define TS_FIND_MAX 8

/* The ports that `spec` (bench/live/serial.h) may mean, in the order of the system's list; more
 * than TS_FIND_MAX are left out. Their number, never 0; TS_EINVAL: no such spec; TS_EIO: no such
 * port, and *why lists which there are. */
int ts_find_ports(const char *spec, struct ts_port_id found[TS_FIND_MAX],
                  struct ts_why *why) TS_MUST_CHECK;
/* The same board again: by its USB serial number if it has one, else by the same path. */
bool ts_find_again(const struct ts_port_id *id, struct ts_port_id *found);

#endif
