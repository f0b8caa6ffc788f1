/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "export/bundle.h"

#include "export/archive.h"
#include "export/bundle_names.h"
#include "export/rebuild.h"
#include "export/share.h"
#include "export/tables.h"
#include "store/digest.h"
#include "store/files.h"
#include "store/json_out.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_MOST ((size_t)2 << 30)

struct bundle {
    const char *folder; /* what is packed */
    struct ts_archive_writer *archive;
    struct ts_buf manifest;
    struct ts_json_out json;
    int launches;
};

static int note(struct bundle *bundle, const char *name, const struct ts_buf *bytes)
{
    char digest[TS_DIGEST_SIZE];
    const int err = ts_digest_of(bytes->data, bytes->size, digest);
    if (err)
        return err;
    ts_json_open(&bundle->json, NULL, '{');
    ts_json_text(&bundle->json, "name", name);
    ts_json_text(&bundle->json, "sha256", digest);
    ts_json_close(&bundle->json, '}');
    return bundle->json.err;
}

static int note_table(void *context, const char *name, const struct ts_buf *bytes,
                      struct ts_why *why)
{
    const int err = note(context, name, bytes);
    return err ? ts_fail(why, err, "%s: %s", name, ts_err_text(err)) : TS_OK;
}

static int write_words(const struct ts_session *session, const char *folder, struct ts_why *why)
{
    const struct ts_session_info *info = ts_session_get_info(session);
    const char *name = ts_session_get_plan(session)->name;
    struct ts_out texts[3] = {{{0}, 0}};
    static const char *const names[] = {"README.txt", "CITATION.cff", "dictionary.csv"};
    ts_out_printf(
        &texts[0],
        "App launches as a person sees them, measured with Touchstone %s.\n\n"
        "session/ holds the evidence without what is private: block sums of the camera's\n"
        "frames, stamps, what Android's log said of launches, calibration and plan.\n"
        "dictionary.csv tells what the tables' columns mean. All tables and figures are\n"
        "made again, and compared with manifest.json, by\n\n"
        "  touchstone reproduce FILE -o FOLDER\n",
        info->touchstone);
    ts_out_put(&texts[1], "cff-version: 1.2.0\nmessage: Please name these data and the program "
                          "that measured them.\ntype: dataset\ntitle: \"App launch times");
    for (const char *at = name ? name : ""; *at; at++)
        ts_out_printf(&texts[1], "%s%c", at == name ? ": " : "",
                      (unsigned char)*at < ' ' || strchr("\"\\", *at) ? '-' : *at);
    ts_out_printf(&texts[1],
                  "\"\nauthors:\n  - name: \"not named\"\nreferences:\n  - type: software\n"
                  "    title: Touchstone\n    version: \"%s\"\n"
                  "    authors:\n      - name: \"the Touchstone project\"\n",
                  info->touchstone);
    ts_export_dictionary(&texts[2]);
    int err = TS_OK;
    for (size_t i = 0; i < 3; i++) {
        struct ts_path path;
        if (!err)
            err = ts_path_format(&path, why, "%s/%s", folder, names[i]);
        if (!err)
            err = texts[i].err;
        if (!err)
            err = ts_file_write(path.text, &texts[i].text, why);
        ts_buf_free(&texts[i].text);
    }
    return err;
}

static int pack_files(struct bundle *bundle, struct ts_why *why)
{
    char name[80];
    int err = TS_OK;
    for (size_t n = 0; !err && ts_bundle_name(n, bundle->launches, name, sizeof name); n++) {
        struct ts_path path;
        struct ts_buf bytes = {0};
        err = ts_path_format(&path, why, "%s/%s", bundle->folder, name);
        if (err || !ts_file_exists(path.text))
            continue;
        err = ts_file_read(path.text, FILE_MOST, &bytes, why);
        if (!err) {
            bytes.size--; /* the NUL */
            err = note(bundle, name, &bytes);
        }
        if (!err)
            err = ts_archive_put(bundle->archive, name, &bytes, why);
        ts_buf_free(&bytes);
    }
    return err;
}

static int pack(struct bundle *bundle, const char *touchstone, struct ts_why *why)
{
    struct ts_path session;
    int err = ts_path_format(&session, why, "%s/session", bundle->folder);
    if (err)
        return err;
    bundle->json = (struct ts_json_out){.buf = &bundle->manifest, .broken_depth = 2};
    ts_json_open(&bundle->json, NULL, '{');
    ts_json_integer(&bundle->json, "bundle", TS_BUNDLE_FORMAT);
    ts_json_text(&bundle->json, "touchstone", touchstone);
    ts_json_integer(&bundle->json, "launches", bundle->launches);
    ts_json_open(&bundle->json, "files", '[');
    err = pack_files(bundle, why);
    ts_json_close(&bundle->json, ']');
    ts_json_open(&bundle->json, "tables", '[');
    if (!err)
        err = ts_rebuild(session.text, note_table, bundle, why);
    ts_json_close(&bundle->json, ']');
    ts_json_close(&bundle->json, '}');
    if (!err)
        err = bundle->json.err;
    if (!err)
        err = ts_buf_append(&bundle->manifest, "\n", 1);
    return err ? err : ts_archive_put(bundle->archive, "manifest.json", &bundle->manifest, why);
}

/* What was staged, folder by folder; of nothing else does it know. */
static void remove_staged(const char *folder, int launches)
{
    static const char *const folders[] = {
        "session/rig", "session/checks", "session/calibration", "session/launches", "session", "."};
    struct ts_path path;
    for (int launch = 1; launch <= launches; launch++) {
        if (!ts_path_format(&path, NULL, "%s/session/launches/%04d", folder, launch))
            ts_folder_remove(path.text);
    }
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        const bool last = folders[i][0] == '.';
        if (!ts_path_format(&path, NULL, last ? "%s" : "%s/%s", folder, folders[i]))
            ts_folder_remove(path.text);
    }
}

int ts_bundle_write(const char *dir, const char *file, bool videos, struct ts_bundle_sums *sums,
                    struct ts_why *why)
{
    struct ts_session *session = NULL;
    struct ts_path staged, shared, archive;
    struct bundle bundle = {.folder = staged.text};
    int changed = 0;
    *sums = (struct ts_bundle_sums){0};
    int err = ts_session_open(dir, &session, why);
    if (!err)
        err = ts_path_format(&staged, why, "%s.part", file);
    if (!err)
        err = ts_path_format(&shared, why, "%s/session", staged.text);
    if (!err)
        err = ts_path_format(&archive, why, "%s/bundle", staged.text);
    if (!err && !ts_folder_is_empty(staged.text))
        err = ts_fail(why, TS_EINVAL, "%.300s is in the way: remove it", staged.text);
    if (err) {
        ts_session_free(session);
        return err;
    }
    bundle.launches = ts_session_launch_count(session);
    sums->launches = (size_t)bundle.launches;
    err = ts_folder_make(staged.text, why);
    if (!err)
        err = ts_share_session(session, shared.text, videos, &changed, why);
    if (!err)
        err = write_words(session, staged.text, why);
    if (!err)
        err = ts_archive_create(archive.text, &bundle.archive, why);
    if (!err)
        err = pack(&bundle, ts_session_get_info(session)->touchstone, why);
    const int closed = ts_archive_close(bundle.archive, err ? NULL : why);
    err = err ? err : closed;
    if (!err)
        err = ts_file_rename(archive.text, file, why);
    sums->results_changed = (size_t)changed;
    remove_staged(staged.text, bundle.launches);
    ts_buf_free(&bundle.manifest);
    ts_session_free(session);
    return err;
}
