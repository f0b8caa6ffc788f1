/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A column of a file or of standard input, as commands take it that work on plain numbers. */
#ifndef TS_CLI_COLUMN_FILE_H
#define TS_CLI_COLUMN_FILE_H

#include "cli/table_csv.h"

/* How files are read, for --help. */
#define TS_COLUMN_HELP                                                                             \
    "FILE (or -, standard input) is a CSV, or one number a line; with a heading or without. "      \
    "Lines "                                                                                       \
    "that are empty or begin with # are passed over; empty fields, NaN, NA and null count as "     \
    "missing. Numbers have a decimal point and no unit: that may stand in the heading, as \"wait " \
    "(ms)\". Rows are counted from 0, headings and empty lines are none."

/* path: "-" is standard input. which: as ts_column_parse(). At least one number; *why names file
 * and line. TS_EIO, TS_EPROTO, TS_ENOMEM. */
int ts_column_load(const char *path, const char *which, struct ts_column *out,
                   struct ts_why *why) TS_MUST_CHECK;

#endif
