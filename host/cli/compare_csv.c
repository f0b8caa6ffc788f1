/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A CSV of launches, one a line: numbers by cli/table_csv.h, beside them columns of words. */
#include "cli/compare_data.h"
#include "cli/table_csv.h"
#include "base/buf.h"
#include "base/text.h"
#include "store/files.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_MOST   ((size_t)1 << 30)
#define WORD_MAX    256
#define LAUNCH_MOST 1e15 /* number of a launch */

/* Which word stands in each row. */
struct words {
    struct ts_names names;
    size_t *rows; /* owned */
    size_t count, capacity;
};

struct lines {
    const char *at, *end;
    char separator;
};

/* The same lines as ts_column_parse() takes: neither blank nor a comment. */
static bool next_line(struct lines *lines, const char **line, size_t *size)
{
    while (lines->at < lines->end) {
        const char *newline = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
        const char *stop = newline ? newline : lines->end;
        *line = lines->at;
        lines->at = newline ? newline + 1 : lines->end;
        *size = (size_t)(stop - *line);
        if (*size && (*line)[*size - 1] == '\r')
            --*size;
        size_t blanks = 0;
        while (blanks < *size && ts_is_one_of((*line)[blanks], " \t\r"))
            blanks++;
        if (blanks < *size && **line != '#')
            return true;
    }
    return false;
}

/* Field number `which` of a line, without blanks and quotation marks around it. false: there is
 * none. */
static bool take_field(const char *line, size_t size, char separator, size_t which,
                       char word[WORD_MAX])
{
    size_t from = 0, to = 0;
    for (size_t field = 0;; field++, from = to + 1) {
        bool quoted = false;
        for (to = from; to < size && (quoted || line[to] != separator); to++)
            quoted ^= line[to] == '"';
        if (field == which)
            break;
        if (to >= size)
            return false;
    }
    while (from < to && ts_is_one_of(line[from], " \t\""))
        from++;
    while (to > from && ts_is_one_of(line[to - 1], " \t\""))
        to--;
    snprintf(word, WORD_MAX, "%.*s", (int)(to - from), line + from);
    return true;
}

static char find_separator(const char *line, size_t size)
{
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        quoted ^= line[i] == '"';
        if (!quoted && ts_is_one_of(line[i], ",;\t"))
            return line[i];
    }
    return ',';
}

static int put_word(struct words *words, const char *word)
{
    void *rows = words->rows;
    const long index = ts_names_find(&words->names, word);
    if (index < 0)
        return (int)index;
    size_t *row = ts_grow(&rows, &words->count, &words->capacity, sizeof *row);
    words->rows = rows;
    if (!row)
        return TS_ENOMEM;
    *row = (size_t)index;
    return TS_OK;
}

static int read_words(const char *text, size_t size, const char *heading, bool optional,
                      struct words *out, struct ts_why *why)
{
    struct lines lines = {text, text + size, ','};
    const char *line;
    char word[WORD_MAX];
    size_t length, column = 0;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        lines.at += 3;
    if (!next_line(&lines, &line, &length))
        return TS_OK;
    lines.separator = find_separator(line, length);
    while (take_field(line, length, lines.separator, column, word) && strcmp(word, heading) != 0)
        column++;
    if (!take_field(line, length, lines.separator, column, word))
        return optional ? TS_OK : ts_fail(why, TS_EPROTO, "there is no column %s", heading);
    int err = TS_OK;
    while (!err && next_line(&lines, &line, &length)) {
        if (!take_field(line, length, lines.separator, column, word))
            *word = '\0';
        err = put_word(out, word);
    }
    return err == TS_EOVERRUN
               ? ts_fail(why, TS_EPROTO, "column %s has too many different words", heading)
               : err;
}

static void words_free(struct words *words)
{
    ts_names_free(&words->names);
    free(words->rows);
}

static const char *word_of(const struct words *words, size_t row, const char *otherwise)
{
    return row < words->count ? words->names.items[words->rows[row]] : otherwise;
}

/* What Touchstone's own tables say of a launch: whether it counts, and if not, why. */
enum standing { COUNTS, USABLE, WARM_UP, STANDINGS };
static const char *const standing_names[] = {"counts", "usable", "warm_up"};

static enum ts_left_out left_out(const struct words standing[STANDINGS], size_t row)
{
    if (strcmp(word_of(&standing[COUNTS], row, "1"), "0") != 0)
        return TS_TAKEN;
    if (strcmp(word_of(&standing[USABLE], row, "1"), "0") == 0)
        return TS_UNUSABLE;
    return strcmp(word_of(&standing[WARM_UP], row, "0"), "1") == 0 ? TS_WARM_UP : TS_EXCLUDED;
}

