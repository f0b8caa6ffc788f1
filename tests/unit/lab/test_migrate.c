/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Databases of every version that there has been, opened by this one. */
#include "place.h"
#include "store/db_engine.h"
#include "store/files.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CURRENT 6

/* Two launches alike and one of another app, the second of them taken out. */
static const char rows_of_first[] =
    "INSERT INTO session VALUES (1, 'night', 'sim', '7', '0.1', 'robust-1', 'cold', 3);"
    "INSERT INTO launch (session_id, launch, app, start_type, verdict, flags, usable, exclusion, "
    "rule, detector_version, settled_ms, package_version, refresh_before_hz, rotation, frames, "
    "dropped) VALUES "
    "(1, 1, 'Mail', 'cold', 'usable', '', 1, NULL, 'robust', 'robust-1', 812.5, '1.4', 60, 0, 9, "
    "0),"
    "(1, 2, 'Mail', 'cold', 'usable', '', 1, 'a fly', 'robust', 'robust-1', 900, '1.4', 60, 0, 9, "
    "0),"
    "(1, 3, 'Maps', 'cold', 'usable', '', 1, NULL, 'robust', NULL, 700, NULL, NULL, NULL, 9, 1);";
static const char rows_of_setups[] =
    "INSERT INTO session (id, digest, added, name, bench, seed, touchstone, detector, start_type, "
    "launches, warm_up) VALUES (1, 'd1', 1, 'night', 'sim', '7', '0.1', 'robust-1', 'cold', 3, 0);"
    "INSERT INTO setup (id, app, start_type, rule, package_version, refresh_before_hz, rotation) "
    "VALUES (11, 'Mail', 'cold', 'robust', '1.4', 60, 0), (12, 'Maps', 'cold', 'robust', NULL, "
    "NULL, NULL);"
    "INSERT INTO launch (session_id, launch, detector_version, setup_id, kept, usable, warm_up, "
    "exclusion, verdict, flags, settled_ms, frames, dropped) VALUES "
    "(1, 1, 'robust-1', 11, 1, 1, 0, NULL, 'usable', '', 812.5, 9, 0),"
    "(1, 2, 'robust-1', 11, 1, 1, 0, 'a fly', 'usable', '', 900, 9, 0),"
    "(1, 3, '', 12, 1, 1, 0, NULL, 'usable', '', 700, 9, 1);";

static void raw_open(struct ts_db *db)
{
    struct ts_why why = {""};
    *db = (struct ts_db){.engine = place_postgres ? &ts_db_postgres : &ts_db_sqlite};
    if (db->engine->open(db, place_where, false, &why))
        fail_msg("%s", why.text);
}

static void raw_run(const char *sql)
{
    struct ts_db db;
    struct ts_why why = {""};
    raw_open(&db);
    if (db.engine->run(&db, sql, &why))
        fail_msg("%s", why.text);
    db.engine->close(&db);
}

/* One server for all of it; every test begins with nothing there. */
static int forget_all(void **state)
{
    (void)state;
    if (place_postgres)
        raw_run("DROP SCHEMA public CASCADE; CREATE SCHEMA public;");
    place_shell("rm -rf %s/*", place_folder);
    return 0;
}

static void make_old(int version)
{
    char path[256];
    struct ts_buf sql = {0};
    struct ts_why why = {""};
    snprintf(path, sizeof path, TS_SOURCE_DIR "/tests/unit/lab/schemas/%d.sql", version);
    if (ts_file_read(path, 1 << 20, &sql, &why))
        fail_msg("%s", why.text);
    raw_run((const char *)sql.data);
    raw_run(version < 3 ? rows_of_first : rows_of_setups);
    ts_buf_free(&sql);
}

