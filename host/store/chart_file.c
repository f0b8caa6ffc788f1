/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"
#include "store/verify_file.h"

#include <stdlib.h>
#include <string.h>

#define FILE_MOST ((size_t)64 << 20)

static int name_chart(const char *rig_dir, struct ts_path *path, struct ts_why *why)
{
    return ts_path_format(path, why, "%s/verify/checks.jsonl", rig_dir);
}

static int print_entry(const struct ts_chart_entry *entry, struct ts_buf *buf)
{
    struct ts_json_out out = {.buf = buf};
    ts_json_open(&out, NULL, '{');
    ts_json_integer(&out, "date_s", entry->date_s);
    ts_json_integer(&out, "certificate_s", entry->certificate_s);
    ts_json_seed(&out, "seed", entry->seed);
    ts_json_text(&out, "when", entry->when);
    ts_json_text(&out, "session", entry->session);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        ts_json_open(&out, ts_measurand_names[m], '{');
        ts_json_number(&out, "value_ms", entry->value_ms[m]);
        ts_json_number(&out, "limit_ms", entry->limit_ms[m]);
        ts_json_close(&out, '}');
    }
    ts_json_boolean(&out, "in_control", entry->in_control);
    ts_json_close(&out, '}');
    return out.err ? out.err : ts_buf_append(buf, "\n", 1);
}

static int read_entry(const char *line, size_t size, struct ts_chart_entry *entry,
                      struct ts_why *why)
{
    json_t *root;
    const int err = ts_json_in_parse(line, size, "checks.jsonl", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "checks.jsonl", why, TS_OK};
    entry->date_s = ts_json_in_integer(&in, "date_s", 0, INT64_MAX);
    entry->certificate_s = ts_json_in_integer(&in, "certificate_s", 0, INT64_MAX);
    entry->seed = ts_json_in_seed(&in, "seed");
    ts_json_in_text(&in, "when", entry->when, sizeof entry->when);
    ts_json_in_text(&in, "session", entry->session, sizeof entry->session);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_json_in inner = ts_json_in_enter(&in, ts_measurand_names[m]);
        entry->value_ms[m] = ts_json_in_number(&inner, "value_ms");
        entry->limit_ms[m] = ts_json_in_number(&inner, "limit_ms");
        ts_json_in_leave(&in, &inner);
    }
    entry->in_control = ts_json_in_boolean(&in, "in_control");
    json_decref(root);
    return in.err;
}

/* The whole file, without what a crash left of an unfinished line. */
static int read_chart(const struct ts_path *path, struct ts_buf *bytes, struct ts_why *why)
{
    if (!ts_file_exists(path->text))
        return TS_OK;
    const int err = ts_file_read(path->text, FILE_MOST, bytes, why);
    if (err)
        return err;
    bytes->size--; /* the NUL */
    while (bytes->size && bytes->data[bytes->size - 1] != '\n')
        bytes->size--;
    return TS_OK;
}

int ts_chart_append(const char *rig_dir, const struct ts_chart_entry *entry, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = name_chart(rig_dir, &path, why);
    if (!err)
        err = read_chart(&path, &bytes, why);
    if (!err && print_entry(entry, &bytes))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_chart_load(const char *rig_dir, struct ts_chart_entry **entries, size_t *count,
                  struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    size_t capacity = 0;
    *entries = NULL;
    *count = 0;
    int err = name_chart(rig_dir, &path, why);
    if (!err)
        err = read_chart(&path, &bytes, why);
    const char *text = (const char *)bytes.data;
    for (size_t from = 0; !err && from < bytes.size;) {
        const size_t size =
            (size_t)((const char *)memchr(text + from, '\n', bytes.size - from) - (text + from));
        struct ts_chart_entry *entry = ts_grow((void **)entries, count, &capacity, sizeof *entry);
        err = entry ? read_entry(text + from, size, entry, why)
                    : ts_fail(why, TS_ENOMEM, "out of memory");
        from += size + 1;
    }
    ts_buf_free(&bytes);
    if (err) {
        free(*entries);
        *entries = NULL;
        *count = 0;
    }
    return err;
}