/* Which launch of which session each row is. numbers: of the launches; NULL: nobody numbered them,
 * and a word names a session of this file alone. */
struct sessions {
    struct words words;
    struct ts_column numbers;
    bool numbered;
    size_t *indices; /* owned; of each word; without words one for the file */
};

static int read_sessions(struct ts_compare_data *data, const char *path, const char *bytes,
                         size_t size, const char *heading, struct sessions *out, struct ts_why *why)
{
    struct ts_why unsaid;
    int err = heading ? read_words(bytes, size, heading, false, &out->words, why) : TS_OK;
    if (!err && heading) {
        err = ts_column_parse(bytes, size, "launch", &out->numbers, &unsaid);
        out->numbered = !err;
        err = err == TS_ENOMEM ? err : TS_OK;
    }
    const size_t count = out->words.names.count ? out->words.names.count : 1;
    out->indices = calloc(count, sizeof *out->indices);
    if (!out->indices)
        return TS_ENOMEM;
    for (size_t i = 0; i < count && !err; i++) {
        const char *word = out->words.names.count ? out->words.names.items[i] : "";
        struct ts_path name;
        err = ts_path_format(&name, why, "%s\n%.*s", out->numbered ? "" : path, WORD_MAX, word);
        const long index = err ? err : ts_names_find(&data->sessions, name.text);
        out->indices[i] = (size_t)index;
        err = index < 0 ? (int)index : TS_OK;
    }
    return err == TS_EOVERRUN ? ts_fail(why, TS_EPROTO, "there are too many sessions") : err;
}

static void sessions_free(struct sessions *sessions)
{
    words_free(&sessions->words);
    ts_column_free(&sessions->numbers);
    free(sessions->indices);
}

/* next: of the numbers; it moves on. */
static struct ts_place place_of(const struct sessions *sessions, size_t row, size_t *next)
{
    const struct ts_column *numbers = &sessions->numbers;
    struct ts_place out = {sessions->indices[0], 0};
    if (row < sessions->words.count)
        out.session = sessions->indices[sessions->words.rows[row]];
    if (!sessions->numbered || *next >= numbers->count || numbers->rows[*next] != row)
        return out;
    const double number = numbers->values[(*next)++];
    if (number >= 1 && number < LAUNCH_MOST)
        out.launch = (size_t)number;
    return out;
}

static int put_rows(struct ts_compare_data *data, struct ts_group *group,
                    const struct ts_column *column, const struct words *apps,
                    const struct sessions *sessions, const struct words standing[STANDINGS])
{
    size_t next = 0, next_number = 0;
    int err = TS_OK;
    for (size_t row = 0; row < column->row_count && !err; row++) {
        const bool there = next < column->count && column->rows[next] == row;
        const long app = ts_names_find(&data->apps, word_of(apps, row, "all"));
        const enum ts_left_out out = left_out(standing, row);
        const struct ts_place place = place_of(sessions, row, &next_number);
        err = app < 0 ? (int)app
                      : ts_group_put(group, (struct ts_row){(size_t)app, place,
                                                            there ? column->values[next] : NAN, NAN,
                                                            there || out ? out : TS_NO_VALUE});
        next += there;
    }
    group->sessions += sessions->words.names.count ? sessions->words.names.count : 1;
    return err;
}

int ts_compare_add_csv(struct ts_compare_data *data, struct ts_group *group, const char *path,
                       const struct ts_compare_source *source, struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_column column = {0};
    struct words apps = {0}, standing[STANDINGS] = {0};
    struct sessions sessions = {0};
    struct ts_why inner = {""};
    int err = ts_file_read(path, FILE_MOST, &text, why);
    if (err)
        return err;
    const char *bytes = (const char *)text.data;
    const size_t size = text.size - 1; /* without the NUL of ts_file_read() */
    err = ts_column_parse(bytes, size, source->column, &column, &inner);
    if (!err && source->app)
        err = read_words(bytes, size, source->app, false, &apps, &inner);
    if (!err)
        err = read_sessions(data, path, bytes, size, source->session, &sessions, &inner);
    for (int i = 0; i < STANDINGS && !err; i++)
        err = read_words(bytes, size, standing_names[i], true, &standing[i], &inner);
    if (!err)
        err = put_rows(data, group, &column, &apps, &sessions, standing);
    if (err == TS_EPROTO)
        ts_fail(why, err, "%s: %s", path, inner.text);
    ts_column_free(&column);
    words_free(&apps);
    sessions_free(&sessions);
    for (int i = 0; i < STANDINGS; i++)
        words_free(&standing[i]);
    ts_buf_free(&text);
    return err;
}
