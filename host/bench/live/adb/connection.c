/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/connection.h"

#include "bench/live/inbox.h"
#include "live_adb/wire.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define ANSWER_NS  (5 * TS_NS_PER_S)
#define READ_BYTES 65536
#define IN_MAX     (64 * 1024 * 1024) /* nobody asks for as much */

static void refuse(struct ts_adb_conn *conn, const char *text, size_t size)
{
    snprintf(conn->refusal, sizeof conn->refusal, "%.*s", (int)(size < 150 ? size : 150), text);
    conn->state = TS_ADB_CONN_REFUSED;
}

static void refuse_text(struct ts_adb_conn *conn, const char *text)
{
    refuse(conn, text, strlen(text));
}

static int open_socket(void)
{
    const int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (fd < 0)
        return -1;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) || fcntl(fd, F_SETFL, O_NONBLOCK)) {
        close(fd);
        return -1;
    }
    /* Requests are small and wait for their answers: Nagle would hold back clock readings. */
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return fd;
}

/* A device is asked for first; its service goes out when the server has said OKAY to that. */
static int ask(struct ts_adb_conn *conn, const char *serial, const char *service)
{
    if (!serial)
        return ts_adb_request(&conn->out, service);
    char text[160];
    snprintf(text, sizeof text, "host:transport:%s", serial);
    conn->service = strdup(service);
    return conn->service ? ts_adb_request(&conn->out, text) : TS_ENOMEM;
}

void ts_adb_conn_open(struct ts_adb_conn *conn, const struct sockaddr_in *server,
                      const char *serial, const char *service)
{
    ts_adb_conn_close(conn);
    conn->fd = open_socket();
    if (conn->fd < 0) {
        refuse_text(conn, strerror(errno));
        return;
    }
    conn->state = TS_ADB_CONN_OPENING;
    conn->deadline_ns = ts_live_now().ns + ANSWER_NS;
    if (ask(conn, serial, service))
        refuse_text(conn, "no memory");
    else if (connect(conn->fd, (const struct sockaddr *)server, sizeof *server) &&
             errno != EINPROGRESS)
        refuse_text(conn, strerror(errno));
}

void ts_adb_conn_close(struct ts_adb_conn *conn)
{
    if (conn->state != TS_ADB_CONN_CLOSED && conn->fd >= 0)
        close(conn->fd);
    free(conn->service);
    ts_buf_free(&conn->in);
    ts_buf_free(&conn->out);
    *conn = (struct ts_adb_conn){0};
}

short ts_adb_conn_events(const struct ts_adb_conn *conn)
{
    if (conn->state != TS_ADB_CONN_OPENING && conn->state != TS_ADB_CONN_OPEN)
        return 0;
    const bool sends = !conn->connected || conn->out.size;
    return (short)(POLLIN | (sends ? POLLOUT : 0));
}

void ts_adb_conn_take(struct ts_adb_conn *conn, size_t size)
{
    if (!size)
        return;
    conn->in.size -= size;
    memmove(conn->in.data, conn->in.data + size, conn->in.size);
}

void ts_adb_conn_flush(struct ts_adb_conn *conn)
{
    while (conn->connected && conn->out.size) {
        const ssize_t sent = send(conn->fd, conn->out.data, conn->out.size, MSG_NOSIGNAL);
        if (sent <= 0)
            return; /* if the connection is gone, reading will tell */
        conn->out.size -= (size_t)sent;
        memmove(conn->out.data, conn->out.data + sent, conn->out.size);
    }
}

static void connected(struct ts_adb_conn *conn)
{
    int err = 0;
    socklen_t size = sizeof err;
    if (getsockopt(conn->fd, SOL_SOCKET, SO_ERROR, &err, &size) || err) {
        refuse_text(conn, strerror(err));
        return;
    }
    conn->connected = true;
}

static void ask_service(struct ts_adb_conn *conn)
{
    if (ts_adb_request(&conn->out, conn->service))
        refuse_text(conn, "a request that is too long");
    free(conn->service);
    conn->service = NULL;
}

static void read_answer(struct ts_adb_conn *conn)
{
    struct ts_adb_text fail;
    const int taken = ts_adb_read_status(conn->in.data, conn->in.size, &fail);
    if (taken < 0) {
        refuse_text(conn, "that is no adb server: its answer is neither OKAY nor FAIL");
        return;
    }
    if (!taken)
        return;
    if (fail.at) {
        refuse(conn, fail.at, fail.size);
        return;
    }
    ts_adb_conn_take(conn, (size_t)taken);
    if (conn->service)
        ask_service(conn);
    else
        conn->state = TS_ADB_CONN_OPEN;
}

static void receive(struct ts_adb_conn *conn)
{
    const size_t before = conn->in.size;
    void *place = before < IN_MAX ? ts_buf_extend(&conn->in, READ_BYTES) : NULL;
    if (!place) {
        conn->state = TS_ADB_CONN_ENDED;
        return;
    }
    const ssize_t size = recv(conn->fd, place, READ_BYTES, 0);
    const int why = errno;
    conn->in.size = before + (size > 0 ? (size_t)size : 0);
    if (size > 0) {
        conn->arrival = ts_live_now();
        return;
    }
    if (size < 0 && (why == EAGAIN || why == EINTR))
        return;
    if (conn->state == TS_ADB_CONN_OPEN)
        conn->state = TS_ADB_CONN_ENDED;
    else
        refuse_text(conn, size ? strerror(why) : "closed without an answer");
}

void ts_adb_conn_work(struct ts_adb_conn *conn, short events)
{
    if (conn->state != TS_ADB_CONN_OPENING && conn->state != TS_ADB_CONN_OPEN)
        return;
    if (!conn->connected && events)
        connected(conn);
    if (conn->connected && events & (POLLIN | POLLHUP | POLLERR))
        receive(conn);
    if (conn->state == TS_ADB_CONN_OPENING && conn->in.size)
        read_answer(conn);
    if (conn->state == TS_ADB_CONN_OPENING && ts_live_now().ns > conn->deadline_ns)
        refuse_text(conn, "no answer within 5 s");
    ts_adb_conn_flush(conn);
}
