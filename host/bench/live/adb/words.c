/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "live_adb/words.h"

#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                            "_-./:=,@%+";

/* One word to `out`, as the shell would understand it; *at moves behind it. */
static int take_word(const char **at, struct ts_buf *out, bool *open)
{
    char quote = '\0';
    int err = TS_OK;
    for (; **at && (quote || **at != ' ') && !err; (*at)++) {
        if (quote ? **at == quote : **at == '\'' || **at == '"')
            quote = quote ? '\0' : **at;
        else
            err = ts_buf_append(out, *at, 1);
    }
    *open = quote != '\0';
    return err ? err : ts_buf_append(out, "", 1);
}

static int put_quoted(struct ts_buf *out, const char *word)
{
    int err = ts_buf_append(out, "'", 1);
    for (; *word && !err; word++)
        err = *word == '\'' ? ts_buf_append(out, "'\\''", 4) : ts_buf_append(out, word, 1);
    return err ? err : ts_buf_append(out, "'", 1);
}

static int put_word(struct ts_buf *out, const char *word, bool first)
{
    const size_t size = strlen(word);
    /* "NAME=value" in front would set a variable instead of naming a command. */
    const bool is_plain = size && strspn(word, plain) == size && !(first && strchr(word, '='));
    const int err = first ? TS_OK : ts_buf_append(out, " ", 1);
    if (err)
        return err;
    return is_plain ? ts_buf_append(out, word, size) : put_quoted(out, word);
}

static int put_words(const char *command, struct ts_buf *word, struct ts_buf *out,
                     struct ts_why *why)
{
    bool first = true, open = false;
    int err = TS_OK;
    for (const char *at = command; !err; first = false) {
        at += strspn(at, " ");
        if (!*at)
            return first ? ts_fail(why, TS_EINVAL, "an empty shell command") : TS_OK;
        ts_buf_clear(word);
        err = take_word(&at, word, &open);
        if (!err && open)
            err = ts_fail(why, TS_EINVAL, "a quote is not closed in the shell command: %.200s",
                          command);
        if (!err)
            err = put_word(out, (const char *)word->data, first);
    }
    return err;
}

int ts_adb_quote(const char *command, struct ts_buf *out, struct ts_why *why)
{
    const size_t before = out->size;
    for (const char *at = command; *at; at++) {
        if ((unsigned char)*at < ' ' || *at == 0x7f)
            return ts_fail(why, TS_EINVAL, "a control character in a shell command");
    }
    struct ts_buf word = {0};
    int err = put_words(command, &word, out, why);
    ts_buf_free(&word);
    if (!err && out->size - before > TS_ADB_COMMAND_MAX)
        err = ts_fail(why, TS_EINVAL, "a shell command of more than %d bytes", TS_ADB_COMMAND_MAX);
    if (err)
        out->size = before;
    return err;
}

bool ts_adb_is_cheap(const char *quoted)
{
    return strncmp(quoted, "cat /proc/", 10) == 0 || strncmp(quoted, "cat /sys/", 9) == 0;
}
