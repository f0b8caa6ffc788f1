/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a campaign came to rest: median and quartile range of settled after each launch that counts
 * (stats/running.h). */
#ifndef TS_REPORT_RUNNING_H
#define TS_REPORT_RUNNING_H

#include "report/summary.h"

struct ts_running {
    size_t count;           /* launches that count, in order of time */
    double *medians, *iqrs; /* owned, [count] */
};

/* Of a row of the summary. TS_ENOMEM. */
int ts_running_of(const struct ts_report_data *data, const struct ts_summary *summary, size_t row,
                  struct ts_running *out) TS_MUST_CHECK;
void ts_running_free(struct ts_running *running);
/* From which launch on (from 1) the running median stays within `share` of the last one; 0: there
 * is none. */
size_t ts_running_rests(const struct ts_running *running, double share);

/* As the figures of figure.h. */
int ts_figure_running(const struct ts_report_data *data, const struct ts_summary *summary,
                      struct ts_out *out) TS_MUST_CHECK;
/* Temperature and clock of the phone before each launch. */
int ts_figure_phone(const struct ts_report_data *data, const struct ts_summary *summary,
                    struct ts_out *out) TS_MUST_CHECK;

#endif
