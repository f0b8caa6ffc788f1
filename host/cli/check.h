/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A campaign's check standard: a short session of scenes before and after it, on a bench opened for
 * itself and with seeds of its own, so that the campaign's evidence is the same with and without.
 *
 *   SESSION/checks/before/ after/   the sessions
 *   SESSION/checks/certificate.json the rig's certificate as it was then
 *   SESSION/checks/verdict.json     in_control: true, false, or null while nothing followed the
 *                                   campaign; why; the two points with their limits
 *   RIG/verify/checks.jsonl         the rig's control chart, to which both are added
 *
 * The points are those of instrument/chart.h; between before and after, the camera's exposure, row
 * time and frame period must agree (instrument/records.h). */
#ifndef TS_CLI_CHECK_H
#define TS_CLI_CHECK_H

#include "cli/job.h"
#include "instrument/chart.h"
#include "store/files.h"

struct ts_check {
    /* The caller's. */
    const struct ts_rig *rig;
    const struct ts_calibration *given;
    const char *options; /* for the bench, after the rig's own */
    const char *out;     /* the campaign's folder */
    uint64_t seed;       /* of the campaign */
    int64_t now_s;
    bool force; /* a campaign out of control is not refused, only marked */
    /* Its own. */
    struct ts_certificate *certificate; /* NULL: the rig has none, and nothing is checked */
    struct ts_path waiting;             /* the first session, until the campaign has a folder */
    struct ts_calibration found;        /* by the first session */
    struct ts_check_point before, after;
    struct ts_why finding; /* what is out of control; "" nothing */
};

/* Before the campaign. TS_EPROTO: out of control, and so refused; the session is kept beside the
 * campaign's folder, *why says where. */
int ts_check_before(struct ts_check *check, struct ts_why *why) TS_MUST_CHECK;
/* The campaign's folder is there: the first session goes into it. */
int ts_check_adopt(struct ts_check *check, struct ts_why *why) TS_MUST_CHECK;
/* After the campaign; check->finding says what it found. */
int ts_check_after(struct ts_check *check, struct ts_why *why) TS_MUST_CHECK;
void ts_check_free(struct ts_check *check);

#endif
