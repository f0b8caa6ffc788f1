/* SPDX-License-Identifier: GPL-3.0-or-later */
/* touchstone rig: a rig's folder, and how its calibration files come into use. */
#ifndef TS_CLI_RIG_H
#define TS_CLI_RIG_H

#include "base/buf.h"
#include "model/calibration.h"
#include "store/rig.h"

int ts_cli_rig(int argc, char **argv);

/* A table of the record's values. */
struct ts_out;
void ts_rig_put_record(const struct ts_record *record, struct ts_out *out);

/* What the rig's stylus and camera files give, nominal values elsewhere. Files that are stale or of
 * another rig are refused (TS_EPROTO, *why says what to do); with `forced` they are used, and what
 * was wrong with them is added there, a line each. Board and camera are checked by ts_rig_meets()
 * when they are known. */
int ts_rig_give(const struct ts_rig *rig, int64_t now_s, struct ts_buf *forced,
                struct ts_calibration *given, struct ts_why *why) TS_MUST_CHECK;
/* The files are of this board, firmware and camera mode. `forced` as above. */
int ts_rig_meets(const struct ts_rig *rig, const struct ts_identity *identity, int64_t now_s,
                 struct ts_buf *forced, struct ts_why *why) TS_MUST_CHECK;

#endif
