/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "android/match.h"

#include "android/component.h"
#include "android/focus.h"
#include "android/launch.h"

#include <math.h>
#include <string.h>

/* The line's stamp is put on after the fact, so that stamp - duration cannot lie before the launch
 * but for rounding: 1 ms of the duration, 10 ms of phones whose log clock ticks in such steps. */
#define ROUNDING_NS 11e6
/* The line is written by a thread of its own, which a busy phone lets wait. */
#define WRITER_DELAY_NS 1e9

bool ts_launch_in_window(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    const struct ts_log_line *line = &event->line;
    /* A printed stamp is cut, so that the instant lies within its last digit. */
    return line->stamp_kind == TS_STAMP_EPOCH &&
           line->stamp_ns + line->resolution_ns > launch->query->not_before_ns &&
           line->stamp_ns <= launch->query->not_after_ns;
}

bool ts_launch_before_tap(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    const struct ts_log_line *line = &event->line;
    return line->stamp_kind == TS_STAMP_EPOCH &&
           line->stamp_ns + line->resolution_ns <= launch->query->not_before_ns;
}

bool ts_launch_same_user(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    return event->user < 0 || event->user == launch->query->user;
}

static int name_of_package(const struct ts_launch_seen *launch, const char *name)
{
    for (size_t i = 0; i < launch->name_count; i++)
        if (ts_component_same_package(launch->names[i], name))
            return (int)i;
    return -1;
}

bool ts_launch_has_package(const struct ts_launch_seen *launch, const char *name)
{
    return name_of_package(launch, name) >= 0;
}

/* The uid under which system_server started a process of the package. */
static int find_uid(const struct ts_launch_seen *launch, const char *name)
{
    int uid = -1;
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if (event->kind == TS_LOG_PROC_START && event->uid >= 0 &&
            ts_launch_believes(launch, event) && ts_launch_same_user(launch, event) &&
            ts_component_same_package(event->process, name))
            uid = event->uid;
    }
    return uid;
}

static void join(struct ts_launch_seen *launch, const char *name, int uid)
{
    if (launch->name_count == TS_LAUNCH_CHAIN_MAX)
        return;
    for (size_t i = 0; i < launch->name_count; i++)
        if (ts_component_equal(launch->names[i], name))
            return;
    launch->names[launch->name_count] = name;
    launch->uids[launch->name_count++] = uid >= 0 ? uid : find_uid(launch, name);
}

/* START said yes: started, task brought to front, or given to the activity on top. */
static bool went_ahead(const struct ts_log_event *start)
{
    return start->result <= 3 && start->result >= -1;
}

/* Of the tapped app. */
static bool is_start_line(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    return event->kind == TS_LOG_START && ts_launch_in_window(launch, event) &&
           ts_launch_believes(launch, event) && ts_launch_same_user(launch, event) &&
           ts_component_equal(event->component, launch->query->component);
}

/* Android's own no: an error, or a start that it put aside. */
static bool is_refused(const struct ts_launch_seen *launch)
{
    for (size_t i = 0; i < launch->count && !launch->begin; i++) {
        if (is_start_line(launch, &launch->events[i]) && !went_ahead(&launch->events[i]))
            return true;
    }
    return false;
}

/* Since Android 14 the line comes with the outcome: what the start led to can stand before it. */
static int64_t find_told(const struct ts_launch_seen *launch)
{
    for (size_t i = 0; i < launch->count; i++) {
        if (is_start_line(launch, &launch->events[i]) && went_ahead(&launch->events[i]))
            return launch->events[i].line.stamp_ns;
    }
    return 0;
}

static bool is_called_by_launch(const struct ts_launch_seen *launch,
                                const struct ts_log_event *start)
{
    if (start->caller[0])
        return ts_launch_has_package(launch, start->caller);
    for (size_t i = 0; i < launch->name_count; i++)
        if (start->uid >= 10000 && start->uid == launch->uids[i])
            return true;
    return false;
}

static bool can_begin(const struct ts_log_event *event)
{
    switch (event->kind) {
    case TS_LOG_START:
        return went_ahead(event);
    case TS_LOG_PROC_START:
    case TS_LOG_CREATE:
    case TS_LOG_RESTART:
    case TS_LOG_RESUME:
        return true;
    default:
        return false;
    }
}

/* Finds the first line of the launch, and who takes part in it. */
static void follow(struct ts_launch_seen *launch)
{
    const char *tapped = launch->query->component;
    join(launch, tapped, launch->query->uid > 0 ? launch->query->uid : -1);
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if (!ts_launch_in_window(launch, event) || !ts_launch_believes(launch, event) ||
            !ts_launch_same_user(launch, event) || !can_begin(event))
            continue;
        if (!launch->begin && ts_component_equal(event->component, tapped))
            launch->begin = event;
        if (!launch->begin || ts_focus_is_dialog(event->component))
            continue;
        if (ts_launch_has_package(launch, event->component)) {
            if (event->kind != TS_LOG_PROC_START)
                join(launch, event->component, launch->uids[0]);
        } else if (event->kind == TS_LOG_START && is_called_by_launch(launch, event)) {
            join(launch, event->component, -1);
        }
    }
}

/* Of an app that another user has too, a line without the user can be the other's. */
static bool is_shared_with_other_user(const struct ts_launch_seen *launch)
{
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if (ts_launch_believes(launch, event) && !ts_launch_same_user(launch, event) &&
            ts_launch_has_package(launch, event->component))
            return true;
    }
    return false;
}

