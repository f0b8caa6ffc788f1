/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One column of numbers from somebody's CSV, or from a file of one number a line.
 *
 * Fields are separated by commas, semicolons or tabs: by the first of these in the first line that
 * is not empty. A field may stand in double quotes. Lines that are empty or begin with # are passed
 * over; BOM and CRLF are taken. The first other line is a heading if one of its fields is text. All
 * lines after it are rows, counted from 0. A field that is empty or says NaN, NA or null is
 * missing. Numbers have a decimal point and no unit: the unit belongs into the heading, as "wait
 * (ms)" or "wait [ms]". */
#ifndef TS_CLI_TABLE_CSV_H
#define TS_CLI_TABLE_CSV_H

#include "base/err.h"

#include <stddef.h>

#define TS_COLUMN_NAME_MAX 128

struct ts_column {
    char name[TS_COLUMN_NAME_MAX]; /* as the heading says it; "" without one */
    size_t count;                  /* numbers, all of them finite */
    double *values;                /* owned */
    size_t *rows;                  /* owned; of each value: which row, from 0 */
    size_t row_count, missing;     /* row_count = count + missing */
};

/* which: a heading, with or without the unit behind it, or a column's number from 1; NULL: the only
 * column there is. text[size] need not be 0. TS_EPROTO names the line, or the columns there are.
 * TS_ENOMEM. An empty file gives count 0. */
int ts_column_parse(const char *text, size_t size, const char *which, struct ts_column *out,
                    struct ts_why *why) TS_MUST_CHECK;
void ts_column_free(struct ts_column *column);

#endif
