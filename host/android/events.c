/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/events.h"

#include "android/scan.h"

#include <limits.h>
#include <string.h>

#define VALUES_MAX 9

/* An entry of the event log is told by its tag without "am_" or "wm_" (the names changed after
 * Android 10); `layout` has one letter for each value:
 *   u user   p pid   i uid   n process   c component   r reason   d duration   t total   - other
 * Values after '?' are not printed by every version, and any number of others may follow. */
struct entry {
    const char *tag;
    enum ts_log_event_kind kind;
    const char *layout;
};

static const struct entry entries[] = {
    {"activity_launch_time", TS_LOG_LAUNCH_TIME, "u-cd?t"},
    {"activity_fully_drawn_time", TS_LOG_FULLY_DRAWN, "u-cd?t"},
    {"create_activity", TS_LOG_CREATE, "u--c"},
    {"restart_activity", TS_LOG_RESTART, "u--c"},
    {"resume_activity", TS_LOG_RESUME, "u--c"},
    {"set_resumed_activity", TS_LOG_RESUME, "uc?r"},
    {"focused_activity", TS_LOG_FOCUS, "uc?r"},
    {"pause_activity", TS_LOG_PAUSE, "u-c"},
    {"proc_start", TS_LOG_PROC_START, "upin?rc"},
    {"proc_bound", TS_LOG_PROC_BOUND, "upn"},
    {"proc_died", TS_LOG_PROC_DIED, "upn"},
    {"kill", TS_LOG_KILL, "upn?-r"},
    {"anr", TS_LOG_ANR, "upn?-r"},
    /* The tag file declares the user first, the code writes the pid first. */
    {"crash", TS_LOG_CRASH, "pun?-r"},
};

/* Callbacks, written by the app's own process. */
static const struct entry callbacks[] = {
    {"on_create_called", TS_LOG_CREATE, NULL},
    {"on_restart_called", TS_LOG_RESTART, NULL},
    {"on_resume_called", TS_LOG_RESUME, NULL},
    {"on_paused_called", TS_LOG_PAUSE, NULL},
};

/* The values between the brackets, without blanks around them; a bare string is one value. */
static size_t split(struct ts_scan s, struct ts_scan *values)
{
    s = ts_scan_trim(s);
    if (ts_scan_char(&s, '['))
        s = ts_scan_word(&s, "]"); /* no value that is read here can hold a bracket */
    size_t count = 0;
    while (count < VALUES_MAX) {
        values[count++] = ts_scan_trim(ts_scan_word(&s, ","));
        if (!ts_scan_char(&s, ','))
            break;
    }
    return count;
}

static bool take_int(struct ts_scan value, int *out)
{
    int64_t number;
    if (!ts_scan_is_number(value, &number) || number < INT_MIN || number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

static bool take_ms(struct ts_scan value, double *out)
{
    int64_t number;
    if (!ts_scan_is_number(value, &number) || number < 0)
        return false;
    *out = (double)number;
    return true;
}

/* "pkg/.Act", "{pkg/pkg.Act}" */
static bool take_component(struct ts_scan value, struct ts_log_event *event)
{
    if (ts_scan_char(&value, '{') && value.end > value.at && value.end[-1] == '}')
        value.end--;
    ts_scan_copy(&value, event->component, sizeof event->component);
    return ts_scan_left(&value) > 0;
}

static bool take_value(char letter, struct ts_scan value, struct ts_log_event *event)
{
    switch (letter) {
    case 'u':
        return take_int(value, &event->user);
    case 'p':
        return take_int(value, &event->pid);
    case 'i':
        return take_int(value, &event->uid);
    case 'n':
        ts_scan_copy(&value, event->process, sizeof event->process);
        return ts_scan_left(&value) > 0;
    case 'c':
        return take_component(value, event);
    case 'r':
        ts_scan_copy(&value, event->reason, sizeof event->reason);
        return true;
    case 'd':
        return take_ms(value, &event->duration_ms);
    case 't':
        return take_ms(value, &event->total_ms);
    default:
        return true;
    }
}

static bool take_values(const char *layout, const struct ts_scan *values, size_t count,
                        struct ts_log_event *event)
{
    bool optional = false;
    for (size_t i = 0; *layout; layout++) {
        if (*layout == '?')
            optional = true;
        else if (i == count)
            return optional;
        else if (!take_value(*layout, values[i++], event))
            return false;
    }
    return true;
}

/* Callbacks print, over the versions: [user,component], [user,component,reason],
 * [token,component,reason], [token,component,reason,ms], [user,token,component,reason,ms] or the
 * component alone. So numbers in front of the component are a token when there is one that is too
 * large for a user's number, and a trailing number is the callback's own time. */
static bool take_callback(const struct ts_scan *values, size_t count, struct ts_log_event *event)
{
    static const char *const layouts[] = {"crd", "ucrd", "u-crd"};
    static const char *const token_first = "-crd";
    int64_t number;
    size_t numbers = 0;
    while (numbers < count && ts_scan_is_number(values[numbers], &number))
        numbers++;
    if (numbers > 2 || numbers == count)
        return false;
    const char *layout = layouts[numbers];
    if (numbers == 1 && ts_scan_is_number(values[0], &number) && (number < 0 || number > 999))
        layout = token_first;
    for (size_t i = 0; i < count && layout[i]; i++)
        if (!take_value(layout[i], values[i], event) && layout[i] != 'd')
            return false;
    return true;
}

/* "Focus entering 264a1b9 com.app/com.app.Main (server)", as the first value. */
static bool take_focus(struct ts_scan s, struct ts_log_event *event)
{
    s = ts_scan_trim(s);
    ts_scan_char(&s, '[');
    if (!ts_scan_text(&s, "Focus entering "))
        return false;
    ts_scan_word(&s, " ");
    struct ts_scan window = ts_scan_word(&s, ",");
    struct ts_scan name;
    if (ts_scan_until(&window, " (server)", &name))
        window = name;
    window = ts_scan_trim(window);
    ts_scan_copy(&window, event->component, sizeof event->component);
    event->kind = TS_LOG_FOCUS;
    return ts_scan_left(&window) > 0;
}

static const struct entry *find(const struct entry *list, size_t count, const char *tag)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].tag, tag) == 0)
            return &list[i];
    return NULL;
}

bool ts_events_read(struct ts_log_event *event)
{
    const struct ts_scan message = ts_scan_of(event->line.message, event->line.message_size);
    const char *tag = event->line.tag;
    if (strcmp(tag, "input_focus") == 0)
        return take_focus(message, event);
    if (strncmp(tag, "am_", 3) != 0 && strncmp(tag, "wm_", 3) != 0)
        return false;
    struct ts_scan values[VALUES_MAX];
    const size_t count = split(message, values);
    const struct entry *entry = find(entries, sizeof entries / sizeof *entries, tag + 3);
    if (entry) {
        event->kind = entry->kind;
        if (!take_values(entry->layout, values, count, event))
            return false;
    } else {
        entry = find(callbacks, sizeof callbacks / sizeof *callbacks, tag + 3);
        if (!entry || !take_callback(values, count, event))
            return false;
        event->kind = entry->kind;
    }
    /* Of a process without a component, its name is what the event is about. */
    if (event->component[0] == '\0')
        memcpy(event->component, event->process, sizeof event->component);
    return true;
}
