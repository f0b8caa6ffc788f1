/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _DEFAULT_SOURCE /* flock */
#include "store/annotations_file.h"

#include "store/files.h"
#include "store/json_in.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define FILE_MOST  ((size_t)8 << 20)
#define FRAME_MOST 100000000

static void take_one(struct ts_json_in *in, struct ts_annotation *one)
{
    ts_json_in_text(in, "by", one->by, sizeof one->by);
    ts_json_in_text(in, "when", one->when, sizeof one->when);
    if (ts_json_in_has(in, "superseded"))
        ts_json_in_text(in, "superseded", one->superseded, sizeof one->superseded);
    one->marks.first_change_frame =
        ts_json_in_integer_or(in, "first_change_frame", 0, FRAME_MOST, -1);
    one->marks.settled_frame = ts_json_in_integer_or(in, "settled_frame", 0, FRAME_MOST, -1);
    one->first_change_ms = ts_json_in_number(in, "first_change_ms");
    one->settled_ms = ts_json_in_number(in, "settled_ms");
    ts_json_in_text(in, "zero", one->zero, sizeof one->zero);
    one->tap_given = ts_json_in_has(in, "tap_ns");
    if (one->tap_given)
        one->tap_ns = ts_json_in_integer(in, "tap_ns", INT64_MIN / 4, INT64_MAX / 4);
    if (ts_json_in_has(in, "frames_csv"))
        ts_json_in_text(in, "frames_csv", one->frames_csv, sizeof one->frames_csv);
    one->latency_ms = ts_json_in_number(in, "latency_ms");
    one->exposure_ms = ts_json_in_number(in, "exposure_ms");
    one->readout_ms = ts_json_in_number(in, "readout_ms");
    one->frames = (int)ts_json_in_integer(in, "frames", 1, FRAME_MOST);
    one->marks.cannot_tell = ts_json_in_boolean(in, "cannot_tell");
    ts_json_in_text(in, "note", one->marks.note, sizeof one->marks.note);
    if (!in->err && !*one->by)
        ts_json_in_refuse(in, "by", "a name");
}

static int take_all(const json_t *root, struct ts_annotations *out, struct ts_why *why)
{
    if (!json_is_array(root) || json_array_size(root) > TS_ANNOTATIONS_MOST)
        return ts_fail(why, TS_EPROTO, "must be a JSON array of at most %d objects",
                       TS_ANNOTATIONS_MOST);
    for (size_t i = 0; i < json_array_size(root); i++) {
        char where[32];
        snprintf(where, sizeof where, "annotation %zu", i + 1);
        struct ts_json_in in = {json_array_get(root, i), where, why, TS_OK};
        if (!json_is_object(in.object))
            return ts_fail(why, TS_EPROTO, "%s: must be a JSON object", where);
        void *items = out->items;
        struct ts_annotation *one = ts_grow(&items, &out->count, &out->capacity, sizeof *one);
        out->items = items;
        if (!one)
            return ts_fail(why, TS_ENOMEM, "out of memory");
        take_one(&in, one);
        if (in.err)
            return in.err;
    }
    return TS_OK;
}

static int parse_tree(const char *text, size_t size, json_t **root, struct ts_annotations *out,
                      struct ts_why *why)
{
    json_error_t error;
    *out = (struct ts_annotations){0};
    *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    if (!*root)
        return ts_fail(why, TS_EPROTO, "not JSON: %s (column %d of line %d)", error.text,
                       error.column, error.line);
    const int err = take_all(*root, out, why);
    if (err) {
        ts_annotations_free(out);
        json_decref(*root);
        *root = NULL;
    }
    return err;
}

int ts_annotations_parse(const char *text, size_t size, struct ts_annotations *out,
                         struct ts_why *why)
{
    json_t *root;
    const int err = parse_tree(text, size, &root, out, why);
    json_decref(root);
    return err;
}

/* *root is an empty array when there is no such file. */
static int load_tree(const char *path, json_t **root, struct ts_annotations *out,
                     struct ts_why *why)
{
    struct ts_buf text = {0};
    struct ts_why inner = {""};
    *out = (struct ts_annotations){0};
    *root = NULL;
    if (!ts_file_exists(path)) {
        *root = json_array();
        return *root ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    }
    int err = ts_file_read(path, FILE_MOST, &text, why);
    if (err)
        return err;
    err = parse_tree((const char *)text.data, text.size - 1, root, out, &inner);
    ts_buf_free(&text);
    return err ? ts_fail(why, err, "%s: %s; mend it or move it away: it is not written over", path,
                         inner.text)
               : TS_OK;
}

int ts_annotations_load(const char *path, struct ts_annotations *out, struct ts_why *why)
{
    json_t *root;
    const int err = load_tree(path, &root, out, why);
    json_decref(root);
    return err;
}

void ts_annotations_free(struct ts_annotations *annotations)
{
    free(annotations->items);
    *annotations = (struct ts_annotations){0};
}

const struct ts_annotation *ts_annotations_by(const struct ts_annotations *annotations,
                                              const char *by)
{
    const struct ts_annotation *found = NULL;
    for (size_t i = 0; i < annotations->count; i++) {
        const struct ts_annotation *one = &annotations->items[i];
        if (!*one->superseded && strcmp(one->by, by) == 0)
            found = one;
    }
    return found;
}

