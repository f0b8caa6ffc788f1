/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/launch.h"

#include "android/component.h"

#include <string.h>

/* What was seen of the tapped app's process and activity. */
struct traces {
    bool process_started, created, resumed, lost;
    bool explicit_resume; /* of an activity that existed: not written on creation */
    bool dead;            /* its process ended before the tap and none was started since */
    int pid_before;       /* of its process before the tap; 0 unknown */
    bool vouched;         /* ... by system_server or by the query, not by the app alone */
    bool same_pid;        /* a callback after the tap came from pid_before */
    bool other_pid;       /* ... from another process */
};

/* The tapped app or the one that was displayed for it: what they call up later has a start of its
 * own. */
static bool is_at_either_end(const struct ts_launch_seen *launch, const char *name,
                             const struct ts_log_event *displayed)
{
    return ts_component_same_package(name, launch->query->component) ||
           (displayed && ts_component_same_package(name, displayed->component));
}

/* The app's main process, or the one that an activity of it was wanted in. A process of its own
 * for a service ("pkg:push") says nothing about the activity. */
static bool is_activity_process(const struct ts_log_event *event)
{
    return strchr(event->process, ':') == NULL || strstr(event->reason, "activity") != NULL;
}

static bool is_our_process(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    return ts_launch_believes(launch, event) && ts_launch_same_user(launch, event) &&
           event->process[0] != '\0' && ts_launch_has_package(launch, event->process) &&
           is_activity_process(event);
}

/* A callback of an activity of the launch, not written by another app, where uids tell. */
static bool is_our_callback(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    if (!ts_launch_is_callback(event) || event->kind == TS_LOG_NOTHING || event->line.pid <= 0 ||
        event->line.pid == launch->server_pid || !ts_launch_same_user(launch, event))
        return false;
    for (size_t i = 0; i < launch->name_count; i++) {
        if (!ts_component_has_class(launch->names[i], event->component))
            continue;
        if (event->line.uid == -1 || launch->uids[i] < 0 || event->line.uid == launch->uids[i])
            return true;
    }
    return false;
}

static void read_before(const struct ts_launch_seen *launch, const struct ts_log_event *event,
                        struct traces *traces)
{
    if (is_our_process(launch, event)) {
        const bool begins = event->kind == TS_LOG_PROC_START || event->kind == TS_LOG_PROC_BOUND;
        const bool ends = event->kind == TS_LOG_PROC_DIED || event->kind == TS_LOG_KILL;
        if (ends && traces->vouched && event->pid != traces->pid_before)
            return; /* an earlier process, whose end is told late */
        if (begins || ends)
            traces->dead = ends;
        if (begins && event->pid > 0) {
            traces->pid_before = event->pid;
            traces->vouched = true;
        }
        if (ends) {
            traces->pid_before = 0;
            traces->vouched = false;
        }
    } else if (is_our_callback(launch, event) && !traces->vouched && !traces->dead) {
        traces->pid_before = event->line.pid;
    }
}

static void read_callback(const struct ts_log_event *event, struct traces *traces)
{
    if (traces->pid_before && event->line.pid != traces->pid_before) {
        traces->other_pid = true;
        return;
    }
    traces->same_pid |= traces->pid_before != 0;
    traces->created |= event->kind == TS_LOG_CREATE;
    traces->explicit_resume |= event->kind == TS_LOG_RESTART;
    traces->resumed |=
        (event->kind == TS_LOG_RESUME || event->kind == TS_LOG_RESTART) && traces->vouched;
}

static void read_server(const struct ts_log_event *event, struct traces *traces)
{
    /* "restart_activity" is the start of the activity in its process, which calls onCreate; only
     * the callback on_restart_called is a return to one that was there. */
    traces->created |= event->kind == TS_LOG_CREATE || event->kind == TS_LOG_RESTART;
    traces->resumed |= event->kind == TS_LOG_RESUME;
    traces->explicit_resume |=
        event->kind == TS_LOG_RESUME && strcmp(event->line.tag + 2, "_resume_activity") == 0;
}

static void read_after(const struct ts_launch_seen *launch, const struct ts_log_event *event,
                       const struct ts_log_event *displayed, struct traces *traces)
{
    traces->lost |= ts_launch_loses_server(event);
    if (event->kind == TS_LOG_PROC_START)
        traces->process_started |=
            is_our_process(launch, event) && is_at_either_end(launch, event->process, displayed);
    else if (ts_launch_believes(launch, event) && ts_launch_same_user(launch, event) &&
             is_at_either_end(launch, event->component, displayed))
        read_server(event, traces);
    else if (is_our_callback(launch, event))
        read_callback(event, traces);
}

enum ts_start_type ts_launch_start_type(const struct ts_launch_seen *launch,
                                        const struct ts_log_event *displayed)
{
    if (!launch->begin)
        return TS_START_UNKNOWN;
    struct traces traces = {.pid_before = launch->query->pid, .vouched = launch->query->pid > 0};
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if (ts_launch_before_tap(launch, event))
            read_before(launch, event, &traces);
        else if (ts_launch_in_window(launch, event))
            read_after(launch, event, displayed, &traces);
        if (event == displayed)
            break; /* a process that is started afterwards has crashed or been killed between */
    }
    if (traces.process_started)
        return TS_START_COLD;
    const bool witnessed = traces.vouched && traces.same_pid;
    if (traces.dead || (traces.other_pid && !traces.same_pid))
        return TS_START_UNKNOWN;
    if (traces.created)
        return traces.lost && !witnessed ? TS_START_UNKNOWN : TS_START_WARM;
    if (traces.resumed && !traces.lost && !displayed && (traces.same_pid || traces.explicit_resume))
        return TS_START_HOT;
    return TS_START_UNKNOWN;
}
