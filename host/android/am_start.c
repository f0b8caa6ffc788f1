/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/am_start.h"

#include "android/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static enum ts_am_state state_of(const struct ts_scan *name)
{
    static const char *const names[] = {
        [TS_AM_COLD] = "COLD",
        [TS_AM_WARM] = "WARM",
        [TS_AM_HOT] = "HOT",
        [TS_AM_RELAUNCH] = "RELAUNCH",
    };
    for (int i = TS_AM_COLD; i <= TS_AM_RELAUNCH; i++)
        if (ts_scan_is(name, names[i]))
            return (enum ts_am_state)i;
    return TS_AM_UNKNOWN; /* "UNKNOWN (0)" */
}

static double ms_of(struct ts_scan text)
{
    int64_t value;
    return ts_scan_is_number(text, &value) && value >= 0 ? (double)value : NAN;
}

static bool read_line(struct ts_scan s, struct ts_am_start *start)
{
    if (ts_scan_text(&s, "Status: "))
        start->ok = ts_scan_is(&s, "ok");
    else if (ts_scan_text(&s, "LaunchState: "))
        start->state = state_of(&s);
    else if (ts_scan_text(&s, "Activity: "))
        ts_scan_copy(&s, start->activity, sizeof start->activity);
    else if (ts_scan_text(&s, "ThisTime: "))
        start->this_ms = ms_of(s);
    else if (ts_scan_text(&s, "TotalTime: "))
        start->total_ms = ms_of(s);
    else if (ts_scan_text(&s, "WaitTime: "))
        start->wait_ms = ms_of(s);
    else if (ts_scan_is(&s, "Complete"))
        start->complete = true;
    else if (ts_scan_text(&s, "Warning: Activity not started, its current task has been brought"))
        start->brought_to_front = true;
    else if (ts_scan_text(&s, "Warning: Activity not started, intent has been delivered"))
        start->delivered_to_top = true;
    else if (ts_scan_text(&s, "Error: ") || ts_scan_text(&s, "Exception occurred") ||
             ts_scan_text(&s, "Security exception: ") ||
             ts_scan_text(&s, "java.lang.SecurityException: "))
        ts_scan_copy(&s, start->error, sizeof start->error);
    else if (ts_scan_text(&s, "Warning: Activity not started because "))
        start->kept_back = true;
    else
        return false;
    return true;
}

int ts_am_start_read(const char *text, struct ts_am_start *start)
{
    *start = (struct ts_am_start){.this_ms = NAN, .total_ms = NAN, .wait_ms = NAN};
    bool any = false;
    struct ts_scan s = ts_scan_of(text, strlen(text));
    while (ts_scan_left(&s)) {
        const struct ts_scan line = ts_scan_trim(ts_scan_word(&s, "\r\n"));
        any |= read_line(line, start);
        if (!ts_scan_char(&s, '\r'))
            ts_scan_char(&s, '\n');
    }
    return any ? TS_OK : TS_EPROTO;
}

bool ts_am_start_refused(const char *text, int exit_code, char reason[160])
{
    struct ts_am_start start;
    if (ts_am_start_read(text, &start) || (!start.error[0] && exit_code)) {
        struct ts_scan s = ts_scan_of(text, strlen(text));
        const struct ts_scan line = ts_scan_trim(ts_scan_word(&s, "\r\n"));
        ts_scan_copy(&line, start.error, sizeof start.error);
    } else if (start.kept_back) {
        exit_code = 1;
        snprintf(start.error, sizeof start.error, "it keeps the app that is in front");
    } else if (start.error[0]) {
        exit_code = 1;
    }
    snprintf(reason, sizeof start.error, "%s", exit_code ? start.error : "");
    return exit_code != 0;
}
