/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rig's settled beside ActivityManager's time to initial display, launch by launch: how far
 * they are apart, and the line through them (agreement/agreement.h, agreement/regression.h). */
#ifndef TS_REPORT_ANDROID_H
#define TS_REPORT_ANDROID_H

#include "agreement/agreement.h"
#include "agreement/regression.h"
#include "report/summary.h"

struct ts_android_side {
    const double *settled, *android; /* [count], ms; of the launches that count and have both */
    size_t count;
    struct ts_agreement agreement; /* of settled - android */
    struct ts_line line;           /* settled = intercept + slope android; NAN below TS_PAIRS_MIN */
};

struct ts_android {
    struct ts_android_side *rows; /* owned; of each row of the summary */
    struct ts_android_side all;
    double *values; /* owned */
};

/* TS_ENOMEM. */
int ts_android_of(const struct ts_report_data *data, const struct ts_summary *summary,
                  struct ts_android *out) TS_MUST_CHECK;
void ts_android_free(struct ts_android *android);

/* One point a launch: Android's number across, ours up; and their difference over their mean. As
 * the figures of figure.h. */
int ts_figure_agreement(const struct ts_android *android, const struct ts_summary *summary,
                        struct ts_out *out) TS_MUST_CHECK;
int ts_figure_difference(const struct ts_android *android, const struct ts_summary *summary,
                         struct ts_out *out) TS_MUST_CHECK;

#endif
