/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes to and from a board: a serial port by libserialport, or a TCP connection to one. */
#ifndef TS_LIVE_SERIAL_PORT_H
#define TS_LIVE_SERIAL_PORT_H

#include "base/err.h"

#include <libserialport.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Which port it is, and by what it is known again. */
struct ts_port_id {
    char path[256]; /* "/dev/ttyACM0", "tcp:host:port" */
    bool tcp;
    int vid, pid;    /* -1: not on USB */
    char serial[64]; /* USB serial number; "": it has none */
};

/* Zeroed is not open; ts_port_close() may be called then. */
struct ts_port {
    bool open, ours;     /* ours: nobody else may open it */
    int fd;              /* to poll for input */
    struct sp_port *tty; /* owned; NULL for TCP */
};

/* Opens it for us alone at the wire's speed, and pulls the board's reset line if it has one.
 * TS_EIO: not there, no permission, in use; *why says which, and what to do. */
int ts_port_open(const struct ts_port_id *id, struct ts_port *out,
                 struct ts_why *why) TS_MUST_CHECK;
void ts_port_close(struct ts_port *port);

/* What is there now: how many bytes, 0 for none, TS_EOF when the port is no more. */
int ts_port_read(struct ts_port *port, uint8_t *bytes, size_t capacity) TS_MUST_CHECK;
/* Does not wait: what a port that is full or gone does not take is lost, as on the wire. */
void ts_port_write(struct ts_port *port, const uint8_t *bytes, size_t size);

#endif
