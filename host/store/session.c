/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "store/session.h"

#include "media/record.h"
#include "store/blocks_file.h"
#include "store/calibration_file.h"
#include "store/db.h"
#include "store/files.h"
#include "store/journal.h"
#include "store/layout.h"
#include "store/result_file.h"
#include "store/session_json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct ts_session_writer {
    struct ts_path dir;
    struct ts_session_info info;
    struct ts_db *db; /* owned */

    /* The open part; part -1: none. */
    int part;
    struct ts_path folder; /* with ".part" */
    FILE *events;          /* owned */
    struct ts_buf line;
    struct ts_blocks_writer *blocks; /* owned */
    struct ts_record *video;         /* owned; NULL: none is made */
    int err;                         /* the part's first error, told when it is finished */
    int reason;                      /* its errno, 0 when there is none */
};

static int make_folders(const char *dir, struct ts_why *why)
{
    struct ts_path launches;
    if (!ts_folder_is_empty(dir))
        return ts_fail(why, TS_EINVAL,
                       "%s: is not an empty folder; give a new one, so that no session is mixed "
                       "with another",
                       dir);
    int err = ts_folder_make_two(dir, why);
    if (!err)
        err = ts_path_format(&launches, why, "%s/launches", dir);
    if (!err)
        err = ts_folder_make(launches.text, why);
    return err;
}