/* A Displayed, Fully drawn or launch_time line of this launch, by its sender, name and time. */
static bool is_of_launch(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    if (!launch->begin || !ts_launch_in_window(launch, event) ||
        !ts_launch_believes(launch, event) || !ts_launch_has_package(launch, event->component) ||
        !ts_launch_same_user(launch, event) || event->duration_ms < 0)
        return false;
    if (event->user < 0 && launch->shared)
        return false;
    /* As double: 256 ns at today's dates, and no overflow whatever was printed. */
    const double stamp_ns = (double)event->line.stamp_ns;
    const double longest_ms = fmax(event->duration_ms, event->total_ms); /* a NAN is passed over */
    if (stamp_ns - event->duration_ms * 1e6 < (double)launch->query->not_before_ns - ROUNDING_NS)
        return false;
    return stamp_ns - longest_ms * 1e6 <= (double)launch->begin->line.stamp_ns + WRITER_DELAY_NS;
}

static const struct ts_log_event *read_times(const struct ts_launch_seen *launch,
                                             struct ts_match *out)
{
    const struct ts_log_event *displayed = NULL;
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        const bool initial = event->kind == TS_LOG_DISPLAYED || event->kind == TS_LOG_LAUNCH_TIME;
        if ((!initial && event->kind != TS_LOG_FULLY_DRAWN) || !is_of_launch(launch, event))
            continue;
        if (!initial && isnan(out->time_to_full_display_ms))
            out->time_to_full_display_ms = event->duration_ms;
        if (!initial || displayed)
            continue;
        displayed = event;
        out->time_to_initial_display_ms = event->duration_ms;
        out->total_display_ms = event->total_ms;
        memcpy(out->component, event->component, sizeof out->component);
    }
    return displayed;
}

/* Names of windows that are no activity: a package stands for its dialogs; popups and input
 * methods have names of their own and are nobody's. */
static bool names_somebody(const char *window)
{
    static const char *const system[] = {"NotificationShade", "StatusBar", "Keyguard",
                                         "Application Not Responding", "Application Error"};
    for (size_t i = 0; i < sizeof system / sizeof *system; i++)
        if (strncmp(window, system[i], strlen(system[i])) == 0)
            return true;
    return strchr(window, '/') || (strchr(window, '.') && !strpbrk(window, " :"));
}

static void read_front(const struct ts_launch_seen *launch, struct ts_match *out)
{
    const struct ts_log_event *front = NULL;
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        const bool comes_up = event->kind == TS_LOG_FOCUS || event->kind == TS_LOG_CREATE ||
                              event->kind == TS_LOG_RESTART || event->kind == TS_LOG_RESUME;
        if (comes_up && ts_launch_in_window(launch, event) && ts_launch_believes(launch, event) &&
            names_somebody(event->component))
            front = event;
    }
    if (!front ||
        (ts_launch_has_package(launch, front->component) && ts_launch_same_user(launch, front)))
        return;
    out->foreign_window = true;
    memcpy(out->foreign, front->component, sizeof out->foreign);
}

/* An uncaught exception is told by the dying process itself, so it is believed only of a process
 * that system_server has named. */
static bool is_named_process(const struct ts_launch_seen *launch, int pid)
{
    if (pid > 0 && pid == launch->query->pid)
        return true;
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if ((event->kind == TS_LOG_PROC_START || event->kind == TS_LOG_PROC_BOUND) &&
            event->pid == pid && ts_launch_believes(launch, event) &&
            ts_launch_has_package(launch, event->process))
            return true;
    }
    return false;
}

/* Lines of other apps may be missing: they say nothing here. */
static bool loses_lines(const struct ts_launch_seen *launch, const struct ts_log_event *event)
{
    if (ts_launch_loses_server(event))
        return true;
    for (size_t i = 0; i < launch->name_count; i++)
        if (event->kind == TS_LOG_LOST && event->uid == launch->uids[i])
            return true;
    return false;
}

static void read_trouble(const struct ts_launch_seen *launch, struct ts_match *out)
{
    for (size_t i = 0; i < launch->count; i++) {
        const struct ts_log_event *event = &launch->events[i];
        if (!ts_launch_in_window(launch, event))
            continue;
        out->log_lost |= loses_lines(launch, event);
        if (event->kind != TS_LOG_CRASH && event->kind != TS_LOG_ANR)
            continue;
        if (ts_launch_believes(launch, event)) {
            if (!ts_launch_same_user(launch, event) ||
                !ts_launch_has_package(launch, event->process))
                continue;
            out->crashed |= event->kind == TS_LOG_CRASH;
            out->anr |= event->kind == TS_LOG_ANR;
        } else if (event->kind == TS_LOG_CRASH && event->line.pid == event->pid) {
            out->crashed |= is_named_process(launch, event->pid);
        }
    }
}

int ts_match_launch(const struct ts_log_event *events, size_t count,
                    const struct ts_match_query *query, struct ts_match *out)
{
    *out = (struct ts_match){.start_type = TS_START_UNKNOWN,
                             .time_to_initial_display_ms = NAN,
                             .time_to_full_display_ms = NAN,
                             .total_display_ms = NAN};
    if (!query->component || !strchr(query->component, '/'))
        return TS_EINVAL;
    struct ts_launch_seen launch = {.query = query,
                                    .events = events,
                                    .count = count,
                                    .server_pid = ts_launch_find_server(events, count)};
    follow(&launch);
    launch.shared = is_shared_with_other_user(&launch);
    const struct ts_log_event *displayed = read_times(&launch, out);
    out->start_type = ts_launch_start_type(&launch, displayed);
    out->started = launch.begin != NULL;
    out->refused = is_refused(&launch);
    out->start_ns = launch.begin ? launch.begin->line.stamp_ns : 0;
    out->told_ns = find_told(&launch);
    read_front(&launch, out);
    read_trouble(&launch, out);
    return TS_OK;
}
