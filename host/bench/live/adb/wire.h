/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the adb server's socket protocol (adb's OVERVIEW.TXT and SERVICES.TXT): a request is
 * four hexadecimal digits of length and a text, the answer OKAY, or FAIL with such a text. Pure. */
#ifndef TS_LIVE_ADB_WIRE_H
#define TS_LIVE_ADB_WIRE_H

#include "base/buf.h"

#include <stdbool.h>

/* Appends the request. TS_EINVAL: empty, or longer than four digits can say. */
int ts_adb_request(struct ts_buf *out, const char *text) TS_MUST_CHECK;

/* A text of the server's, borrowed from the bytes it was read from; not terminated. */
struct ts_adb_text {
    const char *at;
    size_t size;
};

/* OKAY or FAIL at the front of `data`: how many bytes it takes, 0 when more must come, TS_EPROTO.
 * *fail: why the server said no; of size 0 and at NULL for OKAY. */
int ts_adb_read_status(const uint8_t *data, size_t size, struct ts_adb_text *fail) TS_MUST_CHECK;

/* Four digits of length and a text: how many bytes, 0 when more must come, TS_EPROTO. */
int ts_adb_read_block(const uint8_t *data, size_t size, struct ts_adb_text *text) TS_MUST_CHECK;

enum ts_adb_state {
    TS_ADB_GONE = 0,      /* not in the list */
    TS_ADB_READY,         /* "device" */
    TS_ADB_OFFLINE,       /* there, and does not answer (yet): offline, connecting */
    TS_ADB_UNAUTHORIZED,  /* nobody has touched Allow on the phone (yet) */
    TS_ADB_NO_PERMISSION, /* this user may not open the USB device */
    TS_ADB_OTHER,         /* recovery, sideload, bootloader, ... */
};

struct ts_adb_device {
    char serial[128];
    char model[48]; /* "" when not printed */
    enum ts_adb_state state;
};

/* The answer of host:devices-l, host:track-devices-l or the same without -l. Fills at most `max`
 * and returns how many there are. */
size_t ts_adb_read_devices(struct ts_adb_text text, struct ts_adb_device *devices, size_t max);

/* "a,b,c" holds this word. */
bool ts_adb_has_feature(struct ts_adb_text features, const char *name);

#endif
