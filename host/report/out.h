/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text on its way to a file or a terminal. The first failure is kept and every later call does
 * nothing, so that a page is written without a check on each line and judged once, at its end. */
#ifndef TS_REPORT_OUT_H
#define TS_REPORT_OUT_H

#include "base/buf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ts_out {
    struct ts_buf text; /* owned; ts_buf_free() */
    int err;            /* TS_OK so far, or what went wrong first */
};

void ts_out_bytes(struct ts_out *out, const char *bytes, size_t size);
void ts_out_put(struct ts_out *out, const char *text);
void ts_out_printf(struct ts_out *out, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* As text between tags or in a quoted attribute: the five characters of HTML are escaped; what is
 * not UTF-8, and control characters, become U+FFFD. */
void ts_out_html(struct ts_out *out, const char *text);
/* The same of its first `size` bytes, which end with a character. */
void ts_out_html_part(struct ts_out *out, const char *text, size_t size);

/* In base64, for data: addresses. */
void ts_out_base64(struct ts_out *out, const struct ts_buf *bytes);

/* How a number is printed where: what stands for "unknown" and for the minus sign. */
struct ts_number_style {
    const char *unknown, *minus;
};
extern const struct ts_number_style ts_plain_numbers; /* "-" and "-" */
extern const struct ts_number_style ts_fine_numbers;  /* en dash and U+2212 */
/* Rounded to `decimals`; never "-0". NAN is unknown. */
void ts_out_number(struct ts_out *out, double value, int decimals, struct ts_number_style style);

/* The next character of a UTF-8 string and how many bytes it takes (0 at the end). What is not
 * UTF-8 gives U+FFFD, one byte at a time. */
size_t ts_utf8_next(const char *text, uint32_t *character);
/* Controls, and the marks that reorder text: nothing a name has any business to send. */
bool ts_utf8_unprintable(uint32_t character);
/* Columns it takes on a terminal: 0 (combining), 1 or 2 (East Asian wide, emoji). */
int ts_utf8_columns(uint32_t character);

#endif
