/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of struct ts_phone, for the files of this room only. One thread runs the loop in
 * phone.c; after each round of poll() every part looks at its connections in its ..._step(), which
 * may be called at any time and never waits. */
#ifndef TS_LIVE_ADB_INSIDE_H
#define TS_LIVE_ADB_INSIDE_H

#include "bench/live/phone.h"
#include "live_adb/channel.h"
#include "live_adb/resume.h"
#include "live_adb/script.h"
#include "live_adb/server.h"

#include <poll.h>
#include <pthread.h>

#define TS_PHONE_RETRY_NS   (300 * TS_NS_PER_MS) /* of what does not work just now */
#define TS_PHONE_COMMAND_NS (300 * TS_NS_PER_S)  /* compiling an app takes minutes */
#define TS_PHONE_SHELL_NS   (2 * TS_NS_PER_S)    /* one request to the open shell */
#define TS_PHONE_OUTPUT_MAX (16 * 1024 * 1024)

/* A command under way. */
struct ts_phone_request {
    struct ts_phone_request *next;
    struct ts_command command;
    char *shell; /* owned: quoted; NULL for other commands, and for one that is not valid */
    int64_t since_ns;
};
struct ts_phone_queue {
    struct ts_phone_request *first, **end; /* end: where the next one is hung on */
};

/* The way to the phone: is it there, what can its adbd do, is it the same boot. */
enum ts_phone_link {
    TS_PHONE_AWAY = 0,
    TS_PHONE_FEATURES,   /* asking the server what the device can do */
    TS_PHONE_PROBE,      /* asking the device who it is */
    TS_PHONE_DISCONNECT, /* a network device: making the server try again */
    TS_PHONE_CONNECT,
    TS_PHONE_UP,
};

/* What the open shell has been asked. */
enum ts_phone_ask {
    TS_PHONE_ASK_NOTHING = 0,
    TS_PHONE_ASK_CLOCK,
    TS_PHONE_ASK_SLEPT,   /* first of all for an uptime */
    TS_PHONE_ASK_ANSWER,  /* only to answer */
    TS_PHONE_ASK_COMMAND, /* the first of the commands */
};

/* A stream of lines and the commands that wait for it. */
struct ts_phone_stream {
    enum ts_stream stream;
    bool wanted;
    bool broken; /* it has run before, and ended by itself */
    struct ts_adb_channel channel;
    struct ts_phone_request *opening; /* PHONE_STREAM, done when the device has taken it */
    int64_t retry_ns;
    struct ts_adb_resume resume; /* of the log */
};

struct ts_phone {
    struct ts_inbox *inbox;
    struct ts_adb_server server;
    char serial[128];
    pthread_t thread;
    int wake[2]; /* a pipe; a byte in it ends poll() */

    pthread_mutex_t lock; /* of the next two */
    struct ts_phone_queue submitted;
    bool closing;

    /* Of the thread alone: */
    enum ts_phone_link link;
    int64_t next_try_ns, away_since_ns;
    struct ts_adb_conn tracker, asking;
    struct ts_adb_channel probe;
    int64_t tracker_retry_ns;
    enum ts_adb_state seen; /* by the tracker */
    bool came;              /* and it has become ready since the last try */
    pid_t starter;          /* of the adb server, 0: none runs */
    int64_t starter_next_ns;
    enum ts_adb_mode mode;
    int sdk;          /* 0: it did not say */
    char boot_id[40]; /* "" : it did not say */

    struct ts_phone_stream streams[TS_STREAM_COUNT];

    struct ts_phone_queue commands; /* shell commands, the first of them may be running */
    bool running;                   /* it is, in `command` or in `shell` */
    bool input_ended;               /* of `command` */
    struct ts_adb_channel command;
    int64_t command_since_ns;

    struct ts_phone_queue asks;   /* for the open shell: clocks, ends of streams */
    struct ts_adb_channel shell;  /* it stays open */
    enum ts_phone_ask busy;       /* what it is answering; of commands and asks, the first */
    unsigned number;              /* of its latest request */
    struct ts_host_time asked_at; /* t1 */
    int64_t shell_retry_ns;
    bool slept_known;
    int64_t slept_ns; /* what uptime lags behind time since boot */
};

/* ---- phone.c ---- */
void ts_phone_post(struct ts_phone *phone, const struct ts_item *item);
void ts_phone_fault(struct ts_phone *phone, enum ts_device_fault fault, int detail);
/* Posts DONE and frees the request. */
void ts_phone_done(struct ts_phone *phone, struct ts_phone_request *request, int status,
                   int exit_code, const char *text);
void ts_phone_push(struct ts_phone_queue *queue, struct ts_phone_request *request);
struct ts_phone_request *ts_phone_pop(struct ts_phone_queue *queue);

/* ---- link.c ---- */
void ts_phone_link_step(struct ts_phone *phone, int64_t now_ns);
/* The way to the phone has broken off. */
void ts_phone_lost(struct ts_phone *phone, int64_t now_ns);
/* This connection is over because the phone or the server is gone, and not because the phone's adbd
 * refuses the service ("closed") or the program has ended. */
bool ts_phone_conn_is_lost(const struct ts_phone *phone, const struct ts_adb_conn *conn);
/* The request has waited as long as it may for a phone that is away. */
bool ts_phone_waited(const struct ts_phone *phone, const struct ts_phone_request *request,
                     int64_t now_ns);

/* ---- streams.c ---- */
void ts_phone_stream_switch(struct ts_phone *phone, struct ts_phone_request *request);
void ts_phone_streams_step(struct ts_phone *phone, int64_t now_ns);
void ts_phone_streams_lost(struct ts_phone *phone);

/* ---- commands.c ---- */
void ts_phone_commands_step(struct ts_phone *phone, int64_t now_ns);
void ts_phone_commands_lost(struct ts_phone *phone);

/* ---- shell.c ---- */
void ts_phone_shell_step(struct ts_phone *phone, int64_t now_ns);
void ts_phone_shell_lost(struct ts_phone *phone);
/* The open shell is there and idle. */
bool ts_phone_shell_is_free(const struct ts_phone *phone);
/* Has it run the first of the commands. */
void ts_phone_shell_run(struct ts_phone *phone);

#endif
