/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One finished part of a session (the calibration or a launch), entry by entry in the order in
 * which it was recorded. */
#ifndef TS_STORE_PART_H
#define TS_STORE_PART_H

#include "store/journal.h"
#include "store/session.h"

struct ts_part;

/* launch 0: the calibration. session is borrowed for the life of the part. */
int ts_part_open(const struct ts_session *session, int launch, struct ts_part **out,
                 struct ts_why *why) TS_MUST_CHECK;
/* *entry is given back with ts_part_release(). A frame item comes with a frame that has blocks and
 * no pixels; it outlives the entry for whoever retains it. TS_EOF after the last. */
int ts_part_next(struct ts_part *part, struct ts_journal_entry *entry,
                 struct ts_why *why) TS_MUST_CHECK;
void ts_part_release(struct ts_journal_entry *entry); /* zeroed is fine */
void ts_part_close(struct ts_part *part);

#endif
