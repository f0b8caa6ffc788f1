/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two kinds of lines that speak of launches: event-log entries "[v,v,...]" (events.c) and
 * sentences of ActivityManager (texts.c). Inside this room only. */
#ifndef TS_ANDROID_EVENTS_H
#define TS_ANDROID_EVENTS_H

#include "android/logcat.h"

/* Each fills *event and returns true when the line, by its tag and shape, is one of its own. */
bool ts_events_read(struct ts_log_event *event);
bool ts_texts_read(struct ts_log_event *event);

#endif
