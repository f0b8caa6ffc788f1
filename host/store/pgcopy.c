/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/pgcopy.h"

#include <string.h>

#define SIGNATURE 11

const char ts_pgcopy_header[TS_PGCOPY_HEADER] =
    "PGCOPY\n\377\r\n"; /* NUL, no flags, no extension */
const char ts_pgcopy_trailer[TS_PGCOPY_TRAILER] = {'\377', '\377'};

/* Most significant byte first, as all numbers are in this format. */
static int put_big(struct ts_buf *buf, uint64_t value, int size)
{
    uint8_t bytes[8];
    for (int i = 0; i < size; i++)
        bytes[i] = (uint8_t)(value >> 8 * (size - 1 - i));
    return ts_buf_append(buf, bytes, (size_t)size);
}

static int put_cell(struct ts_buf *buf, const struct ts_db_cell *cell)
{
    if (cell->kind == TS_DB_NULL)
        return put_big(buf, UINT32_MAX, 4);
    if (cell->kind == TS_DB_TEXT) {
        const size_t size = strlen(cell->u.text);
        const int err = put_big(buf, size, 4);
        return err ? err : ts_buf_append(buf, cell->u.text, size);
    }
    uint64_t bits;
    memcpy(&bits, &cell->u, sizeof bits); /* a double's bits stand in the same order */
    const int err = put_big(buf, sizeof bits, 4);
    return err ? err : put_big(buf, bits, sizeof bits);
}

int ts_pgcopy_put(struct ts_buf *buf, const struct ts_db_cell *row, int columns)
{
    int err = put_big(buf, (uint64_t)columns, 2);
    for (int i = 0; i < columns && !err; i++)
        err = put_cell(buf, &row[i]);
    return err;
}

struct bytes {
    char *at, *end;
};

/* 2, 4 or 8 bytes; written out, so that a compiler makes one load of it: a lab has millions. */
static bool take_big(struct bytes *bytes, int size, uint64_t *value)
{
    const uint8_t *at = (const uint8_t *)bytes->at;
    if (bytes->end - bytes->at < size)
        return false;
    bytes->at += size;
    *value = (uint64_t)at[0] << 8 | at[1];
    if (size > 2)
        *value = *value << 16 | (uint64_t)at[2] << 8 | at[3];
    if (size > 4)
        *value = *value << 32 | (uint64_t)at[4] << 24 | (uint64_t)at[5] << 16 |
                 (uint64_t)at[6] << 8 | at[7];
    return true;
}

/* The next field. A text ends where the size of the next field begins, which was read by then. */
static bool take_cell(struct bytes *bytes, char kind, struct ts_db_cell *cell, char **text_end)
{
    uint64_t size, bits;
    if (!take_big(bytes, 4, &size))
        return false;
    if (*text_end)
        **text_end = '\0';
    *text_end = NULL;
    *cell = (struct ts_db_cell){TS_DB_NULL, {0}};
    if (size == UINT32_MAX)
        return true;
    if (kind == 't') {
        *cell = (struct ts_db_cell){TS_DB_TEXT, {.text = bytes->at}};
        if (size > (size_t)(bytes->end - bytes->at))
            return false;
        bytes->at += size;
        *text_end = bytes->at;
        return true;
    }
    if (size != sizeof bits || !take_big(bytes, sizeof bits, &bits))
        return false;
    cell->kind = kind == 'i' ? TS_DB_INTEGER : TS_DB_NUMBER;
    memcpy(&cell->u, &bits, sizeof bits);
    return true;
}

/* All rows of one message, which libpq ends with a NUL. */
int ts_pgcopy_take(char *message, size_t size, const char *kinds,
                   int (*take)(void *context, const struct ts_db_cell *row), void *context,
                   struct ts_why *why)
{
    struct ts_db_cell row[TS_DB_COLUMNS_MOST];
    struct bytes bytes = {message, message + size};
    const size_t columns = strlen(kinds);
    uint64_t count;
    while (take_big(&bytes, 2, &count) && count != UINT16_MAX) {
        char *text_end = NULL;
        bool whole = count == columns;
        for (int i = 0; kinds[i] && whole; i++)
            whole = take_cell(&bytes, kinds[i], &row[i], &text_end);
        if (!whole)
            return ts_fail(why, TS_EPROTO, "the server's answer has another shape than was asked");
        /* Where a last text ends, another row of the message may begin. */
        const char after = text_end ? *text_end : '\0';
        if (text_end)
            *text_end = '\0';
        const int err = take(context, row);
        if (text_end)
            *text_end = after;
        if (err)
            return err;
    }
    return TS_OK;
}

size_t ts_pgcopy_header_size(char *message, size_t size)
{
    struct bytes extension = {message + TS_PGCOPY_HEADER - 4, message + TS_PGCOPY_HEADER};
    uint64_t more;
    if (size < TS_PGCOPY_HEADER || memcmp(message, ts_pgcopy_header, SIGNATURE) != 0 ||
        !take_big(&extension, 4, &more))
        return 0;
    return TS_PGCOPY_HEADER + more <= size ? (size_t)(TS_PGCOPY_HEADER + more) : size;
}
