/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/rig.h"

#include "store/files.h"
#include "store/record_file.h"

#include <ctype.h>
#include <cyaml/cyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_SIZE_MAX ((size_t)1 << 20)

struct rig_yaml {
    char *name, *bench, *options;
};

static const cyaml_schema_field_t rig_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, struct rig_yaml, name, 1, 63),
    CYAML_FIELD_STRING_PTR("bench", CYAML_FLAG_POINTER, struct rig_yaml, bench, 1, 15),
    CYAML_FIELD_STRING_PTR("options", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, struct rig_yaml,
                           options, 0, 4096),
    CYAML_FIELD_END,
};
static const cyaml_schema_value_t rig_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct rig_yaml, rig_fields),
};

/* Names go into files and on screens. */
static bool is_name(const char *text)
{
    for (const char *c = text; *c; c++) {
        if (!isalnum((unsigned char)*c) && !strchr("-_. ", *c))
            return false;
    }
    return *text && strlen(text) < sizeof((struct ts_rig *)0)->name;
}

static bool is_plain(const char *text)
{
    return !strpbrk(text, "\"\\\n\r\t");
}

int ts_rig_create(const char *dir, const char *name, const char *bench, const char *options,
                  struct ts_why *why)
{
    struct ts_path folder, path;
    struct ts_buf bytes = {0};
    char text[5000];
    if (!is_name(name))
        return ts_fail(why, TS_EINVAL,
                       "\"%.60s\" is no name for a rig: 1 to 63 letters, digits, and - _ .", name);
    if (!is_plain(options) || strlen(options) > 4096)
        return ts_fail(why, TS_EINVAL, "the bench's options hold a character that they may not");
    if (!ts_folder_is_empty(dir))
        return ts_fail(why, TS_EINVAL, "%s: is not an empty folder; name a new one", dir);
    const int size =
        snprintf(text, sizeof text,
                 "# A rig: its bench, and beside this file what it was calibrated to.\n"
                 "name: \"%s\"\nbench: %s\noptions: \"%s\"\n",
                 name, bench, options);
    int err = ts_path_format(&folder, why, "%s/calibration", dir);
    if (!err)
        err = ts_path_format(&path, why, "%s/rig.yaml", dir);
    if (!err)
        err = ts_folder_make_two(dir, why);
    if (!err)
        err = ts_folder_make(folder.text, why);
    if (!err && ts_buf_append(&bytes, text, (size_t)size))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

static int parse_yaml(const struct ts_buf *bytes, const char *path, struct ts_rig *rig,
                      struct ts_why *why)
{
    const cyaml_config_t config = {
        .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR, .flags = CYAML_CFG_NO_ALIAS};
    struct rig_yaml *yaml = NULL;
    const cyaml_err_t failed = cyaml_load_data(bytes->data, bytes->size - 1, &config, &rig_schema,
                                               (cyaml_data_t **)&yaml, NULL);
    if (failed || !yaml)
        return ts_fail(why, TS_EPROTO, "%s: %s; it has the keys name, bench and options", path,
                       cyaml_strerror(failed));
    int err = TS_OK;
    if (!is_name(yaml->name) || (yaml->options && !is_plain(yaml->options)))
        err = ts_fail(why, TS_EPROTO, "%s: name or options hold what they may not", path);
    snprintf(rig->name, sizeof rig->name, "%s", yaml->name);
    snprintf(rig->bench, sizeof rig->bench, "%s", yaml->bench);
    rig->options = strdup(yaml->options ? yaml->options : "");
    cyaml_free(&config, &rig_schema, yaml, 0);
    if (!err && !rig->options)
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    return err;
}

static int record_path(const struct ts_rig *rig, enum ts_record_kind kind, struct ts_path *path,
                       struct ts_why *why)
{
    return ts_path_format(path, why, "%s/calibration/%s.json", rig->dir, ts_record_names[kind]);
}

static int read_record(struct ts_rig *rig, enum ts_record_kind kind, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = record_path(rig, kind, &path, why);
    if (err || !ts_file_exists(path.text))
        return err;
    err = ts_file_read(path.text, FILE_SIZE_MAX, &bytes, why);
    if (err)
        return err;
    struct ts_record *record = &rig->records[kind];
    err = ts_record_parse((const char *)bytes.data, bytes.size - 1, record, &what);
    ts_buf_free(&bytes);
    if (!err && record->kind != kind)
        err = ts_fail(&what, TS_EPROTO, "holds a %s calibration", ts_record_names[record->kind]);
    if (err)
        return ts_fail(why, err, "%s: %s", path.text, what.text);
    rig->known[kind] = true;
    return TS_OK;
}

int ts_rig_open(const char *dir, unsigned renewed, struct ts_rig *out, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    *out = (struct ts_rig){.dir = strdup(dir)};
    int err = out->dir ? TS_OK : ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_path_format(&path, why, "%s/rig.yaml", dir);
    if (!err && !ts_file_exists(path.text))
        err = ts_fail(why, TS_EPROTO,
                      "%s: is no rig's folder, it has no rig.yaml; `touchstone rig new` makes one",
                      dir);
    if (!err)
        err = ts_file_read(path.text, FILE_SIZE_MAX, &bytes, why);
    if (!err) {
        err = parse_yaml(&bytes, path.text, out, why);
        ts_buf_free(&bytes);
    }
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        err = read_record(out, (enum ts_record_kind)kind, why);
        if (err == TS_EPROTO && renewed >> kind & 1)
            err = TS_OK;
    }
    if (err)
        ts_rig_free(out);
    return err;
}

void ts_rig_free(struct ts_rig *rig)
{
    free(rig->options);
    free(rig->dir);
    *rig = (struct ts_rig){0};
}

static int write_record(const struct ts_record *record, const char *path, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    int err = ts_record_print(record, &bytes);
    if (err)
        ts_fail(why, err, "out of memory");
    else
        err = ts_file_write(path, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_rig_put(struct ts_rig *rig, const struct ts_record *record, struct ts_why *why)
{
    struct ts_path path;
    int err = record_path(rig, record->kind, &path, why);
    if (!err)
        err = write_record(record, path.text, why);
    if (err)
        return err;
    rig->records[record->kind] = *record;
    rig->known[record->kind] = true;
    return TS_OK;
}

int ts_rig_copy_records(const struct ts_rig *rig, const char *folder, struct ts_why *why)
{
    int err = ts_folder_make(folder, why);
    for (int kind = 0; kind < TS_RECORD_COUNT && !err; kind++) {
        struct ts_path path;
        if (!rig->known[kind])
            continue;
        err = ts_path_format(&path, why, "%s/%s.json", folder, ts_record_names[kind]);
        if (!err)
            err = write_record(&rig->records[kind], path.text, why);
    }
    return err;
}
