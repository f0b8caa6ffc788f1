/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/share.h"

#include "android/accessibility.h"
#include "android/component.h"
#include "android/getevent.h"
#include "android/logcat.h"
#include "store/digest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_SIZE 160
#define VALUES_MOST   6

static bool is_identifier(const char *text, size_t size)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789_.$";
    for (size_t i = 0; i < size; i++) {
        if (!strchr(allowed, text[i]))
            return false;
    }
    return size > 0;
}

static bool begins(const char *text, size_t size, const char *with, size_t with_size)
{
    return size >= with_size && memcmp(text, with, with_size) == 0 &&
           (size == with_size || text[with_size] == '.');
}

/* Of the plan, or part of Android and of the helper. */
static bool is_public(const struct ts_plan *plan, const char *text, size_t size)
{
    static const char *const known[] = {"android", "androidx", "com.android", "com.google.android",
                                        "org.touchstone"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (begins(text, size, known[i], strlen(known[i])))
            return true;
    }
    for (size_t i = 0; i < plan->app_count; i++) {
        const char *component = plan->apps[i].component;
        if (begins(text, size, component, strcspn(component, "/")))
            return true;
    }
    return false;
}

static void put_hash(const char *text, size_t size, char *out, size_t out_size)
{
    char digest[TS_DIGEST_SIZE] = "";
    if (ts_digest_of(text, size, digest))
        digest[0] = '\0';
    snprintf(out, out_size, "x%.10s", digest);
}

/* "pkg/class", "pkg:part", "pkg": equal packages stay equal. */
void ts_share_name(const struct ts_plan *plan, const char *name, char *out, size_t size)
{
    const size_t package = strcspn(name, "/:");
    const char *rest = name + package;
    char first[NAME_MAX_SIZE] = "", second[NAME_MAX_SIZE] = "";
    const bool open = is_identifier(name, package) && is_public(plan, name, package);
    if (open)
        snprintf(first, sizeof first, "%.*s", (int)package, name);
    else
        put_hash(name, package, first, sizeof first);
    if (*rest && open && is_identifier(rest + 1, strlen(rest + 1)))
        snprintf(second, sizeof second, "%s", rest + 1);
    else if (*rest)
        put_hash(rest + 1, strlen(rest + 1), second, sizeof second);
    snprintf(out, size, "%s%.*s%s", package || *rest ? first : "", *rest ? 1 : 0, rest, second);
}

static bool is_number(const char *text)
{
    return *text && strspn(text, "-0123456789") == strlen(text) && strlen(text) < 19;
}

/* What a value of an event's list may be: a number, a reason that is a known word, or a name. */
static void share_value(const struct ts_plan *plan, const char *value, char *out, size_t size)
{
    static const char *const words[] = {
        "activity",        "next-activity", "next-top-activity",           "top-activity",
        "service",         "broadcast",     "minimalResumeActivityLocked", "resumeTopActivity",
        "RESUME_ACTIVITY", "NULL"};
    if (is_number(value)) {
        snprintf(out, size, "%s", value);
        return;
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(value, words[i]) == 0) {
            snprintf(out, size, "%s", value);
            return;
        }
    }
    ts_share_name(plan, value, out, size);
}

/* How many of an event's values are needed; what follows may be anything (a crash's message, an
 * intent's address). */
static size_t values_of(enum ts_log_event_kind kind)
{
    switch (kind) {
    case TS_LOG_CRASH:
    case TS_LOG_ANR:
    case TS_LOG_KILL:
    case TS_LOG_PROC_BOUND:
    case TS_LOG_PROC_DIED:
        return 3;
    case TS_LOG_CREATE:
    case TS_LOG_RESTART:
        return 4;
    default:
        return VALUES_MOST;
    }
}

/* "[0,4666,com.android.contacts]" */
static void share_list(const struct ts_plan *plan, const struct ts_log_event *event, char *out,
                       size_t size)
{
    char text[400], value[NAME_MAX_SIZE * 2], *at = text;
    snprintf(text, sizeof text, "%.*s", (int)event->line.message_size, event->line.message);
    at += strspn(at, " [");
    at[strcspn(at, "]")] = '\0';
    size_t used = (size_t)snprintf(out, size, "[");
    for (size_t i = 0; i < values_of(event->kind) && at && used < size; i++) {
        char *comma = strchr(at, ',');
        if (comma)
            *comma++ = '\0';
        at += strspn(at, " {");
        at[strcspn(at, " }")] = '\0';
        share_value(plan, at, value, sizeof value);
        used += (size_t)snprintf(out + used, size - used, "%s%s", i ? "," : "", value);
        at = comma;
    }
    if (used < size)
        snprintf(out + used, size - used, "]");
}

