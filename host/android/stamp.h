/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The time at the head of a log line. Inside this room only. */
#ifndef TS_ANDROID_STAMP_H
#define TS_ANDROID_STAMP_H

#include "android/logcat.h"
#include "android/scan.h"

/* Takes a calendar, epoch or monotonic time and fills the stamp fields of *line. */
bool ts_stamp_scan(struct ts_scan *s, struct ts_log_line *line);

#endif
