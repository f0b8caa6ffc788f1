/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session in which the helper app plays scenes before camera and photodiodes. */
#ifndef TS_CLI_VERIFY_SESSION_H
#define TS_CLI_VERIFY_SESSION_H

#include "cli/job.h"
#include "model/certificate.h"

struct ts_scene_session {
    const struct ts_rig *rig;
    const char *options; /* for the bench, after the rig's own; "" none */
    const char *out;     /* the session's folder */
    uint64_t seed;
    int scenes, plate_taps, camera_edges;
};

/* What came of it. */
struct ts_scene_findings {
    struct ts_calibration found; /* by part 0, whatever the rig's files give */
    struct ts_why note;          /* what part 0 could not learn; "" nothing */
    struct ts_identity identity; /* of board and camera, as they say themselves */
    double refresh_hz;           /* of the display; NAN unknown */
    struct ts_scene_pair pairs[TS_CERTIFICATE_SCENES_MOST];
    int pair_count;
};

/* *given: what the rig's files give. TS_EOF: stopped by a signal. */
int ts_scene_session_run(const struct ts_scene_session *session, const struct ts_calibration *given,
                         struct ts_scene_findings *findings, struct ts_why *why) TS_MUST_CHECK;

#endif
