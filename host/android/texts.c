/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/events.h"

#include "android/scan.h"

#include <limits.h>
#include <string.h>

static bool take_int(struct ts_scan *s, int *out)
{
    int64_t number;
    if (!ts_scan_signed(s, &number) || number < INT_MIN || number > INT_MAX)
        return false;
    *out = (int)number;
    return true;
}

static bool take_duration(struct ts_scan *s, double *ms)
{
    const size_t size = ts_duration_parse(s->at, ts_scan_left(s), ms);
    s->at += size;
    return size > 0;
}

/* "com.app/.Main: +1s5ms", "... for user 10: +661ms", "...: +678ms (total +1m45s48ms)". Samsung
 * prints a sentence in place of the component: the duration stands, the component is "". */
static bool take_drawn(struct ts_scan s, struct ts_log_event *event)
{
    struct ts_scan subject;
    if (!ts_scan_until(&s, ": ", &subject) || !take_duration(&s, &event->duration_ms))
        return false;
    struct ts_scan total = s;
    if (ts_scan_text(&total, " (total ") &&
        (!take_duration(&total, &event->total_ms) || !ts_scan_char(&total, ')')))
        return false;
    struct ts_scan component = ts_scan_word(&subject, " ");
    if (ts_scan_text(&subject, " for user ") && !take_int(&subject, &event->user))
        return false;
    if (ts_scan_has(&component, '/') && subject.at == subject.end)
        ts_scan_copy(&component, event->component, sizeof event->component);
    return true;
}

/* "u0 {act=... cmp=com.app/.Main ...} with LAUNCH_SINGLE_TASK from uid 10587 (com.caller)
 * (BAL_ALLOW_VISIBLE_WINDOW) result code=0"; up to Android 4.1 without the user. What stands
 * between the braces is the caller's text, so the end is looked for from behind. */
static bool take_start(struct ts_scan s, struct ts_log_event *event)
{
    if (ts_scan_char(&s, 'u') && (!take_int(&s, &event->user) || !ts_scan_char(&s, ' ')))
        return false;
    struct ts_scan tail = s;
    if (!ts_scan_char(&s, '{') || !ts_scan_past_last(&tail, "}"))
        return false;
    struct ts_scan intent = {s.at, tail.at - 1}, before;
    if (ts_scan_text(&intent, "cmp=") || ts_scan_until(&intent, " cmp=", &before)) {
        const struct ts_scan component = ts_scan_word(&intent, " }");
        ts_scan_copy(&component, event->component, sizeof event->component);
    }
    struct ts_scan from = tail;
    if (ts_scan_past_last(&from, " from uid ") && take_int(&from, &event->uid) &&
        ts_scan_text(&from, " (")) {
        const struct ts_scan caller = ts_scan_word(&from, ")");
        if (ts_scan_has(&caller, '.')) /* not "(BAL_...)" */
            ts_scan_copy(&caller, event->caller, sizeof event->caller);
    }
    if (ts_scan_past_last(&tail, " result code="))
        return take_int(&tail, &event->result);
    return true;
}

/* "4660:com.app/u0a12 for next-top-activity {com.app/com.app.Main} caller=com.android.shell", and
 * up to Android 4.4 "com.app for activity com.app/.Main: pid=4660 uid=10012 gids={...}". */
static bool take_start_proc(struct ts_scan s, struct ts_log_event *event)
{
    struct ts_scan rest = s;
    if (take_int(&rest, &event->pid) && ts_scan_char(&rest, ':'))
        s = rest;
    else
        event->pid = -1;
    const struct ts_scan process = ts_scan_word(&s, " /");
    ts_scan_copy(&process, event->process, sizeof event->process);
    if (ts_scan_char(&s, '/') && ts_scan_uid(&s, &event->uid) && event->uid >= 0)
        event->user = event->uid / 100000;
    if (!ts_scan_text(&s, " for "))
        return ts_scan_left(&process) > 0 && event->pid >= 0;
    const struct ts_scan reason = ts_scan_word(&s, " ");
    ts_scan_copy(&reason, event->reason, sizeof event->reason);
    ts_scan_spaces(&s);
    ts_scan_char(&s, '{');
    const struct ts_scan component = ts_scan_word(&s, " }:");
    ts_scan_copy(&component, event->component, sizeof event->component);
    if (ts_scan_text(&s, ": pid=") && take_int(&s, &event->pid) && ts_scan_text(&s, " uid="))
        return take_int(&s, &event->uid);
    return ts_scan_left(&process) > 0;
}

/* "com.app (pid 4660) has died: ..." or "com.app restarted" */
static bool take_process(struct ts_scan s, struct ts_log_event *event)
{
    const struct ts_scan process = ts_scan_word(&s, " ");
    ts_scan_copy(&process, event->process, sizeof event->process);
    if (ts_scan_is(&s, " restarted")) {
        event->kind = TS_LOG_PROC_START;
        memcpy(event->reason, "restarted", sizeof "restarted");
        return ts_scan_left(&process) > 0;
    }
    return ts_scan_text(&s, " (pid ") && take_int(&s, &event->pid) &&
           ts_scan_text(&s, ") has died");
}

