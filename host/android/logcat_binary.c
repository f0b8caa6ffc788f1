/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/logcat_binary.h"

#include "base/time.h"

#include <stdio.h>
#include <string.h>

#define HEAD_V1   20
#define HEAD_V3   24 /* with the buffer */
#define HEAD_V4   28 /* with the user id */
#define HEAD_MOST 1024
#define NESTED    8

enum { INT = 0, LONG = 1, STRING = 2, LIST = 3, FLOAT = 4 };

static uint32_t u32(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

int ts_logcat_binary_read(const uint8_t *data, size_t size, struct ts_logcat_entry *entry)
{
    *entry = (struct ts_logcat_entry){.uid = -1, .buffer = -1};
    if (size < 4)
        return 0;
    const size_t length = (size_t)(data[0] | data[1] << 8);
    size_t head = (size_t)(data[2] | data[3] << 8);
    if (!head)
        head = HEAD_V1; /* its field was padding */
    if (head < HEAD_V1 || head > HEAD_MOST || length > TS_LOGCAT_ENTRY_MAX)
        return TS_EPROTO;
    if (size < head + length)
        return 0;
    if (u32(data + 16) >= 1000000000u)
        return TS_EPROTO;
    entry->pid = (int)u32(data + 4);
    entry->tid = (int)u32(data + 8);
    entry->stamp_ns = (int64_t)u32(data + 12) * TS_NS_PER_S + u32(data + 16);
    if (head >= HEAD_V3 && u32(data + 20) < 256) /* version 2, of 2013, had a user id here */
        entry->buffer = (int)u32(data + 20);
    if (head >= HEAD_V4)
        entry->uid = (int)u32(data + 24);
    entry->payload = data + head;
    entry->size = length;
    return (int)(head + length);
}

/* ---- one line ---- */

static int put_head(const struct ts_logcat_entry *entry, char priority, const char *tag,
                    struct ts_buf *out)
{
    char uid[16] = "";
    if (entry->uid >= 0)
        snprintf(uid, sizeof uid, "%5d ", entry->uid);
    return ts_buf_printf(
        out, "%19lld.%09lld %s%5d %5d %c %-8s: ", (long long)(entry->stamp_ns / TS_NS_PER_S),
        (long long)(entry->stamp_ns % TS_NS_PER_S), uid, entry->pid, entry->tid, priority, tag);
}

/* Every line of a message has the head in front, as logcat does it. */
static int print_text(const struct ts_logcat_entry *entry, struct ts_buf *out)
{
    static const char letters[] = "??VDIWEFS";
    char tag[64];
    const uint8_t *at = entry->payload, *end = at + entry->size;
    const uint8_t *stop = entry->size > 1 ? memchr(at + 1, '\0', entry->size - 1) : NULL;
    if (!stop || *at >= sizeof letters - 1)
        return TS_EPROTO;
    const char priority = letters[*at];
    snprintf(tag, sizeof tag, "%s", (const char *)at + 1);
    for (char *c = tag; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = '?'; /* a line end would begin a line that nobody wrote */
    at = stop + 1;
    while (end > at && (end[-1] == '\0' || end[-1] == '\n'))
        end--;
    int err;
    do {
        const uint8_t *line_end = memchr(at, '\n', (size_t)(end - at));
        const size_t size = (size_t)((line_end ? line_end : end) - at);
        err = put_head(entry, priority, tag, out);
        if (!err)
            err = ts_buf_append(out, at, size);
        if (!err)
            err = ts_buf_append(out, "\n", 1);
        at += size + (line_end != NULL);
    } while (!err && at < end);
    return err;
}

/* ---- events ---- */

/* frameworks/base/services: event-log-tags. Since Android 11 the same numbers are called wm_ where
 * they tell of windows; both are read alike. */
static const struct {
    uint32_t number;
    const char *name;
} tags[] = {
    {30001, "am_finish_activity"},
    {30002, "am_task_to_front"},
    {30003, "am_new_intent"},
    {30004, "am_create_task"},
    {30005, "am_create_activity"},
    {30006, "am_restart_activity"},
    {30007, "am_resume_activity"},
    {30008, "am_anr"},
    {30009, "am_activity_launch_time"},
    {30010, "am_proc_bound"},
    {30011, "am_proc_died"},
    {30013, "am_pause_activity"},
    {30014, "am_proc_start"},
    {30018, "am_destroy_activity"},
    {30021, "am_on_paused_called"},
    {30022, "am_on_resume_called"},
    {30023, "am_kill"},
    {30037, "am_process_start_timeout"},
    {30039, "am_crash"},
    {30042, "am_activity_fully_drawn_time"},
    {30043, "am_set_resumed_activity"},
    {30048, "am_stop_activity"},
    {30049, "am_on_stop_called"},
    {30057, "am_on_create_called"},
    {30058, "am_on_restart_called"},
    {30059, "am_on_start_called"},
    {30060, "am_on_destroy_called"},
};

struct values {
    const uint8_t *at, *end;
    struct ts_buf *out;
};

static size_t left(const struct values *v)
{
    return (size_t)(v->end - v->at);
}

static int print_string(struct values *v)
{
    if (left(v) < 4)
        return TS_EPROTO;
    const uint32_t length = u32(v->at);
    v->at += 4;
    if (length > left(v))
        return TS_EPROTO;
    for (uint32_t i = 0; i < length; i++) {
        const uint8_t c = v->at[i] < ' ' ? '?' : v->at[i];
        const int err = ts_buf_append(v->out, &c, 1);
        if (err)
            return err;
    }
    v->at += length;
    return TS_OK;
}

static int print_value(struct values *v, int depth);

static int print_list(struct values *v, int depth)
{
    if (!left(v) || depth >= NESTED)
        return TS_EPROTO;
    const int count = *v->at++;
    int err = ts_buf_append(v->out, "[", 1);
    for (int i = 0; i < count && !err; i++) {
        err = i ? ts_buf_append(v->out, ",", 1) : TS_OK;
        if (!err)
            err = print_value(v, depth + 1);
    }
    return err ? err : ts_buf_append(v->out, "]", 1);
}

static int print_value(struct values *v, int depth)
{
    if (!left(v))
        return TS_EPROTO;
    const int type = *v->at++;
    const size_t need = type == LONG ? 8 : type == INT || type == FLOAT ? 4 : 0;
    if (left(v) < need)
        return TS_EPROTO;
    const uint8_t *at = v->at;
    v->at += need;
    if (type == INT)
        return ts_buf_printf(v->out, "%d", (int)u32(at));
    if (type == LONG)
        return ts_buf_printf(v->out, "%lld", (long long)((uint64_t)u32(at + 4) << 32 | u32(at)));
    if (type == STRING)
        return print_string(v);
    if (type == LIST)
        return print_list(v, depth);
    if (type != FLOAT)
        return TS_EPROTO;
    float number;
    const uint32_t bits = u32(at);
    memcpy(&number, &bits, sizeof number);
    return ts_buf_printf(v->out, "%f", (double)number);
}

static int print_event(const struct ts_logcat_entry *entry, struct ts_buf *out)
{
    if (entry->size < 5)
        return TS_EPROTO;
    const uint32_t number = u32(entry->payload);
    char tag[40];
    snprintf(tag, sizeof tag, "%u", number);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
        if (tags[i].number == number)
            snprintf(tag, sizeof tag, "%s", tags[i].name);
    struct values values = {entry->payload + 4, entry->payload + entry->size, out};
    int err = put_head(entry, 'I', tag, out);
    if (!err)
        err = print_value(&values, 0);
    return err ? err : ts_buf_append(out, "\n", 1);
}

int ts_logcat_binary_print(const struct ts_logcat_entry *entry, bool events, struct ts_buf *out)
{
    const size_t before = out->size;
    const bool is_event =
        entry->buffer < 0 ? events : entry->buffer == 2 || entry->buffer == 5 || entry->buffer == 6;
    const int err = is_event ? print_event(entry, out) : print_text(entry, out);
    if (err)
        out->size = before; /* not half a line */
    return err;
}
