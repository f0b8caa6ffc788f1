/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which log lines belong to which tap, and what start it was. */
#ifndef TS_ANDROID_MATCH_H
#define TS_ANDROID_MATCH_H

#include "android/logcat.h"
#include "model/result.h"

struct ts_match_query {
    const char *component; /* the app that was tapped, "pkg/.Act" or "pkg/full.Act" */
    int user;              /* 0 */
    /* Of the app before the tap, where known (`dumpsys package`, `pidof`); 0: not. The uid shows
     * that an activity of another package was started by this app; the pid, that its process was
     * there already. */
    int uid, pid;
    /* CLOCK_REALTIME of the phone: the click cannot have come before, by the clock's bound. */
    int64_t not_before_ns;
    int64_t not_after_ns; /* end of watching */
};

struct ts_match {
    enum ts_start_type start_type;                              /* from positive evidence only */
    double time_to_initial_display_ms, time_to_full_display_ms; /* NAN unknown */
    double total_display_ms; /* "total" of Android <= 9, from the first activity of a chain; NAN */
    char component[160];     /* as displayed (may be the end of a trampoline chain) */
    bool started;            /* a START or launch of the app after the tap was seen */
    bool refused;            /* instead of that, a START that Android answered with no */
    bool crashed, anr, log_lost;
    bool foreign_window; /* something else came to the front instead */
    char foreign[160];
    int64_t start_ns; /* CLOCK_REALTIME of the START / create line, 0 unknown */
    int64_t told_ns;  /* of its START line alone; 0: there is none */
};

/* Events in order of arrival, all of one launch's window (they may start well before the tap and
 * contain other apps' lines). system_server is recognised by its pid/uid, never by the words: with
 * `-v uid` it is uid 1000; without, the pid that wrote the most kinds of its lines.
 *
 * Only lines stamped with CLOCK_REALTIME (logcat -v epoch, or -v year -v zone) can be placed after
 * the tap; others belong to no launch. The launch begins with the first START, creation or resume
 * of the tapped component after not_before_ns. An activity of the same package belongs to it; one
 * of another package only when the launch's own package or uid is named as the caller of its START.
 *
 * A time to display counts only when stamp - duration lies after the tap and not a second or more
 * after the launch began: else it is the previous launch's late line, or a screen that the app
 * opened by itself later on. While another user launches the same app, a line that names no user
 * counts for nothing, nor does Samsung's line without a component; the event-log entry beside each
 * has the same number.
 *
 * COLD: a process of the launch was started before the activity was displayed. WARM: the activity
 * was created, and no process started. HOT: it was resumed by the same process, and not created.
 * With lines of system_server lost, what was not seen proves nothing: UNKNOWN.
 *
 * TS_EINVAL: no component in the query. */
int ts_match_launch(const struct ts_log_event *events, size_t count,
                    const struct ts_match_query *query, struct ts_match *out) TS_MUST_CHECK;

#endif
