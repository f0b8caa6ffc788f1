/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/agreement_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 20000
#define MS_MOST   1e9
#define FIELDS    4
#define FIELD_MAX 256

struct fields {
    char text[FIELDS][FIELD_MAX];
    int count;
};

/* One field from *at; false: too long, or a quotation that does not end. */
static bool take_field(const char **at, const char *end, char *to)
{
    const bool quoted = *at < end && **at == '"';
    size_t size = 0;
    *at += quoted;
    for (;; (*at)++) {
        if (*at >= end) {
            if (quoted)
                return false;
            break;
        }
        if (!quoted && **at == ',')
            break;
        if (quoted && **at == '"') {
            if (*at + 1 >= end || (*at)[1] != '"') {
                (*at)++;
                break;
            }
            (*at)++;
        }
        if (size + 1 >= FIELD_MAX || !**at)
            return false;
        to[size++] = **at;
    }
    to[size] = '\0';
    return *at >= end || **at == ',';
}

static bool split(const char *at, const char *end, struct fields *fields)
{
    for (fields->count = 0; fields->count < FIELDS;) {
        if (!take_field(&at, end, fields->text[fields->count++]))
            return false;
        if (at >= end)
            return true;
        at++; /* the comma */
    }
    return false;
}

static bool take_ms(const char *text, double *ms)
{
    char *end;
    errno = 0;
    *ms = strtod(text, &end);
    end += strspn(end, " \t");
    return end != text && !*end && !errno && fabs(*ms) <= MS_MOST;
}

static int take_row(const struct fields *fields, long number, struct ts_agreement_row *row,
                    struct ts_why *why)
{
    struct ts_why inner = {""};
    if (fields->count < 3)
        return ts_fail(why, TS_EPROTO, "line %ld: not name,automatic_ms,manual_ms,by", number);
    memcpy(row->name, fields->text[0], sizeof row->name);
    row->automatic_ms = (double)NAN;
    if (*fields->text[1] && !take_ms(fields->text[1], &row->automatic_ms))
        return ts_fail(why, TS_EPROTO, "line %ld: automatic_ms is no number of milliseconds",
                       number);
    if (!take_ms(fields->text[2], &row->manual_ms))
        return ts_fail(why, TS_EPROTO, "line %ld: manual_ms is no number of milliseconds", number);
    if (fields->count == FIELDS && *fields->text[3] &&
        ts_site_name(fields->text[3], row->by, &inner))
        return ts_fail(why, TS_EPROTO, "line %ld: by: %s", number, inner.text);
    return TS_OK;
}

static const char *end_of_line(const char *at, const char *end, const char **next)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    *next = newline ? newline + 1 : end;
    while (stop > at && strchr("\r \t", stop[-1]) && stop[-1])
        stop--;
    return stop;
}

static int take_line(const char *at, const char *end, long number, void **rows, size_t *count,
                     size_t *capacity, struct ts_why *why)
{
    struct fields fields;
    if (!split(at, end, &fields))
        return ts_fail(why, TS_EPROTO,
                       "line %ld: more than %d fields, one too long, or an open quotation", number,
                       FIELDS);
    if (number == 1 && fields.count >= 3 && strcmp(fields.text[0], "name") == 0)
        return TS_OK;
    if (*count >= ROWS_MOST)
        return ts_fail(why, TS_EPROTO, "line %ld: more than %d rows", number, ROWS_MOST);
    struct ts_agreement_row *row = ts_grow(rows, count, capacity, sizeof *row);
    return row ? take_row(&fields, number, row, why) : TS_ENOMEM;
}

long ts_agreement_csv_parse(const char *text, size_t size, struct ts_agreement_row **rows,
                            struct ts_why *why)
{
    const char *at = text, *end = text + size, *next;
    void *items = NULL;
    size_t count = 0, capacity = 0;
    int err = TS_OK;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (long number = 1; at < end && !err; number++, at = next) {
        const char *stop = end_of_line(at, end, &next);
        if (stop > at)
            err = take_line(at, stop, number, &items, &count, &capacity, why);
    }
    if (!err && !count)
        err = ts_fail(why, TS_EPROTO, "no row in it");
    if (err) {
        free(items);
        return err;
    }
    *rows = items;
    return (long)count;
}
