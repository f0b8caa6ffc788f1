/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/logcat.h"

#include "android/scan.h"
#include "android/stamp.h"

#include <string.h>

/* Each format is tried on its own copy; the most telling ones first. */
typedef bool (*format_reader)(struct ts_scan s, struct ts_log_line *line);

static void skip_color(struct ts_scan *s)
{
    struct ts_scan rest = *s;
    if (!ts_scan_text(&rest, "\033["))
        return;
    while (rest.at < rest.end && (*rest.at == ';' || (*rest.at >= '0' && *rest.at <= '9')))
        rest.at++;
    if (ts_scan_char(&rest, 'm'))
        *s = rest;
}

/* `-v color` ends a line with a reset; a terminal or an old adbd adds carriage returns. */
static void cut_end(struct ts_scan *s)
{
    for (;;) {
        while (s->end > s->at && (s->end[-1] == '\n' || s->end[-1] == '\r'))
            s->end--;
        if (ts_scan_left(s) < 4 || memcmp(s->end - 4, "\033[0m", 4) != 0)
            return;
        s->end -= 4;
    }
}

static void set_message(struct ts_log_line *line, const struct ts_scan *s)
{
    struct ts_scan message = *s;
    cut_end(&message);
    line->message = message.at;
    line->message_size = ts_scan_left(&message);
}

static bool scan_priority(struct ts_scan *s, struct ts_log_line *line)
{
    if (s->at == s->end || !*s->at || !strchr("VDIWEFS?", *s->at))
        return false;
    line->priority = *s->at++;
    return true;
}

static bool scan_id(struct ts_scan *s, int *id)
{
    int64_t value;
    ts_scan_spaces(s);
    if (!ts_scan_number(s, 9, &value))
        return false;
    *id = (int)value;
    return true;
}

/* " 1000: 1018" or " 1018": the numbers before a closing bracket, with the uid in front where
 * logcat was asked for it (blanks where it is not known). */
static bool scan_ids(struct ts_scan *s, struct ts_log_line *line, bool with_uid, bool with_tid)
{
    ts_scan_spaces(s);
    if (with_uid && (!ts_scan_uid(s, &line->uid) || !ts_scan_char(s, ':')))
        return false;
    if (!scan_id(s, &line->pid))
        return false;
    return !with_tid || (ts_scan_char(s, ':') && scan_id(s, &line->tid));
}

/* Tag and message: "ActivityManager: text", "am_crash: text", "x       : ". */
static bool take_tag_and_message(struct ts_scan *s, struct ts_log_line *line)
{
    struct ts_scan tag;
    if (!ts_scan_until(s, ": ", &tag)) {
        if (s->at == s->end || s->end[-1] != ':')
            return false; /* an empty message, its blank trimmed */
        tag = (struct ts_scan){s->at, s->end - 1};
        s->at = s->end;
    }
    tag = ts_scan_trim(tag);
    ts_scan_copy(&tag, line->tag, sizeof line->tag);
    set_message(line, s);
    return true;
}

/* "P/tag( pid): message" of brief and, behind a stamp, time. */
static bool take_brief(struct ts_scan s, struct ts_log_line *line)
{
    if (!scan_priority(&s, line) || !ts_scan_char(&s, '/'))
        return false;
    const char *tag = s.at;
    for (struct ts_scan before; ts_scan_until(&s, "(", &before);) {
        for (int with_uid = 0; with_uid < 2; with_uid++) {
            struct ts_scan rest = s;
            line->uid = -1;
            if (!scan_ids(&rest, line, with_uid, false) || !ts_scan_char(&rest, ')') ||
                !ts_scan_char(&rest, ':'))
                continue;
            ts_scan_char(&rest, ' ');
            const struct ts_scan name = ts_scan_trim((struct ts_scan){tag, s.at - 1});
            ts_scan_copy(&name, line->tag, sizeof line->tag);
            set_message(line, &rest);
            return true;
        }
    }
    return false;
}

static bool take_time(struct ts_scan s, struct ts_log_line *line)
{
    return ts_stamp_scan(&s, line) && ts_scan_char(&s, ' ') && take_brief(s, line);
}

static bool take_threadtime(struct ts_scan s, struct ts_log_line *line)
{
    if (!ts_stamp_scan(&s, line) || !ts_scan_char(&s, ' '))
        return false;
    for (int with_uid = 0; with_uid < 2; with_uid++) {
        struct ts_scan rest = s;
        ts_scan_spaces(&rest);
        line->uid = -1;
        if (with_uid && (!ts_scan_uid(&rest, &line->uid) || !ts_scan_char(&rest, ' ')))
            return false;
        if (scan_id(&rest, &line->pid) && ts_scan_char(&rest, ' ') && scan_id(&rest, &line->tid) &&
            ts_scan_char(&rest, ' ') && scan_priority(&rest, line) && ts_scan_char(&rest, ' '))
            return take_tag_and_message(&rest, line);
    }
    return false;
}

