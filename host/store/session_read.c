/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/session.h"

#include "store/calibration_file.h"
#include "store/exclusions.h"
#include "store/files.h"
#include "store/layout.h"
#include "store/part.h"
#include "store/result_file.h"
#include "store/session_json.h"

#include <stdlib.h>
#include <string.h>

#define JSON_MAX ((size_t)8 << 20)

struct ts_session {
    struct ts_path dir;
    struct ts_session_info info;
    struct ts_plan plan;
    int launches;
    char **excluded; /* owned texts, by launch; NULL: not excluded */
};

/* A gap would mean that somebody removed a launch; what is after it is not counted. */
static int count_launches(const char *dir)
{
    int launches = 0;
    struct ts_path path;
    while (launches < TS_PLAN_LAUNCHES_MAX &&
           !ts_layout_file(dir, launches + 1, "result.json", &path, NULL) &&
           ts_file_exists(path.text))
        launches++;
    return launches;
}

static int open_session(struct ts_session *session, const char *dir, struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = ts_path_format(&session->dir, why, "%s", dir);
    if (!err)
        err = ts_path_format(&path, why, "%s/session.json", dir);
    if (!err && !ts_file_exists(path.text))
        return ts_fail(
            why, TS_EIO,
            "%s: is no session: it has no session.json; `touchstone ls DIR` lists those below "
            "DIR",
            dir);
    if (!err)
        err = ts_file_read(path.text, JSON_MAX, &bytes, why);
    if (err)
        return err;
    err = ts_session_parse((const char *)bytes.data, bytes.size - 1, &session->info, &session->plan,
                           &what);
    ts_buf_free(&bytes);
    if (err)
        return ts_fail(why, err, "%s: %s", dir, what.text);
    session->launches = count_launches(dir);
    session->excluded = calloc((size_t)session->launches + 1, sizeof *session->excluded);
    if (!session->excluded)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    return ts_exclusions_read(dir, session->excluded, session->launches, why);
}

int ts_session_open(const char *dir, struct ts_session **out, struct ts_why *why)
{
    *out = NULL;
    struct ts_session *session = calloc(1, sizeof *session);
    if (!session)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    const int err = open_session(session, dir, why);
    if (err) {
        ts_session_free(session);
        return err;
    }
    *out = session;
    return TS_OK;
}

void ts_session_free(struct ts_session *session)
{
    if (!session)
        return;
    for (int i = 0; session->excluded && i <= session->launches; i++)
        free(session->excluded[i]);
    free(session->excluded);
    ts_plan_free(&session->plan);
    free(session);
}

const struct ts_session_info *ts_session_get_info(const struct ts_session *session)
{
    return &session->info;
}

const struct ts_plan *ts_session_get_plan(const struct ts_session *session)
{
    return &session->plan;
}

const char *ts_session_get_folder(const struct ts_session *session)
{
    return session->dir.text;
}

int ts_session_launch_count(const struct ts_session *session)
{
    return session->launches;
}

const char *ts_session_exclusion(const struct ts_session *session, int launch)
{
    return launch >= 1 && launch <= session->launches ? session->excluded[launch] : NULL;
}

/* A part's small JSON file. */
static int read_file(const struct ts_session *session, int launch, const char *name,
                     struct ts_path *path, struct ts_buf *bytes, struct ts_why *why)
{
    const int err = ts_layout_file(session->dir.text, launch, name, path, why);
    return err ? err : ts_file_read(path->text, JSON_MAX, bytes, why);
}

int ts_session_load_calibration(const struct ts_session *session, struct ts_calibration *out,
                                struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = read_file(session, 0, "calibration.json", &path, &bytes, why);
    if (err)
        return err;
    err = ts_calibration_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    ts_buf_free(&bytes);
    return err ? ts_fail(why, err, "%s: %s", path.text, what.text) : TS_OK;
}

int ts_session_load_given(const struct ts_session *session, struct ts_calibration *out,
                          struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = ts_path_format(&path, why, "%s/rig/given.json", ts_session_get_folder(session));
    if (err)
        return err;
    if (!ts_file_exists(path.text))
        return TS_EOF;
    err = ts_file_read(path.text, JSON_MAX, &bytes, why);
    if (err)
        return err;
    err = ts_calibration_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    ts_buf_free(&bytes);
    return err ? ts_fail(why, err, "%s: %s", path.text, what.text) : TS_OK;
}

int ts_session_load_result(const struct ts_session *session, int launch, struct ts_result *out,
                           struct ts_why *why)
{
    struct ts_path path;
    struct ts_buf bytes = {0};
    struct ts_why what = {""};
    int err = read_file(session, launch, "result.json", &path, &bytes, why);
    if (err)
        return err;
    err = ts_result_parse((const char *)bytes.data, bytes.size - 1, out, &what);
    ts_buf_free(&bytes);
    if (!err && out->launch != launch)
        err = ts_fail(&what, TS_EPROTO, "is the result of launch %d", out->launch);
    return err ? ts_fail(why, err, "%s: %s", path.text, what.text) : TS_OK;
}

int ts_session_load_evidence(const struct ts_session *session, int launch, struct ts_evidence *out,
                             struct ts_why *why)
{
    struct ts_part *part;
    *out = (struct ts_evidence){.camera = session->info.camera};
    int err = ts_part_open(session, launch, &part, why);
    if (err)
        return err;
    struct ts_journal_entry entry;
    while (!(err = ts_part_next(part, &entry, why))) {
        if (entry.kind == TS_JOURNAL_INTENT)
            out->intent = entry.intent;
        if (entry.kind == TS_JOURNAL_ITEM)
            err = ts_evidence_add(out, &entry.item);
        ts_part_release(&entry);
        if (err) {
            ts_fail(why, err, "launch %d: %s", launch, ts_err_text(err));
            break;
        }
    }
    ts_part_close(part);
    if (err == TS_EOF)
        return TS_OK;
    ts_evidence_free(out);
    return err;
}
