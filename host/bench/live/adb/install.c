/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/live/phone.h"

#include "live_adb/inside.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define PACKAGE_MOST ((size_t)512 * 1024 * 1024)
#define INSTALL_NS   (60 * TS_NS_PER_S)
#define NS_PER_BYTE  500 /* over the slowest cable */
#define TRIES        6

static int read_package(const char *path, struct ts_buf *package, struct ts_why *why)
{
    char part[65536];
    size_t size;
    FILE *file = fopen(path, "rb");
    if (!file)
        return ts_fail(why, TS_EIO, "%s: there is no such package to install, or it cannot be read",
                       path);
    int err = TS_OK;
    while (!err && package->size <= PACKAGE_MOST && (size = fread(part, 1, sizeof part, file)))
        err = ts_buf_append(package, part, size);
    const bool whole = !ferror(file);
    fclose(file);
    if (err)
        return ts_fail(why, err, "%s: no memory to read it", path);
    if (!whole || package->size > PACKAGE_MOST || package->size < 4 ||
        memcmp(package->data, "PK\3\4", 4) != 0)
        return ts_fail(why, TS_EPROTO, "%s: is no Android package (APK)", path);
    return TS_OK;
}

/* Until the package manager has said all that it has to say. */
static int converse(struct ts_adb_channel *channel, const struct ts_buf *package)
{
    const int64_t until_ns = ts_live_now().ns + INSTALL_NS + (int64_t)package->size * NS_PER_BYTE;
    bool sent = false;
    int err = TS_OK;
    while (!err && !ts_adb_conn_is_over(&channel->conn)) {
        struct pollfd file = {channel->conn.fd, ts_adb_conn_events(&channel->conn), 0};
        if (poll(&file, 1, 200) < 0)
            file.revents = 0;
        ts_adb_conn_work(&channel->conn, file.revents);
        if (!sent && channel->conn.state == TS_ADB_CONN_OPEN) {
            sent = true;
            err = ts_adb_channel_write(channel, package->data, package->size);
        }
        if (!err)
            err = ts_adb_channel_read(channel);
        if (!err && ts_live_now().ns > until_ns)
            err = TS_ETIMEOUT;
    }
    return err;
}

/* One that has just come may be refused for a moment: then nothing of the package was sent. */
static int open_and_send(struct ts_adb_channel *channel, const struct ts_adb_server *server,
                         const char *serial, const struct ts_buf *package, const char *command)
{
    const struct timespec pause = {0, TS_PHONE_RETRY_NS};
    int err = TS_OK;
    for (int tries = 0; tries < TRIES && !err; tries++) {
        if (tries) {
            ts_adb_channel_close(channel);
            nanosleep(&pause, NULL);
        }
        ts_adb_channel_open(channel, &server->address, serial, TS_ADB_EXEC, command);
        err = converse(channel, package);
        if (channel->conn.state != TS_ADB_CONN_REFUSED)
            break;
    }
    return err ? err : ts_buf_append(&channel->text, "", 1);
}

/* `command` reads the package, and says Success. */
static int send_package(const struct ts_adb_server *server, const char *serial,
                        const struct ts_buf *package, const char *command, struct ts_why *why)
{
    struct ts_adb_channel channel = {0};
    int err = open_and_send(&channel, server, serial, package, command);
    if (err) {
        err = ts_fail(why, err, "phone %s: the package could not be sent: %s", serial,
                      ts_err_text(err));
    } else if (strncmp((const char *)channel.text.data, "Success", 7) != 0) {
        const char *said = *channel.conn.refusal   ? channel.conn.refusal
                           : channel.text.size > 1 ? (const char *)channel.text.data
                                                   : "it does not say why";
        err = ts_fail(why, TS_EIO, "phone %s does not take the package: %.*s", serial,
                      (int)strcspn(said, "\r\n"), said);
    }
    ts_adb_channel_close(&channel);
    return err;
}

/* To a file, or (to NULL) to the package manager. */
static int deliver(const char *spec, const char *path, const char *to, struct ts_why *why)
{
    struct ts_adb_server server;
    struct ts_buf package = {0};
    char serial[160], command[200];
    int err = read_package(path, &package, why);
    if (to)
        snprintf(command, sizeof command, "head -c %zu >%s && echo Success", package.size, to);
    else
        snprintf(command, sizeof command, "cmd package install -r -S %zu", package.size);
    if (!err)
        err = ts_adb_server_parse(spec, &server, serial, sizeof serial, why);
    if (!err)
        err = ts_adb_server_reach(&server, why);
    if (!err)
        err = ts_adb_server_find(&server, serial, sizeof serial, why);
    if (!err)
        err = send_package(&server, serial, &package, command, why);
    ts_buf_free(&package);
    return err;
}

int ts_phone_install(const char *spec, const char *path, struct ts_why *why)
{
    return deliver(spec, path, NULL, why);
}

int ts_phone_put_package(const char *spec, const char *path, const char *to, struct ts_why *why)
{
    return deliver(spec, path, to, why);
}
