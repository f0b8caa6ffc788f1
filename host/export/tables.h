/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session's results for other programs. Unknown values are empty in CSV, null in JSON. Equal
 * sessions give equal bytes. */
#ifndef TS_EXPORT_TABLES_H
#define TS_EXPORT_TABLES_H

#include "report/data.h"
#include "report/out.h"

/* RFC 4180 with '\n' as line end: a row a launch, the columns of export/columns.h. */
void ts_export_csv(const struct ts_report_data *data, struct ts_out *out);
/* What the columns mean: name, unit, type, meaning; CSV. */
void ts_export_dictionary(struct ts_out *out);
/* The same rows, a JSON object each. */
void ts_export_jsonl(const struct ts_report_data *data, struct ts_out *out);
/* JUnit's XML: a suite an app, a case a launch. A launch in which the app failed (crash, ANR, no
 * change, never settled) is a failure; one that does not count for another reason is skipped. */
void ts_export_junit(const struct ts_report_data *data, struct ts_out *out);
/* benchmarkData.json as Jetpack Macrobenchmark writes it, of the launches that count. What the
 * camera saw is called rig...Ms; timeToInitialDisplayMs and timeToFullDisplayMs are Android's own
 * numbers. What a session does not know of the phone is "unknown", 0 or -1. */
void ts_export_benchmark_data(const struct ts_report_data *data, struct ts_out *out);

#endif
