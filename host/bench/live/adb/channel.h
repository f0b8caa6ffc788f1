/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program on the phone and what it prints, whatever its adbd can do. */
#ifndef TS_LIVE_ADB_CHANNEL_H
#define TS_LIVE_ADB_CHANNEL_H

#include "live_adb/connection.h"

enum ts_adb_mode {
    TS_ADB_SHELL_V2 = 1, /* Android 7 and later: exit codes, end of input */
    TS_ADB_EXEC,         /* Android 5 and 6: raw bytes */
    TS_ADB_SHELL,        /* Android 4: a terminal, which ends lines with CR LF; no input */
};

/* Zeroed is closed. */
struct ts_adb_channel {
    struct ts_adb_conn conn;
    enum ts_adb_mode mode;
    struct ts_buf text; /* output and error output in order of arrival; the owner takes from it */
    bool ended;         /* the program has ended (SHELL_V2), with: */
    int exit_code;
};

void ts_adb_channel_open(struct ts_adb_channel *channel, const struct sockaddr_in *server,
                         const char *serial, enum ts_adb_mode mode, const char *command);
void ts_adb_channel_close(struct ts_adb_channel *channel);
/* Moves what came to `text`. TS_EPROTO, TS_ENOMEM. */
int ts_adb_channel_read(struct ts_adb_channel *channel) TS_MUST_CHECK;
/* Input for the program; it has none in SHELL mode. */
int ts_adb_channel_write(struct ts_adb_channel *channel, const void *data,
                         size_t size) TS_MUST_CHECK;
/* No more input (SHELL_V2 only). */
int ts_adb_channel_end_input(struct ts_adb_channel *channel) TS_MUST_CHECK;
/* Takes bytes from the front of `text`. */
void ts_adb_channel_take(struct ts_adb_channel *channel, size_t size);

#endif
