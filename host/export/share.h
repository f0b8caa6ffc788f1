/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What of a session may be given to others. Nothing passes by default: a line of the log is written
 * anew from what was understood of it, with names of apps that are neither the plan's nor Android's
 * own replaced by hashes; texts on screens, commands' outputs and arguments, networks, notes and
 * serial numbers have no way through. */
#ifndef TS_EXPORT_SHARE_H
#define TS_EXPORT_SHARE_H

#include "store/session.h"

#define TS_SHARED_LINE_MAX 1200

/* The line as it may be shared. A log line that says nothing about launches keeps its stamp alone
 * (the clock's step is learnt from all of them); "" for what is not shared at all. */
void ts_share_line(const struct ts_plan *plan, enum ts_stream stream, const char *text,
                   char out[TS_SHARED_LINE_MAX]);
/* The name of a package, component, process or class. */
void ts_share_name(const struct ts_plan *plan, const char *name, char *out, size_t size);

/* Writes the shared form of the session into `folder`, itself a session. results_changed: how many
 * results of it, measured from what is shared, are not those of the session. */
int ts_share_session(const struct ts_session *session, const char *folder, bool videos,
                     int *results_changed, struct ts_why *why) TS_MUST_CHECK;

#endif
