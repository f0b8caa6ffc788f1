/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the tests of the moment put their launches: a folder with sessions that never were, and a
 * database, an SQLite file in it or a PostgreSQL server of its own. All of it fails the test that
 * calls it when it cannot be done. */
#ifndef TESTS_UNIT_LAB_PLACE_H
#define TESTS_UNIT_LAB_PLACE_H

#include "store/ingest.h"

#define SESSIONS 16
#define LAUNCHES 60

extern char place_where[256], place_folder[64]; /* of the database; of the sessions */
extern bool place_postgres;                     /* set before place_begin() */

int place_begin(void **state);
int place_end(void **state);
/* "start", "stop" or "kill": tests/cli/postgres.sh. */
void place_server(const char *action);
/* format has one %s, for text. */
void place_shell(const char *format, const char *text);
struct ts_db *place_open_db(void);
int64_t place_count(const char *of); /* rows of what follows FROM */
const char *place_session_dir(int number);
void place_write_session(int number, int launches);
int place_ingest(int number); /* launches added */
/* Launch `launch` of session 1 by some detector, as a file in that session. */
void place_write_result(const char *file, int launch, const char *version, double settled_ms);

#endif
