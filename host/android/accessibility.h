/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Accessibility events as `uiautomator events` prints them: a date and AccessibilityEvent's
 * toString(). What the screen said (Text, ContentDescription, BeforeText) is read over and kept
 * nowhere. */
#ifndef TS_ANDROID_ACCESSIBILITY_H
#define TS_ANDROID_ACCESSIBILITY_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

enum ts_accessibility_kind {
    TS_ACCESSIBILITY_OTHER = 0,
    TS_ACCESSIBILITY_CLICKED,         /* TYPE_VIEW_CLICKED */
    TS_ACCESSIBILITY_WINDOW,          /* TYPE_WINDOW_STATE_CHANGED */
    TS_ACCESSIBILITY_CONTENT,         /* TYPE_WINDOW_CONTENT_CHANGED; at most ten a second come */
    TS_ACCESSIBILITY_WINDOWS_CHANGED, /* TYPE_WINDOWS_CHANGED */
};

struct ts_accessibility_event {
    enum ts_accessibility_kind kind;
    int64_t uptime_ms; /* SystemClock.uptimeMillis() when the event was made */
    char type[64];     /* as printed, "TYPE_VIEW_CLICKED" */
    char package[128]; /* "" for null */
    char class_name[128];
};

#define TS_ACCESSIBILITY_LINE_MAX 400

/* One line, with or without its date. TS_EPROTO: it is none, as the lines are on which an event's
 * text goes on that has line ends in it. */
int ts_accessibility_parse(const char *text, size_t size,
                           struct ts_accessibility_event *event) TS_MUST_CHECK;

/* What is kept of it, in the form in which it can be read again. */
void ts_accessibility_print(const struct ts_accessibility_event *event, char *text, size_t size);

#endif
