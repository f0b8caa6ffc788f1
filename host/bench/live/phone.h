/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A phone behind the adb server's socket protocol: one thread, one poll loop, several connections
 * (the log, a persistent shell for the clock and cheap reads, single commands). The program `adb`
 * itself is only run to start its server. */
#ifndef TS_LIVE_PHONE_H
#define TS_LIVE_PHONE_H

#include "bench/live/inbox.h"

struct ts_phone;

/* `spec`: "auto" (the only device that is there; several are an error that lists them), a serial
 * number, optionally "@host:port" of the adb server (default: $ANDROID_ADB_SERVER_PORT or 5037
 * here). *why tells apart: no adb server and no adb, no device, unauthorized (look at the phone),
 * offline, no permission on the USB device. */
int ts_phone_open(const char *spec, struct ts_inbox *inbox, struct ts_phone **out,
                  struct ts_why *why) TS_MUST_CHECK;
/* PHONE_SHELL, PHONE_STREAM, STREAM_END, CLOCK_READ of the phone; any thread. Shell commands run
 * one after another in the order given. A log that breaks off is taken up where it was, without
 * doubled lines; where that is not possible TS_FAULT_STREAM_ENDED is posted. A phone that is away
 * posts TS_FAULT_PHONE_LOST, and commands wait for it for TS_PHONE_BACK_NS, then end in TS_EIO. */
int ts_phone_submit(struct ts_phone *phone, const struct ts_command *command) TS_MUST_CHECK;
void ts_phone_close(struct ts_phone *phone);

/* Installs the package (APK) at `path` on the phone, over an older one of the same signer; waits
 * for it. Android 7 and later. TS_EPROTO: no package; TS_EIO: *why has the phone's own words. */
int ts_phone_install(const char *spec, const char *path, struct ts_why *why) TS_MUST_CHECK;
/* Puts the package at `path` where `to` says, a plain path that the phone's shell may write to, and
 * installs nothing. Android 6 and later. Errors as above. */
int ts_phone_put_package(const char *spec, const char *path, const char *to,
                         struct ts_why *why) TS_MUST_CHECK;

#define TS_PHONE_BACK_NS (20 * TS_NS_PER_S)

#endif
