/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GAP       2
#define NARROWEST 8 /* columns that a cut text keeps */

static int columns_of(const char *text, struct ts_text_style style)
{
    int columns = 0;
    uint32_t character;
    for (size_t size; (size = ts_utf8_next(text, &character)); text += size)
        columns += style.utf8 && !ts_utf8_unprintable(character) ? ts_utf8_columns(character) : 1;
    return columns;
}

int ts_out_text(struct ts_out *out, const char *text, int columns, struct ts_text_style style)
{
    const bool cut = columns > 0 && columns_of(text, style) > columns;
    const int room = cut ? columns - 1 : 0;
    int used = 0;
    uint32_t character;
    for (size_t size; (size = ts_utf8_next(text, &character)); text += size) {
        const bool shown = character < 0x80 ? !ts_utf8_unprintable(character)
                                            : style.utf8 && !ts_utf8_unprintable(character);
        const int wide = shown ? ts_utf8_columns(character) : 1;
        if (cut && used + wide > room)
            break;
        if (shown && character != 0xfffd)
            ts_out_bytes(out, text, size);
        else
            ts_out_put(out, "?");
        used += wide;
    }
    if (cut) {
        ts_out_put(out, style.utf8 ? "\u2026" : "~");
        used++;
    }
    return used;
}

void ts_out_coloured(struct ts_out *out, enum ts_ink ink, const char *text,
                     struct ts_text_style style)
{
    static const char *const codes[] = {"", "\033[1m", "\033[32m", "\033[31m"};
    const bool coloured = style.colour && ink != TS_INK_PLAIN;
    if (coloured)
        ts_out_put(out, codes[ink]);
    ts_out_put(out, text);
    if (coloured)
        ts_out_put(out, "\033[0m");
}

void ts_out_wrapped(struct ts_out *out, const char *text, int indent, struct ts_text_style style)
{
    int column = 0;
    while (*text) {
        const size_t size = strcspn(text, " ");
        if (column && style.width > 0 && column + 1 + (int)size > style.width) {
            ts_out_put(out, "\n");
            column = 0;
        }
        ts_out_printf(out, "%*s", column ? 1 : indent, "");
        ts_out_bytes(out, text, size);
        column += (column ? 1 : indent) + (int)size;
        text += size;
        text += strspn(text, " ");
    }
    ts_out_put(out, "\n");
}

void ts_table_begin(struct ts_table *table, int columns, unsigned right)
{
    *table = (struct ts_table){.columns = columns, .right = right};
}

/* A cell ends where its text, a NUL included, ends. */
static void add_cell(struct ts_table *table, size_t start)
{
    ts_out_bytes(&table->text, "", 1);
    struct ts_table_cell *cell =
        ts_grow((void **)&table->cells, &table->cell_count, &table->cell_capacity, sizeof *cell);
    if (!cell) {
        table->text.err = TS_ENOMEM;
        return;
    }
    *cell = (struct ts_table_cell){start, table->text.text.size - start};
}

void ts_table_put(struct ts_table *table, const char *text)
{
    const size_t start = table->text.text.size;
    ts_out_put(&table->text, text);
    add_cell(table, start);
}

void ts_table_printf(struct ts_table *table, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ts_table_put(table, text);
}

void ts_table_number(struct ts_table *table, double value, int decimals)
{
    const size_t start = table->text.text.size;
    ts_out_number(&table->text, value, decimals, ts_plain_numbers);
    add_cell(table, start);
}

static const char *cell_text(const struct ts_table *table, size_t index)
{
    return (const char *)table->text.text.data + table->cells[index].start;
}

static void find_widths(const struct ts_table *table, struct ts_text_style style, int *widths)
{
    int sum = GAP * (table->columns - 1);
    for (int column = 0; column < table->columns; column++) {
        widths[column] = 0;
        for (size_t i = (size_t)column; i < table->cell_count; i += (size_t)table->columns) {
            const int wide = columns_of(cell_text(table, i), style);
            widths[column] = wide > widths[column] ? wide : widths[column];
        }
        sum += widths[column];
    }
    while (style.width > 0 && sum > style.width) {
        int widest = 0;
        for (int column = 0; column < table->columns; column++) {
            if (!(table->right >> column & 1u) && widths[column] > widths[widest])
                widest = column;
        }
        if (widths[widest] <= NARROWEST)
            return;
        widths[widest]--;
        sum--;
    }
}

static void print_row(const struct ts_table *table, size_t first, const int *widths,
                      struct ts_text_style style, struct ts_out *out)
{
    int owed = 0; /* blanks, printed only when something follows */
    for (int column = 0; column < table->columns; column++) {
        struct ts_out cell = {0};
        const int used =
            ts_out_text(&cell, cell_text(table, first + (size_t)column), widths[column], style);
        const int pad = widths[column] - used;
        const bool right = table->right >> column & 1u;
        if (used > 0) {
            ts_out_printf(out, "%*s", owed + (right ? pad : 0), "");
            ts_out_bytes(out, (const char *)cell.text.data, cell.text.size);
            owed = (right ? 0 : pad) + GAP;
        } else {
            owed += pad + GAP;
        }
        out->err = out->err ? out->err : cell.err;
        ts_buf_free(&cell.text);
    }
}

void ts_table_end(struct ts_table *table, struct ts_text_style style, struct ts_out *out)
{
    int widths[TS_TABLE_COLUMNS_MAX] = {0};
    const size_t columns = (size_t)table->columns;
    out->err = out->err ? out->err : table->text.err;
    if (!out->err) {
        find_widths(table, style, widths);
        for (size_t first = 0; first + columns <= table->cell_count; first += columns) {
            if (first == 0 && style.colour)
                ts_out_put(out, "\033[1m");
            print_row(table, first, widths, style, out);
            ts_out_put(out, first == 0 && style.colour ? "\033[0m\n" : "\n");
        }
    }
    free(table->cells);
    ts_buf_free(&table->text.text);
    *table = (struct ts_table){0};
}
