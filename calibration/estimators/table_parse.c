/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "estimators/table.h"

#include "estimators/dictionary.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIELD_MAX 256 /* characters of one field */
#define FIXED     6   /* columns before the features */

struct reader {
    const char *at, *end;         /* of the text */
    const char *field, *line_end; /* of the line; field NULL: it has no more */
    size_t line, column;          /* from 1 */
    char text[FIELD_MAX];         /* the field that was read last */
};

static bool next_line(struct reader *reader)
{
    while (reader->at < reader->end) {
        const size_t left = (size_t)(reader->end - reader->at);
        const char *newline = memchr(reader->at, '\n', left);
        reader->field = reader->at;
        reader->line_end = newline ? newline : reader->end;
        reader->at = newline ? newline + 1 : reader->end;
        reader->line++;
        reader->column = 0;
        if (reader->line_end > reader->field && reader->line_end[-1] == '\r')
            reader->line_end--;
        if (reader->line_end > reader->field && *reader->field != '#')
            return true;
    }
    return false;
}

/* The next field without its quotes. TS_EOF: the line has no more. */
static int next_field(struct reader *reader, struct ts_why *why)
{
    if (!reader->field)
        return TS_EOF;
    const char *at = reader->field;
    size_t size = 0;
    bool quoted = at < reader->line_end && *at == '"';
    reader->column++;
    at += quoted;
    for (; at < reader->line_end && (quoted || *at != ','); at++) {
        if (quoted && *at == '"') {
            if (at + 1 == reader->line_end || at[1] != '"') {
                quoted = false;
                continue;
            }
            at++;
        }
        if (size + 1 == sizeof reader->text || !*at)
            return ts_fail(why, TS_EPROTO, "line %zu, field %zu: %s", reader->line, reader->column,
                           *at ? "it is too long" : "there is a NUL in it");
        reader->text[size++] = *at == '\r' ? ' ' : *at; /* as it would be printed */
    }
    if (quoted)
        return ts_fail(why, TS_EPROTO, "line %zu, field %zu: its quotation does not end",
                       reader->line, reader->column);
    reader->text[size] = '\0';
    reader->field = at < reader->line_end ? at + 1 : NULL;
    return TS_OK;
}

static int read_fixed_heading(struct reader *reader, struct ts_why *why)
{
    static const char *const names[FIXED] = {"device",          "app",
                                             "launch",          "start_type",
                                             "settled_ms [ms]", "time_to_initial_display_ms [ms]"};
    for (size_t i = 0; i < FIXED; i++) {
        const int err = next_field(reader, why);
        if (err == TS_EPROTO)
            return err;
        if (err || strcmp(reader->text, names[i]) != 0)
            return ts_fail(why, TS_EPROTO,
                           "line %zu: column %zu is \"%.60s\", not %s; a feature "
                           "table begins with device,app,launch,start_type,settled_ms [ms],"
                           "time_to_initial_display_ms [ms]",
                           reader->line, i + 1, err ? "" : reader->text, names[i]);
    }
    return TS_OK;
}

/* "NAME [UNIT]" into a new feature. */
static int take_feature(struct reader *reader, struct ts_feature_table *table, struct ts_why *why)
{
    char *unit = strstr(reader->text, " [");
    const size_t size = strlen(reader->text);
    if (!unit || unit == reader->text || reader->text[size - 1] != ']' ||
        (size_t)(unit - reader->text) >= TS_FEATURE_TABLE_NAME_MAX ||
        strpbrk(reader->text, ",\"")) /* names are printed without quotes */
        return ts_fail(why, TS_EPROTO,
                       "line %zu: \"%.60s\" is no feature with its unit, as "
                       "\"last_event_ms [ms]\"",
                       reader->line, reader->text);
    reader->text[size - 1] = '\0';
    *unit = '\0';
    unit += 2;
    const struct ts_feature *known = ts_feature_find(reader->text);
    if (strlen(unit) >= sizeof table->features->unit || !*unit ||
        (known && strcmp(known->unit, unit) != 0))
        return ts_fail(why, TS_EPROTO, "line %zu: %s is in [%.20s]%s%s", reader->line, reader->text,
                       unit, known ? ", it belongs in " : ", which is no unit",
                       known ? known->unit : "");
    if (ts_feature_table_feature(table, reader->text) < table->feature_count)
        return ts_fail(why, TS_EPROTO, "line %zu: two columns are called %s", reader->line,
                       reader->text);
    if (table->feature_count == TS_FEATURE_TABLE_FEATURES_MAX)
        return ts_fail(why, TS_EPROTO, "line %zu: more than %d features", reader->line,
                       TS_FEATURE_TABLE_FEATURES_MAX);
    void *features = table->features;
    struct ts_feature_table_feature *to =
        ts_grow(&features, &table->feature_count, &table->feature_capacity, sizeof *to);
    table->features = features;
    if (!to)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    memcpy(to->name, reader->text, strlen(reader->text) + 1);
    memcpy(to->unit, unit, strlen(unit) + 1);
    return TS_OK;
}

