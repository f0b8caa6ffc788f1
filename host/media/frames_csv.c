/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "media/frames_csv.h"

#include "base/buf.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST    1000000
#define ARRIVAL_MOST 4000000000000000000 /* differences fit */

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

static struct cursor next_line(const char **at, const char *end)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    struct cursor line = {*at, newline ? newline : end};
    *at = newline ? newline + 1 : end;
    while (line.end > line.at &&
           (line.end[-1] == '\r' || line.end[-1] == ' ' || line.end[-1] == '\t'))
        line.end--;
    return line;
}

long ts_frames_csv_parse(const char *text, size_t size, struct ts_frames_csv_row **rows,
                         struct ts_why *why)
{
    const char *at = text, *end = text + size;
    if (size >= 3 && memcmp(at, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    struct ts_frames_csv_row *items = NULL;
    size_t count = 0, capacity = 0;
    bool heading_may_come = true;
    int err = TS_OK;
    for (long number = 1; at < end && !err; number++) {
        const struct cursor line = next_line(&at, end);
        if (line.at == line.end)
            continue;
        const bool heading = heading_may_come && is_heading(line);
        heading_may_come = false;
        if (heading)
            continue;
        if (count >= ROWS_MOST) {
            err = ts_fail(why, TS_EPROTO, "line %ld: more than %d frames", number, ROWS_MOST);
            break;
        }
        struct ts_frames_csv_row row;
        err = parse_line(line, number, count, count ? &items[count - 1] : NULL, &row, why);
        if (err)
            break;
        void *grown = items;
        struct ts_frames_csv_row *added = ts_grow(&grown, &count, &capacity, sizeof *added);
        items = grown;
        if (!added)
            err = TS_ENOMEM;
        else
            *added = row;
    }
    if (!err && count == 0)
        err = ts_fail(why, TS_EPROTO, "no frames in it");
    if (err) {
        free(items);
        return err;
    }
    *rows = items;
    return (long)count;
}

static double sequence_of(const struct ts_frames_csv_row *rows, size_t i)
{
    return (double)rows[i].sequence - rows[0].sequence;
}

static double arrival_of(const struct ts_frames_csv_row *rows, size_t i)
{
    return (double)(rows[i].arrival_ns - rows[0].arrival_ns);
}

static double slope(const struct ts_frames_csv_row *rows, size_t a, size_t b)
{
    return (arrival_of(rows, b) - arrival_of(rows, a)) /
           (sequence_of(rows, b) - sequence_of(rows, a));
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The lower convex hull's edge above which the middle of the frames lies: of all lines below every
 * arrival it is the one with the least total lateness. */
int ts_frames_csv_line(const struct ts_frames_csv_row *rows, size_t count,
                       struct ts_frames_line *line)
{
    if (count < 2)
        return TS_EPROTO;
    size_t *hull = malloc(count * sizeof *hull);
    double *late = malloc(count * sizeof *late);
    int err = TS_ENOMEM;
    if (!hull || !late)
        goto end;
    size_t corners = 0;
    double middle = 0;
    for (size_t i = 0; i < count; i++) {
        while (corners >= 2 && slope(rows, hull[corners - 1], i) <=
                                   slope(rows, hull[corners - 2], hull[corners - 1]))
            corners--;
        hull[corners++] = i;
        middle += sequence_of(rows, i) / (double)count;
    }
    size_t edge = 0;
    while (edge + 2 < corners && sequence_of(rows, hull[edge + 1]) < middle)
        edge++;
    line->period_ns = slope(rows, hull[edge], hull[edge + 1]);
    line->start_ns = arrival_of(rows, hull[edge]) - line->period_ns * sequence_of(rows, hull[edge]);
    for (size_t i = 0; i < count; i++)
        late[i] = arrival_of(rows, i) - line->start_ns - line->period_ns * sequence_of(rows, i);
    qsort(late, count, sizeof *late, by_size);
    line->late_ns = late[count / 2];
    err = TS_OK;
end:
    free(late);
    free(hull);
    return err;
}
