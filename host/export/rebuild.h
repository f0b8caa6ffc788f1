/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every table and figure of a session, one after the other. */
#ifndef TS_EXPORT_REBUILD_H
#define TS_EXPORT_REBUILD_H

#include "base/buf.h"

/* Called with each table's name ("launches.csv", "traces/launch-0001.perfetto-trace") and bytes. */
typedef int ts_rebuild_taker(void *context, const char *name, const struct ts_buf *bytes,
                             struct ts_why *why);
int ts_rebuild(const char *session_dir, ts_rebuild_taker *take, void *context,
               struct ts_why *why) TS_MUST_CHECK;

#endif
