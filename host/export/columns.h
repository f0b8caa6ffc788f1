/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of a launch in tidy tables: one list for the CSV, the JSON lines and the dictionary,
 * so that no column is without its explanation. */
#ifndef TS_EXPORT_COLUMNS_H
#define TS_EXPORT_COLUMNS_H

#include "report/data.h"

enum ts_column_type { TS_COLUMN_TEXT, TS_COLUMN_NUMBER, TS_COLUMN_INTEGER, TS_COLUMN_BOOLEAN };
extern const char *const ts_column_type_names[];

struct ts_export_column {
    const char *name; /* with its unit, "settled_ms" */
    const char *unit; /* "ms"; "" for none */
    enum ts_column_type type;
    const char *meaning;
    int value;     /* what it is: see columns.c */
    size_t offset; /* of what stands in struct ts_launch */
};
extern const struct ts_export_column ts_export_columns[];
extern const size_t ts_export_column_count;

struct ts_export_value {
    bool known;
    double number; /* of numbers, integers and booleans */
    char text[256];
};
void ts_export_value(const struct ts_export_column *column, const struct ts_report_data *data,
                     const struct ts_launch *launch, struct ts_export_value *out);

#endif
