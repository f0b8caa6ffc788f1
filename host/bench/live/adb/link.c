/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finding the phone again. The server tells of devices that come and go over its tracker, but not
 * while it waits for a network device to come back; so while the phone is away it is asked for
 * every TS_PHONE_RETRY_NS, and the server is made to connect anew. */
#include "live_adb/inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define START_AGAIN_NS (500 * TS_NS_PER_MS)

/* Detail of TS_FAULT_PHONE_LOST. */
enum { WENT_AWAY = 0, REBOOTED = 1 };

/* ---- the server ---- */

static void keep_server(struct ts_phone *phone, int64_t now_ns)
{
    if (phone->starter && waitpid(phone->starter, NULL, WNOHANG) != 0)
        phone->starter = 0;
    if (phone->starter || !phone->server.here || now_ns < phone->starter_next_ns)
        return;
    phone->starter_next_ns = now_ns + START_AGAIN_NS;
    if (ts_adb_server_start(&phone->server, &phone->starter))
        phone->starter = 0;
}

static void note_devices(struct ts_phone *phone, struct ts_adb_text text, int64_t now_ns)
{
    struct ts_adb_device devices[32];
    size_t count = ts_adb_read_devices(text, devices, 32);
    enum ts_adb_state seen = TS_ADB_GONE;
    for (size_t i = 0; i < count && i < 32; i++)
        if (strcmp(devices[i].serial, phone->serial) == 0)
            seen = devices[i].state;
    if (seen == TS_ADB_READY && phone->seen != TS_ADB_READY)
        phone->came = true;
    phone->seen = seen;
    if (seen != TS_ADB_READY)
        ts_phone_lost(phone, now_ns);
}

static void track(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_conn *tracker = &phone->tracker;
    struct ts_adb_text text;
    int taken = 0;
    while (tracker->state == TS_ADB_CONN_OPEN &&
           (taken = ts_adb_read_block(tracker->in.data, tracker->in.size, &text)) > 0) {
        note_devices(phone, text, now_ns);
        ts_adb_conn_take(tracker, (size_t)taken);
    }
    if (ts_adb_conn_is_over(tracker) || taken < 0) {
        /* Either the server has gone, or it has nothing to do with adb. */
        ts_adb_conn_close(tracker);
        phone->seen = TS_ADB_GONE;
        phone->tracker_retry_ns = now_ns + TS_PHONE_RETRY_NS;
        ts_phone_lost(phone, now_ns);
        keep_server(phone, now_ns);
    }
    if (tracker->state == TS_ADB_CONN_CLOSED && now_ns >= phone->tracker_retry_ns)
        ts_adb_conn_open(tracker, &phone->server.address, NULL, "host:track-devices-l");
}

/* ---- the device ---- */

static void ask_server(struct ts_phone *phone, enum ts_phone_link link, const char *before,
                       const char *after)
{
    char question[200];
    snprintf(question, sizeof question, "%s%s%s", before, phone->serial, after);
    ts_adb_conn_open(&phone->asking, &phone->server.address, NULL, question);
    phone->link = link;
}

static void probe(struct ts_phone *phone)
{
    static const char command[] = "getprop ro.build.version.sdk; "
                                  "cat /proc/sys/kernel/random/boot_id";
    ts_adb_channel_open(&phone->probe, &phone->server.address, phone->serial, phone->mode, command);
    phone->link = TS_PHONE_PROBE;
}

static void try_later(struct ts_phone *phone, int64_t now_ns)
{
    ts_adb_conn_close(&phone->asking);
    ts_adb_channel_close(&phone->probe);
    phone->link = TS_PHONE_AWAY;
    phone->next_try_ns = now_ns + TS_PHONE_RETRY_NS;
}

/* Whoever has to touch "Allow" must not be asked three times a second. */
static void try_anew(struct ts_phone *phone, int64_t now_ns)
{
    ts_adb_channel_close(&phone->probe);
    if (ts_adb_server_is_network(phone->serial) && phone->seen != TS_ADB_UNAUTHORIZED)
        ask_server(phone, TS_PHONE_DISCONNECT, "host:disconnect:", "");
    else
        try_later(phone, now_ns);
}

