/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/table_csv.h"

#include "base/buf.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define NUMBER_MAX 64 /* characters */

/* A piece of the text; never ends in 0. */
struct piece {
    const char *at;
    size_t size;
};

struct reader {
    const char *at, *end;
    size_t line; /* of the piece that came last, from 1 */
    char separator;
    size_t field;   /* which column is read, from 0 */
    size_t columns; /* how many the first line has */
    size_t row_capacity, value_capacity;
};

static struct piece trim(struct piece piece)
{
    while (piece.size && (*piece.at == ' ' || *piece.at == '\t')) {
        piece.at++;
        piece.size--;
    }
    while (piece.size && (piece.at[piece.size - 1] == ' ' || piece.at[piece.size - 1] == '\t' ||
                          piece.at[piece.size - 1] == '\r'))
        piece.size--;
    return piece;
}

/* The next line that says something; false at the end. Its leading tabs stay: they separate. */
static bool next_line(struct reader *reader, struct piece *line)
{
    while (reader->at < reader->end) {
        const size_t left = (size_t)(reader->end - reader->at);
        const char *newline = memchr(reader->at, '\n', left);
        *line = (struct piece){reader->at, newline ? (size_t)(newline - reader->at) : left};
        reader->at += line->size + (newline != NULL);
        reader->line++;
        if (line->size && line->at[line->size - 1] == '\r')
            line->size--;
        if (trim(*line).size && *line->at != '#')
            return true;
    }
    return false;
}

/* Takes a field off the line; false: there is none left. A quotation that does not end reaches to
 * the end of the line; "" inside one stays as it is, for no number has it. */
static bool next_field(const struct reader *reader, struct piece *line, struct piece *field)
{
    if (!line->at)
        return false;
    bool quoted = false;
    size_t size = 0;
    while (size < line->size && (quoted || line->at[size] != reader->separator))
        quoted ^= line->at[size++] == '"';
    *field = trim((struct piece){line->at, size});
    if (field->size >= 2 && field->at[0] == '"' && field->at[field->size - 1] == '"')
        *field = trim((struct piece){field->at + 1, field->size - 2});
    const bool last = size == line->size;
    *line = (struct piece){last ? NULL : line->at + size + 1, last ? 0 : line->size - size - 1};
    return true;
}

enum kind { NUMBER, MISSING, INFINITE, TEXT };

static bool is_word(struct piece field, const char *word)
{
    return field.size == strlen(word) && strncasecmp(field.at, word, field.size) == 0;
}

static enum kind read_field(struct piece field, double *value)
{
    char text[NUMBER_MAX], *end;
    if (!field.size || is_word(field, "nan") || is_word(field, "na") || is_word(field, "null"))
        return MISSING;
    if (field.size >= sizeof text || memchr(field.at, 0, field.size))
        return TEXT;
    memcpy(text, field.at, field.size);
    text[field.size] = '\0';
    if (strspn(text, "+-.0123456789eE") != field.size)
        return is_word(field, "inf") || is_word(field, "-inf") ? INFINITE : TEXT;
    *value = strtod(text, &end);
    if (*end)
        return TEXT;
    return isfinite(*value) ? NUMBER : INFINITE;
}

/* "wait (ms)" and "wait [ms]" are wait. */
static size_t without_unit(struct piece name)
{
    for (size_t i = 1; i < name.size; i++) {
        if (name.at[i] == '(' || name.at[i] == '[')
            return trim((struct piece){name.at, i}).size;
    }
    return name.size;
}

static bool is_named(struct piece name, const char *which)
{
    const size_t size = strlen(which);
    return (size == name.size || size == without_unit(name)) && memcmp(name.at, which, size) == 0;
}

/* What stands in the message for bytes from outside. */
static void copy_plain(struct piece from, char *to, size_t most)
{
    size_t size = 0;
    for (; size < from.size && size + 1 < most; size++)
        to[size] = (unsigned char)from.at[size] < ' ' ? '?' : from.at[size];
    to[size] = '\0';
}

static int choose_by_number(struct reader *reader, const char *which, struct ts_why *why)
{
    char *end;
    const unsigned long number = which ? strtoul(which, &end, 10) : 0;
    if (which && (*which < '0' || *which > '9' || *end || !number || number > reader->columns))
        return ts_fail(why, TS_EPROTO, "there is no column %s; it has %zu, and no headings", which,
                       reader->columns);
    if (!which && reader->columns > 1)
        return ts_fail(why, TS_EPROTO, "it has %zu columns; say which (--column 1, 2, ...)",
                       reader->columns);
    reader->field = which ? number - 1 : 0;
    return TS_OK;
}

