/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person sees while a campaign runs: the app, which launch of how many, its value or what is
 * wrong with it, the app's running median with its 95 % interval, the phone's temperature and the
 * time left. One line of at most 79 columns that renews itself on a terminal, one line a launch
 * elsewhere. Standard error, so that standard output holds results alone. */
#ifndef TS_CLI_PROGRESS_H
#define TS_CLI_PROGRESS_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/plan.h"
#include "model/result.h"
#include "store/session.h"

struct ts_progress;
/* plan is borrowed for its life. */
int ts_progress_create(const struct ts_plan *plan, bool quiet,
                       struct ts_progress **out) TS_MUST_CHECK;
/* Of a campaign that goes on: what it has done already. */
int ts_progress_resume(struct ts_progress *progress, const struct ts_session *past,
                       struct ts_why *why) TS_MUST_CHECK;
void ts_progress_calibrated(struct ts_progress *progress, const struct ts_calibration *calibration,
                            const char *note);
void ts_progress_launched(struct ts_progress *progress, const struct ts_result *result);
void ts_progress_destroy(struct ts_progress *progress);

#endif
