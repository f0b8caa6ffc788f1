/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows in the binary format of PostgreSQL's COPY (PostgreSQL 15 manual, COPY, "Binary Format"). */
#ifndef TS_STORE_PGCOPY_H
#define TS_STORE_PGCOPY_H

#include "store/db_engine.h"

#define TS_PGCOPY_HEADER  19
#define TS_PGCOPY_TRAILER 2
extern const char ts_pgcopy_header[TS_PGCOPY_HEADER], ts_pgcopy_trailer[TS_PGCOPY_TRAILER];

/* Appends a row. TS_ENOMEM. */
int ts_pgcopy_put(struct ts_buf *buf, const struct ts_db_cell *row, int columns) TS_MUST_CHECK;

/* Of the first message of an answer: where its rows begin. */
size_t ts_pgcopy_header_size(char *message, size_t size);
/* Hands over every row of a message, which ends with a NUL and is written in; kinds and take as
 * ts_db_read() has them. TS_EPROTO: rows of another shape; or what take gave. */
int ts_pgcopy_take(char *message, size_t size, const char *kinds,
                   int (*take)(void *context, const struct ts_db_cell *row), void *context,
                   struct ts_why *why) TS_MUST_CHECK;

#endif
