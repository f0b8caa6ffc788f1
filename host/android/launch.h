/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What matching knows of one launch while it reads the events. Inside this room only. */
#ifndef TS_ANDROID_LAUNCH_H
#define TS_ANDROID_LAUNCH_H

#include "android/match.h"

#define TS_LAUNCH_CHAIN_MAX 10 /* no launch of more than nine hops has been seen */

struct ts_launch_seen {
    const struct ts_match_query *query;
    const struct ts_log_event *events;
    size_t count;
    int server_pid; /* -1: nobody can be believed */
    /* Names whose packages take part: the tapped component and what it led to. */
    const char *names[TS_LAUNCH_CHAIN_MAX];
    int uids[TS_LAUNCH_CHAIN_MAX]; /* of the packages; -1 unknown */
    size_t name_count;
    const struct ts_log_event *begin; /* the first line of the launch; NULL: there is none */
    bool shared;                      /* another user runs the app too */
};

/* The pid of system_server among the writers of the events; -1 when no line has one. */
int ts_launch_find_server(const struct ts_log_event *events, size_t count);

/* Written by system_server. */
bool ts_launch_believes(const struct ts_launch_seen *launch, const struct ts_log_event *event);
/* Between the tap and the end of watching. */
bool ts_launch_in_window(const struct ts_launch_seen *launch, const struct ts_log_event *event);
/* Stamped, and certainly before the tap. */
bool ts_launch_before_tap(const struct ts_launch_seen *launch, const struct ts_log_event *event);
/* The event's user is the launch's, or not printed. */
bool ts_launch_same_user(const struct ts_launch_seen *launch, const struct ts_log_event *event);
/* The package of this component, process or class takes part in the launch. */
bool ts_launch_has_package(const struct ts_launch_seen *launch, const char *name);
/* Printed by an activity about itself, from the app's own process. */
bool ts_launch_is_callback(const struct ts_log_event *event);

/* Lines of system_server are missing here, or it is not said whose. The log daemon gives its notice
 * the uid of whose lines were dropped, so that no other app can say so of system_server. */
bool ts_launch_loses_server(const struct ts_log_event *event);

/* `displayed`: the line that ended the launch, or NULL. */
enum ts_start_type ts_launch_start_type(const struct ts_launch_seen *launch,
                                        const struct ts_log_event *displayed);

#endif
