/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/inside.h"
#include "live_adb/words.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUND_MS   50 /* the longest that poll() waits: retries and time limits are looked at */
#define CONN_COUNT 8

/* ---- items and requests ---- */

void ts_phone_post(struct ts_phone *phone, const struct ts_item *item)
{
    struct ts_item stamped = *item;
    if (!stamped.arrival.ns)
        stamped.arrival = ts_live_now();
    ts_inbox_post(phone->inbox, &stamped); /* what it loses, it tells who takes from it */
}

void ts_phone_fault(struct ts_phone *phone, enum ts_device_fault fault, int detail)
{
    ts_phone_post(phone, &(struct ts_item){.kind = TS_ITEM_FAULT, .u.fault = {fault, detail}});
}

static void free_request(struct ts_phone_request *request)
{
    free(request->shell);
    free(request);
}

void ts_phone_done(struct ts_phone *phone, struct ts_phone_request *request, int status,
                   int exit_code, const char *text)
{
    ts_phone_post(phone,
                  &(struct ts_item){.kind = TS_ITEM_DONE,
                                    .u.done = {request->command.id, status, exit_code, text}});
    free_request(request);
}

void ts_phone_push(struct ts_phone_queue *queue, struct ts_phone_request *request)
{
    if (!queue->first)
        queue->end = &queue->first;
    request->next = NULL;
    *queue->end = request;
    queue->end = &request->next;
}

struct ts_phone_request *ts_phone_pop(struct ts_phone_queue *queue)
{
    struct ts_phone_request *request = queue->first;
    if (request)
        queue->first = request->next;
    return request;
}

/* ---- the loop ---- */

/* Each to the queue of who does it. */
static void sort_submitted(struct ts_phone *phone)
{
    pthread_mutex_lock(&phone->lock);
    struct ts_phone_queue submitted = phone->submitted;
    phone->submitted.first = NULL;
    pthread_mutex_unlock(&phone->lock);
    struct ts_phone_request *request;
    while ((request = ts_phone_pop(&submitted))) {
        switch (request->command.kind) {
        case TS_COMMAND_PHONE_SHELL:
            ts_phone_push(&phone->commands, request);
            break;
        case TS_COMMAND_PHONE_STREAM:
        case TS_COMMAND_STREAM_END:
            ts_phone_stream_switch(phone, request);
            break;
        default:
            ts_phone_push(&phone->asks, request);
        }
    }
}

static void collect(struct ts_phone *phone, struct ts_adb_conn *conns[CONN_COUNT])
{
    struct ts_adb_conn *all[CONN_COUNT] = {
        &phone->tracker,
        &phone->asking,
        &phone->probe.conn,
        &phone->shell.conn, /* before the streams: clock readings are stamped on arrival */
        &phone->command.conn,
        &phone->streams[0].channel.conn,
        &phone->streams[1].channel.conn,
        &phone->streams[2].channel.conn,
    };
    memcpy(conns, all, sizeof all);
}

static void wait_and_work(struct ts_phone *phone, int timeout_ms)
{
    struct ts_adb_conn *conns[CONN_COUNT];
    struct pollfd files[CONN_COUNT + 1] = {{phone->wake[0], POLLIN, 0}};
    collect(phone, conns);
    for (int i = 0; i < CONN_COUNT; i++) {
        const short events = ts_adb_conn_events(conns[i]);
        files[i + 1] = (struct pollfd){events ? conns[i]->fd : -1, events, 0};
    }
    if (poll(files, CONN_COUNT + 1, timeout_ms) < 0)
        return; /* interrupted */
    char bytes[64];
    if (files[0].revents && read(phone->wake[0], bytes, sizeof bytes) < 0)
        return;
    for (int i = 0; i < CONN_COUNT; i++)
        ts_adb_conn_work(conns[i], files[i + 1].revents);
}

static bool is_closing(struct ts_phone *phone)
{
    pthread_mutex_lock(&phone->lock);
    const bool closing = phone->closing;
    pthread_mutex_unlock(&phone->lock);
    return closing;
}

static void *run(void *argument)
{
    struct ts_phone *phone = argument;
    while (!is_closing(phone)) {
        sort_submitted(phone);
        const int64_t now_ns = ts_live_now().ns;
        const enum ts_phone_link before = phone->link;
        ts_phone_shell_step(phone, now_ns);
        ts_phone_streams_step(phone, now_ns);
        ts_phone_commands_step(phone, now_ns);
        ts_phone_link_step(phone, now_ns);
        /* Those who waited for the phone have something to do when it has come. */
        wait_and_work(phone, phone->link == before ? ROUND_MS : 0);
    }
    return NULL;
}

/* ---- from outside ---- */

