/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What polling told during the launches of a session (android/polling.h). */
#ifndef TS_CLI_ESTIMATE_POLLS_H
#define TS_CLI_ESTIMATE_POLLS_H

#include "estimators/resources.h"
#include "store/session.h"

struct ts_polls {
    struct ts_resource_sample *samples; /* owned; ms after the tap */
    size_t count, capacity;
};

/* tap: host ns. A launch that nobody polled has none. */
int ts_polls_read(const struct ts_session *session, int launch, int64_t tap_ns,
                  struct ts_polls *out, struct ts_why *why) TS_MUST_CHECK;
void ts_polls_free(struct ts_polls *polls);

/* The features that come from polling, into values[TS_FEATURE_COUNT]; NAN where there are none. */
void ts_polls_features(const struct ts_polls *polls, double horizon_ms, double *values);

#endif
