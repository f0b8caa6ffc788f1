/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder as one file and back: tar (pax) with Zstandard, by libarchive. Owners, dates and modes
 * are left out, so that equal files give equal archives. */
#ifndef TS_EXPORT_ARCHIVE_H
#define TS_EXPORT_ARCHIVE_H

#include "base/buf.h"

#include <stdbool.h>

struct ts_archive_writer;
/* TS_EIO: the file cannot be written. */
int ts_archive_create(const char *path, struct ts_archive_writer **out,
                      struct ts_why *why) TS_MUST_CHECK;
int ts_archive_put(struct ts_archive_writer *writer, const char *name, const struct ts_buf *bytes,
                   struct ts_why *why) TS_MUST_CHECK;
/* Finishes the file; frees the writer in any case. NULL is fine. */
int ts_archive_close(struct ts_archive_writer *writer, struct ts_why *why) TS_MUST_CHECK;

/* Unpacks into `folder`, which is there. Plain files alone, whose names `accept` takes: relative,
 * of [A-Za-z0-9_.-] between slashes, no part that begins with a dot. Anything else (links, devices,
 * other names, a name twice, more than `files_most` or 64 GB) refuses the whole archive with
 * TS_EPROTO. Folders are made as they are needed. */
int ts_archive_unpack(const char *path, const char *folder, bool (*accept)(const char *name),
                      size_t files_most, struct ts_why *why) TS_MUST_CHECK;

#endif
