/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `logcat -B`: entries as logd keeps them (liblog's struct logger_entry and event log format).
 * Stamps in nanoseconds on every version of Android, and no text in which a line could be faked.
 * All numbers have their low byte first. */
#ifndef TS_ANDROID_LOGCAT_BINARY_H
#define TS_ANDROID_LOGCAT_BINARY_H

#include "base/buf.h"

#include <stdbool.h>

#define TS_LOGCAT_ENTRY_MAX (5 * 1024) /* LOGGER_ENTRY_MAX_LEN */

struct ts_logcat_entry {
    int pid, tid;
    int uid;    /* -1: not in entries before Android 7 */
    int buffer; /* 0 main, 1 radio, 2 events, 3 system, 4 crash, 5 stats, 6 security, 7 kernel;
                   -1: not in entries before Android 5 */
    int64_t stamp_ns; /* CLOCK_REALTIME */
    const uint8_t *payload;
    size_t size;
};

/* The entry at the front of `data`: how many bytes it takes, 0 when more must come, TS_EPROTO. */
int ts_logcat_binary_read(const uint8_t *data, size_t size,
                          struct ts_logcat_entry *entry) TS_MUST_CHECK;

/* Appends the entry's lines, each with its end, as `logcat -v threadtime -v epoch -v nsec -v uid`
 * prints them (ts_logcat_parse_line reads them). `events`: it came from a buffer of events, where
 * the entry does not say so. TS_EPROTO: the payload is not what its buffer holds. */
int ts_logcat_binary_print(const struct ts_logcat_entry *entry, bool events,
                           struct ts_buf *out) TS_MUST_CHECK;

#endif
