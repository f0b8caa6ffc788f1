/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Launches cut out of accessibility events, and their features. */
#ifndef TS_ESTIMATORS_FEATURES_H
#define TS_ESTIMATORS_FEATURES_H

#include "android/accessibility.h"
#include "estimators/dictionary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Paper E gives no window for the events of a launch. Here: from the click until the launched app
 * has been silent for so long, or the next click, or the most. */
#define TS_LAUNCH_QUIET_MS 1000
#define TS_LAUNCH_MOST_MS  10000

/* events[click] is the click, the launch's own events are those of `package` after it and before
 * events[end]. */
struct ts_launch_cut {
    size_t click, end;
    const char *package; /* borrowed from the events */
};

/* The next launch at or after events[*from]: a click after which, before the next click, another
 * package's window comes. Works on days of events as on one launch; *from moves on. */
bool ts_launch_cut_next(const struct ts_accessibility_event *events, size_t count, size_t *from,
                        struct ts_launch_cut *out);

/* The features that come from events, into out[TS_FEATURE_COUNT]; the others are left alone. Only
 * events up to horizon_ms after the click count (INFINITY: all): how early a launch can be
 * estimated. What needs more events than there are is NAN; counts are 0. */
void ts_features_of_launch(const struct ts_accessibility_event *events,
                           const struct ts_launch_cut *cut, double horizon_ms, double *out);

#endif