static int read_number(struct reader *reader, double *out, struct ts_why *why)
{
    *out = NAN;
    if (strcmp(reader->text, "NA") == 0)
        return TS_OK;
    char *end = reader->text;
    if (strspn(reader->text, "+-.0123456789eE") == strlen(reader->text))
        *out = strtod(reader->text, &end);
    if (end == reader->text || *end || !isfinite(*out))
        return ts_fail(why, TS_EPROTO,
                       "line %zu, field %zu: \"%.40s\" is no number; what is not "
                       "known is NA",
                       reader->line, reader->column, reader->text);
    return TS_OK;
}

static int take_text(struct reader *reader, char *to, struct ts_why *why)
{
    const size_t size = strlen(reader->text);
    if (!size || size >= TS_FEATURE_TABLE_TEXT_MAX)
        return ts_fail(why, TS_EPROTO, "line %zu, field %zu: it is %s", reader->line,
                       reader->column, size ? "too long" : "empty");
    memcpy(to, reader->text, size + 1);
    return TS_OK;
}

static int take_start_type(struct reader *reader, enum ts_start_type *out, struct ts_why *why)
{
    for (int i = 0; ts_start_type_names[i]; i++) {
        if (strcmp(reader->text, ts_start_type_names[i]) == 0) {
            *out = (enum ts_start_type)i;
            return TS_OK;
        }
    }
    return ts_fail(why, TS_EPROTO,
                   "line %zu: \"%.40s\" is no start type (cold, warm, hot, "
                   "unknown)",
                   reader->line, reader->text);
}

static int take_field(struct reader *reader, struct ts_feature_table_row *row, double *values,
                      struct ts_why *why)
{
    double number;
    switch (reader->column) {
    case 1:
        return take_text(reader, row->device, why);
    case 2:
        return take_text(reader, row->app, why);
    case 3:
        return take_text(reader, row->launch, why);
    case 4:
        return take_start_type(reader, &row->start_type, why);
    default:
        break;
    }
    const int err = read_number(reader, &number, why);
    if (err)
        return err;
    if (reader->column <= FIXED && number <= 0)
        return ts_fail(why, TS_EPROTO, "line %zu, field %zu: a launch of %g ms is none",
                       reader->line, reader->column, number);
    if (reader->column > FIXED)
        values[reader->column - FIXED - 1] = number;
    else if (reader->column == FIXED)
        row->time_to_initial_display_ms = number;
    else
        row->settled_ms = number;
    return TS_OK;
}

static int take_row(struct reader *reader, struct ts_feature_table *table, double *values,
                    struct ts_why *why)
{
    struct ts_feature_table_row row = {.line = reader->line};
    const size_t columns = FIXED + table->feature_count;
    int err;
    while (!(err = next_field(reader, why))) {
        if (reader->column > columns)
            break;
        err = take_field(reader, &row, values, why);
        if (err)
            return err;
    }
    if (err != TS_EOF && err)
        return err;
    if (reader->column != columns || !err)
        return ts_fail(why, TS_EPROTO, "line %zu: it has %s than the heading's %zu fields",
                       reader->line, err ? "fewer" : "more", columns);
    return ts_feature_table_add(table, &row, values) ? ts_fail(why, TS_ENOMEM, "out of memory")
                                                     : TS_OK;
}

int ts_feature_table_parse(const char *text, size_t size, struct ts_feature_table *out,
                           struct ts_why *why)
{
    struct reader reader = {.at = text, .end = text + size};
    double *values = NULL;
    *out = (struct ts_feature_table){0};
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        reader.at += 3;
    int err = next_line(&reader) ? read_fixed_heading(&reader, why)
                                 : ts_fail(why, TS_EPROTO, "it is empty");
    while (!err && !(err = next_field(&reader, why)))
        err = take_feature(&reader, out, why);
    err = err == TS_EOF ? TS_OK : err;
    if (!err) {
        values = calloc(out->feature_count + 1, sizeof *values);
        err = values ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    }
    while (!err && next_line(&reader))
        err = take_row(&reader, out, values, why);
    free(values);
    if (err)
        ts_feature_table_free(out);
    return err;
}
