/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine that measures: a pure function from one launch's recorded evidence and the
 * calibration to the result. Run again on the same evidence it gives the same bytes. */
#ifndef TS_MEASURE_MEASURE_H
#define TS_MEASURE_MEASURE_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/evidence.h"
#include "model/plan.h"
#include "model/record.h"
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

/* Part 0 of a campaign: learns screen, sync LEDs, camera and stylus. `given`: what the rig's
 * calibration files say, NULL for a rig without any. What cannot be learnt keeps its given or
 * nominal value with its uncertainty; *why tells what that was ("" when all is well). */
int ts_measure_calibration(const struct ts_evidence *evidence, const struct ts_calibration *given,
                           struct ts_calibration *calibration, struct ts_why *why) TS_MUST_CHECK;

/* With whom the evidence was taken, as far as it tells: board, firmware, camera. */
void ts_measure_identity(const struct ts_evidence *evidence, struct ts_identity *identity);

/* What part 0 taught of one kind (clock, camera, stylus, screen), as the content of a calibration
 * file; identity and date are the caller's. TS_EPROTO: the evidence does not hold it, *why says
 * what was missing. */
int ts_measure_record(enum ts_record_kind kind, const struct ts_evidence *evidence,
                      const struct ts_calibration *calibration, struct ts_record *record,
                      struct ts_why *why) TS_MUST_CHECK;

/* The power meter's record from a part 0 that read it without a load and with one of load_ma, known
 * to a standard uncertainty of load_u_ma:
 *   shunt_mohm     (mean under load - mean at rest) / load: shunt and amplifier together
 *   shunt_zero_uv  mean at rest
 * with the standard errors of the means, and where the readings hardly differ from one another that
 * of a step of the converter (JCGM 100:2008, 4.3.7 and 5.1.2). TS_EPROTO: the part was not heard
 * twice, or the load does not show. */
int ts_measure_meter(const struct ts_evidence *evidence, double load_ma, double load_u_ma,
                     struct ts_record *record, struct ts_why *why) TS_MUST_CHECK;

#endif
