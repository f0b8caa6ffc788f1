/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TS_REPORT_COSTS_H
#define TS_REPORT_COSTS_H

#include "model/result.h"
#include "report/text.h"

/* A table of one launch's costs; nothing where the plan asks for none. */
void ts_text_costs(const struct ts_result *result, struct ts_text_style style, struct ts_out *out);

#endif