/* "4660:com.app/u0a12 (adj 900): too many background" */
static bool take_killing(struct ts_scan s, struct ts_log_event *event)
{
    if (!take_int(&s, &event->pid) || !ts_scan_char(&s, ':'))
        return false;
    const struct ts_scan process = ts_scan_word(&s, " /");
    ts_scan_copy(&process, event->process, sizeof event->process);
    if (ts_scan_char(&s, '/') && ts_scan_uid(&s, &event->uid) && event->uid >= 0)
        event->user = event->uid / 100000;
    struct ts_scan before;
    if (ts_scan_until(&s, "): ", &before))
        ts_scan_copy(&s, event->reason, sizeof event->reason);
    return ts_scan_left(&process) > 0;
}

/* "com.app (com.app/.Main)" */
static bool take_anr(struct ts_scan s, struct ts_log_event *event)
{
    const struct ts_scan process = ts_scan_word(&s, " ");
    ts_scan_copy(&process, event->process, sizeof event->process);
    if (ts_scan_text(&s, " (")) {
        const struct ts_scan component = ts_scan_word(&s, ")");
        ts_scan_copy(&component, event->component, sizeof event->component);
    }
    return ts_scan_left(&process) > 0;
}

/* "Process: com.app, PID: 1234" of an uncaught exception, written by the dying process. */
static bool take_exception_process(struct ts_scan s, struct ts_log_event *event)
{
    const struct ts_scan process = ts_scan_word(&s, ",");
    ts_scan_copy(&process, event->process, sizeof event->process);
    return ts_scan_text(&s, ", PID: ") && take_int(&s, &event->pid);
}

/* The words alone say it. */
static bool take_words(struct ts_scan s, struct ts_log_event *event)
{
    (void)s;
    if (event->kind == TS_LOG_CRASH)
        event->pid = event->line.pid;
    return true;
}

/* "uid=1000(system) ActivityManager expire 1 line", "... identical 2 lines" */
static bool take_chatty(struct ts_scan s, struct ts_log_event *event)
{
    if (!ts_scan_text(&s, "uid=") || !take_int(&s, &event->uid))
        return false;
    struct ts_scan same = s;
    if (ts_scan_past_last(&s, " expire "))
        return take_int(&s, &event->lost);
    return ts_scan_past_last(&same, " identical ") && take_int(&same, &event->lost);
}

/* The writer's own library, when the log daemon did not take its lines: a bare count. */
static bool take_liblog(struct ts_scan s, struct ts_log_event *event)
{
    ts_scan_char(&s, '[');
    event->uid = event->line.uid;
    return take_int(&s, &event->lost);
}

static const struct {
    const char *tag; /* "Activity": ActivityManager and, since Android 10, ActivityTaskManager */
    const char *words;
    enum ts_log_event_kind kind;
    bool (*take)(struct ts_scan rest, struct ts_log_event *event);
} texts[] = {
    {"Activity", "Displayed ", TS_LOG_DISPLAYED, take_drawn},
    {"Activity", "Fully drawn ", TS_LOG_FULLY_DRAWN, take_drawn},
    {"Activity", "START ", TS_LOG_START, take_start},
    {"Activity", "Start proc ", TS_LOG_PROC_START, take_start_proc},
    {"Activity", "Process ", TS_LOG_PROC_DIED, take_process},
    {"Activity", "Killing ", TS_LOG_KILL, take_killing},
    {"Activity", "ANR in ", TS_LOG_ANR, take_anr},
    {"Activity", "Launch timeout has expired", TS_LOG_TIMEOUT, take_words},
    {"AndroidRuntime", "FATAL EXCEPTION", TS_LOG_CRASH, take_words},
    {"AndroidRuntime", "Process: ", TS_LOG_CRASH, take_exception_process},
    {"chatty", "", TS_LOG_LOST, take_chatty},
    {"liblog", "", TS_LOG_LOST, take_liblog},
};

static bool tag_is(const char *tag, const char *wanted)
{
    if (strcmp(wanted, "Activity") != 0)
        return strcmp(tag, wanted) == 0;
    return strcmp(tag, "ActivityManager") == 0 || strcmp(tag, "ActivityTaskManager") == 0;
}

bool ts_texts_read(struct ts_log_event *event)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct ts_scan s = ts_scan_of(event->line.message, event->line.message_size);
        if (!tag_is(event->line.tag, texts[i].tag) || !ts_scan_text(&s, texts[i].words))
            continue;
        event->kind = texts[i].kind;
        if (!texts[i].take(s, event))
            return false;
        if (event->component[0] == '\0')
            memcpy(event->component, event->process, sizeof event->component);
        return true;
    }
    return false;
}
