/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/events.h"

#include <math.h>

const char *ts_log_event_name(enum ts_log_event_kind kind)
{
    static const char *const names[] = {
        [TS_LOG_NOTHING] = "nothing",
        [TS_LOG_DISPLAYED] = "displayed",
        [TS_LOG_FULLY_DRAWN] = "fully_drawn",
        [TS_LOG_LAUNCH_TIME] = "launch_time",
        [TS_LOG_START] = "start",
        [TS_LOG_PROC_START] = "proc_start",
        [TS_LOG_PROC_BOUND] = "proc_bound",
        [TS_LOG_PROC_DIED] = "proc_died",
        [TS_LOG_KILL] = "kill",
        [TS_LOG_CREATE] = "create",
        [TS_LOG_RESTART] = "restart",
        [TS_LOG_RESUME] = "resume",
        [TS_LOG_PAUSE] = "pause",
        [TS_LOG_CRASH] = "crash",
        [TS_LOG_ANR] = "anr",
        [TS_LOG_FOCUS] = "focus",
        [TS_LOG_LOST] = "lost",
        [TS_LOG_TIMEOUT] = "timeout",
    };
    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "nothing";
}

static struct ts_log_event blank(const struct ts_log_line *line)
{
    return (struct ts_log_event){.duration_ms = NAN,
                                 .total_ms = NAN,
                                 .user = -1,
                                 .pid = -1,
                                 .uid = -1,
                                 .result = -1,
                                 .line = *line};
}

void ts_log_event_read(struct ts_log_event *event)
{
    const struct ts_log_line line = event->line;
    *event = blank(&line);
    if (ts_events_read(event))
        return;
    *event = blank(&line);
    if (!ts_texts_read(event))
        *event = blank(&line);
}

int ts_logcat_parse_event(const char *text, size_t size, struct ts_log_event *event)
{
    struct ts_log_line line;
    const int err = ts_logcat_parse_line(text, size, &line);
    *event = blank(&line);
    if (err)
        return err;
    ts_log_event_read(event);
    return TS_OK;
}