/* "[ stamp uid: pid: tid P/tag ]", with the message on the next line. */
static bool take_long(struct ts_scan s, struct ts_log_line *line)
{
    if (!ts_scan_text(&s, "[ ") || !ts_stamp_scan(&s, line) || ts_scan_left(&s) < 2 ||
        memcmp(s.end - 2, " ]", 2) != 0)
        return false;
    s.end -= 2;
    for (int with_uid = 0; with_uid < 2; with_uid++) {
        struct ts_scan rest = s;
        line->uid = -1;
        if (!scan_ids(&rest, line, with_uid, true) || !ts_scan_char(&rest, ' ') ||
            !scan_priority(&rest, line) || !ts_scan_char(&rest, '/'))
            continue;
        const struct ts_scan tag = ts_scan_trim(rest);
        ts_scan_copy(&tag, line->tag, sizeof line->tag);
        rest.at = rest.end;
        set_message(line, &rest);
        line->message_follows = true;
        return true;
    }
    return false;
}

/* "P( pid) message  (tag)" */
static bool take_process(struct ts_scan s, struct ts_log_line *line)
{
    if (!scan_priority(&s, line) || !ts_scan_char(&s, '(') || ts_scan_left(&s) < 1 ||
        s.end[-1] != ')')
        return false;
    for (int with_uid = 0; with_uid < 2; with_uid++) {
        struct ts_scan rest = s;
        line->uid = -1;
        if (!scan_ids(&rest, line, with_uid, false) || !ts_scan_text(&rest, ") "))
            continue;
        struct ts_scan tag = rest;
        if (!ts_scan_past_last(&tag, "  ("))
            return false;
        const struct ts_scan message = {rest.at, tag.at - 3};
        tag.end--;
        ts_scan_copy(&tag, line->tag, sizeof line->tag);
        set_message(line, &message);
        return true;
    }
    return false;
}

/* "P( pid: tid) message" */
static bool take_thread(struct ts_scan s, struct ts_log_line *line)
{
    if (!scan_priority(&s, line) || !ts_scan_char(&s, '('))
        return false;
    for (int with_uid = 0; with_uid < 2; with_uid++) {
        struct ts_scan rest = s;
        line->uid = -1;
        if (!scan_ids(&rest, line, with_uid, true) || !ts_scan_char(&rest, ')'))
            continue;
        ts_scan_char(&rest, ' ');
        set_message(line, &rest);
        return true;
    }
    return false;
}

/* "P/tag: message", and the tail "P tag: message" of a threadtime line whose head was cut off. */
static bool take_tag(struct ts_scan s, struct ts_log_line *line)
{
    if (!scan_priority(&s, line) || (!ts_scan_char(&s, '/') && !ts_scan_char(&s, ' ')))
        return false;
    return take_tag_and_message(&s, line);
}

/* "am_crash: [...]": the names of the event log can stand alone, since no other line begins so. */
static bool take_event_tag(struct ts_scan s, struct ts_log_line *line)
{
    struct ts_scan rest = s;
    const struct ts_scan tag = ts_scan_word(&rest, ": /(");
    for (const char *p = tag.at; p < tag.end; p++)
        if (*p != '_' && !(*p >= 'a' && *p <= 'z') && !(*p >= '0' && *p <= '9'))
            return false;
    return ts_scan_has(&tag, '_') && rest.at < rest.end && *rest.at == ':' &&
           take_tag_and_message(&s, line);
}

int ts_logcat_parse_line(const char *text, size_t size, struct ts_log_line *line)
{
    static const format_reader formats[] = {take_threadtime, take_time,     take_long,
                                            take_brief,      take_process,  take_thread,
                                            take_tag,        take_event_tag};
    static const struct ts_log_line empty = {.pid = -1, .tid = -1, .uid = -1};
    struct ts_scan s = ts_scan_of(text, size);
    skip_color(&s);
    cut_end(&s);
    *line = empty;
    line->message = s.at;
    struct ts_scan divider = s;
    if (ts_scan_left(&s) == 0 || ts_scan_text(&divider, "--------- beginning of ") ||
        ts_scan_text(&divider, "--------- switch to "))
        return TS_EPROTO;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        *line = empty;
        if (formats[i](s, line))
            return TS_OK;
    }
    *line = empty;
    set_message(line, &s);
    return TS_OK;
}

void ts_logcat_set_message(struct ts_log_line *line, const char *text, size_t size)
{
    const struct ts_scan message = ts_scan_of(text, size);
    set_message(line, &message);
    line->message_follows = false;
}
