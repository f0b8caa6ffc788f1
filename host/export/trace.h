/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A launch as a Perfetto trace, for ui.perfetto.dev and trace_processor: packets of
 * TrackDescriptor and TrackEvent (protos/perfetto/trace/ of the Perfetto project), one group of
 * tracks for the launch. Times are the host's monotonic clock, ns. */
#ifndef TS_EXPORT_TRACE_H
#define TS_EXPORT_TRACE_H

#include "base/buf.h"
#include "export/story.h"

/* Appends the trace's bytes. What lies before the clock's zero is left out. */
int ts_trace_print(const struct ts_story *story, struct ts_buf *out) TS_MUST_CHECK;

#endif
