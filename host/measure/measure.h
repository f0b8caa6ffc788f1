/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that measures: a pure function from one launch's recorded evidence and the
 * calibration to the result. Run again on the same evidence it gives the same bytes. */
#ifndef TS_MEASURE_MEASURE_H
#define TS_MEASURE_MEASURE_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/evidence.h"
#include "model/plan.h"
#include "model/result.h"

/* Never fails on bad evidence: the result then carries flags that say what was missing. Negative
 * only for want of memory. */
int ts_measure_launch(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                      const struct ts_plan *plan, struct ts_result *result) TS_MUST_CHECK;

/* The same, and the stretches of change and the visual progress behind the result's numbers; these
 * have no u_common. */
struct ts_vision_changes; /* vision/detector.h */
int ts_measure_changes(const struct ts_evidence *evidence, const struct ts_calibration *calibration,
                       const struct ts_plan *plan, struct ts_result *result,
                       struct ts_vision_changes *changes) TS_MUST_CHECK;

/* Part 0 of a campaign: learns screen, sync LEDs, camera and stylus. What cannot be learnt keeps
 * its nominal value with its larger uncertainty; *why tells what that was ("" when all is well). */
int ts_measure_calibration(const struct ts_evidence *evidence, struct ts_calibration *calibration,
                           struct ts_why *why) TS_MUST_CHECK;

#endif