static void destroy(struct ts_phone *phone)
{
    ts_adb_conn_close(&phone->tracker);
    ts_adb_conn_close(&phone->asking);
    ts_adb_channel_close(&phone->probe);
    ts_adb_channel_close(&phone->command);
    ts_adb_channel_close(&phone->shell);
    for (int i = 0; i < TS_STREAM_COUNT; i++) {
        ts_adb_channel_close(&phone->streams[i].channel);
        ts_adb_resume_free(&phone->streams[i].resume);
    }
    for (int i = 0; i < 2; i++)
        if (phone->wake[i] >= 0)
            close(phone->wake[i]);
    pthread_mutex_destroy(&phone->lock);
    free(phone);
}

static int open_wake(struct ts_phone *phone)
{
    if (pipe(phone->wake))
        return TS_EIO;
    for (int i = 0; i < 2; i++)
        if (fcntl(phone->wake[i], F_SETFD, FD_CLOEXEC) ||
            fcntl(phone->wake[i], F_SETFL, O_NONBLOCK))
            return TS_EIO;
    return TS_OK;
}

/* Signals are for the program's main thread: Ctrl-C must find the one that ends the campaign. */
static int start_thread(struct ts_phone *phone)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int err = pthread_create(&phone->thread, NULL, run, phone);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return err ? TS_ENOMEM : TS_OK;
}

int ts_phone_open(const char *spec, struct ts_inbox *inbox, struct ts_phone **out,
                  struct ts_why *why)
{
    struct ts_phone *phone = calloc(1, sizeof *phone);
    *out = NULL;
    if (!phone)
        return ts_fail(why, TS_ENOMEM, "no memory for a phone");
    phone->inbox = inbox;
    phone->wake[0] = phone->wake[1] = -1;
    for (int i = 0; i < TS_STREAM_COUNT; i++)
        phone->streams[i].stream = (enum ts_stream)(TS_STREAM_LOG + i);
    pthread_mutex_init(&phone->lock, NULL);
    int err = ts_adb_server_parse(spec, &phone->server, phone->serial, sizeof phone->serial, why);
    if (!err)
        err = ts_adb_server_reach(&phone->server, why);
    if (!err)
        err = ts_adb_server_find(&phone->server, phone->serial, sizeof phone->serial, why);
    if (!err) {
        err = open_wake(phone);
        if (!err)
            err = start_thread(phone);
        if (err)
            ts_why_say(why, "phone %s: %s", phone->serial, ts_err_text(err));
    }
    if (err) {
        destroy(phone);
        return err;
    }
    *out = phone;
    return TS_OK;
}

static void wake(struct ts_phone *phone)
{
    /* A full pipe is as good: poll() will end. */
    if (write(phone->wake[1], "", 1) < 0)
        return;
}

static char *quoted(const char *command)
{
    struct ts_buf text = {0};
    if (ts_adb_quote(command, &text, NULL) || ts_buf_append(&text, "", 1)) {
        ts_buf_free(&text);
        return NULL;
    }
    return (char *)text.data;
}

int ts_phone_submit(struct ts_phone *phone, const struct ts_command *command)
{
    switch (command->kind) {
    case TS_COMMAND_PHONE_SHELL:
    case TS_COMMAND_PHONE_STREAM:
    case TS_COMMAND_STREAM_END:
        break;
    case TS_COMMAND_CLOCK_READ:
        if (command->u.clock != TS_CLOCK_MCU)
            break;
        return TS_EINVAL;
    default:
        return TS_EINVAL;
    }
    struct ts_phone_request *request = calloc(1, sizeof *request);
    if (!request)
        return TS_ENOMEM;
    request->command = *command;
    request->since_ns = ts_live_now().ns;
    if (command->kind == TS_COMMAND_PHONE_SHELL) {
        request->shell = quoted(command->u.shell);
        request->command.u.shell = NULL; /* borrowed for the call only */
    }
    pthread_mutex_lock(&phone->lock);
    ts_phone_push(&phone->submitted, request);
    pthread_mutex_unlock(&phone->lock);
    wake(phone);
    return TS_OK;
}

static void end_all(struct ts_phone *phone, struct ts_phone_queue *queue)
{
    struct ts_phone_request *request;
    while ((request = ts_phone_pop(queue)))
        ts_phone_done(phone, request, TS_EIO, 0, "the phone is no longer in use");
}

void ts_phone_close(struct ts_phone *phone)
{
    if (!phone)
        return;
    pthread_mutex_lock(&phone->lock);
    phone->closing = true;
    pthread_mutex_unlock(&phone->lock);
    wake(phone);
    pthread_join(phone->thread, NULL);
    for (int i = 0; i < TS_STREAM_COUNT; i++)
        if (phone->streams[i].opening)
            ts_phone_push(&phone->asks, phone->streams[i].opening);
    end_all(phone, &phone->submitted);
    end_all(phone, &phone->commands);
    end_all(phone, &phone->asks);
    if (phone->starter)
        waitpid(phone->starter, NULL, 0);
    destroy(phone);
}
