/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The feature table: one launch a row, and what every estimator is trained and judged on. As CSV:
 *
 *   device,app,launch,start_type,settled_ms [ms],time_to_initial_display_ms [ms],NAME [UNIT],...
 *   "Pixel 4",Mail,first/7,cold,812.25,640,event_count [1] ...
 *
 * Separated by commas; a field may stand in double quotes, with "" for a quote. Lines that are
 * empty or begin with # are passed over. A number that is not known is NA, and an empty field is
 * refused: nobody can tell whether it was meant. start_type: cold, warm, hot or unknown. Features
 * that are in the dictionary must have its unit; any others may follow, each with a unit. */
#ifndef TS_ESTIMATORS_TABLE_H
#define TS_ESTIMATORS_TABLE_H

#include "base/buf.h"
#include "base/err.h"
#include "model/result.h"

#include <stddef.h>

#define TS_FEATURE_TABLE_NAME_MAX     64
#define TS_FEATURE_TABLE_TEXT_MAX     128
#define TS_FEATURE_TABLE_FEATURES_MAX 2048

struct ts_feature_table_row {
    char device[TS_FEATURE_TABLE_TEXT_MAX], app[TS_FEATURE_TABLE_TEXT_MAX],
        launch[TS_FEATURE_TABLE_TEXT_MAX];
    enum ts_start_type start_type;
    double settled_ms;                 /* the reference value; NAN unknown */
    double time_to_initial_display_ms; /* as ActivityManager printed it; NAN unknown */
    size_t line;                       /* in the file, from 1; 0: from none */
};

struct ts_feature_table_feature {
    char name[TS_FEATURE_TABLE_NAME_MAX], unit[16];
};

struct ts_feature_table {
    struct ts_feature_table_feature *features; /* owned */
    size_t feature_count, feature_capacity;
    struct ts_feature_table_row *rows; /* owned */
    size_t row_count, row_capacity;
    double *values; /* owned; row_count rows of feature_count; NAN: missing */
    size_t value_count, value_capacity;
};

/* TS_EPROTO names the line and what is wrong in it. An empty text is refused too. On failure *out
 * is empty. */
int ts_feature_table_parse(const char *text, size_t size, struct ts_feature_table *out,
                           struct ts_why *why) TS_MUST_CHECK;
/* What ts_feature_table_parse() reads back, numbers to the last bit. */
int ts_feature_table_print(const struct ts_feature_table *table, struct ts_buf *out) TS_MUST_CHECK;
void ts_feature_table_free(struct ts_feature_table *table);

/* An empty table with the dictionary's features. */
int ts_feature_table_start(struct ts_feature_table *out) TS_MUST_CHECK;
/* values[feature_count]. */
int ts_feature_table_add(struct ts_feature_table *table, const struct ts_feature_table_row *row,
                         const double *values) TS_MUST_CHECK;
/* The other's rows below these. TS_EPROTO: their features differ. */
int ts_feature_table_append(struct ts_feature_table *table, const struct ts_feature_table *other,
                            struct ts_why *why) TS_MUST_CHECK;

static inline const double *ts_feature_table_values(const struct ts_feature_table *table,
                                                    size_t row)
{
    return table->values + row * table->feature_count;
}
/* feature_count: it has no such feature. */
size_t ts_feature_table_feature(const struct ts_feature_table *table, const char *name);

#endif
