/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One connection to the adb server, never blocking. Whoever owns it polls its file, lets it do its
 * reading and writing, and looks at `state` and `in` afterwards. */
#ifndef TS_LIVE_ADB_CONNECTION_H
#define TS_LIVE_ADB_CONNECTION_H

#include "base/buf.h"
#include "base/time.h"

#include <netinet/in.h>
#include <stdbool.h>

enum ts_adb_conn_state {
    TS_ADB_CONN_CLOSED = 0,
    TS_ADB_CONN_OPENING, /* connecting, or asking and not answered yet */
    TS_ADB_CONN_OPEN,    /* bytes go both ways */
    TS_ADB_CONN_ENDED,   /* it was open, and the other side has closed it */
    TS_ADB_CONN_REFUSED, /* *refusal says why */
};

/* Zeroed is closed. */
struct ts_adb_conn {
    enum ts_adb_conn_state state;
    int fd;           /* of all but CLOSED */
    bool connected;   /* the server took the connection */
    char *service;    /* owned; asked for when the device has been found; NULL: it has been */
    struct ts_buf in; /* what came; the owner takes from the front */
    struct ts_buf out;
    struct ts_host_time arrival; /* of the last bytes of `in` */
    int64_t deadline_ns;         /* OPENING: of the answers */
    char refusal[160];           /* REFUSED: the server's words, or the system's */
};

/* Begins to connect and to ask for `service`, of the device `serial` where that is not NULL. What
 * goes wrong shows as REFUSED. */
void ts_adb_conn_open(struct ts_adb_conn *conn, const struct sockaddr_in *server,
                      const char *serial, const char *service);
void ts_adb_conn_close(struct ts_adb_conn *conn);

/* What to poll for; 0: nothing. */
short ts_adb_conn_events(const struct ts_adb_conn *conn);
/* After poll(), also when nothing came (the deadline of the answers). */
void ts_adb_conn_work(struct ts_adb_conn *conn, short events);
/* Sends what stands in `out` as far as that goes at once. */
void ts_adb_conn_flush(struct ts_adb_conn *conn);
/* Takes bytes from the front of `in`. */
void ts_adb_conn_take(struct ts_adb_conn *conn, size_t size);

static inline bool ts_adb_conn_is_over(const struct ts_adb_conn *conn)
{
    return conn->state == TS_ADB_CONN_ENDED || conn->state == TS_ADB_CONN_REFUSED;
}

#endif