static void assert_brought_forward(void)
{
    assert_int_equal(place_count("launches"), 3);
    assert_int_equal(place_count("setup"), 2);
    assert_int_equal(place_count("session WHERE name = 'night' AND started IS NULL"), 1);
    assert_int_equal(place_count("launches WHERE app = 'Mail' AND build = '1.4'"), 2);
    assert_int_equal(place_count("launches WHERE launch = 1 AND settled_ms = 812.5"), 1);
    assert_int_equal(place_count("launches WHERE launch = 2 AND exclusion = 'a fly'"), 1);
    assert_int_equal(place_count("launches WHERE app = 'Maps' AND build IS NULL AND dropped = 1 "
                                 "AND rotation IS NULL AND settled_ms = 700"),
                     1);
    assert_int_equal(place_count("launches WHERE energy_mj IS NULL AND cpu_mhz IS NULL"), 3);
}

static void every_version_comes_forward(void **state)
{
    for (int version = place_postgres ? 3 : 1; version < CURRENT; version++) {
        struct ts_db *db;
        struct ts_why why = {""};
        forget_all(state);
        make_old(version);
        if (ts_db_open(place_where, &db, &why))
            fail_msg("version %d: %s", version, why.text);
        ts_db_close(db);
        assert_brought_forward();
    }
}

static void it_comes_forward_where_it_is_read(void **state)
{
    struct ts_db *db;
    struct ts_why why = {""};
    (void)state;
    make_old(4);
    assert_int_equal(ts_db_open_as_it_is(place_where, &db, &why), TS_ENOTSUP);
    if (ts_db_open_to_read(place_where, &db, &why))
        fail_msg("%s", why.text);
    ts_db_close(db);
    assert_int_equal(ts_db_open_as_it_is(place_where, &db, &why), TS_OK);
    ts_db_close(db);
    assert_brought_forward();
}

static void a_lab_goes_on(void **state)
{
    (void)state;
    make_old(3);
    place_write_session(1, LAUNCHES);
    assert_int_equal(place_ingest(1), LAUNCHES);
    assert_int_equal(place_ingest(1), 0);
    assert_int_equal(place_count("launches"), LAUNCHES + 3);
}

static int count_rows(void *context, const struct ts_db_cell *row)
{
    (void)row;
    ++*(int *)context;
    return TS_OK;
}

static int count_raw(const char *sql)
{
    struct ts_db raw;
    struct ts_why why = {""};
    int rows = 0;
    raw_open(&raw);
    const int err = raw.engine->read(&raw, sql, "i", count_rows, &rows, &why);
    raw.engine->close(&raw);
    return err ? err : rows;
}

/* Something stands in the way in the middle: then all is as it was. */
static void half_a_way_is_none(void **state)
{
    struct ts_db *db;
    struct ts_why why = {""};
    (void)state;
    make_old(place_postgres ? 4 : 2);
    if (place_postgres)
        raw_run("DROP VIEW launches; ALTER TABLE setup RENAME COLUMN observers TO watchers; "
                "CREATE VIEW launches AS SELECT CAST(1 AS BIGINT) AS one;");
    else
        raw_run("CREATE TABLE setup (odd INTEGER); CREATE VIEW launches AS SELECT 1 AS one;");
    assert_int_not_equal(ts_db_open(place_where, &db, &why), TS_OK);
    assert_non_null(strstr(why.text, "could not be brought forward"));
    assert_int_equal(count_raw("SELECT one FROM launches"), 1);
    assert_int_equal(count_raw("SELECT launch FROM launch"), 3);
    assert_int_equal(count_raw("SELECT id FROM session"), 1);
    assert_int_equal(count_raw("SELECT build FROM setup"), TS_EPROTO);
}

#define TEST(name) cmocka_unit_test_setup(name, forget_all)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_comes_forward),
        TEST(it_comes_forward_where_it_is_read),
        TEST(a_lab_goes_on),
        TEST(half_a_way_is_none),
    };
    const int files = cmocka_run_group_tests_name("SQLite", tests, place_begin, place_end);
    place_postgres = true;
    return files + cmocka_run_group_tests_name("PostgreSQL", tests, place_begin, place_end);
}