static bool differ(double a, double b)
{
    return isnan(a) != isnan(b) || fabs(a - b) > 0;
}

bool ts_annotations_alike(const struct ts_annotation *one, const struct ts_annotation *other)
{
    return strcmp(one->zero, other->zero) == 0 && one->tap_ns == other->tap_ns &&
           !*one->frames_csv == !*other->frames_csv &&
           !differ(one->latency_ms, other->latency_ms) &&
           !differ(one->exposure_ms, other->exposure_ms) &&
           !differ(one->readout_ms, other->readout_ms);
}

static json_t *frame_or_null(int frame)
{
    return frame < 0 ? json_null() : json_integer(frame);
}

static json_t *ms_or_null(double ms)
{
    return isfinite(ms) ? json_real(round(ms * 1000) / 1000) : json_null();
}

static json_t *tree_of(const struct ts_annotation *one, const char *touchstone)
{
    json_t *object = json_object();
    json_object_set_new(object, "by", json_string(one->by));
    json_object_set_new(object, "when", json_string(one->when));
    json_object_set_new(object, "first_change_frame", frame_or_null(one->marks.first_change_frame));
    json_object_set_new(object, "settled_frame", frame_or_null(one->marks.settled_frame));
    json_object_set_new(object, "first_change_ms", ms_or_null(one->first_change_ms));
    json_object_set_new(object, "settled_ms", ms_or_null(one->settled_ms));
    json_object_set_new(object, "zero", json_string(one->zero));
    json_object_set_new(object, "tap_ns", one->tap_given ? json_integer(one->tap_ns) : json_null());
    json_object_set_new(object, "frames_csv",
                        *one->frames_csv ? json_string(one->frames_csv) : json_null());
    json_object_set_new(object, "latency_ms", ms_or_null(one->latency_ms));
    json_object_set_new(object, "exposure_ms", ms_or_null(one->exposure_ms));
    json_object_set_new(object, "readout_ms", ms_or_null(one->readout_ms));
    json_object_set_new(object, "frames", json_integer(one->frames));
    json_object_set_new(object, "cannot_tell", json_boolean(one->marks.cannot_tell));
    json_object_set_new(object, "note", json_string(one->marks.note));
    json_object_set_new(object, "touchstone", json_string(touchstone));
    json_object_set_new(object, "superseded", json_null());
    return object;
}

static void supersede(json_t *root, const struct ts_annotation *by)
{
    for (size_t i = 0; i < json_array_size(root); i++) {
        json_t *one = json_array_get(root, i);
        const char *name = json_string_value(json_object_get(one, "by"));
        json_t *superseded = json_object_get(one, "superseded");
        if (name && strcmp(name, by->by) == 0 && (!superseded || json_is_null(superseded)))
            json_object_set_new(one, "superseded", json_string(by->when));
    }
}

static int print_tree(const json_t *root, struct ts_buf *out)
{
    char *text = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
    const int err = text ? ts_buf_printf(out, "%s\n", text) : TS_ENOMEM;
    free(text);
    return err;
}

int ts_annotations_print(const struct ts_annotations *annotations, const char *touchstone,
                         struct ts_buf *out)
{
    json_t *root = json_array();
    int err = root ? TS_OK : TS_ENOMEM;
    for (size_t i = 0; i < annotations->count && !err; i++) {
        const struct ts_annotation *one = &annotations->items[i];
        json_t *object = tree_of(one, touchstone);
        if (*one->superseded)
            json_object_set_new(object, "superseded", json_string(one->superseded));
        err = json_array_append_new(root, object) ? TS_ENOMEM : TS_OK;
    }
    if (!err)
        err = print_tree(root, out);
    json_decref(root);
    return err;
}

static int write_tree(const char *path, const json_t *root, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    int err = print_tree(root, &bytes);
    err = err ? ts_fail(why, err, "out of memory") : ts_file_write(path, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_annotations_add(const char *path, const char *film, const struct ts_annotation *added,
                       const char *touchstone, struct ts_why *why)
{
    struct ts_annotations old = {0};
    json_t *root = NULL;
    /* The film is there already and is never replaced; a lock file of our own would stay about. */
    const int lock = open(film, O_RDONLY | O_CLOEXEC);
    if (lock < 0)
        return ts_file_fail(why, film, "opened", errno);
    int err = TS_OK;
    while (flock(lock, LOCK_EX)) {
        if (errno != EINTR) {
            err = ts_file_fail(why, film, "locked", errno);
            goto end;
        }
    }
    err = load_tree(path, &root, &old, why);
    if (err)
        goto end;
    if (old.count >= TS_ANNOTATIONS_MOST) {
        err = ts_fail(why, TS_EINVAL, "%s: is full", path);
        goto end;
    }
    supersede(root, added);
    err = json_array_append_new(root, tree_of(added, touchstone))
              ? ts_fail(why, TS_ENOMEM, "out of memory")
              : write_tree(path, root, why);
end:
    ts_annotations_free(&old);
    json_decref(root);
    close(lock);
    return err;
}
