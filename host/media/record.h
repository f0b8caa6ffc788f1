/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A lossless grey video of one launch, in Matroska. The same frames give the same bytes. Pictures
 * stand at even distances in it; when each was taken is in events.jsonl, whose n-th frame item is
 * picture n. A thread of its own encodes; when its queue is full the caller waits, so that no frame
 * is lost. */
#ifndef TS_MEDIA_RECORD_H
#define TS_MEDIA_RECORD_H

#include "base/err.h"
#include "model/frame.h"

struct ts_record;

/* The file is written over when it exists. */
int ts_record_create(const char *path, const struct ts_camera_geometry *geometry,
                     struct ts_record **out, struct ts_why *why) TS_MUST_CHECK;
/* Keeps the frame until it is encoded. Retains and releases in the caller's thread only, so that a
 * source may count references without locks. frame->pixels must be there. The first error of the
 * writer comes back from every later call. */
int ts_record_frame(struct ts_record *record, struct ts_frame *frame) TS_MUST_CHECK;
/* Encodes what is queued, closes the file and frees; the first error is reported here too.
 * NULL is fine. */
int ts_record_finish(struct ts_record *record) TS_MUST_CHECK;

#endif