static void print_duration(double ms, char *out, size_t size)
{
    const long whole = lround(fmin(fmax(ms, 0), 86400e3));
    const long minutes = whole / 60000, seconds = whole / 1000 % 60, rest = whole % 1000;
    if (minutes)
        snprintf(out, size, "+%ldm%lds%ldms", minutes, seconds, rest);
    else if (seconds)
        snprintf(out, size, "+%lds%ldms", seconds, rest);
    else
        snprintf(out, size, "+%ldms", rest);
}

static void share_start(const struct ts_plan *plan, const struct ts_log_event *event,
                        const char *name, char *out, size_t size)
{
    char caller[NAME_MAX_SIZE * 2] = "", by[NAME_MAX_SIZE * 2 + 4] = "", result[32] = "";
    ts_share_name(plan, event->caller, caller, sizeof caller);
    if (*caller)
        snprintf(by, sizeof by, " (%s)", caller);
    if (event->result >= 0)
        snprintf(result, sizeof result, " result code=%d", event->result);
    snprintf(out, size, "START u%d {flg=0x10000000 cmp=%s} from uid %d%s%s", event->user, name,
             event->uid, by, result);
}

static void share_drawn(const struct ts_log_event *event, const char *name, char *out, size_t size)
{
    char took[32], total[32], user[32] = "";
    print_duration(event->duration_ms, took, sizeof took);
    print_duration(event->total_ms, total, sizeof total);
    if (event->user >= 0)
        snprintf(user, sizeof user, " for user %d", event->user);
    snprintf(out, size, "%s %s%s: %s%s%s%s",
             event->kind == TS_LOG_DISPLAYED ? "Displayed" : "Fully drawn", name, user, took,
             isfinite(event->total_ms) ? " (total " : "", isfinite(event->total_ms) ? total : "",
             isfinite(event->total_ms) ? ")" : "");
}

static void share_process(const struct ts_plan *plan, const struct ts_log_event *event,
                          const char *name, const char *process, char *out, size_t size)
{
    char reason[64], uid[16] = "";
    if (event->uid >= 0)
        snprintf(uid, sizeof uid, "/%d", event->uid);
    share_value(plan, event->reason, reason, sizeof reason);
    if (strcmp(event->reason, "restarted") == 0)
        snprintf(out, size, "Process %s restarted", process);
    else
        snprintf(out, size, "Start proc %d:%s%s for %s %s", event->pid, process, uid, reason, name);
}

/* A crash's two lines, "FATAL EXCEPTION" and the one that names the process. */
static void share_crash(const struct ts_log_event *event, const char *process, char *out,
                        size_t size)
{
    if (*event->process)
        snprintf(out, size, "Process: %s, PID: %d", process, event->pid);
    else
        snprintf(out, size, "FATAL EXCEPTION: main");
}

/* A sentence of the log, written anew from what was understood of it. */
static void share_sentence(const struct ts_plan *plan, const struct ts_log_event *event, char *out,
                           size_t size)
{
    char name[NAME_MAX_SIZE * 2], process[NAME_MAX_SIZE * 2];
    ts_share_name(plan, event->component, name, sizeof name);
    ts_share_name(plan, event->process, process, sizeof process);
    *out = '\0';
    switch (event->kind) {
    case TS_LOG_DISPLAYED:
    case TS_LOG_FULLY_DRAWN:
        return share_drawn(event, name, out, size);
    case TS_LOG_START:
        return share_start(plan, event, name, out, size);
    case TS_LOG_PROC_START:
        return share_process(plan, event, name, process, out, size);
    case TS_LOG_CRASH:
        return share_crash(event, process, out, size);
    case TS_LOG_PROC_DIED:
        snprintf(out, size, "Process %s (pid %d) has died", process, event->pid);
        return;
    case TS_LOG_KILL:
        snprintf(out, size, "Killing %d:%s/%d (adj 0): killed", event->pid, process, event->uid);
        return;
    case TS_LOG_ANR:
        snprintf(out, size, "ANR in %s (%s)", process, name);
        return;
    case TS_LOG_TIMEOUT:
        snprintf(out, size, "Launch timeout has expired");
        return;
    case TS_LOG_FOCUS:
        snprintf(out, size, "[Focus entering 0 %s (server)]", name);
        return;
    case TS_LOG_LOST:
        if (strcmp(event->line.tag, "liblog") == 0)
            snprintf(out, size, "%d", event->lost);
        else
            snprintf(out, size, "uid=%d expire %d lines", event->uid, event->lost);
        return;
    default:
        return;
    }
}

