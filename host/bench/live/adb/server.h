/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The adb server and its devices, before a phone is taken into use. These calls wait. */
#ifndef TS_LIVE_ADB_SERVER_H
#define TS_LIVE_ADB_SERVER_H

#include "base/buf.h"
#include "live_adb/wire.h"

#include <netinet/in.h>
#include <sys/types.h>

struct ts_adb_server {
    struct sockaddr_in address;
    bool here; /* on this computer: `adb start-server` can start it */
};

/* "auto", "SERIAL" or either with "@host:port"; *serial is "" for auto. TS_EINVAL. */
int ts_adb_server_parse(const char *spec, struct ts_adb_server *server, char *serial, size_t size,
                        struct ts_why *why) TS_MUST_CHECK;

/* Runs `adb start-server` and does not wait for it; *child is to be reaped. TS_ENOTSUP: there is no
 * program adb. */
int ts_adb_server_start(const struct ts_adb_server *server, pid_t *child) TS_MUST_CHECK;

/* Sees to it that a server listens. */
int ts_adb_server_reach(const struct ts_adb_server *server, struct ts_why *why) TS_MUST_CHECK;

/* Finds the device `serial`, or the only one there is; its serial number goes to *serial. Waits for
 * one that is about to come. *why tells apart what keeps it from being used. */
int ts_adb_server_find(const struct ts_adb_server *server, char *serial, size_t size,
                       struct ts_why *why) TS_MUST_CHECK;

/* A device that the server reached by TCP: "host:port". */
bool ts_adb_server_is_network(const char *serial);

#endif
