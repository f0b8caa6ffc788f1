/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A hand-made session: three apps with launches of every fate. */
#ifndef TESTS_REPORT_SAMPLE_H
#define TESTS_REPORT_SAMPLE_H

#include "report/data.h"

#define SAMPLE_LIFT_NS 1117000000

/* launches per app >= 8: number 1 and 2 of each app are warm-up, 4 is unusable, 6 is excluded;
 * hostile puts names and texts into it that would break out of HTML or a terminal. */
void sample_make(struct ts_report_data *data, int launches, bool hostile);
/* One launch that nothing is wrong with. */
struct ts_result sample_result(const char *app, int launch, double settled_ms, double android_ms);
void sample_free(struct ts_report_data *data);

#endif
