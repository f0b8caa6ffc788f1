/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.json: every member of struct ts_calibration, exactly. */
#ifndef TS_STORE_CALIBRATION_FILE_H
#define TS_STORE_CALIBRATION_FILE_H

#include "base/buf.h"
#include "model/calibration.h"

int ts_calibration_print(const struct ts_calibration *calibration,
                         struct ts_buf *out) TS_MUST_CHECK;
int ts_calibration_parse(const char *text, size_t size, struct ts_calibration *out,
                         struct ts_why *why) TS_MUST_CHECK;

#endif
