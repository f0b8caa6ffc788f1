/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/server.h"

#include "bench/live/inbox.h"
#include "live_adb/connection.h"

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PORT        5037
#define START_NS    (15 * TS_NS_PER_S) /* a cold start of adb on a slow computer */
#define APPEAR_NS   (4 * TS_NS_PER_S)  /* USB devices are found within a second or two */
#define LOOK_AGAIN  (100 * TS_NS_PER_MS)
#define DEVICES_MAX 16

extern char **environ;

/* ---- where it is ---- */

static int resolve(const char *host, const char *port, struct ts_adb_server *server,
                   struct ts_why *why)
{
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    struct addrinfo *found = NULL;
    char *end;
    const long number = strtol(port, &end, 10);
    if (!*port || *end || number < 1 || number > 65535)
        return ts_fail(why, TS_EINVAL, "adb server: \"%.20s\" is no port", port);
    const int err = getaddrinfo(host, port, &wanted, &found);
    if (err)
        return ts_fail(why, TS_EINVAL, "adb server: host \"%.100s\": %s", host, gai_strerror(err));
    memcpy(&server->address, found->ai_addr, sizeof server->address);
    freeaddrinfo(found);
    server->here = ntohl(server->address.sin_addr.s_addr) >> 24 == 127;
    return TS_OK;
}

int ts_adb_server_parse(const char *spec, struct ts_adb_server *server, char *serial, size_t size,
                        struct ts_why *why)
{
    const char *at = strrchr(spec, '@');
    const size_t length = at ? (size_t)(at - spec) : strlen(spec);
    *server = (struct ts_adb_server){0};
    if (!length || length >= size)
        return ts_fail(why, TS_EINVAL, "phone: \"%.60s\" is neither auto nor a serial number",
                       spec);
    snprintf(serial, size, "%.*s", (int)length, spec);
    /* It goes into a request to the server, which ends it by its length. */
    for (const char *c = serial; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 0x7f)
            return ts_fail(why, TS_EINVAL, "phone: a serial number has no blanks");
    if (strcmp(serial, "auto") == 0)
        serial[0] = '\0';
    if (!at) {
        const char *port = getenv("ANDROID_ADB_SERVER_PORT");
        char text[8];
        snprintf(text, sizeof text, "%d", PORT);
        return resolve("127.0.0.1", port && *port ? port : text, server, why);
    }
    const char *colon = strrchr(at, ':');
    char host[100];
    if (!colon || colon - at - 1 >= (long)sizeof host || colon == at + 1)
        return ts_fail(why, TS_EINVAL, "phone: the adb server stands as host:port behind the @");
    snprintf(host, sizeof host, "%.*s", (int)(colon - at - 1), at + 1);
    return resolve(host, colon + 1, server, why);
}

bool ts_adb_server_is_network(const char *serial)
{
    return strchr(serial, ':') != NULL;
}

