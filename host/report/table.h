/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables for a terminal: columns as wide as their widest cell, two blanks apart; when that is too
 * wide the widest columns of text are cut short, with a mark. */
#ifndef TS_REPORT_TABLE_H
#define TS_REPORT_TABLE_H

#include "report/out.h"

#define TS_TABLE_COLUMNS_MAX 12

struct ts_text_style {
    bool utf8;   /* false: plain ASCII, what is not becomes '?' */
    bool colour; /* ANSI colours; only where a person looks at a terminal */
    int width;   /* columns; 0: as wide as it gets */
};

/* Ink for ts_out_coloured(). */
enum ts_ink { TS_INK_PLAIN, TS_INK_BOLD, TS_INK_GOOD, TS_INK_BAD };

/* What came from outside, made safe for the terminal, cut to `columns` (0: not at all); returns
 * how many columns it takes. */
int ts_out_text(struct ts_out *out, const char *text, int columns, struct ts_text_style style);
void ts_out_coloured(struct ts_out *out, enum ts_ink ink, const char *text,
                     struct ts_text_style style);

/* Our own words, broken between words so that no line passes style.width; every line begins with
 * `indent` blanks and ends with a newline. */
void ts_out_wrapped(struct ts_out *out, const char *text, int indent, struct ts_text_style style);

struct ts_table_cell {
    size_t start, size; /* in the table's text */
};

struct ts_table {
    int columns;
    unsigned right;              /* bit per column: flush right */
    struct ts_out text;          /* owned: all cells, one after the other */
    struct ts_table_cell *cells; /* owned */
    size_t cell_count, cell_capacity;
};

/* The first row is the heading: its cells are given like all others. right: bit i for column i. */
void ts_table_begin(struct ts_table *table, int columns, unsigned right);
void ts_table_put(struct ts_table *table, const char *text);
void ts_table_printf(struct ts_table *table, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void ts_table_number(struct ts_table *table, double value, int decimals);
/* Prints and frees it; errors end in out->err. */
void ts_table_end(struct ts_table *table, struct ts_text_style style, struct ts_out *out);

#endif
