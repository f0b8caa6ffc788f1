/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs that somebody else's program made: lines name,automatic_ms,manual_ms[,by]. An optional
 * heading, empty lines, CRLF and a BOM are taken; a field in double quotes may hold commas, and ""
 * for a quotation mark. automatic_ms may be empty: nothing was found. */
#ifndef TS_CLI_AGREEMENT_CSV_H
#define TS_CLI_AGREEMENT_CSV_H

#include "web/site.h"

struct ts_agreement_row {
    char name[256];
    double automatic_ms; /* NAN: none */
    double manual_ms;
    char by[TS_MARKS_BY_MAX]; /* "": not said */
};

/* *rows is the caller's, to be freed with free(). Returns how many (at least 1), TS_EPROTO with the
 * line's number, TS_ENOMEM. */
long ts_agreement_csv_parse(const char *text, size_t size, struct ts_agreement_row **rows,
                            struct ts_why *why) TS_MUST_CHECK;

#endif
