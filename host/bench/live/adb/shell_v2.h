/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The packets of adb's shell protocol (adb's shell_protocol.h; Android 7 and later): one byte says
 * what it is, four bytes how long, low byte first. It keeps output and error output apart, brings
 * the exit code, and lets the host end a command's input. Pure. */
#ifndef TS_LIVE_ADB_SHELL_V2_H
#define TS_LIVE_ADB_SHELL_V2_H

#include "base/buf.h"

enum ts_shell_v2_kind {
    TS_SHELL_V2_STDIN = 0,
    TS_SHELL_V2_STDOUT = 1,
    TS_SHELL_V2_STDERR = 2,
    TS_SHELL_V2_EXIT = 3, /* one byte: the exit code */
    TS_SHELL_V2_CLOSE_STDIN = 4,
};

#define TS_SHELL_V2_SIZE_MAX (1024 * 1024) /* MAX_PAYLOAD of adb */

struct ts_shell_v2_packet {
    int kind; /* may be one that we do not know: to be passed over */
    const uint8_t *data;
    size_t size;
};

/* The packet at the front of `data`: how many bytes it takes, 0 when more must come, TS_EPROTO. */
int ts_shell_v2_read(const uint8_t *data, size_t size,
                     struct ts_shell_v2_packet *packet) TS_MUST_CHECK;
/* Appends a packet. */
int ts_shell_v2_write(struct ts_buf *out, enum ts_shell_v2_kind kind, const void *data,
                      size_t size) TS_MUST_CHECK;

#endif
