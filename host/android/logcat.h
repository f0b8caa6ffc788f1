/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of logcat text, in any of its formats, and what it says about launches. */
#ifndef TS_ANDROID_LOGCAT_H
#define TS_ANDROID_LOGCAT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ts_stamp_kind {
    TS_STAMP_NONE,     /* brief, process, tag, thread, raw */
    TS_STAMP_CALENDAR, /* month-day without (or with) a year */
    TS_STAMP_EPOCH,    /* CLOCK_REALTIME, seconds since 1970 */
    TS_STAMP_MONOTONIC,
};

struct ts_log_line {
    enum ts_stamp_kind stamp_kind;
    int64_t stamp_ns;      /* epoch/monotonic: that clock; calendar: since the start of the year */
    int64_t resolution_ns; /* of the text: 1 ms, 1 us, 1 ns */
    char stamp[40];        /* as printed, "" for none */
    char priority;         /* 'V' 'D' 'I' 'W' 'E' 'F', 0 when not printed */
    int pid, tid, uid;     /* -1 when not printed */
    char tag[64];
    const char *message; /* into the given text */
    size_t message_size;
};

/* `text` is one line without its end; size bytes, need not be terminated. TS_EPROTO: not a log
 * line (also for "--------- beginning of main"). */
int ts_logcat_parse_line(const char *text, size_t size, struct ts_log_line *line) TS_MUST_CHECK;

enum ts_log_event_kind {
    TS_LOG_NOTHING = 0,
    TS_LOG_DISPLAYED,   /* "Displayed": time to initial display */
    TS_LOG_FULLY_DRAWN, /* "Fully drawn": time to full display */
    TS_LOG_LAUNCH_TIME, /* am_/wm_activity_launch_time */
    TS_LOG_START,       /* START u0 {...} */
    TS_LOG_PROC_START,  /* am_proc_start, or "Start proc" */
    TS_LOG_PROC_BOUND,
    TS_LOG_PROC_DIED,
    TS_LOG_KILL,
    TS_LOG_CREATE, /* *_on_create_called, am_/wm_create_activity */
    TS_LOG_RESTART,
    TS_LOG_RESUME, /* *_on_resume_called, *_resume_activity, set_resumed */
    TS_LOG_PAUSE,
    TS_LOG_CRASH, /* am_crash, FATAL EXCEPTION */
    TS_LOG_ANR,
    TS_LOG_FOCUS,   /* input_focus entering */
    TS_LOG_LOST,    /* chatty: lines were dropped */
    TS_LOG_TIMEOUT, /* Launch timeout has expired */
};
/* Names as `touchstone parse logcat` prints them: "displayed", "fully_drawn", "launch_time",
 * "start", "proc_start", ... */
const char *ts_log_event_name(enum ts_log_event_kind kind);

struct ts_log_event {
    enum ts_log_event_kind kind;
    char component[160]; /* as printed ("pkg/.Act", "pkg/full.Act", a process name); "" none */
    double duration_ms;  /* NAN when absent */
    double total_ms;     /* NAN when absent */
    int user;            /* -1 when not printed */
    int pid;             /* the process the event is about; -1 */
    int uid;             /* caller's uid of START, process uid of proc_start; -1 */
    int result;          /* START: result code; -1 */
    int lost;            /* LOST: lines dropped */
    struct ts_log_line line;
};

/* TS_OK with kind TS_LOG_NOTHING for a line that says nothing about launches. Only the sender's
 * tag is judged here; who the sender is, match.h judges. Never fails on any bytes but with
 * TS_EPROTO (not a log line). */
int ts_logcat_parse_event(const char *text, size_t size, struct ts_log_event *event) TS_MUST_CHECK;

/* "+1m45s48ms" (TimeUtils.formatDuration); the number of characters taken, 0 when it is none. */
size_t ts_duration_parse(const char *text, size_t size, double *ms);

#endif