static int choose_by_heading(struct reader *reader, struct piece line, const char *which,
                             struct ts_column *out, struct ts_why *why)
{
    char list[200] = "";
    const unsigned long number = which ? strtoul(which, NULL, 10) : reader->columns == 1;
    bool found = false;
    struct piece field, rest = line;
    for (size_t i = 0; next_field(reader, &rest, &field); i++) {
        const size_t used = strlen(list);
        char name[TS_COLUMN_NAME_MAX];
        copy_plain(field, name, sizeof name);
        if (used + strlen(name) + 3 < sizeof list) {
            memcpy(list + used, i ? ", " : "", i ? 3 : 1);
            memcpy(list + strlen(list), name, strlen(name) + 1);
        }
        /* A heading comes before a number, for a column may be called 2. */
        if (which && is_named(field, which)) {
            if (found)
                return ts_fail(why, TS_EPROTO, "line %zu: two columns are called %s", reader->line,
                               which);
            found = true;
            reader->field = i;
            memcpy(out->name, name, sizeof name);
        }
    }
    rest = line;
    for (size_t i = 0; !found && next_field(reader, &rest, &field); i++) {
        if (i + 1 != number)
            continue;
        found = true;
        reader->field = i;
        copy_plain(field, out->name, sizeof out->name);
    }
    if (found)
        return TS_OK;
    return which ? ts_fail(why, TS_EPROTO, "there is no column %s; it has: %s", which, list)
                 : ts_fail(why, TS_EPROTO, "it has several columns; say which (--column NAME): %s",
                           list);
}

static char find_separator(struct piece line)
{
    bool quoted = false;
    for (size_t i = 0; i < line.size; i++) {
        quoted ^= line.at[i] == '"';
        if (!quoted && (line.at[i] == ',' || line.at[i] == ';' || line.at[i] == '\t'))
            return line.at[i];
    }
    return ',';
}

static int take_row(struct reader *reader, struct piece line, struct ts_column *out,
                    struct ts_why *why)
{
    struct piece field = {0}, rest = line;
    bool there = true;
    for (size_t i = 0; i <= reader->field && there; i++)
        there = next_field(reader, &rest, &field);
    if (!there)
        return ts_fail(why, TS_EPROTO, "line %zu: it has fewer fields than the first line",
                       reader->line);
    double value = 0;
    const enum kind kind = read_field(field, &value);
    if (kind == TEXT || kind == INFINITE) {
        char text[40];
        copy_plain(field, text, sizeof text);
        return ts_fail(why, TS_EPROTO, "line %zu: \"%s\" is no %snumber", reader->line, text,
                       kind == INFINITE ? "finite " : "");
    }
    const size_t row = out->row_count++;
    out->missing += kind == MISSING;
    if (kind == MISSING)
        return TS_OK;
    void *values = out->values, *rows = out->rows;
    size_t row_index = out->count;
    double *to = ts_grow(&values, &out->count, &reader->value_capacity, sizeof *to);
    out->values = values;
    size_t *to_row = to ? ts_grow(&rows, &row_index, &reader->row_capacity, sizeof *to_row) : NULL;
    out->rows = rows;
    if (!to_row)
        return TS_ENOMEM;
    *to = value;
    *to_row = row;
    return TS_OK;
}

static int take_first(struct reader *reader, struct piece line, const char *which,
                      struct ts_column *out, struct ts_why *why)
{
    bool heading = false;
    double value;
    struct piece field, rest = line;
    reader->separator = find_separator(line);
    while (next_field(reader, &rest, &field)) {
        reader->columns++;
        heading |= read_field(field, &value) == TEXT;
    }
    if (heading)
        return choose_by_heading(reader, line, which, out, why);
    const int err = choose_by_number(reader, which, why);
    return err ? err : take_row(reader, line, out, why);
}

int ts_column_parse(const char *text, size_t size, const char *which, struct ts_column *out,
                    struct ts_why *why)
{
    struct reader reader = {.at = text, .end = text + size};
    struct piece line;
    int err = TS_OK;
    *out = (struct ts_column){0};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    if (next_line(&reader, &line))
        err = take_first(&reader, line, which, out, why);
    while (!err && next_line(&reader, &line))
        err = take_row(&reader, line, out, why);
    if (err)
        ts_column_free(out);
    return err;
}

void ts_column_free(struct ts_column *column)
{
    free(column->values);
    free(column->rows);
    *column = (struct ts_column){0};
}
