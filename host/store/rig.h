/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig's folder:
 *
 *   rig.yaml                  name, bench, options
 *   calibration/KIND.json     what a procedure found last (record_file.h)
 *   calibration/sessions/     the evidence that it was computed from
 *   verify/                   certificate of the latest verification, control chart
 */
#ifndef TS_STORE_RIG_H
#define TS_STORE_RIG_H

#include "model/record.h"

struct ts_rig {
    char name[64];
    char bench[16]; /* "sim", "live" */
    char *options;  /* owned; for the bench, "key=value,..." or "" */
    char *dir;      /* owned */
    bool known[TS_RECORD_COUNT];
    struct ts_record records[TS_RECORD_COUNT]; /* those that are known */
};

/* Makes the folder with its rig.yaml; TS_EINVAL: it exists and is not empty. */
int ts_rig_create(const char *dir, const char *name, const char *bench, const char *options,
                  struct ts_why *why) TS_MUST_CHECK;
/* Reads the folder whole. TS_EPROTO: a file of it is damaged; *why says which. Calibration files of
 * the kinds in `renewed` (bit per kind) may be: they are about to be written anew. */
int ts_rig_open(const char *dir, unsigned renewed, struct ts_rig *out,
                struct ts_why *why) TS_MUST_CHECK;
void ts_rig_free(struct ts_rig *rig);
/* Puts the record in the place of the one there was. */
int ts_rig_put(struct ts_rig *rig, const struct ts_record *record,
               struct ts_why *why) TS_MUST_CHECK;
/* Copies the files of all known records into `folder`, which is made. */
int ts_rig_copy_records(const struct ts_rig *rig, const char *folder,
                        struct ts_why *why) TS_MUST_CHECK;

#endif
