/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibration files in use: their values become what a campaign begins with, and what the campaign
 * then finds of the same must agree with them. */
#ifndef TS_INSTRUMENT_RECORDS_H
#define TS_INSTRUMENT_RECORDS_H

#include "model/calibration.h"
#include "model/record.h"

/* Stylus, camera and power records fill their part of *calibration; other kinds change nothing.
 * TS_EPROTO: a value is missing or cannot be; *calibration is left as it was. */
int ts_record_apply(const struct ts_record *record, struct ts_calibration *calibration,
                    struct ts_why *why) TS_MUST_CHECK;

/* What was found before, or is on file, against what is found now: exposure, row time and frame
 * period of the camera may differ by 3.3 standard uncertainties of the difference (one honest
 * campaign in a thousand is refused), plus what the fit resolves. TS_EPROTO: the instrument has
 * changed; *why says which value, and by how much. What either does not know is not compared. */
int ts_camera_agrees(const struct ts_calibration *then, const struct ts_calibration *now,
                     struct ts_why *why) TS_MUST_CHECK;

#endif