/* "34\nBOOT-ID\n" */
static void read_probe(struct ts_phone *phone)
{
    char text[200], boot_id[40] = "";
    const struct ts_buf *printed = &phone->probe.text;
    snprintf(text, sizeof text, "%.*s", (int)(printed->size < 190 ? printed->size : 190),
             printed->size ? (const char *)printed->data : "");
    phone->sdk = atoi(text);
    const char *line = strchr(text, '\n');
    const size_t size = line ? strspn(line + 1, "0123456789abcdef-") : 0;
    if (size == 36) /* a UUID; anything else is a shell's complaint */
        snprintf(boot_id, sizeof boot_id, "%.36s", line + 1);
    if (*phone->boot_id && *boot_id && strcmp(phone->boot_id, boot_id) != 0) {
        ts_phone_fault(phone, TS_FAULT_PHONE_LOST, REBOOTED);
        phone->slept_known = false;
    }
    if (*boot_id)
        memcpy(phone->boot_id, boot_id, sizeof boot_id);
}

static void step_features(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_text text;
    if (phone->asking.state == TS_ADB_CONN_REFUSED) {
        try_anew(phone, now_ns);
        return;
    }
    const int taken = ts_adb_read_block(phone->asking.in.data, phone->asking.in.size, &text);
    if (phone->asking.state == TS_ADB_CONN_OPENING ||
        (!taken && phone->asking.state == TS_ADB_CONN_OPEN))
        return;
    if (taken <= 0) {
        try_later(phone, now_ns);
        return;
    }
    phone->mode = ts_adb_has_feature(text, "shell_v2") ? TS_ADB_SHELL_V2 : TS_ADB_EXEC;
    ts_adb_conn_close(&phone->asking);
    probe(phone);
}

static void step_probe(struct ts_phone *phone, int64_t now_ns)
{
    struct ts_adb_channel *channel = &phone->probe;
    const int err = ts_adb_channel_read(channel);
    if (channel->conn.state == TS_ADB_CONN_REFUSED && phone->mode == TS_ADB_EXEC &&
        strcmp(channel->conn.refusal, "closed") == 0) {
        phone->mode = TS_ADB_SHELL; /* it knows no exec: */
        probe(phone);
        return;
    }
    if (channel->conn.state == TS_ADB_CONN_REFUSED) {
        try_anew(phone, now_ns);
        return;
    }
    if (!err && channel->conn.state != TS_ADB_CONN_ENDED && !channel->ended)
        return;
    if (err || (phone->mode == TS_ADB_SHELL_V2 && !channel->ended)) {
        try_later(phone, now_ns);
        return;
    }
    read_probe(phone);
    ts_adb_channel_close(channel);
    phone->link = TS_PHONE_UP;
}

void ts_phone_link_step(struct ts_phone *phone, int64_t now_ns)
{
    track(phone, now_ns);
    switch (phone->link) {
    case TS_PHONE_AWAY:
        if (phone->tracker.state != TS_ADB_CONN_OPEN ||
            (now_ns < phone->next_try_ns && !phone->came))
            break;
        phone->came = false;
        ask_server(phone, TS_PHONE_FEATURES, "host-serial:", ":features");
        break;
    case TS_PHONE_FEATURES:
        step_features(phone, now_ns);
        break;
    case TS_PHONE_PROBE:
        step_probe(phone, now_ns);
        break;
    case TS_PHONE_DISCONNECT:
        if (ts_adb_conn_is_over(&phone->asking) || phone->asking.in.size)
            ask_server(phone, TS_PHONE_CONNECT, "host:connect:", "");
        break;
    case TS_PHONE_CONNECT:
        if (ts_adb_conn_is_over(&phone->asking) || phone->asking.in.size)
            try_later(phone, now_ns); /* unless the tracker tells sooner that it is ready */
        break;
    case TS_PHONE_UP:
        break;
    }
}

bool ts_phone_conn_is_lost(const struct ts_phone *phone, const struct ts_adb_conn *conn)
{
    if (conn->state == TS_ADB_CONN_REFUSED)
        return strcmp(conn->refusal, "closed") != 0;
    /* A shell v2 that ends says so; for others the open shell and the tracker tell. */
    return conn->state == TS_ADB_CONN_ENDED && phone->mode == TS_ADB_SHELL_V2;
}

bool ts_phone_waited(const struct ts_phone *phone, const struct ts_phone_request *request,
                     int64_t now_ns)
{
    const int64_t from_ns =
        request->since_ns > phone->away_since_ns ? request->since_ns : phone->away_since_ns;
    return phone->link != TS_PHONE_UP && now_ns - from_ns > TS_PHONE_BACK_NS;
}

void ts_phone_lost(struct ts_phone *phone, int64_t now_ns)
{
    if (phone->link != TS_PHONE_UP)
        return;
    phone->link = TS_PHONE_AWAY;
    phone->next_try_ns = phone->away_since_ns = now_ns;
    ts_phone_fault(phone, TS_FAULT_PHONE_LOST, WENT_AWAY);
    ts_phone_streams_lost(phone);
    ts_phone_commands_lost(phone);
    ts_phone_shell_lost(phone);
}
