/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What ser2net does for a serial port, in its simplest form: bytes between it and the one TCP
 * client at a time. */
#ifndef TEST_LIVE_SERIAL_PROXY_H
#define TEST_LIVE_SERIAL_PROXY_H

#include <stddef.h>

struct proxy;

/* Serves `path` on 127.0.0.1; `spec` (32 characters) is how to reach it. NULL: it cannot. */
struct proxy *proxy_open(const char *path, char *spec);
/* Hangs up on the client; it may call again. */
void proxy_hang_up(struct proxy *proxy);
/* The port is another firmware's, which says this and no more to whoever calls; for a proxy of
 * /dev/null. */
void proxy_greet_with(struct proxy *proxy, const void *bytes, size_t size);
/* Takes calls and hears no one out: a port with nothing behind it. */
void proxy_swallow(struct proxy *proxy, int on);
void proxy_close(struct proxy *proxy);

#endif
