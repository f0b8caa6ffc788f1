/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording of daily use: what `adb logcat -v epoch -b main,system,events` wrote while the helper
 * app's recorder was on. Its lines give a launch's events; ActivityManager's, which only adb's
 * shell may read, give the launch's own time and start type. Days of it are one text. */
#ifndef TS_ESTIMATORS_RECORDING_H
#define TS_ESTIMATORS_RECORDING_H

#include "estimators/table.h"

#include <stddef.h>

struct ts_recording {
    const char *text; /* borrowed, as the rest */
    size_t size;
    const char *device, *name; /* for the rows: launch number 7 is called "NAME/7" */
    double horizon_ms;         /* ts_features_of_launch() */
};

struct ts_recording_summary {
    size_t events;   /* lines of the recorder */
    size_t launches; /* rows that were added */
    size_t timed;    /* of them, those that ActivityManager reported a time of */
};

/* Adds a row to the table for each launch. The table must begin with the dictionary's features;
 * what a recording does not hold (reference value, state before the tap) is NAN. The app is the
 * package. TS_EPROTO: the recorder wrote nothing in it, no launch is in it, or its lines do not say
 * when they were written. */
int ts_recording_read(const struct ts_recording *recording, struct ts_feature_table *table,
                      struct ts_recording_summary *summary, struct ts_why *why) TS_MUST_CHECK;

#endif
