/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/bundle.h"

#include "export/archive.h"
#include "export/bundle_names.h"
#include "export/rebuild.h"
#include "measure/measure.h"
#include "store/digest.h"
#include "store/files.h"
#include "store/json_in.h"
#include "store/layout.h"
#include "store/result_file.h"
#include "store/session.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST     ((size_t)2 << 30)
#define MANIFEST_MOST ((size_t)64 << 20)

struct reproduction {
    const char *folder;
    const json_t *tables; /* of the manifest */
    size_t seen;          /* tables */
    struct ts_bundle_sums *sums;
};

static void judge(struct ts_bundle_sums *sums, bool same, size_t *same_count,
                  size_t *different_count, const char *name)
{
    *(same ? same_count : different_count) += 1;
    if (!same && !*sums->first_different)
        snprintf(sums->first_different, sizeof sums->first_different, "%s", name);
}

/* The row of that name in a list of the manifest; NULL: none. */
static const char *digest_of(const json_t *list, const char *name)
{
    size_t i;
    const json_t *row;
    json_array_foreach(list, i, row)
    {
        const char *text = json_string_value(json_object_get(row, "name"));
        if (text && strcmp(text, name) == 0)
            return json_string_value(json_object_get(row, "sha256"));
    }
    return NULL;
}

/* Every file that the manifest names is there and is that file. */
static int check_files(const char *folder, const json_t *files, struct ts_why *why)
{
    size_t i;
    const json_t *row;
    json_array_foreach(files, i, row)
    {
        const char *name = json_string_value(json_object_get(row, "name"));
        const char *expected = json_string_value(json_object_get(row, "sha256"));
        char digest[TS_DIGEST_SIZE];
        struct ts_path path;
        struct ts_buf bytes = {0};
        if (!name || !expected || !ts_bundle_is_name(name))
            return ts_fail(why, TS_EPROTO, "manifest.json: row %zu of files is damaged", i + 1);
        int err = ts_path_format(&path, why, "%s/%s", folder, name);
        if (!err)
            err = ts_file_read(path.text, FILE_MOST, &bytes, why);
        if (!err)
            err = ts_digest_of(bytes.data, bytes.size - 1, digest);
        ts_buf_free(&bytes);
        if (!err && strcmp(digest, expected) != 0)
            err = ts_fail(why, TS_EPROTO, "%s is not the file that manifest.json names", name);
        if (err)
            return err;
    }
    return TS_OK;
}

static int measure_again(const struct ts_session *session, int launch, struct ts_bundle_sums *sums,
                         struct ts_why *why)
{
    struct ts_calibration calibration;
    struct ts_evidence evidence;
    struct ts_result result;
    struct ts_path path;
    struct ts_buf kept = {0}, now = {0};
    int err = ts_session_load_calibration(session, &calibration, why);
    if (!err)
        err = ts_session_load_evidence(session, launch, &evidence, why);
    if (err)
        return err;
    err = ts_measure_launch(&evidence, &calibration, ts_session_get_plan(session), &result);
    ts_evidence_free(&evidence);
    if (!err)
        err = ts_result_print(&result, ts_session_get_info(session), &now);
    if (!err)
        err = ts_layout_file(ts_session_get_folder(session), launch, "result.json", &path, why);
    if (!err)
        err = ts_file_read(path.text, FILE_MOST, &kept, why);
    if (!err) {
        char name[40];
        snprintf(name, sizeof name, "result of launch %d", launch);
        judge(sums, kept.size - 1 == now.size && memcmp(kept.data, now.data, now.size) == 0,
              &sums->results_same, &sums->results_different, name);
    }
    ts_buf_free(&kept);
    ts_buf_free(&now);
    return err;
}

static int take_table(void *context, const char *name, const struct ts_buf *bytes,
                      struct ts_why *why)
{
    struct reproduction *of = context;
    char digest[TS_DIGEST_SIZE];
    struct ts_path path;
    int err = ts_digest_of(bytes->data, bytes->size, digest);
    if (!err)
        err = ts_path_format(&path, why, "%s/tables/%s", of->folder, name);
    if (!err)
        err = ts_file_write(path.text, bytes, why);
    if (err)
        return err;
    const char *expected = digest_of(of->tables, name);
    judge(of->sums, expected && strcmp(digest, expected) == 0, &of->sums->tables_same,
          &of->sums->tables_different, name);
    of->seen++;
    return TS_OK;
}

static int rebuild_all(struct reproduction *of, struct ts_why *why)
{
    struct ts_session *session;
    struct ts_path path, dir;
    int err = ts_path_format(&dir, why, "%s/session", of->folder);
    if (!err)
        err = ts_session_open(dir.text, &session, why);
    if (err)
        return err;
    of->sums->launches = (size_t)ts_session_launch_count(session);
    for (int launch = 1; launch <= ts_session_launch_count(session) && !err; launch++)
        err = measure_again(session, launch, of->sums, why);
    ts_session_free(session);
    static const char *const folders[] = {"tables", "tables/traces"};
    for (size_t i = 0; i < 2 && !err; i++) {
        err = ts_path_format(&path, why, "%s/%s", of->folder, folders[i]);
        if (!err)
            err = ts_folder_make(path.text, why);
    }
    if (!err)
        err = ts_rebuild(dir.text, take_table, of, why);
    if (!err && of->seen < json_array_size(of->tables))
        judge(of->sums, false, &of->sums->tables_same, &of->sums->tables_different,
              "a table that manifest.json names");
    return err;
}

static int read_manifest(const char *folder, json_t **root, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    int err = ts_path_format(&path, why, "%s/manifest.json", folder);
    if (!err && !ts_file_exists(path.text))
        return ts_fail(why, TS_EPROTO, "it has no manifest.json, so it is no bundle");
    if (!err)
        err = ts_file_read(path.text, MANIFEST_MOST, &bytes, why);
    if (!err)
        err =
            ts_json_in_parse((const char *)bytes.data, bytes.size - 1, "manifest.json", root, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_bundle_reproduce(const char *file, const char *folder, struct ts_bundle_sums *sums,
                        struct ts_why *why)
{
    json_t *root = NULL;
    struct ts_why what = {""};
    *sums = (struct ts_bundle_sums){0};
    if (!ts_folder_is_empty(folder))
        return ts_fail(why, TS_EINVAL, "%.300s is not empty: name another folder", folder);
    const bool there = ts_file_exists(folder);
    int err = ts_folder_make(folder, why);
    if (!err)
        err = ts_archive_unpack(file, folder, ts_bundle_is_name, TS_BUNDLE_FILES_MOST, why);
    if (err && !there)
        rmdir(folder); /* where nothing came of it; what it holds stays */
    if (err)
        return err;
    err = read_manifest(folder, &root, &what);
    struct ts_json_in in = {root, "manifest.json", &what, err};
    if (!err && ts_json_in_integer(&in, "bundle", 1, INT32_MAX) > TS_BUNDLE_FORMAT)
        in.err = ts_fail(&what, TS_ENOTSUP, "made by a later version of this program; update it");
    const json_t *files = in.err ? NULL : ts_json_in_array(&in, "files", 1, TS_BUNDLE_FILES_MOST);
    struct reproduction of = {.folder = folder, .sums = sums};
    of.tables = in.err ? NULL : ts_json_in_array(&in, "tables", 0, TS_BUNDLE_FILES_MOST);
    err = in.err;
    if (!err)
        err = check_files(folder, files, &what);
    if (!err)
        err = rebuild_all(&of, &what);
    json_decref(root);
    return err ? ts_fail(why, err, "%.150s: %.240s", file, what.text) : TS_OK;
}
