/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Another session that a page is set against: an older build, another device. */
#ifndef TS_REPORT_BASE_H
#define TS_REPORT_BASE_H

#include "report/summary.h"
#include "stats/shift.h"

struct ts_base {
    struct ts_report_data data;
    struct ts_summary summary;
    char name[64];        /* as the page calls it */
    struct ts_why unlike; /* why nothing is compared; "" it is */
    struct ts_why remark; /* what a reader has to know of the comparison; "" nothing */
};

/* The session in `dir`, to be set against `data`. */
int ts_base_open(const char *dir, const struct ts_report_data *data, struct ts_base *out,
                 struct ts_why *why) TS_MUST_CHECK;
/* The same of a session in memory, which the base then owns, also on failure. TS_ENOMEM. */
int ts_base_take(const char *name, struct ts_report_data *base, const struct ts_report_data *data,
                 struct ts_base *out) TS_MUST_CHECK;
void ts_base_close(struct ts_base *base);

/* By how much settled of the row is above that of the same app and start type there: the median of
 * all differences, ms, with its 95 % interval (stats/shift.h; NAN below TS_PAIRS_MIN launches a
 * side). estimate NAN: the base has no such launches. TS_ENOMEM. */
int ts_base_change(const struct ts_base *base, const struct ts_report_data *data,
                   const struct ts_summary *summary, size_t row,
                   struct ts_hodges_lehmann *out) TS_MUST_CHECK;

#endif
