/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A log that broke off is taken up a little before the last line that was seen; what was seen
 * already is dropped. That the last line comes a second time is the proof that the phone still had
 * everything from there on: if it does not come, or there was none, lines may be missing. Pure. */
#ifndef TS_LIVE_ADB_RESUME_H
#define TS_LIVE_ADB_RESUME_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_adb_seen {
    int64_t stamp_ns;
    uint64_t hash;
    bool again; /* seen a second time, since the break */
};

/* Zeroed: nothing seen. */
struct ts_adb_resume {
    struct ts_adb_seen *seen; /* owned; the lines of the last two seconds, as they came */
    size_t count, capacity;
    size_t next;       /* where the next repeated line is likely to be */
    int64_t newest_ns; /* stamp of the newest line */
    bool epoch;        /* it is one that can be counted back from */
    char stamp[40];    /* as printed */
    bool replaying;    /* since a break no line newer than those before it has come */
    int64_t break_ns;  /* newest_ns at the break; INT64_MIN: there was none */
    bool proven;       /* the line of that stamp has come again */
};

enum ts_adb_resumed {
    TS_ADB_LINE_NEW = 0,
    TS_ADB_LINE_SEEN,  /* to be dropped */
    TS_ADB_LINE_LATER, /* new, and there may have been others before it */
};

/* One line of the log; TS_ENOMEM or enum ts_adb_resumed. */
int ts_adb_resume_line(struct ts_adb_resume *resume, const char *text, size_t size) TS_MUST_CHECK;
/* The stream has broken off; also while it was being taken up. */
void ts_adb_resume_break(struct ts_adb_resume *resume);
/* What `logcat -T` is to be given; "" when no line was seen. */
void ts_adb_resume_from(const struct ts_adb_resume *resume, char *text, size_t size);
void ts_adb_resume_free(struct ts_adb_resume *resume);

#endif
