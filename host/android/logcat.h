/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of logcat text, in any of its formats, and what it says about launches. */
#ifndef TS_ANDROID_LOGCAT_H
#define TS_ANDROID_LOGCAT_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum ts_stamp_kind {
    TS_STAMP_NONE,      /* brief, process, tag, thread, raw */
    TS_STAMP_CALENDAR,  /* month-day; a year or a zone alone do not fix the instant */
    TS_STAMP_EPOCH,     /* CLOCK_REALTIME, seconds since 1970; also a date with year and zone */
    TS_STAMP_MONOTONIC, /* below 10^8 s, where no clock set since 1973 can be */
};

struct ts_log_line {
    enum ts_stamp_kind stamp_kind;
    /* epoch/monotonic: that clock; calendar: since the start of the year as printed, a year that
     * is not printed counted as a leap year */
    int64_t stamp_ns;
    int64_t resolution_ns; /* of the text: 1 ms, 1 us, 1 ns */
    char stamp[40];        /* as printed, "" for none */
    char priority;         /* 'V' 'D' 'I' 'W' 'E' 'F' 'S', 0 when not printed */
    int pid, tid, uid;     /* -1 when not printed; uid -2: a name without a number that we know */
    bool message_follows;  /* a header of the long format: the next line is the message */
    char tag[64];
    const char *message; /* into the given text */
    size_t message_size;
};

/* `text` is one line, with or without its end; size bytes, need not be terminated, may hold NUL.
 * TS_EPROTO: not a log line (an empty one, "--------- beginning of main"). What fits no format
 * with a prefix is a raw line: tag "". Ask logcat for threadtime where it can be chosen: brief,
 * process and time print the tag before the pid, so that a crafted tag can imitate another. */
int ts_logcat_parse_line(const char *text, size_t size, struct ts_log_line *line) TS_MUST_CHECK;

/* Gives a header of the long format its message: one of the lines below it. */
void ts_logcat_set_message(struct ts_log_line *line, const char *text, size_t size);

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
    char process[160];   /* events about a process: its name, or its package; "" none */
    char caller[160];    /* START: package that asked, where printed */
    char reason[32];     /* proc_start: what for; lifecycle: who called; kill: why; "" none */
    double duration_ms;  /* NAN when absent; lifecycle: how long the callback took */
    double total_ms;     /* NAN when absent */
    int user;            /* -1 when not printed */
    int pid;             /* the process the event is about; -1 */
    int uid;             /* caller's uid of START, process uid of proc_start; -1 */
    int result;          /* START: result code; -1. 0 started, 2 task to front, 3 to top */
    int lost;            /* LOST: lines dropped, of process uid `uid` */
    struct ts_log_line line;
};

/* TS_OK with kind TS_LOG_NOTHING for a line that says nothing about launches. Only the sender's
 * tag is judged here; who the sender is, match.h judges. Never fails on any bytes but with
 * TS_EPROTO (not a log line). */
int ts_logcat_parse_event(const char *text, size_t size, struct ts_log_event *event) TS_MUST_CHECK;

/* The same for a line that has been parsed: event->line is given, the rest is filled in. For the
 * long format, whose message comes on a line of its own. */
void ts_log_event_read(struct ts_log_event *event);

/* "+1m45s48ms" (TimeUtils.formatDuration, of which only what it prints is taken: no zero padding,
 * "+60s0ms" but not "+1m0s0ms", zero is "0"); the number of characters taken, 0 when it is none. */
size_t ts_duration_parse(const char *text, size_t size, double *ms);

#endif
