/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phone's streams of lines. */
#include "live_adb/inside.h"

#include "android/accessibility.h"
#include "android/getevent.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX (64 * 1024) /* logd cuts at 4 KiB; longer is no line */

static struct ts_phone_stream *stream_of(struct ts_phone *phone, enum ts_stream which)
{
    return &phone->streams[which - TS_STREAM_LOG];
}

/* `-T` with an instant begins there, with a number that many lines back. The shell puts in the
 * instant itself, so that no line is lost while logcat starts. Older ones know fewer of the words
 * behind -v: uid, epoch since Android 7, usec, year, zone since 6. */
static void log_command(const struct ts_phone *phone, const struct ts_phone_stream *stream,
                        char *text, size_t size)
{
    char from[48];
    ts_adb_resume_from(&stream->resume, from, sizeof from);
    const char *format = "-v threadtime";
    if (phone->sdk >= 24 || !phone->sdk)
        format = "-v threadtime -v epoch -v usec -v uid";
    else if (phone->sdk == 23)
        format = "-v threadtime -v usec -v year -v zone";
    snprintf(text, size, "exec logcat -b main,system,events,crash %s -T %s%s%s", format,
             *from ? "'" : "", *from ? from : "\"${EPOCHREALTIME:-1}\"", *from ? "'" : "");
    if (phone->sdk == 23 && !*from)
        snprintf(text, size, "exec logcat -b main,system,events,crash %s -T 1", format);
    if (phone->sdk && phone->sdk < 23) /* these take one buffer after each -b */
        snprintf(text, size, "exec logcat -b main -b system -b events %s%s%s%s", format,
                 *from ? " -T '" : "", from, *from ? "'" : "");
}

static void open_stream(struct ts_phone *phone, struct ts_phone_stream *stream)
{
    char command[200];
    if (stream->stream == TS_STREAM_LOG)
        log_command(phone, stream, command, sizeof command);
    else
        snprintf(command, sizeof command, "exec %s",
                 stream->stream == TS_STREAM_INPUT ? "getevent -lt" : "uiautomator events");
    ts_adb_channel_open(&stream->channel, &phone->server.address, phone->serial, phone->mode,
                        command);
}

void ts_phone_stream_switch(struct ts_phone *phone, struct ts_phone_request *request)
{
    struct ts_phone_stream *stream = stream_of(phone, request->command.u.stream);
    const bool on = request->command.kind == TS_COMMAND_PHONE_STREAM;
    if (stream->opening) { /* overtaken by this one */
        ts_phone_done(phone, stream->opening, TS_OK, 0, "");
        stream->opening = NULL;
    }
    if (on && stream->channel.conn.state == TS_ADB_CONN_OPEN) {
        ts_phone_done(phone, request, TS_OK, 0, "");
    } else if (on) {
        stream->opening = request;
    } else {
        ts_adb_channel_close(&stream->channel);
        ts_adb_resume_free(&stream->resume);
        stream->broken = false;
        ts_phone_push(&phone->asks, request); /* what the shell answers then, it answers later */
    }
    stream->wanted = on;
}

/* ---- lines ---- */

static void post_line(struct ts_phone *phone, const struct ts_phone_stream *stream,
                      const char *text)
{
    ts_phone_post(phone, &(struct ts_item){.arrival = stream->channel.conn.arrival,
                                           .kind = TS_ITEM_LINE,
                                           .u.line = {stream->stream, text}});
}

static void take_log_line(struct ts_phone *phone, struct ts_phone_stream *stream, const char *text,
                          size_t size)
{
    const int result = ts_adb_resume_line(&stream->resume, text, size);
    if (result == TS_ADB_LINE_SEEN)
        return;
    if (result < 0 || result == TS_ADB_LINE_LATER) /* stamped to come before the line */
        ts_phone_post(phone, &(struct ts_item){.arrival = stream->channel.conn.arrival,
                                               .kind = TS_ITEM_FAULT,
                                               .u.fault = {TS_FAULT_STREAM_ENDED, TS_STREAM_LOG}});
    post_line(phone, stream, text);
}

/* What a person has on the screen is nobody's business: of an event, times and kinds go on. */
static void take_event_line(struct ts_phone *phone, struct ts_phone_stream *stream,
                            const char *text, size_t size)
{
    struct ts_accessibility_event event;
    char line[TS_ACCESSIBILITY_LINE_MAX];
    if (ts_accessibility_parse(text, size, &event))
        return; /* a text with line ends goes on here */
    ts_accessibility_print(&event, line, sizeof line);
    post_line(phone, stream, line);
}

