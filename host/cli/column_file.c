/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/column_file.h"

#include "base/buf.h"
#include "store/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FILE_MOST ((size_t)1 << 30)

static int read_input(struct ts_buf *out, struct ts_why *why)
{
    enum { CHUNK = 1 << 16 };
    while (out->size < FILE_MOST) {
        void *to = ts_buf_extend(out, CHUNK);
        if (!to)
            return TS_ENOMEM;
        const size_t size = fread(to, 1, CHUNK, stdin);
        out->size -= CHUNK - size;
        if (ferror(stdin))
            return ts_fail(why, TS_EIO, "standard input: %s", strerror(errno));
        if (feof(stdin))
            return TS_OK;
    }
    return ts_fail(why, TS_EPROTO, "standard input: larger than %zu bytes", FILE_MOST);
}

int ts_column_load(const char *path, const char *which, struct ts_column *out, struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_why inner = {""};
    const bool piped = strcmp(path, "-") == 0;
    int err = piped ? read_input(&text, why) : ts_file_read(path, FILE_MOST, &text, why);
    if (!err) {
        const size_t size = text.size - !piped; /* the NUL of ts_file_read() */
        err = ts_column_parse((const char *)text.data, size, which, out, &inner);
        if (err == TS_EPROTO)
            ts_fail(why, err, "%s: %s", path, inner.text);
        if (!err && !out->count)
            err = ts_fail(why, TS_EPROTO, "%s: there is no number in it", path);
    }
    ts_buf_free(&text);
    return err;
}
