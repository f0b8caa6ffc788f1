/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session as its readers see it: every finished launch with what bears on whether it counts. */
#ifndef TS_REPORT_DATA_H
#define TS_REPORT_DATA_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/plan.h"
#include "model/result.h"
#include "report/standing.h"
#include "store/campaign_file.h"
#include "store/session.h"

#include <stdbool.h>
#include <stddef.h>

struct ts_launch {
    struct ts_result result;
    bool warm_up;         /* by ts_plan_warms_up() */
    const char *excluded; /* why a person took it out; NULL: nobody did; borrowed from session */
};
/* Neither unusable nor warm-up nor excluded: it counts in every summary. */
bool ts_launch_counts(const struct ts_launch *launch);
/* It settled although a part of the screen went on changing (a spinner, a video, a caret): then
 * there is no last change. */
bool ts_launch_never_rests(const struct ts_launch *launch);

struct ts_report_data {
    const struct ts_session_info *info; /* borrowed from session */
    const struct ts_plan *plan;         /* borrowed from session */
    bool calibrated;                    /* the calibration part is finished */
    struct ts_calibration calibration;
    struct ts_standing standing;      /* of the rig */
    struct ts_campaign_file campaign; /* when, where and on which phone */
    struct ts_launch *launches;       /* owned, in order of launch number */
    size_t count;
    struct ts_session *session;                /* owned */
    const struct ts_ingest_identity *identity; /* borrowed; NULL: nobody asked */
};

/* TS_EPROTO and the like name the launch whose result is damaged: a report that silently leaves a
 * launch out would not be one. */
int ts_report_data_load(const char *dir, struct ts_report_data *out,
                        struct ts_why *why) TS_MUST_CHECK;
/* Marks the warm-up launches. */
void ts_report_data_mark_warm_up(struct ts_report_data *data);
void ts_report_data_free(struct ts_report_data *data);

#endif
