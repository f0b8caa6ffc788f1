/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `am start -W` prints when the activity has been shown (or was not). */
#ifndef TS_ANDROID_AM_START_H
#define TS_ANDROID_AM_START_H

#include "base/err.h"

#include <stdbool.h>

enum ts_am_state {                    /* LaunchState of Android 10 and later */
                   TS_AM_UNKNOWN = 0, /* not printed, or UNKNOWN */
                   TS_AM_COLD,
                   TS_AM_WARM,
                   TS_AM_HOT,
                   TS_AM_RELAUNCH,
};

struct ts_am_start {
    bool ok;       /* "Status: ok"; timeout is not */
    bool complete; /* the last line came */
    enum ts_am_state state;
    char activity[160]; /* of the one shown, which may be another package's; "" */
    /* ms, NAN when not printed. this: the last activity alone (Android <= 9); wait: on the clock of
     * the program am itself, with its calls to the system. */
    double this_ms, total_ms, wait_ms;
    bool brought_to_front; /* its task was there already */
    bool delivered_to_top; /* so was the activity: nothing started */
    bool kept_back;        /* the app in front must not be left */
    char error[160];       /* "Error: ...", or the class of an exception; "" */
};

/* Whether the phone would not start it, by what `am start` printed and its exit code; an activity
 * that was in front already is no refusal. reason: the phone's words, "" when it was silent. */
bool ts_am_start_refused(const char *text, int exit_code, char reason[160]);

/* TS_EPROTO: nothing of all this is in the text. */
int ts_am_start_read(const char *text, struct ts_am_start *start) TS_MUST_CHECK;

#endif
