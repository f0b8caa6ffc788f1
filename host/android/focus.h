/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is on top: read from `dumpsys window` (or `dumpsys window windows`, `displays`, `policy`;
 * joined outputs are fine). */
#ifndef TS_ANDROID_FOCUS_H
#define TS_ANDROID_FOCUS_H

#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>

struct ts_focus {
    /* The window that has the focus: "pkg/pkg.Act", or the name of one that is no activity
     * ("NotificationShade", "Application Not Responding: pkg"); "" for none. */
    char window[160];
    char activity[160]; /* the activity that the system means to be on top, "pkg/.Act" */
    int user;           /* of the window; -1 unknown */
    int keyguard;       /* 1 shown (even if something lies over it), 0 not, -1 unknown */
    int awake;          /* 1 screen on, 0 off or dozing, -1 unknown */
};

/* TS_EPROTO: the text says nothing of all this. */
int ts_focus_read_all(const char *text, struct ts_focus *focus) TS_MUST_CHECK;

/* The focused window alone; "" when unknown. */
void ts_focus_read(const char *text, char *window, size_t size);

/* A window that the system lays over an app, or that an app calls up and that is not the app:
 * permissions, installer, sign-in, chooser, "not responding", "keeps stopping". */
bool ts_focus_is_dialog(const char *window);

#endif