int ts_adb_server_start(const struct ts_adb_server *server, pid_t *child)
{
    char port[8];
    snprintf(port, sizeof port, "%d", ntohs(server->address.sin_port));
    char *const words[] = {"adb", "-P", port, "start-server", NULL};
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigemptyset(&none);
    posix_spawn_file_actions_init(&files);
    for (int fd = 0; fd < 3; fd++) /* the server lives on and would hold our terminal */
        posix_spawn_file_actions_addopen(&files, fd, "/dev/null", O_RDWR, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setpgroup(&attributes, 0); /* Ctrl-C is for us */
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    const int err = posix_spawnp(child, "adb", &files, &attributes, words, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return err ? TS_ENOTSUP : TS_OK;
}

/* ---- questions that wait for their answer ---- */

/* The server's answer to a question, terminated, in *answer. TS_EIO: nobody listens, or it says no;
 * *refusal has the words. */
static int ask(const struct ts_adb_server *server, const char *question, struct ts_buf *answer,
               char *refusal, size_t size)
{
    struct ts_adb_conn conn = {0};
    struct ts_adb_text text;
    int taken = 0;
    ts_adb_conn_open(&conn, &server->address, NULL, question);
    do {
        struct pollfd file = {conn.fd, ts_adb_conn_events(&conn), 0};
        if (file.events && poll(&file, 1, 200) >= 0)
            ts_adb_conn_work(&conn, file.revents);
        if (conn.state == TS_ADB_CONN_OPEN || conn.state == TS_ADB_CONN_ENDED)
            taken = ts_adb_read_block(conn.in.data, conn.in.size, &text);
    } while (!taken && !ts_adb_conn_is_over(&conn) && ts_live_now().ns < conn.deadline_ns);
    int err = TS_EIO;
    ts_buf_clear(answer);
    if (taken > 0) {
        err = ts_buf_append(answer, text.at, text.size);
        if (!err)
            err = ts_buf_append(answer, "", 1);
    }
    snprintf(refusal, size, "%s", *conn.refusal ? conn.refusal : "no answer");
    ts_adb_conn_close(&conn);
    return err;
}

static void pause_a_little(void)
{
    const struct timespec time = {0, LOOK_AGAIN};
    nanosleep(&time, NULL);
}

static int start_and_wait(const struct ts_adb_server *server, struct ts_buf *answer,
                          struct ts_why *why)
{
    char refusal[160];
    pid_t child;
    if (ts_adb_server_start(server, &child))
        return ts_fail(why, TS_ENOTSUP,
                       "no adb server listens on port %d and the program adb is "
                       "not installed: install the package adb",
                       ntohs(server->address.sin_port));
    int status = 0;
    waitpid(child, &status, 0); /* it ends when the server answers */
    const int64_t until_ns = ts_live_now().ns + START_NS;
    int err;
    while ((err = ask(server, "host:version", answer, refusal, sizeof refusal)) == TS_EIO &&
           ts_live_now().ns < until_ns && status == 0)
        pause_a_little();
    return err ? ts_fail(why, TS_EIO,
                         "the adb server on port %d does not start: %s; try "
                         "`adb start-server`",
                         ntohs(server->address.sin_port), refusal)
               : TS_OK;
}

int ts_adb_server_reach(const struct ts_adb_server *server, struct ts_why *why)
{
    struct ts_buf answer = {0};
    char refusal[160];
    int err = ask(server, "host:version", &answer, refusal, sizeof refusal);
    if (err == TS_EIO && server->here)
        err = start_and_wait(server, &answer, why);
    else if (err == TS_EIO)
        err = ts_fail(why, TS_EIO, "the adb server does not answer: %s", refusal);
    ts_buf_free(&answer);
    return err;
}

/* ---- which device ---- */

struct found {
    struct ts_adb_device devices[DEVICES_MAX];
    size_t count; /* at most DEVICES_MAX */
};

static int list(const struct ts_adb_server *server, struct found *found, struct ts_why *why)
{
    struct ts_buf answer = {0};
    char refusal[160];
    int err = ask(server, "host:devices-l", &answer, refusal, sizeof refusal);
    if (!err) {
        const struct ts_adb_text text = {(const char *)answer.data, answer.size - 1};
        found->count = ts_adb_read_devices(text, found->devices, DEVICES_MAX);
        if (found->count > DEVICES_MAX)
            found->count = DEVICES_MAX;
    } else if (err == TS_EIO) {
        err = ts_fail(why, err, "the adb server does not list its devices: %s", refusal);
    }
    ts_buf_free(&answer);
    return err;
}

static int say_state(const struct ts_adb_device *device, struct ts_why *why)
{
    switch (device->state) {
    case TS_ADB_UNAUTHORIZED:
        return ts_fail(why, TS_EIO,
                       "phone %s is unauthorized: unlock it and allow USB debugging "
                       "in the dialog on its screen",
                       device->serial);
    case TS_ADB_OFFLINE:
        return ts_fail(why, TS_EIO,
                       "phone %s is offline: plug it in again, or switch USB "
                       "debugging off and on",
                       device->serial);
    case TS_ADB_NO_PERMISSION:
        return ts_fail(why, TS_EIO,
                       "phone %s: no permission to open the USB device: install "
                       "android-sdk-platform-tools-common for its udev rules, join "
                       "the group plugdev, plug it in again",
                       device->serial);
    default:
        return ts_fail(why, TS_EIO, "phone %s is in recovery or the boot loader: start Android",
                       device->serial);
    }
}

static int say_several(const struct found *found, struct ts_why *why)
{
    char names[280] = "";
    for (size_t i = 0; i < found->count; i++) {
        const size_t used = strlen(names);
        const struct ts_adb_device *device = &found->devices[i];
        if (device->state == TS_ADB_READY)
            snprintf(names + used, sizeof names - used, "%s%s%s%s%s", used ? ", " : "",
                     device->serial, *device->model ? " (" : "", device->model,
                     *device->model ? ")" : "");
    }
    return ts_fail(why, TS_EINVAL, "several phones are there, name one of them: %s", names);
}

/* The one to take, or NULL with *err; TS_ETIMEOUT: it may still come. */
static const struct ts_adb_device *choose(const struct found *found, const char *serial, int *err,
                                          struct ts_why *why)
{
    const struct ts_adb_device *ready = NULL, *other = NULL;
    size_t ready_count = 0;
    for (size_t i = 0; i < found->count; i++) {
        const struct ts_adb_device *device = &found->devices[i];
        if (*serial && strcmp(device->serial, serial) != 0)
            continue;
        if (device->state == TS_ADB_READY)
            ready = device, ready_count++;
        else
            other = device;
    }
    *err = TS_OK;
    if (ready_count == 1)
        return ready;
    if (ready_count > 1)
        *err = say_several(found, why);
    else if (other)
        *err = say_state(other, why);
    else if (*serial)
        *err = ts_fail(why, TS_EIO, "phone %s is not there: adb sees %zu other device%s", serial,
                       found->count, found->count == 1 ? "" : "s");
    else
        *err = ts_fail(why, TS_EIO, "no phone is there: plug it in and switch USB debugging on");
    /* Authorising takes a person; all else may pass by itself. */
    if (*err == TS_EIO &&
        !(other && (other->state == TS_ADB_NO_PERMISSION || other->state == TS_ADB_OTHER)))
        *err = TS_ETIMEOUT;
    return NULL;
}

int ts_adb_server_find(const struct ts_adb_server *server, char *serial, size_t size,
                       struct ts_why *why)
{
    struct found found;
    const int64_t until_ns = ts_live_now().ns + APPEAR_NS;
    int err;
    if (ts_adb_server_is_network(serial)) {
        char question[160], refusal[160];
        struct ts_buf answer = {0};
        snprintf(question, sizeof question, "host:connect:%s", serial);
        err = ask(server, question, &answer, refusal, sizeof refusal); /* the list will tell */
        ts_buf_free(&answer);
        if (err == TS_ENOMEM)
            return err;
    }
    for (;;) {
        err = list(server, &found, why);
        if (err)
            return err;
        const struct ts_adb_device *device = choose(&found, serial, &err, why);
        if (device) {
            snprintf(serial, size, "%s", device->serial);
            return TS_OK;
        }
        if (err != TS_ETIMEOUT)
            return err;
        if (ts_live_now().ns > until_ns)
            return TS_EIO;
        pause_a_little();
    }
}