/* Nor which keys are pressed, or where: of touches, when they begin and end goes on. */
static void take_input_line(struct ts_phone *phone, struct ts_phone_stream *stream,
                            const char *text, size_t size)
{
    struct ts_getevent event;
    if (!ts_getevent_parse(text, size, &event) && ts_getevent_is_touch(&event))
        post_line(phone, stream, text);
}

static void take_line(struct ts_phone *phone, struct ts_phone_stream *stream, char *text,
                      size_t size)
{
    if (size && text[size - 1] == '\r')
        size--;
    for (size_t i = 0; i < size; i++)
        if (!text[i])
            text[i] = '?'; /* an item's text ends at a NUL */
    text[size] = '\0';
    if (stream->stream == TS_STREAM_LOG)
        take_log_line(phone, stream, text, size);
    else if (stream->stream == TS_STREAM_INPUT)
        take_input_line(phone, stream, text, size);
    else
        take_event_line(phone, stream, text, size);
}

static int take_lines(struct ts_phone *phone, struct ts_phone_stream *stream)
{
    const int err = ts_adb_channel_read(&stream->channel);
    struct ts_buf *text = &stream->channel.text;
    size_t taken = 0;
    while (taken < text->size) {
        char *line = (char *)text->data + taken;
        char *end = memchr(line, '\n', text->size - taken);
        if (!end)
            break;
        const size_t size = (size_t)(end - line);
        take_line(phone, stream, line, size);
        taken += size + 1;
    }
    ts_adb_channel_take(&stream->channel, taken);
    return err ? err : text->size > LINE_MAX ? TS_EPROTO : TS_OK;
}

/* ---- its life ---- */

/* A line that was cut off comes again as a whole; events do not come again. */
static void break_off(struct ts_phone *phone, struct ts_phone_stream *stream)
{
    const enum ts_adb_conn_state was = stream->channel.conn.state;
    ts_adb_channel_close(&stream->channel);
    if (stream->broken || !stream->wanted)
        return;
    stream->broken = true;
    if (was == TS_ADB_CONN_OPEN || was == TS_ADB_CONN_ENDED) /* else it has not begun */
        ts_adb_resume_break(&stream->resume);
    if (stream->stream == TS_STREAM_ACCESSIBILITY) /* a touch is told of elsewhere too */
        ts_phone_fault(phone, TS_FAULT_STREAM_ENDED, (int)stream->stream);
}

static void step(struct ts_phone *phone, struct ts_phone_stream *stream, int64_t now_ns)
{
    struct ts_adb_channel *channel = &stream->channel;
    if (!stream->wanted)
        return;
    if (channel->conn.state == TS_ADB_CONN_CLOSED) {
        if (stream->opening && ts_phone_waited(phone, stream->opening, now_ns)) {
            ts_phone_done(phone, stream->opening, TS_EIO, 0, "the phone is away");
            stream->opening = NULL;
            stream->wanted = false;
            return;
        }
        if (phone->link == TS_PHONE_UP && now_ns >= stream->retry_ns)
            open_stream(phone, stream);
        return;
    }
    if (channel->conn.state == TS_ADB_CONN_OPEN && stream->opening) {
        ts_phone_done(phone, stream->opening, TS_OK, 0, "");
        stream->opening = NULL;
    }
    if (channel->conn.state == TS_ADB_CONN_OPEN || channel->conn.state == TS_ADB_CONN_ENDED)
        stream->broken = false;
    const int err = take_lines(phone, stream);
    if (!err && !channel->ended && !ts_adb_conn_is_over(&channel->conn))
        return;
    /* A phone that lets nobody watch its touch screen need not be asked again and again. */
    if (channel->ended && stream->stream == TS_STREAM_INPUT)
        stream->wanted = false;
    const bool lost = !err && !channel->ended && ts_phone_conn_is_lost(phone, &channel->conn);
    break_off(phone, stream);
    stream->retry_ns = now_ns + TS_PHONE_RETRY_NS;
    if (lost)
        ts_phone_lost(phone, now_ns);
}

void ts_phone_streams_step(struct ts_phone *phone, int64_t now_ns)
{
    for (int i = 0; i < TS_STREAM_COUNT; i++)
        step(phone, &phone->streams[i], now_ns);
}

void ts_phone_streams_lost(struct ts_phone *phone)
{
    for (int i = 0; i < TS_STREAM_COUNT; i++) {
        struct ts_phone_stream *stream = &phone->streams[i];
        if (stream->channel.conn.state == TS_ADB_CONN_CLOSED)
            continue;
        take_lines(phone, stream); /* what is left, whatever it is worth */
        break_off(phone, stream);
        stream->retry_ns = 0;
    }
}
