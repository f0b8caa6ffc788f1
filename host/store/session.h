/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session folder, written so that a crash at any instant loses at most the launch under way:
 *
 *   session.json                      plan, seed, versions, rig, phone
 *   campaign.json                     when, on which rig, with which phone (campaign_file.h)
 *   rig/                              copies of the rig's calibration files, and what they gave:
 *                                     given.json; only of a rig that has been calibrated
 *   calibration/events.jsonl blocks.bin calibration.json
 *   launches/0001/events.jsonl blocks.bin [video.mkv] result.json
 *   exclusions.jsonl                  launches that people took out afterwards, when there are any
 *   results.sqlite                    the same results, one row a launch (store/db.h)
 *
 * A part (the calibration or one launch) is written under a name ending in ".part" and renamed
 * when it is whole and on the disk. */
#ifndef TS_STORE_SESSION_H
#define TS_STORE_SESSION_H

#include "base/err.h"
#include "model/calibration.h"
#include "model/evidence.h"
#include "model/item.h"
#include "model/plan.h"
#include "model/result.h"

struct ts_session_info {
    uint64_t seed;
    char bench[32];      /* "sim", "live" */
    char touchstone[32]; /* version of this program */
    char detector[32];
    struct ts_camera_geometry camera;
};

struct ts_session_writer;

/* Refuses a folder that exists and is not empty. plan_text: the plan file's own bytes, kept. */
int ts_session_create(const char *dir, const struct ts_session_info *info,
                      const struct ts_plan *plan, const char *plan_text,
                      struct ts_session_writer **out, struct ts_why *why) TS_MUST_CHECK;
struct ts_session;
/* Goes on with a session that was cut off: removes what was not finished, and writes
 * results.sqlite anew from the results. TS_EINVAL: the bench's camera is another one now. */
int ts_session_resume(const struct ts_session *past, const struct ts_session_info *now,
                      struct ts_session_writer **out, struct ts_why *why) TS_MUST_CHECK;
/* Keeps what the rig's calibration files gave, before the first part. */
int ts_session_give(struct ts_session_writer *session, const struct ts_calibration *given,
                    struct ts_why *why) TS_MUST_CHECK;
/* Opens part `launch` (0: the calibration). Frames' pixels go to a video when record_video. */
int ts_session_begin(struct ts_session_writer *session, int launch, bool record_video,
                     struct ts_why *why) TS_MUST_CHECK;
/* A frame item's blocks must be filled in. */
int ts_session_item(struct ts_session_writer *session, const struct ts_item *item) TS_MUST_CHECK;
int ts_session_command(struct ts_session_writer *session,
                       const struct ts_command *command) TS_MUST_CHECK;
int ts_session_intent(struct ts_session_writer *session,
                      const struct ts_evidence_intent *intent) TS_MUST_CHECK;
/* Closes the open part with its result; keep_video false deletes the video. */
int ts_session_finish_launch(struct ts_session_writer *session, const struct ts_result *result,
                             bool keep_video, struct ts_why *why) TS_MUST_CHECK;
int ts_session_finish_calibration(struct ts_session_writer *session,
                                  const struct ts_calibration *calibration,
                                  struct ts_why *why) TS_MUST_CHECK;
/* Drops an open part and frees everything; what was finished stays. */
void ts_session_close(struct ts_session_writer *session);

/* ---- reading ---- */
int ts_session_open(const char *dir, struct ts_session **out, struct ts_why *why) TS_MUST_CHECK;
const struct ts_session_info *ts_session_get_info(const struct ts_session *session);
const struct ts_plan *ts_session_get_plan(const struct ts_session *session);
int ts_session_launch_count(const struct ts_session *session); /* finished ones, 1..n */
/* TS_EOF: the rig had no calibration files. */
int ts_session_load_given(const struct ts_session *session, struct ts_calibration *out,
                          struct ts_why *why) TS_MUST_CHECK;
int ts_session_load_calibration(const struct ts_session *session, struct ts_calibration *out,
                                struct ts_why *why) TS_MUST_CHECK;
/* launch 0: the calibration's own evidence. */
int ts_session_load_evidence(const struct ts_session *session, int launch, struct ts_evidence *out,
                             struct ts_why *why) TS_MUST_CHECK;
int ts_session_load_result(const struct ts_session *session, int launch, struct ts_result *out,
                           struct ts_why *why) TS_MUST_CHECK;
void ts_session_free(struct ts_session *session);
/* The folder as it was given to ts_session_open(). */
const char *ts_session_get_folder(const struct ts_session *session);

/* ---- what people say of launches afterwards: exclusions.jsonl, appended to ---- */
/* Excludes a finished launch, saying why; reason NULL takes it in again. Sessions that are open
 * already do not see it. */
int ts_session_exclude(const char *dir, int launch, const char *reason,
                       struct ts_why *why) TS_MUST_CHECK;
/* Why it is excluded; NULL: it is not. */
const char *ts_session_exclusion(const struct ts_session *session, int launch);

#endif
