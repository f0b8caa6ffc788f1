/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/frames_csv.h"

#include "base/buf.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARRIVAL_MOST 4000000000000000000 /* differences fit */
#define LINE_MOST    200                 /* characters */

struct ts_frames_csv {
    FILE *file;
    char *path; /* owned; NULL: a text in memory */
    long line;
    size_t rows;
    bool headed;
    struct ts_frames_csv_row last;
};

struct cursor {
    const char *at, *end; /* of one line */
};

static void skip_blanks(struct cursor *line)
{
    while (line->at < line->end && (*line->at == ' ' || *line->at == '\t'))
        line->at++;
}

static bool take_number(struct cursor *line, int64_t *value)
{
    skip_blanks(line);
    const bool negative = line->at < line->end && *line->at == '-';
    line->at += negative;
    const char *first = line->at;
    int64_t number = 0;
    for (; line->at < line->end && *line->at >= '0' && *line->at <= '9'; line->at++) {
        const int digit = *line->at - '0';
        if (number > (INT64_MAX - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *value = negative ? -number : number;
    if (line->at == first)
        return false;
    skip_blanks(line);
    return true;
}

static bool take_comma(struct cursor *line)
{
    if (line->at >= line->end || *line->at != ',')
        return false;
    line->at++;
    return true;
}

static int parse_line(struct cursor line, long number, size_t index,
                      const struct ts_frames_csv_row *before, struct ts_frames_csv_row *row,
                      struct ts_why *why)
{
    int64_t frame, sequence, arrival;
    if (!take_number(&line, &frame) || !take_comma(&line) || !take_number(&line, &sequence) ||
        !take_comma(&line) || !take_number(&line, &arrival) || line.at != line.end)
        return ts_fail(why, TS_EPROTO, "line %ld: not three whole numbers frame,seq,arrival_ns",
                       number);
    if (frame != (int64_t)index)
        return ts_fail(why, TS_EPROTO, "line %ld: frame %lld where frame %zu should be", number,
                       (long long)frame, index);
    if (sequence < 0 || sequence > UINT32_MAX)
        return ts_fail(why, TS_EPROTO, "line %ld: seq %lld is out of range", number,
                       (long long)sequence);
    if (before && sequence <= (int64_t)before->sequence)
        return ts_fail(why, TS_EPROTO, "line %ld: seq %lld does not rise", number,
                       (long long)sequence);
    if (arrival > ARRIVAL_MOST || arrival < -ARRIVAL_MOST)
        return ts_fail(why, TS_EPROTO, "line %ld: arrival_ns is out of range", number);
    if (before && arrival < before->arrival_ns)
        return ts_fail(why, TS_EPROTO, "line %ld: this frame arrives before the last one", number);
    *row = (struct ts_frames_csv_row){(uint32_t)sequence, arrival};
    return TS_OK;
}

static bool is_heading(struct cursor line)
{
    static const char heading[] = "frame,seq,arrival_ns";
    const size_t size = sizeof heading - 1;
    return (size_t)(line.end - line.at) == size && memcmp(line.at, heading, size) == 0;
}

/* The next line without what ends it; of one that is too long, enough to show that it is wrong.
 * false: there is none. */
static bool read_line(struct ts_frames_csv *csv, char text[LINE_MOST], struct cursor *line)
{
    size_t size = 0;
    int c = getc(csv->file);
    if (c == EOF)
        return false;
    for (; c != EOF && c != '\n'; c = getc(csv->file)) {
        if (size < LINE_MOST)
            text[size++] = (char)c;
    }
    csv->line++;
    *line = (struct cursor){text, text + size};
    if (csv->line == 1 && size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        line->at += 3;
    while (size < LINE_MOST && line->end > line->at &&
           (line->end[-1] == '\r' || line->end[-1] == ' ' || line->end[-1] == '\t'))
        line->end--;
    return true;
}

static int next_row(struct ts_frames_csv *csv, struct ts_frames_csv_row *row, struct ts_why *why)
{
    char text[LINE_MOST];
    struct cursor line;
    while (read_line(csv, text, &line)) {
        if (line.at == line.end)
            continue;
        if (csv->rows == 0 && !csv->headed && is_heading(line)) {
            csv->headed = true;
            continue;
        }
        const int err =
            parse_line(line, csv->line, csv->rows, csv->rows ? &csv->last : NULL, row, why);
        if (err)
            return err;
        csv->last = *row;
        csv->rows++;
        return 1;
    }
    if (ferror(csv->file))
        return ts_fail(why, TS_EIO, "%s", strerror(errno));
    return csv->rows ? 0 : ts_fail(why, TS_EPROTO, "no frames in it");
}

int ts_frames_csv_open(const char *path, struct ts_frames_csv **out, struct ts_why *why)
{
    struct ts_frames_csv *csv = calloc(1, sizeof *csv);
    char *name = strdup(path);
    FILE *file = csv && name ? fopen(path, "rb") : NULL;
    if (file) {
        *csv = (struct ts_frames_csv){.file = file, .path = name};
        *out = csv;
        return TS_OK;
    }
    const int err = csv && name ? ts_fail(why, TS_EIO, "%s: %s", path, strerror(errno)) : TS_ENOMEM;
    free(name);
    free(csv);
    return err;
}

void ts_frames_csv_close(struct ts_frames_csv *csv)
{
    if (!csv)
        return;
    fclose(csv->file);
    free(csv->path);
    free(csv);
}

int ts_frames_csv_next(struct ts_frames_csv *csv, struct ts_frames_csv_row *row, struct ts_why *why)
{
    struct ts_why inner = {""};
    const int got = next_row(csv, row, &inner);
    return got < 0 ? ts_fail(why, got, "%s: %s", csv->path, inner.text) : got;
}

long ts_frames_csv_parse(const char *text, size_t size, struct ts_frames_csv_row **rows,
                         struct ts_why *why)
{
    if (size == 0)
        return ts_fail(why, TS_EPROTO, "no frames in it");
    struct ts_frames_csv csv = {.file = fmemopen((void *)(uintptr_t)text, size, "rb")};
    if (!csv.file)
        return TS_ENOMEM;
    struct ts_frames_csv_row row, *items = NULL;
    size_t count = 0, capacity = 0;
    int got;
    while ((got = next_row(&csv, &row, why)) > 0) {
        void *grown = items;
        struct ts_frames_csv_row *added = ts_grow(&grown, &count, &capacity, sizeof *added);
        items = grown;
        if (!added) {
            got = TS_ENOMEM;
            break;
        }
        *added = row;
    }
    fclose(csv.file);
    if (got < 0) {
        free(items);
        return got;
    }
    *rows = items;
    return (long)count;
}