static int write_session_json(const char *dir, const struct ts_session_info *info,
                              const struct ts_plan *plan, const char *plan_text, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    struct ts_path path;
    int err = ts_path_format(&path, why, "%s/session.json", dir);
    if (!err && ts_session_print(info, plan, plan_text, &bytes))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_session_create(const char *dir, const struct ts_session_info *info,
                      const struct ts_plan *plan, const char *plan_text,
                      struct ts_session_writer **out, struct ts_why *why)
{
    struct ts_path db;
    *out = NULL;
    struct ts_session_writer *session = calloc(1, sizeof *session);
    if (!session)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    session->info = *info;
    session->part = -1;
    int err = ts_path_format(&session->dir, why, "%s", dir);
    if (!err)
        err = ts_path_format(&db, why, "%s/results.sqlite", dir);
    if (!err)
        err = make_folders(dir, why);
    if (!err)
        err = write_session_json(dir, info, plan, plan_text, why);
    if (!err)
        err = ts_db_open(db.text, &session->db, why);
    if (!err)
        err = ts_db_put_session(session->db, info, plan, why);
    if (err) {
        ts_session_close(session);
        return err;
    }
    *out = session;
    return TS_OK;
}

/* Between a launch's rename and its row there is an instant, too. */
static int rebuild_db(struct ts_session_writer *session, const struct ts_session *past,
                      struct ts_why *why)
{
    struct ts_path path;
    int err = ts_path_format(&path, why, "%s/results.sqlite", session->dir.text);
    if (err)
        return err;
    if (ts_file_exists(path.text) && unlink(path.text))
        return ts_file_fail(why, path.text, "removed", errno);
    err = ts_db_open(path.text, &session->db, why);
    if (!err)
        err = ts_db_put_session(session->db, &session->info, ts_session_get_plan(past), why);
    for (int launch = 1; launch <= ts_session_launch_count(past) && !err; launch++) {
        struct ts_result result;
        err = ts_session_load_result(past, launch, &result, why);
        if (!err)
            err = ts_db_put_launch(session->db, &session->info, &result, why);
        if (!err && ts_session_exclusion(past, launch))
            err = ts_db_put_exclusion(session->db, launch, ts_session_exclusion(past, launch), why);
    }
    return err;
}

int ts_session_resume(const struct ts_session *past, const struct ts_session_info *now,
                      struct ts_session_writer **out, struct ts_why *why)
{
    const struct ts_session_info *then = ts_session_get_info(past);
    const struct ts_camera_geometry *a = &then->camera, *b = &now->camera;
    *out = NULL;
    if (strcmp(then->detector, now->detector) != 0)
        return ts_fail(why, TS_EINVAL,
                       "it was begun with detector %s and this program has %s; results of both "
                       "cannot be mixed: begin a new campaign",
                       then->detector, now->detector);
    if (a->width_px != b->width_px || a->height_px != b->height_px ||
        a->nominal_period_ns != b->nominal_period_ns)
        return ts_fail(why, TS_EINVAL,
                       "its camera was %d x %d and another rate; set the camera to the same mode",
                       a->width_px, a->height_px);
    struct ts_session_writer *session = calloc(1, sizeof *session);
    if (!session)
        return ts_fail(why, TS_ENOMEM, "out of memory");
    session->info = *then;
    session->part = -1;
    int err = ts_path_format(&session->dir, why, "%s", ts_session_get_folder(past));
    if (!err) {
        ts_folder_remove_parts(session->dir.text);
        err = rebuild_db(session, past, why);
    }
    if (err) {
        ts_session_close(session);
        return err;
    }
    *out = session;
    return TS_OK;
}

int ts_session_give(struct ts_session_writer *session, const struct ts_calibration *given,
                    struct ts_why *why)
{
    struct ts_path folder, path;
    struct ts_buf bytes = {0};
    int err = ts_path_format(&folder, why, "%s/rig", session->dir.text);
    if (!err)
        err = ts_path_format(&path, why, "%s/given.json", folder.text);
    if (!err)
        err = ts_folder_make(folder.text, why);
    if (!err && ts_calibration_print(given, &bytes))
        err = ts_fail(why, TS_ENOMEM, "out of memory");
    if (!err)
        err = ts_file_write(path.text, &bytes, why);
    ts_buf_free(&bytes);
    return err;
}

static int open_part(struct ts_session_writer *session, bool record_video, struct ts_why *why)
{
    struct ts_path part, events, blocks, video;
    int err = ts_layout_part(session->dir.text, session->part, &part, why);
    if (!err && ts_file_exists(part.text))
        err = ts_fail(why, TS_EINVAL, "%s: is there already", part.text);
    if (!err)
        err = ts_path_format(&session->folder, why, "%s.part", part.text);
    if (!err)
        err = ts_path_format(&events, why, "%s/events.jsonl", session->folder.text);
    if (!err)
        err = ts_path_format(&blocks, why, "%s/blocks.bin", session->folder.text);
    if (!err)
        err = ts_path_format(&video, why, "%s/video.mkv", session->folder.text);
    if (err)
        return err;
    ts_folder_remove(session->folder.text); /* of an earlier run that was cut off */
    err = ts_folder_make(session->folder.text, why);
    if (err)
        return err;
    session->events = fopen(events.text, "wb");
    if (!session->events)
        return ts_file_fail(why, events.text, "created", errno);
    err = ts_blocks_create(blocks.text, &session->info.camera, &session->blocks, why);
    if (!err && record_video)
        err = ts_record_create(video.text, &session->info.camera, &session->video, why);
    return err;
}

/* Keeps the part's first error with its reason. */
static int note(struct ts_session_writer *session, int err)
{
    if (err && !session->err) {
        session->err = err;
        session->reason = err == TS_EIO ? errno : 0;
    }
    return session->err;
}

/* Lets go of the open part's files; they stay as they are. */
static void drop_part(struct ts_session_writer *session)
{
    note(session, ts_record_finish(session->video));
    note(session, ts_blocks_finish(session->blocks));
    if (session->events)
        fclose(session->events);
    session->video = NULL;
    session->blocks = NULL;
    session->events = NULL;
    session->part = -1;
    session->err = TS_OK;
    session->reason = 0;
}

int ts_session_begin(struct ts_session_writer *session, int launch, bool record_video,
                     struct ts_why *why)
{
    if (session->part >= 0 || launch < 0 || launch > TS_PLAN_LAUNCHES_MAX)
        return ts_fail(why, TS_EINVAL, "launch %d cannot be begun", launch);
    session->part = launch;
    const int err = open_part(session, record_video, why);
    if (err) {
        drop_part(session);
        ts_folder_remove(session->folder.text);
    }
    return err;
}

static int write_line(struct ts_session_writer *session, int err)
{
    if (!err &&
        fwrite(session->line.data, 1, session->line.size, session->events) != session->line.size)
        err = TS_EIO;
    ts_buf_clear(&session->line);
    return note(session, err);
}

int ts_session_item(struct ts_session_writer *session, const struct ts_item *item)
{
    if (session->part < 0)
        return TS_EINVAL;
    if (session->err)
        return session->err;
    if (item->kind == TS_ITEM_FRAME) {
        int err = ts_blocks_write(session->blocks, item->u.frame->blocks);
        if (!err && session->video && item->u.frame->pixels)
            err = ts_record_frame(session->video, item->u.frame);
        if (err)
            return note(session, err);
    }
    return write_line(session, ts_journal_put_item(&session->line, item));
}

int ts_session_command(struct ts_session_writer *session, const struct ts_command *command)
{
    if (session->part < 0)
        return TS_EINVAL;
    return session->err ? session->err
                        : write_line(session, ts_journal_put_command(&session->line, command));
}

int ts_session_intent(struct ts_session_writer *session, const struct ts_evidence_intent *intent)
{
    if (session->part < 0)
        return TS_EINVAL;
    return session->err ? session->err
                        : write_line(session, ts_journal_put_intent(&session->line, intent));
}

static int sync_part(const char *folder, bool video, struct ts_why *why)
{
    static const char *const names[] = {"events.jsonl", "blocks.bin", "video.mkv"};
    int err = TS_OK;
    for (int i = 0; i < (video ? 3 : 2) && !err; i++) {
        struct ts_path path;
        err = ts_path_format(&path, why, "%s/%s", folder, names[i]);
        if (!err)
            err = ts_file_sync(path.text, why);
    }
    return err;
}

/* Closes the part's files and gives it its own name. `last` is its result or calibration. */
static int finish_part(struct ts_session_writer *session, const char *last,
                       const struct ts_buf *bytes, bool keep_video, struct ts_why *why)
{
    struct ts_path path, whole;
    const bool video = session->video && keep_video;
    const bool unwanted = session->video && !keep_video;
    note(session, ts_record_finish(session->video));
    note(session, ts_blocks_finish(session->blocks));
    if (fclose(session->events))
        note(session, TS_EIO);
    session->video = NULL;
    session->blocks = NULL;
    session->events = NULL;
    int err = session->err;
    if (err == TS_EIO)
        ts_file_fail(why, session->folder.text, "written", session->reason);
    else if (err)
        ts_fail(why, err, "%s: cannot be written: %s", session->folder.text, ts_err_text(err));
    if (!err)
        err = ts_path_format(&path, why, "%s/video.mkv", session->folder.text);
    if (!err && unwanted && unlink(path.text))
        err = ts_file_fail(why, path.text, "removed", errno);
    if (!err)
        err = sync_part(session->folder.text, video, why);
    if (!err)
        err = ts_path_format(&path, why, "%s/%s", session->folder.text, last);
    if (!err)
        err = ts_file_write(path.text, bytes, why);
    if (!err)
        err = ts_layout_part(session->dir.text, session->part, &whole, why);
    if (!err)
        err = ts_file_rename(session->folder.text, whole.text, why);
    drop_part(session);
    return err;
}

int ts_session_finish_launch(struct ts_session_writer *session, const struct ts_result *result,
                             bool keep_video, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    if (session->part < 1)
        return ts_fail(why, TS_EINVAL, "no launch is open");
    int err = ts_result_print(result, &session->info, &bytes);
    note(session, err);
    err = finish_part(session, "result.json", &bytes, keep_video, why);
    if (!err)
        err = ts_db_put_launch(session->db, &session->info, result, why);
    ts_buf_free(&bytes);
    return err;
}

int ts_session_finish_calibration(struct ts_session_writer *session,
                                  const struct ts_calibration *calibration, struct ts_why *why)
{
    struct ts_buf bytes = {0};
    if (session->part != 0)
        return ts_fail(why, TS_EINVAL, "the calibration is not open");
    int err = ts_calibration_print(calibration, &bytes);
    note(session, err);
    err = finish_part(session, "calibration.json", &bytes, true, why);
    ts_buf_free(&bytes);
    return err;
}

void ts_session_close(struct ts_session_writer *session)
{
    if (!session)
        return;
    const bool open = session->part >= 0;
    drop_part(session);
    if (open)
        ts_folder_remove(session->folder.text);
    ts_db_close(session->db);
    ts_buf_free(&session->line);
    free(session);
}
