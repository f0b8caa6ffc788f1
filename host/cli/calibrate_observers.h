/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What those cost who watch the phone during a launch, by paired taps. */
#ifndef TS_CLI_CALIBRATE_OBSERVERS_H
#define TS_CLI_CALIBRATE_OBSERVERS_H

#include "store/rig.h"

struct ts_observer_session {
    const struct ts_rig *rig;
    const char *plan; /* file: its apps are launched, with its start type */
    const char *out;  /* the session's folder */
    uint64_t seed;
    int pairs;     /* for each observer, over all apps; a multiple of 2 */
    int64_t now_s; /* the rig's stylus and camera files must be good today */
};

/* Identity: what the session tells; rig and date are the caller's. TS_EOF: stopped by a signal. */
int ts_observers_record(const struct ts_observer_session *session, struct ts_record *record,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
