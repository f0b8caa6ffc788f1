/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Have launches become slower? From what phones tell alone (paper E, section VI): supervised, the
 * estimated times of cold starts; unsupervised, the mean interval between a launch's events. Also
 * for the control, two periods that are alike. Changes over time: stats/change_points.h. */
#ifndef TS_ESTIMATORS_CHANGE_H
#define TS_ESTIMATORS_CHANGE_H

#include "base/err.h"
#include "estimators/table.h"
#include "stats/interval.h"

#include <stddef.h>
#include <stdint.h>

#define TS_CHANGE_PERMUTATIONS 9999

struct ts_change {
    size_t count_a, count_b, left_out; /* left_out: not finite, on either side */
    double mean, median;               /* of b less that of a */
    struct ts_interval interval;       /* 95 %, of the shift (stats/shift.h) */
    double p; /* two-sided, of the mean: share of random assignments to a and b that differ as
                 much; (1 + as many) / (1 + all), so that it is never 0 */
};

/* TS_EPROTO: fewer than 6 launches on a side. */
int ts_change_of(const double *a, size_t count_a, const double *b, size_t count_b, uint64_t seed,
                 struct ts_change *out, struct ts_why *why) TS_MUST_CHECK;

/* out[row_count]: values[row_count] less the mean of the same app on the same device, so that what
 * devices differ by goes, and what periods differ by stays. NAN where a value is not finite. */
void ts_change_center(const struct ts_feature_table *table, const double *values, double *out);

#endif
