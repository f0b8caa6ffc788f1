/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which log lines belong to which tap, and what start it was. */
#ifndef TS_ANDROID_MATCH_H
#define TS_ANDROID_MATCH_H

#include "android/logcat.h"
#include "model/result.h"

struct ts_match_query {
    const char *component; /* the app that was tapped, "pkg/.Act" or "pkg/full.Act" */
    int user;              /* 0 */
    /* CLOCK_REALTIME of the phone: the click cannot have come before, by the clock's bound. */
    int64_t not_before_ns;
    int64_t not_after_ns; /* end of watching */
};

struct ts_match {
    enum ts_start_type start_type;                              /* from positive evidence only */
    double time_to_initial_display_ms, time_to_full_display_ms; /* NAN unknown */
    char component[160]; /* as displayed (may be the end of a trampoline chain) */
    bool started;        /* a START or launch of the app after the tap was seen */
    bool crashed, anr, log_lost;
    bool foreign_window; /* something else came to the front instead */
    char foreign[160];
    int64_t start_ns; /* CLOCK_REALTIME of the START / create line, 0 unknown */
};

/* Events in order of arrival, all of one launch's window (they may start well before the tap and
 * contain other apps' lines). system_server is recognised by its pid/uid, never by the words. */
int ts_match_launch(const struct ts_log_event *events, size_t count,
                    const struct ts_match_query *query, struct ts_match *out) TS_MUST_CHECK;

#endif
