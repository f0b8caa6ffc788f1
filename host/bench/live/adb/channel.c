/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/channel.h"

#include "live_adb/shell_v2.h"

#include <string.h>

void ts_adb_channel_open(struct ts_adb_channel *channel, const struct sockaddr_in *server,
                         const char *serial, enum ts_adb_mode mode, const char *command)
{
    static const char *const services[] = {
        [TS_ADB_SHELL_V2] = "shell,v2,raw", [TS_ADB_EXEC] = "exec", [TS_ADB_SHELL] = "shell"};
    ts_adb_channel_close(channel);
    channel->mode = mode;
    struct ts_buf service = {0};
    if (ts_buf_printf(&service, "%s:%s", services[mode], command)) {
        channel->conn.state = TS_ADB_CONN_REFUSED;
        channel->conn.fd = -1;
    } else {
        ts_adb_conn_open(&channel->conn, server, serial, (const char *)service.data);
    }
    ts_buf_free(&service);
}

void ts_adb_channel_close(struct ts_adb_channel *channel)
{
    ts_adb_conn_close(&channel->conn);
    ts_buf_free(&channel->text);
    *channel = (struct ts_adb_channel){0};
}

/* The terminal of an old adbd has made CR LF of every LF. */
static int read_terminal(struct ts_adb_channel *channel)
{
    struct ts_buf *in = &channel->conn.in;
    size_t taken = 0;
    int err = TS_OK;
    for (; taken < in->size && !err; taken++) {
        if (in->data[taken] == '\r') {
            if (taken + 1 == in->size && channel->conn.state == TS_ADB_CONN_OPEN)
                break; /* what follows it will tell */
            if (taken + 1 < in->size && in->data[taken + 1] == '\n')
                continue;
        }
        err = ts_buf_append(&channel->text, in->data + taken, 1);
    }
    ts_adb_conn_take(&channel->conn, taken);
    return err;
}

static int take_packet(struct ts_adb_channel *channel, const struct ts_shell_v2_packet *packet)
{
    switch (packet->kind) {
    case TS_SHELL_V2_STDOUT:
    case TS_SHELL_V2_STDERR:
        return ts_buf_append(&channel->text, packet->data, packet->size);
    case TS_SHELL_V2_EXIT:
        channel->ended = true;
        channel->exit_code = packet->data[0];
        return TS_OK;
    default:
        return TS_OK;
    }
}

static int read_packets(struct ts_adb_channel *channel)
{
    struct ts_buf *in = &channel->conn.in;
    size_t taken = 0;
    int err = TS_OK;
    while (!err) {
        struct ts_shell_v2_packet packet;
        const int size = ts_shell_v2_read(in->data + taken, in->size - taken, &packet);
        if (size <= 0) {
            err = size;
            break;
        }
        err = take_packet(channel, &packet);
        taken += (size_t)size;
    }
    ts_adb_conn_take(&channel->conn, taken);
    return err;
}

int ts_adb_channel_read(struct ts_adb_channel *channel)
{
    struct ts_adb_conn *conn = &channel->conn;
    if (!conn->in.size || (conn->state != TS_ADB_CONN_OPEN && conn->state != TS_ADB_CONN_ENDED))
        return TS_OK;
    if (channel->mode == TS_ADB_SHELL_V2)
        return read_packets(channel);
    if (channel->mode == TS_ADB_SHELL)
        return read_terminal(channel);
    const int err = ts_buf_append(&channel->text, conn->in.data, conn->in.size);
    ts_adb_conn_take(conn, conn->in.size);
    return err;
}

int ts_adb_channel_write(struct ts_adb_channel *channel, const void *data, size_t size)
{
    struct ts_buf *out = &channel->conn.out;
    const int err = channel->mode == TS_ADB_SHELL_V2
                        ? ts_shell_v2_write(out, TS_SHELL_V2_STDIN, data, size)
                        : ts_buf_append(out, data, size);
    ts_adb_conn_flush(&channel->conn);
    return err;
}

int ts_adb_channel_end_input(struct ts_adb_channel *channel)
{
    const int err = ts_shell_v2_write(&channel->conn.out, TS_SHELL_V2_CLOSE_STDIN, NULL, 0);
    ts_adb_conn_flush(&channel->conn);
    return err;
}

void ts_adb_channel_take(struct ts_adb_channel *channel, size_t size)
{
    if (!size)
        return;
    channel->text.size -= size;
    memmove(channel->text.data, channel->text.data + size, channel->text.size);
}
