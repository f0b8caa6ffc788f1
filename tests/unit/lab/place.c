/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "place.h"

#include "lab.h"
#include "store/files.h"
#include "store/result_file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char place_where[256], place_folder[64];
bool place_postgres;

void place_shell(const char *format, const char *text)
{
    char command[512];
    snprintf(command, sizeof command, format, text);
    assert_int_equal(system(command), 0);
}

void place_server(const char *action)
{
    char command[512], line[256] = "";
    snprintf(command, sizeof command, "sh " TS_SOURCE_DIR "/tests/cli/postgres.sh %s %s", action,
             place_folder);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    if (fgets(line, sizeof line, pipe))
        snprintf(place_where, sizeof place_where, "%.*s", (int)strcspn(line, "\n"), line);
    assert_int_equal(pclose(pipe), 0);
}

int place_begin(void **state)
{
    (void)state;
    snprintf(place_folder, sizeof place_folder, "lab-XXXXXX");
    assert_non_null(mkdtemp(place_folder));
    snprintf(place_where, sizeof place_where, "%s/lab.sqlite", place_folder);
    if (place_postgres)
        place_server("start");
    return 0;
}

int place_end(void **state)
{
    (void)state;
    if (place_postgres)
        place_server("stop");
    place_shell("rm -rf %s", place_folder);
    return 0;
}

struct ts_db *place_open_db(void)
{
    struct ts_db *db;
    struct ts_why why = {""};
    if (ts_db_open(place_where, &db, &why))
        fail_msg("%s", why.text);
    return db;
}

static int take_count(void *context, const struct ts_db_cell *row)
{
    *(int64_t *)context = row->u.integer;
    return TS_OK;
}

int64_t place_count(const char *of)
{
    struct ts_db *db = place_open_db();
    struct ts_why why = {""};
    char sql[256];
    int64_t found = -1;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", of);
    if (ts_db_read(db, sql, "i", take_count, &found, &why))
        fail_msg("%s", why.text);
    ts_db_close(db);
    return found;
}

const char *place_session_dir(int number)
{
    static char dir[128];
    snprintf(dir, sizeof dir, "%s/session%d", place_folder, number);
    return dir;
}

void place_write_session(int number, int launches)
{
    struct ts_why why = {""};
    if (lab_write(place_session_dir(number), number, SESSIONS, launches, &why))
        fail_msg("%s", why.text);
}

int place_ingest(int number)
{
    struct ts_ingest ingest = {.db = place_open_db(), .device = "a phone"};
    struct ts_why why = {""};
    if (ts_ingest_session(&ingest, place_session_dir(number), &why))
        fail_msg("%s", why.text);
    ts_db_close(ingest.db);
    return ingest.added;
}

/* Launch `launch` of session 1 by some detector, as a file in that session. */
void place_write_result(const char *file, int launch, const char *version, double settled_ms)
{
    struct lab_session session;
    struct ts_result result;
    struct ts_why why = {""};
    struct ts_buf text = {0};
    struct ts_path path;
    lab_session_make(&session, 1, SESSIONS);
    lab_launch_make(&session, 1, SESSIONS, launch, &result);
    result.detector_version = version;
    result.settled.value = settled_ms;
    assert_int_equal(ts_result_print(&result, &session.info, &text), 0);
    assert_int_equal(ts_path_format(&path, &why, "%s/%s", place_session_dir(1), file), 0);
    place_shell("mkdir -p %s/session1/launches/0061", place_folder);
    place_shell("mkdir -p %s/session1/analysis/robust-9", place_folder);
    assert_int_equal(ts_file_write(path.text, &text, &why), 0);
    ts_buf_free(&text);
    ts_plan_free(&session.plan);
}
