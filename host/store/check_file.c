/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/check_file.h"

#include "store/files.h"
#include "store/json_in.h"
#include "store/json_out.h"

#define FILE_MOST ((size_t)1 << 20)

static void put_values(struct ts_json_out *json, const char *when,
                       const struct ts_check_values *values)
{
    ts_json_open(json, when, '{');
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        ts_json_open(json, ts_measurand_names[m], '{');
        ts_json_number(json, "value_ms", values->value_ms[m]);
        ts_json_number(json, "limit_ms", values->limit_ms[m]);
        ts_json_close(json, '}');
    }
    ts_json_close(json, '}');
}

int ts_check_verdict_print(const struct ts_check_verdict *verdict, struct ts_buf *buf)
{
    struct ts_json_out json = {.buf = buf, .broken_depth = 2};
    ts_json_open(&json, NULL, '{');
    if (verdict->judged)
        ts_json_boolean(&json, "in_control", verdict->in_control);
    else
        ts_json_null(&json, "in_control");
    ts_json_text(&json, "why", verdict->why);
    ts_json_integer(&json, "certificate_s", verdict->certificate_s);
    put_values(&json, "before", &verdict->before);
    if (verdict->over)
        put_values(&json, "after", &verdict->after);
    else
        ts_json_null(&json, "after");
    ts_json_close(&json, '}');
    return json.err ? json.err : ts_buf_append(buf, "\n", 1);
}

static struct ts_check_values read_values(struct ts_json_in *in, const char *when)
{
    struct ts_check_values values;
    struct ts_json_in point = ts_json_in_enter(in, when);
    for (int m = 0; m < TS_MEASURAND_COUNT; m++) {
        struct ts_json_in inner = ts_json_in_enter(&point, ts_measurand_names[m]);
        values.value_ms[m] = ts_json_in_number(&inner, "value_ms");
        values.limit_ms[m] = ts_json_in_number(&inner, "limit_ms");
        ts_json_in_leave(&point, &inner);
    }
    ts_json_in_leave(in, &point);
    return values;
}

int ts_check_verdict_parse(const char *text, size_t size, struct ts_check_verdict *out,
                           struct ts_why *why)
{
    json_t *root;
    *out = (struct ts_check_verdict){.judged = false};
    const int err = ts_json_in_parse(text, size, "verdict", &root, why);
    if (err)
        return err;
    struct ts_json_in in = {root, "verdict", why, TS_OK};
    out->judged = ts_json_in_has(&in, "in_control");
    if (out->judged)
        out->in_control = ts_json_in_boolean(&in, "in_control");
    ts_json_in_text(&in, "why", out->why, sizeof out->why);
    out->certificate_s = ts_json_in_integer(&in, "certificate_s", 0, INT64_MAX);
    out->before = read_values(&in, "before");
    out->over = ts_json_in_has(&in, "after");
    if (out->over)
        out->after = read_values(&in, "after");
    json_decref(root);
    return in.err;
}

static int name_file(const char *session_dir, struct ts_path *path, struct ts_why *why)
{
    return ts_path_format(path, why, "%s/checks/verdict.json", session_dir);
}

int ts_check_verdict_save(const char *session_dir, const struct ts_check_verdict *verdict,
                          struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = name_file(session_dir, &path, why);
    if (!err && ts_check_verdict_print(verdict, &bytes))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_check_verdict_load(const char *session_dir, struct ts_check_verdict *out, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = name_file(session_dir, &path, why);
    if (err)
        return err;
    if (!ts_file_exists(path.text))
        return ts_fail(why, TS_EOF, "%s: no check standard was played", session_dir);
    err = ts_file_read(path.text, FILE_MOST, &bytes, why);
    if (err)
        return err;
    err = ts_check_verdict_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    ts_buf_free(&bytes);
    return err ? ts_fail(why, err, "%s: %s", path.text, what.text) : TS_OK;
}