/* "touch up 803267455": the helper's button; numbers and these words alone. */
static bool share_touch(const struct ts_log_line *line, char *out, size_t size)
{
    static const char touch[] = "touch up ";
    if (strcmp(line->tag, "Touchstone") != 0 || line->message_size < sizeof touch ||
        memcmp(line->message, touch, sizeof touch - 1) != 0)
        return false;
    char digits[20];
    size_t count = 0;
    for (size_t i = sizeof touch - 1; i < line->message_size && count < sizeof digits - 1; i++) {
        if (line->message[i] < '0' || line->message[i] > '9')
            break;
        digits[count++] = line->message[i];
    }
    digits[count] = '\0';
    snprintf(out, size, "%s%s", touch, digits);
    return true;
}

static void share_log(const struct ts_plan *plan, const char *text, char *out, size_t size)
{
    struct ts_log_event event;
    char message[900] = "", tag[64] = "-", uid[16] = "";
    *out = '\0';
    if (ts_logcat_parse_event(text, strlen(text), &event) ||
        event.line.stamp_kind != TS_STAMP_EPOCH ||
        event.line.stamp[strspn(event.line.stamp, "0123456789.:+- ")])
        return;
    const bool list =
        strncmp(event.line.tag, "am_", 3) == 0 || strncmp(event.line.tag, "wm_", 3) == 0;
    if (event.kind != TS_LOG_NOTHING && list)
        share_list(plan, &event, message, sizeof message);
    else if (event.kind != TS_LOG_NOTHING)
        share_sentence(plan, &event, message, sizeof message);
    else
        share_touch(&event.line, message, sizeof message);
    if (*message && is_identifier(event.line.tag, strlen(event.line.tag)))
        snprintf(tag, sizeof tag, "%s", event.line.tag);
    if (event.line.uid >= 0)
        snprintf(uid, sizeof uid, "%5d ", event.line.uid);
    snprintf(out, size, "%s %s%5d %5d %c %s: %s", event.line.stamp, uid, event.line.pid,
             event.line.tid, event.line.priority ? event.line.priority : 'I', tag, message);
}

void ts_share_line(const struct ts_plan *plan, enum ts_stream stream, const char *text,
                   char out[TS_SHARED_LINE_MAX])
{
    struct ts_accessibility_event event, shared;
    *out = '\0';
    if (stream == TS_STREAM_LOG) {
        share_log(plan, text, out, TS_SHARED_LINE_MAX);
        return;
    }
    struct ts_getevent input;
    if (stream == TS_STREAM_INPUT) {
        if (!ts_getevent_parse(text, strlen(text), &input) && ts_getevent_is_touch(&input) &&
            is_identifier(input.type, strlen(input.type)))
            snprintf(out, TS_SHARED_LINE_MAX, "[%lld.%06lld] %s %s %08x",
                     (long long)(input.at.ns / TS_NS_PER_S),
                     (long long)(input.at.ns % TS_NS_PER_S / TS_NS_PER_US), input.type, input.code,
                     (unsigned)input.value);
        return;
    }
    if (ts_accessibility_parse(text, strlen(text), &event) ||
        !is_identifier(event.type, strlen(event.type)) || strncmp(event.type, "TYPE_", 5) != 0)
        return;
    shared = event;
    ts_share_name(plan, event.package, shared.package, sizeof shared.package);
    ts_share_name(plan, event.class_name, shared.class_name, sizeof shared.class_name);
    ts_accessibility_print(&shared, out, TS_SHARED_LINE_MAX);
}
